import { eachOnce, type ObservedStatement, observedIn, type SeenMembers } from "../cases/observed-members.ts";
import { isNothingOpen } from "../cases/open-change.ts";
import type { OrderKey } from "../cases/order-context.ts";
import type { OrderView } from "../contract/order-view.ts";
import { shippedMarks } from "../itinerary/member-marks.ts";
import { readProposal } from "../itinerary/proposal.ts";
import type { WorkerContext } from "./worker-context.ts";

export type Observing = Pick<WorkerContext, "recorder" | "marksOf" | "learningOf">;

/**
 * Notes what a view of an order states and nobody reads. Returns what is to be stored with the next commit, or null:
 * usually all of it was stored before.
 * @param seen whether the view counts as another one, and what earlier views of the same run left to be stored
 */
export function observe(
  observing: Observing,
  order: OrderKey,
  view: OrderView,
  how: { readonly isCounted: boolean; readonly before: SeenMembers | null },
): SeenMembers | null {
  if (observing.recorder === undefined) return null;
  const statements = observedIn(view.unread, observing.marksOf?.(order.source) ?? shippedMarks);
  const isUnchanged = statements.length > 0 && isUnchangedIn(view, order.orderId);
  return observeStated(observing, order, { statements, isUnchanged }, how);
}

/** Does the same for a view that was read elsewhere, as before an import. */
export function observeStated(
  { recorder, learningOf }: Observing,
  { source, orderId }: OrderKey,
  { statements, isUnchanged }: { readonly statements: readonly ObservedStatement[]; readonly isUnchanged: boolean },
  { isCounted, before }: { readonly isCounted: boolean; readonly before: SeenMembers | null },
): SeenMembers | null {
  if (recorder === undefined) return null;
  const unstored = recorder.note({ source, orderId, statements, isUnchanged, isCounted });
  const isLearned = (learningOf?.(source) ?? null) !== null;
  if (unstored.length === 0 && !isLearned) return before;
  return {
    statements: eachOnce([...(before?.statements ?? []), ...unstored]),
    isUnchanged: isUnchanged && before?.isUnchanged !== false,
    isLearned,
  };
}

function isUnchangedIn(view: OrderView, orderId: string): boolean {
  const proposal = readProposal(view, orderId);
  return proposal !== null && isNothingOpen(proposal);
}
