import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CrashOrder } from "./crash-worker-process.ts";

/** A process that works on orders and dies of SIGKILL: at the step it is told, or when the test says so. */
export interface CrashWorker {
  begin(order: CrashOrder): void;
  kill(): void;
  /** Resolves when it has died of SIGKILL. @throws Error with what it wrote when it ended in another way, or not at all. */
  died(): Promise<void>;
}

/** Starts the compiled `crash-worker-process`, which waits for `begin`. */
export function startCrashWorker(entry: string): CrashWorker {
  const child = spawn(process.execPath, [entry], { stdio: ["pipe", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, "exit");
  return {
    begin: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    kill: () => void child.kill("SIGKILL"),
    died: async () => {
      const lateMs = 60_000;
      const late = setTimeout(() => child.kill("SIGTERM"), lateMs);
      await ended;
      clearTimeout(late);
      if (child.signalCode !== "SIGKILL") throw new Error(`the worker ended with ${child.exitCode}:\n${output}`);
    },
  };
}
