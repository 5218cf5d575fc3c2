import { type DestinationStream, pino, stdTimeFunctions } from "pino";
import { escapeInvisible } from "../kernel/visible-text.ts";
import type { Logger } from "./logger.ts";
import { redactFields, redactText } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  readonly base?: object;
}

/** Writes JSON lines and redacts credentials and passenger data. */
export function createLogger(options: LoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: options.base === undefined ? null : redactFields(options.base),
      timestamp: stdTimeFunctions.isoTime,
      // A foreign text in a field must not control the terminal of whoever reads the log.
      hooks: { streamWrite: escapeInvisible },
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that a line about a crash is written before the process ends.
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
  return {
    debug: (fields, message) => {
      if (logger.isLevelEnabled("debug")) logger.debug(redactFields(fields), redactText(message));
    },
    info: (fields, message) => {
      if (logger.isLevelEnabled("info")) logger.info(redactFields(fields), redactText(message));
    },
    warn: (fields, message) => {
      if (logger.isLevelEnabled("warn")) logger.warn(redactFields(fields), redactText(message));
    },
    error: (fields, message) => {
      if (logger.isLevelEnabled("error")) logger.error(redactFields(fields), redactText(message));
    },
  };
}
