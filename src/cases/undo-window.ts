import { type DecisionAction, isEffectAction } from "./decision.ts";
import type { CaseState, ShownState } from "./lifecycle.ts";

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
