import type { Fact } from "../kernel/fact.ts";

/** Within this time before departure there is no undo window, in milliseconds. */
const nearDepartureMs = 24 * 60 * 60_000;

/**
 * Returns the undo window, in milliseconds. It is 0 if it would end within 24 hours of departure, or if the departure
 * is unknown.
 * @param windowMs the setting; 0 means none.
 */
export function undoWindow(windowMs: number, minutesToDeparture: Fact<number>): number {
  if (!minutesToDeparture.known) return 0;
  return minutesToDeparture.value * 60_000 - windowMs >= nearDepartureMs ? windowMs : 0;
}

export function isInUndoWindow(known: { readonly case: { readonly undoLeftMs: number | null } }): boolean {
  const { undoLeftMs } = known.case;
  return undoLeftMs !== null && undoLeftMs > 0;
}
