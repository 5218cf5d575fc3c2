import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { createLogger } from "../telemetry/logger.ts";
import { runDemo } from "./demo.ts";
import { openStorage } from "./storage.ts";
import { watchNpm } from "./watch-npm.ts";

export interface ServeOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** For people: one line each. Log lines go to standard output. */
  readonly print?: (line: string) => void;
}

/**
 * Runs until SIGTERM, Ctrl-C, or the end of its terminal or npm.
 * @returns the exit code: 0 after a regular stop, 1 after a failed start or a fault
 */
export async function serve({ environment, print = console.error }: ServeOptions): Promise<number> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) {
    print("Skedchange cannot start with these settings:");
    for (const problem of loaded.problems) print(`  - ${problem}`);
    print("All settings are in docs/settings.md; `npx skedchange doctor` examines them.");
    return 1;
  }
  const { configuration } = loaded;
  const end = waitForEnd();
  const stopWatching = watchNpm(environment, end.ask);
  // In demo mode people watch the terminal, so only errors are logged by default.
  const level = configuration.demo && environment.LOG_LEVEL === undefined ? "error" : configuration.settings.LOG_LEVEL;
  const logger = createLogger({ level });
  try {
    const storage = openStorage(configuration, environment, print);
    // The server awaits it, but may fail before that.
    storage.catch(() => {});
    // The database starts in its own process; load the rest meanwhile.
    const { startServer } = await import("./start-server.ts");
    const server = await startServer({ configuration, environment, logger, print, storage });
    try {
      for (const line of server.introduction) print(line);
      if (configuration.demo) await Promise.race([runDemo(server, print), end.reached]);
      const fault = await end.reached;
      if (fault !== null) {
        logger.error({ error: fault }, "process.failed");
        print(`Skedchange stops because of a fault: ${messageOf(fault)}`);
      }
      return fault === null ? 0 : 1;
    } finally {
      await server.stop();
    }
  } catch (error) {
    logger.error({ error: withoutStack(error) }, "process.failed");
    print(messageOf(error));
    return 1;
  } finally {
    stopWatching();
    end.forget();
  }
}

/** Expected errors say what to do; only unexpected ones need a stack. */
function withoutStack(error: unknown): unknown {
  return error instanceof AppError ? { code: error.code, message: error.message } : error;
}

/** Resolves with null on a signal or request, or with an uncaught error. */
function waitForEnd(): { readonly reached: Promise<unknown>; ask(): void; forget(): void } {
  let reach: (fault: unknown) => void = () => {};
  const reached = new Promise<unknown>((resolve) => {
    reach = resolve;
  });
  const onSignal = (): void => reach(null);
  const onFault = (fault: unknown): void => reach(fault ?? new Error("unknown"));
  // SIGHUP means a closed terminal; unhandled, it would leave the embedded database running.
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal).on("SIGHUP", onSignal);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  return {
    reached,
    ask: onSignal,
    forget: () => {
      process.off("SIGTERM", onSignal).off("SIGINT", onSignal).off("SIGHUP", onSignal);
      process.off("uncaughtException", onFault).off("unhandledRejection", onFault);
    },
  };
}
