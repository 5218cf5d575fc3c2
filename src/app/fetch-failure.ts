import { codeOf, messageOf } from "../kernel/app-error.ts";

export interface FetchFailure {
  /** `timeout`, a system code such as `ECONNREFUSED`, or `unexpected`. */
  readonly code: string;
  readonly message: string;
}

/** `fetch` rejects with "fetch failed"; the reason is that error's cause. */
export function readFetchFailure(error: unknown): FetchFailure {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === "TimeoutError") return { code: "timeout", message: "no response in time" };
  const reason = cause ?? error;
  return { code: codeOf(reason), message: messageOf(reason) };
}
