import type { Fact } from "../kernel/fact.ts";
import { type DecisionAction, isEffectAction } from "./decision.ts";
import type { CaseState, ShownState } from "./lifecycle.ts";

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

interface KnownWindow {
  readonly case: { readonly undoLeftMs: number | null };
}

/** Returns what people see of a case in this state while its undo window is as known. */
export function shownStateOf(
  known: KnownWindow & { readonly decision: { readonly action: DecisionAction } | null },
  state: CaseState,
): ShownState {
  const decided = known.decision?.action;
  const isPending = state === "checking" && isInUndoWindow(known) && decided !== undefined && isEffectAction(decided);
  return isPending ? `${decided}-pending` : state;
}

export function isInUndoWindow(known: KnownWindow): boolean {
  const { undoLeftMs } = known.case;
  return undoLeftMs !== null && undoLeftMs > 0;
}
