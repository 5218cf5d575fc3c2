import type { Fact } from "../kernel/fact.ts";

/** So near to departure nobody is made to wait, milliseconds. */
const nearDepartureMs = 24 * 60 * 60_000;

/**
 * How long an automatic accept or cancel is held back so that a person can stop it, milliseconds. None when it would end
 * within 24 hours of departure: then every minute counts for the traveller. A departure that nobody knows counts as near.
 *
 * @param windowMs as it is set; 0 holds nothing back.
 */
export function undoWindow(windowMs: number, minutesToDeparture: Fact<number>): number {
  if (!minutesToDeparture.known) return 0;
  return minutesToDeparture.value * 60_000 - windowMs >= nearDepartureMs ? windowMs : 0;
}

/** Whether the decision in force may still be stopped: until then nothing is sent. */
export function isInUndoWindow(known: { readonly case: { readonly undoLeftMs: number | null } }): boolean {
  const { undoLeftMs } = known.case;
  return undoLeftMs !== null && undoLeftMs > 0;
}
