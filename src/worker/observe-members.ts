import { eachOnce, observedIn, type SeenMembers } from "../cases/observed-members.ts";
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
  { recorder, marksOf, learningOf }: Observing,
  { source, orderId }: OrderKey,
  view: OrderView,
  { isCounted, before }: { readonly isCounted: boolean; readonly before: SeenMembers | null },
): SeenMembers | null {
  if (recorder === undefined) return null;
  const observed = observedIn(view.unread, marksOf?.(source) ?? shippedMarks);
  const isUnchanged = observed.length > 0 && isUnchangedIn(view, orderId);
  const unstored = recorder.note({ source, orderId, statements: observed, isUnchanged, isCounted });
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
