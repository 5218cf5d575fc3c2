import { foldedTextOf } from "./lenient-value.ts";

/** SUCCESS or FAILED; another value stays as sent, upper case. Empty when none was sent. */
export function resultStatusOf(value: unknown): string {
  return foldedTextOf(value) ?? "";
}

/**
 * State of a booking in a result, upper case; null when none was sent. Results spell CANCELED, the status of a
 * reservation CANCELLED: both are read as CANCELLED.
 */
export function bookingStatusOf(value: unknown): string | null {
  const status = foldedTextOf(value);
  return status === "CANCELED" ? "CANCELLED" : status;
}
