import { foldedTextOf } from "./lenient-value.ts";

/** SUCCESS or FAILED; another value, in upper case, is no clear outcome. Empty if missing. */
export type ResultStatus = "SUCCESS" | "FAILED" | (string & {});

export function resultStatusOf(value: unknown): ResultStatus {
  return foldedTextOf(value) ?? "";
}

/** In upper case. Results spell CANCELED and reservations CANCELLED; both are read as CANCELLED. */
export function bookingStatusOf(value: unknown): string | null {
  const status = foldedTextOf(value);
  return status === "CANCELED" ? "CANCELLED" : status;
}
