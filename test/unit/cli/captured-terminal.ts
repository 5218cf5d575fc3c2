import { stripVTControlCharacters } from "node:util";
import { runCli } from "../../../src/cli/run-cli.ts";
import type { Terminal } from "../../../src/cli/terminal.ts";

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Those of the server; by default those of the tests' servers. */
  readonly demoCredentials?: Terminal["demoCredentials"];
  /** Columns of the terminal; not given: the output is no terminal. */
  readonly columns?: number;
  /** Hands out what a Ctrl-C calls. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Sees what is printed when it is printed. */
  readonly onOutput?: (text: string) => void;
}

const testCredentials: Terminal["demoCredentials"] = {
  basicUsername: "demo",
  basicPassword: "demo: pässword",
  apiToken: "an-api-token",
  gatewayControlToken: "control-1",
};

/** Runs the command line as a person would, and catches what it prints. Requests go over real HTTP. */
export async function runCaptured(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  let stdout = "";
  let stderr = "";
  const screen = options.columns === undefined ? {} : { isTTY: true, columns: options.columns };
  const exitCode = await runCli(args, {
    environment: options.environment ?? {},
    stdin: (async function* () {
      yield Buffer.from(options.stdin ?? "");
    })(),
    stdout: {
      write: (text: string) => {
        stdout += text;
        options.onOutput?.(text);
      },
      ...screen,
    },
    stderr: {
      write: (text: string) => {
        stderr += text;
        options.onOutput?.(text);
      },
    },
    fetch,
    demoCredentials: options.demoCredentials ?? testCredentials,
    onInterrupt: options.onInterrupt ?? (() => () => {}),
  });
  return { exitCode, stdout, stderr };
}

/** The lines without colours and trailing blanks. */
export function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trimEnd());
}
