import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverEntry } from "./server-process.ts";

/** A command line of the program as it is installed. */
export interface RunningCommand {
  /** Resolves with the exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  output(): string;
  kill(): void;
}

/** @param onOutput told of everything that it has written so far, both streams */
export function runCommand(
  parameters: readonly string[],
  environment: Record<string, string>,
  onOutput: (output: string) => void = () => {},
  entry: string = serverEntry,
): RunningCommand {
  const child = spawn(process.execPath, [entry, ...parameters], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const add = (chunk: Buffer): void => {
    output += chunk.toString();
    onOutput(output);
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return {
    ended: once(child, "close").then(([code]) => code as number | null),
    output: () => output,
    kill: () => void child.kill("SIGKILL"),
  };
}
