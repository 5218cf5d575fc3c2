import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { endWithUs } from "../faults/end-with-us.ts";
import { eventually } from "./eventually.ts";

/** The terminals of somebody who follows a page. */
export interface PageTerminals {
  /** Types into the first one, whose folder and variables stay, and waits. @returns what was printed. */
  type(commands: string, timeoutMs?: number): Promise<() => string>;
  /** Starts a server in a terminal of its own. @returns what it has printed so far. */
  start(commands: string, environment?: Readonly<Record<string, string>>): () => string;
  /** Ends all servers and waits for them. */
  close(): Promise<void>;
}

export interface PageTerminalsOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a command that fails is an error. */
  readonly stopAtFailure?: boolean;
}

export function openPageTerminals({ folder, environment, stopAtFailure = false }: PageTerminalsOptions): PageTerminals {
  const running: { readonly child: ChildProcess; readonly closed: Promise<unknown> }[] = [];
  const shell = begin(stopAtFailure ? ["-e"] : [], environment);
  let typed = 0;

  function begin(args: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn("sh", args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    endWithUs(child);
    // A shell that has stopped reads nothing any more; who typed it is told by its exit code.
    child.stdin.on("error", () => {});
    // Its output closes when all that it started have ended; a shell itself ends before its server.
    running.push({ child, closed: once(child, "close") });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  }

  return {
    async type(commands, timeoutMs = 90_000) {
      typed += 1;
      const before = shell.output().length;
      const printed = () => shell.output().slice(before);
      const end = `--- done ${typed}`;
      shell.child.stdin.write(`${commands}\necho "${end}"\n`);
      const hasEnded = (): boolean => printed().includes(end);
      await eventually(
        () => {
          if (hasEnded() || shell.child.exitCode !== null) return;
          throw new Error(`Not ended in time:\n${commands}\n${printed()}`);
        },
        { timeoutMs },
      );
      if (!hasEnded()) throw new Error(`A command failed:\n${commands}\n${printed()}`);
      return () => printed().replace(`${end}\n`, "");
    },
    start: (commands, env = environment) => begin(["-c", commands], env).output,
    async close() {
      for (const { child, closed } of running) {
        if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
        await closed;
      }
    },
  };
}
