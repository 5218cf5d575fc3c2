import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import { describeUnknownSettings } from "../config/unknown-settings.ts";
import { findWeaknesses, isReachable } from "../config/weak-settings.ts";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { createLogger } from "../telemetry/json-logger.ts";
import { runDemo } from "./demo.ts";
import type { RunningServer } from "./start-server.ts";
import { openStorage } from "./storage.ts";
import { version } from "./version.ts";
import { watchNpm } from "./watch-npm.ts";

export interface ServeOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** For people: one line each. Log lines go to standard output. */
  readonly print?: (line: string) => void;
  /** More lines for people, once it runs. */
  readonly introduce?: (server: RunningServer) => readonly string[];
}

/**
 * Runs until SIGTERM, Ctrl-C, or the end of its terminal or npm.
 * @returns the exit code: 0 after a regular stop, 1 after a failed start or a fault
 */
export async function serve({ environment, print = console.error, introduce }: ServeOptions): Promise<number> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) {
    print("Skedchange cannot start with these settings:");
    for (const problem of loaded.problems) print(`  - ${problem}`);
    print("All settings are in docs/settings.md; `npx skedchange doctor` examines them.");
    return 1;
  }
  const { configuration } = loaded;
  const listener = listenForStop();
  const stopWatching = watchNpm(environment, listener.request);
  // In demo mode people watch the terminal, so only errors are logged by default.
  const level = configuration.demo && environment.LOG_LEVEL === undefined ? "error" : configuration.settings.LOG_LEVEL;
  const logger = createLogger({ level });
  for (const problem of describeUnknownSettings(environment)) logger.warn({ problem }, "settings.unknown");
  if (isReachable(configuration.settings)) {
    const weaknesses = findWeaknesses(configuration.settings, configuration.sources);
    for (const { text: problem } of weaknesses) logger.warn({ problem }, "settings.weak");
  }
  try {
    const storage = openStorage(configuration, environment, { print, logger });
    // The server awaits it, but may fail before that.
    storage.catch(() => {});
    // The database starts in its own process; load the rest meanwhile.
    const { startServer } = await import("./start-server.ts");
    const server = await startServer({ configuration, environment, logger, print, storage });
    try {
      for (const line of [...server.introduction, ...(introduce?.(server) ?? [])]) print(line);
      if (server.demo !== null) await Promise.race([runDemo(server, print), listener.stopped]);
      const fault = await listener.stopped;
      if (fault !== null) {
        logger.error({ error: fault }, "process.failed");
        print(`Skedchange stops because of a fault: ${messageOf(fault)}`);
      }
      logger.info({ version }, "process.stopping");
      return fault === null ? 0 : 1;
    } finally {
      await server.stop();
      logger.info({ version }, "process.stopped");
    }
  } catch (error) {
    logger.error({ error: withoutStack(error) }, "process.failed");
    print(messageOf(error));
    return 1;
  } finally {
    stopWatching();
    listener.remove();
  }
}

/** Expected errors say what to do; only unexpected ones need a stack. */
function withoutStack(error: unknown): unknown {
  return error instanceof AppError ? { code: error.code, message: error.message } : error;
}

interface StopListener {
  /** Resolves with null on a signal or a request, or with the uncaught error. */
  readonly stopped: Promise<unknown>;
  request(): void;
  remove(): void;
}

function listenForStop(): StopListener {
  let stop: (fault: unknown) => void = () => {};
  const stopped = new Promise<unknown>((resolve) => {
    stop = resolve;
  });
  const request = (): void => stop(null);
  const onFault = (fault: unknown): void => stop(fault ?? new Error("unknown"));
  // SIGHUP means a closed terminal; unhandled, it would leave the embedded database running.
  process.on("SIGTERM", request).on("SIGINT", request).on("SIGHUP", request);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  return {
    stopped,
    request,
    remove: () => {
      process.off("SIGTERM", request).off("SIGINT", request).off("SIGHUP", request);
      process.off("uncaughtException", onFault).off("unhandledRejection", onFault);
    },
  };
}
