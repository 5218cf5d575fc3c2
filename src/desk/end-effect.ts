import { type Itinerary, sameFlights } from "../itinerary/itinerary.ts";
import { messageOf } from "../kernel/app-error.ts";
import { type Assessment, assess, assessmentBasis } from "./assess.ts";
import { isNothingOpen } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import { gatewayFailureOf } from "./gateway-failure.ts";
import type { EffectAction, Lease, Reason, Work } from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { decisionOf, effectRule } from "./record-decision.ts";

/**
 * Ends a case whose effect succeeded: reads the status once more and closes the case unless the status contradicts the
 * result. A status that still shows the change as open contradicts nothing, because statuses are stored and lag behind;
 * one that cannot be read does not take back what the gateway answered.
 *
 * A notification that came while the effect was under way may tell of another change: the finished case is then looked
 * at once more.
 */
export async function endSucceededEffect(desk: DeskContext, lease: Lease, work: Work): Promise<ReconcileOutcome> {
  const action: EffectAction = work.case.state === "cancelling" ? "cancel" : "accept";
  const dueAt = work.lastSuccess?.notifiedSince === true ? desk.clock.now() : null;
  const done = { state: "done", reviewQueue: null, dueAt } as const;
  const after = await readAfter(desk, lease, work);
  if (typeof after === "string") {
    await desk.store.move(lease, work.case, done, { kind: "status.unreadable", detail: { message: after } });
    return "carried-out";
  }
  const contradiction = after.assessment === null ? null : contradictionOf(action, after.assessment, work);
  if (contradiction === null) {
    await desk.store.move(lease, work.case, done, { kind: "case.done", detail: { statusViewId: after.statusViewId } });
    return "carried-out";
  }
  await desk.store.decide(
    lease,
    work.case,
    decisionOf(
      desk,
      lease.source,
      after.assessment,
      { action: "review", reviewQueue: "agent", rule: effectRule, reasons: [contradiction], trace: [] },
      after.statusViewId,
    ),
    { state: "awaiting-agent", reviewQueue: "agent", dueAt: null },
    null,
  );
  return "carried-out";
}

async function readAfter(
  desk: DeskContext,
  lease: Lease,
  work: Work,
): Promise<{ assessment: Assessment | null; statusViewId: string } | string> {
  try {
    const { reading, statusViewId } = await readStatus(desk, lease, work, "after-effect");
    return { assessment: assess(reading.view, lease.orderId, work, assessmentBasis(desk, lease.source)), statusViewId };
  } catch (error) {
    if (gatewayFailureOf(error) === null) throw error;
    return messageOf(error);
  }
}

function contradictionOf(action: EffectAction, { proposal }: Assessment, work: Work): Reason | null {
  const status = proposal.scheduleChangeStatus.known ? proposal.scheduleChangeStatus.value : "";
  const opposite = action === "accept" ? ["Rejected", "Partially-Accepted"] : ["Accepted", "Partially-Accepted"];
  if (action === "accept" && status === "Accepted" && isOtherFlights(proposal, work)) {
    return {
      code: "accepted-other-flights",
      text: "The gateway accepted, but it now shows other flights than those that were decided about. Check the booking at the airline.",
    };
  }
  if (!opposite.includes(status)) return null;
  return {
    code: "status-contradicts-result",
    text: `The gateway answered SUCCESS to ${action}, but its status now says ${status}. Check the booking at the airline.`,
  };
}

/**
 * Whether nothing is open any more and the booked flights are neither those that were accepted nor any from before: an
 * airline that makes another change in the moment between the last read and the accept has that one accepted. Flights of
 * which not all times were shown cannot be compared.
 */
function isOtherFlights(
  proposal: Assessment["proposal"],
  { lastSuccess, booked, accepted, earlierProposals }: Work,
): boolean {
  const decided = lastSuccess?.proposed ?? null;
  if (decided === null || !hasAllTimes(decided) || !isNothingOpen(proposal)) return false;
  const expected = [decided, booked, accepted, ...earlierProposals.map(({ proposed }) => proposed)];
  return !expected.some((flights) => flights !== null && sameFlights(proposal.current, flights));
}

function hasAllTimes({ segments }: Itinerary): boolean {
  return segments
    .flatMap(({ departure, arrival }) => [departure, arrival])
    .every(({ date, time }) => date !== null && time !== null);
}
