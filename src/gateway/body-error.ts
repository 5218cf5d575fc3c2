/**
 * The HTTP status of an error of Express's body parser: 400 when a body broke off or does not inflate, 413 when it is
 * too long, 415 when its encoding is unknown. Null for any other error.
 */
export function bodyErrorStatus(error: unknown): number | null {
  if (error === null || typeof error !== "object" || !("status" in error) || !("type" in error)) return null;
  return typeof error.status === "number" && error.status >= 400 && error.status <= 499 ? error.status : null;
}
