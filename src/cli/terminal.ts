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

export function printLine(output: TextOutput, text = ""): void {
  output.write(`${text}\n`);
}

/** What goes with the rows of a list. In a pipe it goes to standard error, so that only rows are in the pipe. */
export function printAside({ stdout, stderr }: Pick<Terminal, "stdout" | "stderr">, text: string): void {
  printLine(stdout.isTTY === true ? stdout : stderr, text);
}

export function printJson({ stdout }: Pick<Terminal, "stdout">, value: unknown): void {
  printLine(stdout, JSON.stringify(value, null, 2));
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
