import { type DestinationStream, pino, stdTimeFunctions } from "pino";
import { redactFields, redactText } from "./redact.ts";

/**
 * What everything logs through. One line per unit of work: `message` is the name of the event (`notification.received`,
 * `decision.made`), `fields` hold all its ids. An error goes in as the field `error`.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** As the setting LOG_LEVEL. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Where the lines go, one JSON object each; standard output when not given. */
  readonly destination?: DestinationStream;
  /** Fields of every line, such as the version and the process. */
  readonly base?: object;
}

/** A logger that writes JSON lines and redacts credentials and passenger data in every field and message. */
export function createLogger(options: LoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: options.base === undefined ? null : redactFields(options.base),
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous: a line about a crash must be out before the process ends.
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

/** A logger that says nothing: for tools whose output is for people, and for tests. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
