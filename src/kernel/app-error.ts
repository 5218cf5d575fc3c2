/**
 * Callers branch on `code`. `message` says what happened, to which ids, and what to do. Neither contains secrets, card
 * values or passengers' names.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  /** Stable, dotted, lower case: `store.unavailable`. */
  readonly code: string;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;

  constructor(code: string, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The code of an `AppError`, else the system or driver code (`ECONNREFUSED`, a SQLSTATE), else `unexpected`. */
export function codeOf(error: unknown): string {
  if (error !== null && typeof error === "object" && "code" in error && typeof error.code === "string") {
    return error.code;
  }
  return "unexpected";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes a `switch` over a union exhaustive: an unhandled member does not compile. */
export function assertNever(value: never): never {
  throw new AppError("unexpected", `Unhandled value ${JSON.stringify(value)}. This is a bug: please report it.`);
}
