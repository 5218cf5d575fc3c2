import { readFileSync } from "node:fs";
import { loadSettings } from "../config/load-settings.ts";
import { messageOf } from "../kernel/app-error.ts";
import { createLogger } from "../telemetry/logger.ts";
import { runDemo } from "./demo.ts";
import { startServer } from "./start-server.ts";

export interface ServeOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** What people read: one line each. Log lines go to standard output by themselves. */
  readonly say?: (line: string) => void;
}

/**
 * Runs a server until it is told to stop by SIGTERM or SIGINT.
 *
 * @returns the exit code: 0 after a stop in order, 1 when it could not start or ended by a fault.
 */
export async function serve({ environment, say = console.error }: ServeOptions): Promise<number> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) {
    say("Skedchange cannot start with these settings:");
    for (const problem of loaded.problems) say(`  - ${problem}`);
    say("All settings are in docs/settings.md; `npx skedchange doctor` examines them.");
    return 1;
  }
  const { configuration } = loaded;
  const end = waitForEnd();
  // In demo mode people watch the terminal, so only what is wrong interrupts them, unless they ask for more.
  const level = configuration.demo && environment.LOG_LEVEL === undefined ? "error" : configuration.settings.LOG_LEVEL;
  const logger = createLogger({ level });
  try {
    const server = await startServer({ configuration, environment, logger, say });
    try {
      for (const line of server.introduction) say(line);
      if (configuration.demo) await Promise.race([runDemo(server, say), end.reached]);
      const fault = await end.reached;
      if (fault !== null) {
        logger.error({ error: fault }, "process.failed");
        say(`Skedchange stops because of a fault: ${messageOf(fault)}`);
      }
      return fault === null ? 0 : 1;
    } finally {
      await server.stop();
    }
  } catch (error) {
    logger.error({ error }, "process.failed");
    say(messageOf(error));
    return 1;
  } finally {
    end.forget();
  }
}

/** Resolves with null on a signal, with the fault when nothing caught it. */
function waitForEnd(): { readonly reached: Promise<unknown>; forget(): void } {
  let reach: (fault: unknown) => void = () => {};
  const reached = new Promise<unknown>((resolve) => {
    reach = resolve;
  });
  const onSignal = (): void => reach(null);
  const onFault = (fault: unknown): void => reach(fault ?? new Error("unknown"));
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  return {
    reached,
    forget: () => {
      process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
      process.off("uncaughtException", onFault).off("unhandledRejection", onFault);
    },
  };
}
