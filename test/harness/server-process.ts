import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";

/** One for all processes of a test run file, as an agency has one for all of its processes. */
const encryptionKeys = createEncryptionKey(new Date());

/** The program as it is installed. It runs `dist`, which is built before the tests whenever `src` is newer. */
export const serverEntry = fileURLToPath(new URL("../../bin/skedchange.js", import.meta.url));

/** A real process of Skedchange, started as it is installed. */
export interface ServerProcess {
  readonly pid: number;
  /** From its own introduction. */
  readonly agencyUrl: string;
  readonly gatewayUrl: string | null;
  /** Everything it has written so far, both streams. */
  output(): string;
  /** Resolves when the output contains the text. */
  waitFor(text: string, timeoutMs?: number): Promise<void>;
  /** Sends the signal and waits for the end. Returns the exit code (null after SIGKILL) and the time it took. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<{ code: number | null; tookMs: number }>;
}

/**
 * Starts `skedchange serve` and waits until it listens. The environment is exactly what is given, plus PATH and a
 * key for what is stored: no setting of the machine gets in.
 *
 * @param startTimeoutMs a new database and all its migrations are written to a disk that other tests may keep busy.
 * @param installed where the program was installed; this project when not given.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  startTimeoutMs = 90_000,
  installed: { readonly cwd?: string; readonly entry: string; readonly command?: "serve" | "sandbox" } = {
    entry: serverEntry,
  },
): Promise<ServerProcess> {
  const { cwd, entry, command = "serve" } = installed;
  const child = spawn(process.execPath, [entry, command], {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      PORT: "0",
      GATEWAY_PORT: "0",
      ENCRYPTION_KEYS: encryptionKeys,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = collect(child);
  try {
    await log.waitFor("agency side", startTimeoutMs);
    await log.waitFor("database ");
  } catch (error) {
    // Left running, it would take the machine from the tests that follow.
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    throw error;
  }
  const agencyUrl = /agency side\s+(http\S+)/.exec(log.output())?.[1];
  if (agencyUrl === undefined || child.pid === undefined) throw new Error(`no agency side in:\n${log.output()}`);
  return {
    pid: child.pid,
    agencyUrl,
    gatewayUrl: /gateway side\s+(http\S+)/.exec(log.output())?.[1] ?? null,
    output: log.output,
    waitFor: log.waitFor,
    end: async (signal) => {
      const startedAt = performance.now();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
      child.kill(signal);
      await ended;
      return { code: child.exitCode, tookMs: performance.now() - startedAt };
    },
  };
}

function collect(child: ChildProcess): Pick<ServerProcess, "output" | "waitFor"> {
  let text = "";
  const watchers = new Set<() => void>();
  const onData = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const watcher of watchers) watcher();
  };
  child.stdout?.on("data", onData);
  child.stderr?.on("data", onData);
  return {
    output: () => text,
    waitFor: (wanted, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const settle = (error?: Error): void => {
          clearTimeout(timer);
          watchers.delete(look);
          child.off("exit", onExit);
          if (error === undefined) resolve();
          else reject(error);
        };
        const look = (): void => {
          if (text.includes(wanted)) settle();
        };
        const onExit = (): void => settle(new Error(`it ended before it said '${wanted}':\n${text}`));
        const timer = setTimeout(() => settle(new Error(`it did not say '${wanted}' in time:\n${text}`)), timeoutMs);
        watchers.add(look);
        child.once("exit", onExit);
        look();
      }),
  };
}
