import { EventEmitter } from "node:events";
import { escapeInvisible, toVisible } from "../kernel/visible-text.ts";
import { paintMarks } from "./style-marks.ts";

/** The process around the command line; tests pass their own. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly fetch: typeof fetch;
  /** Those of demo mode; used if the environment sets none. */
  readonly demoCredentials: {
    readonly basicUsername: string;
    readonly basicPassword: string;
    readonly apiToken: string;
    readonly gatewayControlToken: string;
  };
  /** Calls the listener once on Ctrl-C, or when the process is to end; the returned function removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Sets the exit code, without ending the command. */
export type Finish = (exitCode: number) => void;

/**
 * Writes one line of text. It may hold foreign text, such as an airport code or a gateway's error message: nothing in it
 * controls the terminal or begins another line. Only styles become codes of the terminal.
 */
export function printLine(output: TextOutput, text = ""): void {
  output.write(`${toTerminalLine(text)}\n`);
}

export function toTerminalLine(text: string): string {
  return paintMarks(toVisible(text));
}

/** Several lines of our own; foreign text in them must be one line already. */
export function printLines(output: TextOutput, lines: readonly string[]): void {
  for (const line of lines) printLine(output, line);
}

/** One line of cells between tabs, for programs that read a pipe. */
export function printCells(output: TextOutput, cells: readonly string[]): void {
  output.write(`${cells.map(toTerminalLine).join("\t")}\n`);
}

/** What goes with the rows of a list. In a pipe it goes to standard error, so that only rows are in the pipe. */
export function printAside({ stdout, stderr }: Pick<Terminal, "stdout" | "stderr">, text: string): void {
  printLine(stdout.isTTY === true ? stdout : stderr, text);
}

/** Every character that nobody sees is escaped, so that the value stays the same. */
export function printJson({ stdout }: Pick<Terminal, "stdout">, value: unknown): void {
  stdout.write(`${toJson(value, 2)}\n`);
}

/** Prints a response as JSON if asked to, else what it means for the person at the terminal. */
export function printResponse(
  response: unknown,
  { json }: { readonly json?: boolean },
  { stdout }: Pick<Terminal, "stdout">,
  ...sentences: readonly string[]
): void {
  if (json === true) printJson({ stdout }, response);
  else printLines(stdout, sentences);
}

/** Prints one of a list of values on a line of its own. */
export function printJsonLine({ stdout }: Pick<Terminal, "stdout">, value: unknown): void {
  stdout.write(`${toJson(value)}\n`);
}

export function toJson(value: unknown, indent = 0): string {
  return escapeInvisible(JSON.stringify(value, null, indent));
}

/** Over the line before, on a terminal. An empty text leaves nothing there. */
export function printProgress({ stderr }: Pick<Terminal, "stderr">, text: string): void {
  if (stderr.isTTY === true) stderr.write(`\r${toVisible(text)}\u001b[K`);
}

/**
 * Writes what is in its final form, such as a file. Waits for a slower reader of the output, so that a long export does
 * not fill the memory.
 */
export function writeDocument({ stdout }: Pick<Terminal, "stdout">, text: string): Promise<void> | void {
  const goesOn = stdout.write(text);
  if (goesOn !== false || !(stdout instanceof EventEmitter)) return;
  return new Promise((resolve) => stdout.once("drain", resolve));
}

/** Returns null if standard input is longer. */
export async function readStdin(terminal: Terminal, bytesMax: number): Promise<Buffer | null> {
  return await readStream(terminal.stdin, bytesMax);
}

/** Returns null if it is longer. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > bytesMax) return null;
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}
