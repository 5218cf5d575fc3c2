/** The world around the command line. Tests hand in their own. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly fetch: typeof fetch;
  /** What demo mode accepts; used when the environment sets nothing. */
  readonly demoCredentials: {
    readonly basicUsername: string;
    readonly basicPassword: string;
    readonly apiToken: string;
    readonly gatewayControlToken: string;
  };
  /** Calls the listener when the person wants the command to end; the returned function takes the listener away. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Ends the command with this exit code. */
export type Finish = (exitCode: number) => void;

export function printLine(output: TextOutput, text = ""): void {
  output.write(`${text}\n`);
}

/** All that standard input holds, at most `bytesMax`. Null when it is longer. */
export async function readStdin(terminal: Terminal, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of terminal.stdin) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > bytesMax) return null;
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}
