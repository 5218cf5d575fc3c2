import { assess } from "../cases/assess.ts";
import { isByPerson, isEffectAction, type Reason } from "../cases/decision.ts";
import { findObstacle, type Obstacle } from "../cases/find-obstacle.ts";
import type { DecisionSnapshot, OrderContext } from "../cases/order-context.ts";
import { orderPartsOf } from "../itinerary/facts-input.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import type { Lease } from "./ports.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { decideOnStatus } from "./record-decision.ts";
import { sendEffect } from "./send-effect.ts";

/** How many reads in one run may each show another proposal before a person is asked. */
const roundsMax = 3;

/**
 * Carries out the accept or cancel in force, if it still means the same.
 *
 * Accept and Cancel name only the order, so they act on whatever is pending when they arrive. The status is read right
 * before; when the proposal or its flags are no longer those that were decided on, nothing is sent and the case is
 * decided anew. While a person may still stop the decision it is only looked at again, and nothing is sent.
 */
export async function carryOut(desk: DeskContext, lease: Lease, begun: OrderContext): Promise<ReconcileOutcome> {
  let work = begun;
  for (let round = 1; ; round++) {
    const { decision } = work;
    if (decision === null || !isEffectAction(decision.action)) return "decided";

    const status = await readStatus(desk, lease, work, "before-effect");
    const { view } = status.reading;
    const assessment = assess(view, work, settingsOf(desk, lease.source), desk.clock.now());
    const obstacle =
      assessment === null ? notShown : findObstacle(work, decision, assessment, settingsOf(desk, lease.source));
    if (assessment !== null && obstacle === null) {
      if (isHeldBack(work)) return await goOnHoldingBack(desk, lease, work, status.statusViewId);
      const { records } = orderPartsOf(view, lease.orderId);
      return await sendEffect(desk, lease, work, { decision, action: decision.action, assessment, records });
    }

    const overruled = overruledBy(decision, obstacle ?? notShown, round);
    const verdict = await decideOnStatus(desk, lease, work, status, overruled);
    if (verdict === "unchanged" || !isEffectAction(verdict.action)) return "decided";
    const next = await desk.store.beginWork(lease);
    if (next === null) return "decided";
    if (isHeldBack(next)) return "held-back";
    work = next;
  }
}

/** Whether the decision in force may still be stopped: until then nothing is sent. */
export function isHeldBack({ case: { undoLeftMs } }: OrderContext): boolean {
  return undoLeftMs !== null && undoLeftMs > 0;
}

/** Woken too early, by a notification or a person: the decision stands, and so does the time that it waits for. */
async function goOnHoldingBack(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  statusViewId: string,
): Promise<ReconcileOutcome> {
  const dueAt = new Date(desk.clock.now().getTime() + (work.case.undoLeftMs ?? 0));
  await desk.store.move(
    lease,
    work.case,
    { state: "checking", reviewQueue: null, dueAt },
    { kind: "status.unchanged", detail: { statusViewId } },
  );
  return "held-back";
}

/** A status that does not speak of the order shows another proposal: none. */
const notShown: Obstacle = { because: "proposal-changed" };

/** The reason why a person must decide; null when the rules may. */
function overruledBy(decision: DecisionSnapshot, obstacle: Obstacle, round: number): Reason | null {
  if (isByPerson(decision)) return { code: obstacle.because, text: describe(obstacle, decision.action) };
  if (round < roundsMax) return null;
  return {
    code: "proposal-unsettled",
    text: "The gateway shows another proposal at each read, so nothing was sent. Ask the gateway or the airline which one holds.",
  };
}

function describe(obstacle: Obstacle, action: string): string {
  switch (obstacle.because) {
    case "status-says-more":
      return `After the decision to ${action} the status says that ${obstacle.says.join(", and that ")}; nothing was sent.`;
    case "traveller-answered":
      return `The traveller answered after the decision to ${action}; nothing was sent. Decide with what they want.`;
    default:
      return `The proposal or its flags changed after the decision to ${action}; nothing was sent.`;
  }
}
