/**
 * The HTTP status of an error by which Express says that a request cannot be read: 400 when a body broke off or does not
 * inflate, or when a path is no UTF-8; 413 when a body is too long, 415 when its encoding is unknown. Null for any other
 * error.
 */
export function unreadableStatus(error: unknown): number | null {
  if (error === null || typeof error !== "object" || !("status" in error)) return null;
  return typeof error.status === "number" && error.status >= 400 && error.status <= 499 ? error.status : null;
}
