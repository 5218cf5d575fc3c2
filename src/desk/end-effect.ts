import { flightsShown } from "../cases/accepted-flights.ts";
import { type Assessment, assess, assessNotification } from "../cases/assess.ts";
import type { NewTask } from "../cases/case-update.ts";
import { acceptedOtherFlights } from "../cases/checks.ts";
import type { EffectAction, Reason } from "../cases/decision.ts";
import { leftOpen } from "../cases/left-open.ts";
import type { EffectSnapshot, OrderContext } from "../cases/order-context.ts";
import { newDecision } from "../cases/record-decision.ts";
import { followUpUnansweredCancel } from "../cases/refund-task.ts";
import { serviceReasons } from "../cases/service-check.ts";
import { ticketTaskDueBy } from "../cases/task-clocks.ts";
import { saysNeedToTicket, ticketReasons } from "../cases/ticket-check.ts";
import { orderPartsOf } from "../itinerary/facts-input.ts";
import { messageOf } from "../kernel/app-error.ts";
import { unknown } from "../kernel/fact.ts";
import type { DeskContext } from "./desk-context.ts";
import { settingsOf } from "./desk-context.ts";
import { gatewayFailureOf } from "./gateway-failure.ts";
import type { GatewayFailure, Lease } from "./ports.ts";
import { readDocuments } from "./read-documents.ts";
import { readStatus } from "./read-status.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { effectReview } from "./record-decision.ts";

/**
 * Ends a case whose effect succeeded: reads the status once more and closes the case unless the status contradicts the
 * result. A status that still shows the change as open for every booking reference contradicts nothing, because statuses
 * are stored and lag behind; one that cannot be read is tried again for a while, and then does not take back what the
 * gateway answered.
 *
 * A notification that came while the effect was under way may tell of another change: the case, finished or not, is then
 * looked at once more.
 */
export async function endSucceededEffect(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
): Promise<ReconcileOutcome> {
  const action: EffectAction = work.case.state === "cancelling" ? "cancel" : "accept";
  const dueAt = work.lastSuccess?.notifiedSince === true ? desk.clock.now() : null;
  const done = { state: "done", reviewQueue: null, dueAt } as const;
  const after = await readAfter(desk, lease, work);
  desk.crashPoint("after-status-after-effect");
  const lookAgainAt = mayBeStale(desk, action, after, work);
  if (lookAgainAt !== null) {
    const waiting = { state: work.case.state, reviewQueue: null, dueAt: lookAgainAt } as const;
    await desk.store.move(lease, work.case, waiting, noteOf(action, after, work));
    return "settling";
  }
  const contradiction = contradictionIn(action, after, work) ?? contradictionBefore(desk, lease, work, action, after);
  if (contradiction === null) {
    const detail =
      typeof after === "string"
        ? { message: `The status could not be read afterwards: ${after}` }
        : { statusViewId: after.statusViewId };
    const tasks = await tasksAfter(desk, lease, work, action, after);
    await desk.store.move(lease, work.case, done, { kind: "case.done", detail }, tasks);
    desk.crashPoint("after-case-done");
    return "carried-out";
  }
  await desk.store.decide(
    lease,
    work.case,
    newDecision(
      contradiction.assessment,
      { ...effectReview, reasons: [contradiction.reason] },
      settingsOf(desk, lease.source),
      contradiction.statusViewId,
      desk.clock.now(),
    ),
    { state: "awaiting-agent", reviewQueue: "agent", dueAt },
    null,
  );
  return "carried-out";
}

/** The status after the effect; or why it could not be read, as a sentence. */
type StatusAfter =
  | { readonly assessment: Assessment | null; readonly needToTicket: boolean; readonly statusViewId: string }
  | string;

/** Tries to read the status after an effect before the case is ended without: about two minutes. */
const readsAfterMax = 8;

/**
 * Whether the case waits for the status instead of ending without it. What was accepted is what the airline proposed at
 * that moment, and only the status tells whether that is what was decided about.
 */
function mayBeReadLater({ phase, retryable }: GatewayFailure, work: OrderContext): boolean {
  return work.case.failures < readsAfterMax && (phase !== "answered" || retryable);
}

async function readAfter(desk: DeskContext, lease: Lease, work: OrderContext): Promise<StatusAfter> {
  try {
    const { reading, statusViewId } = await readStatus(desk, lease, work, "after-effect");
    const { view } = reading;
    return {
      assessment: assess(view, work, settingsOf(desk, lease.source), desk.clock.now()),
      needToTicket: saysNeedToTicket(orderPartsOf(view, lease.orderId).records),
      statusViewId,
    };
  } catch (error) {
    const failure = gatewayFailureOf(error);
    if (failure === null || mayBeReadLater(failure, work)) throw error;
    return messageOf(error);
  }
}

/**
 * What is left to do: tickets, and seats and services, to check after an accept; a refund to ask for after a cancel that only
 * a person saw.
 */
async function tasksAfter(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  action: EffectAction,
  after: StatusAfter,
): Promise<readonly NewTask[]> {
  if (action === "cancel") return refundTasks(desk, work);
  // A gateway that does not answer for the status is not asked for the documents as well.
  const documents = typeof after === "string" ? after : await readDocuments(desk, lease, work);
  desk.crashPoint("after-documents-read");
  const seen = typeof after === "string" ? null : after;
  const { lastSuccess } = work;
  const flights = lastSuccess?.proposed ?? seen?.assessment?.proposal.current ?? null;
  const tasks: readonly Pick<NewTask, "kind" | "reasons">[] = [
    {
      kind: "check-ticket",
      reasons: ticketReasons({
        orderId: lease.orderId,
        before: lastSuccess?.acceptedBefore ?? null,
        accepted: lastSuccess?.proposed ?? null,
        ticketed: seen?.assessment?.proposal.ticketed ?? unknown("status-not-read"),
        needToTicket: seen?.needToTicket ?? false,
        documents,
      }),
    },
    { kind: "check-services", reasons: serviceReasons(lastSuccess?.ancillariesAtRisk ?? []) },
  ];
  const dueBy = ticketTaskDueBy(flights, desk.clock.now());
  return tasks.filter(({ reasons }) => reasons.length > 0).map((task) => ({ ...task, dueBy }));
}

/** A cancel that a person confirmed has shown no refund to anybody. */
function refundTasks({ clock }: DeskContext, { lastSuccess }: OrderContext): readonly NewTask[] {
  if (lastSuccess === null || lastSuccess.refundCheck !== null) return [];
  const { task } = followUpUnansweredCancel(lastSuccess, clock.now());
  return task === null ? [] : [task];
}

/** What makes a person look, and what they are shown. */
interface Contradiction {
  readonly assessment: Assessment | null;
  readonly statusViewId: string | null;
  readonly reason: Reason;
}

function contradictionIn(action: EffectAction, after: StatusAfter, work: OrderContext): Contradiction | null {
  if (typeof after === "string" || after.assessment === null) return null;
  const reason = contradictionOf(action, after.assessment, work);
  return reason === null ? null : { ...after, reason };
}

/** A status that said otherwise and was to be read again is not forgotten because none can be read any more. */
function contradictionBefore(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  action: EffectAction,
  after: StatusAfter,
): Contradiction | null {
  const isReadAgain = typeof after !== "string" && after.assessment !== null;
  if (isReadAgain || work.lastSuccess?.contradicted !== true) return null;
  const text = `The gateway answered SUCCESS to ${action}, but its status said otherwise and could not be read again. Check the booking at the airline.`;
  return {
    assessment: assessNotification(work, settingsOf(desk, lease.source), desk.clock.now()),
    statusViewId: null,
    reason: { code: "status-contradicts-result", text },
  };
}

/** For the timeline: why the status is read once more. */
function noteOf(
  action: EffectAction,
  after: StatusAfter,
  { lastSuccess }: OrderContext,
): { kind: string; detail: object } {
  const isContradiction =
    typeof after !== "string" && after.assessment !== null && saysOtherwise(action, after.assessment, lastSuccess);
  if (!isContradiction) return { kind: "status.unchanged", detail: {} };
  return { kind: "status.contradicts", detail: { effectId: lastSuccess?.id, statusViewId: after.statusViewId } };
}

/**
 * When to read the status once more, because it shows the flights from before the accept or says something else than the
 * answer did, and may be a stored one; null when it need not be, or has shown that for the whole time in which a stored one
 * is expected.
 */
function mayBeStale(desk: DeskContext, action: EffectAction, after: StatusAfter, work: OrderContext): Date | null {
  if (typeof after === "string" || after.assessment === null) return null;
  const finishedAt = work.lastSuccess?.finishedAt ?? null;
  const isFromBefore = action === "accept" && flightsShown(after.assessment, work) === "from-before";
  if (finishedAt === null || !(isFromBefore || saysOtherwise(action, after.assessment, work.lastSuccess))) return null;
  let lookAt = finishedAt.getTime();
  for (const waitMs of desk.timing.settleReadsMs) {
    lookAt += waitMs;
    if (lookAt > desk.clock.now().getTime()) return new Date(lookAt);
  }
  return null;
}

function contradictionOf(action: EffectAction, assessment: Assessment, work: OrderContext): Reason | null {
  if (action === "accept" && flightsShown(assessment, work) !== "as-decided") {
    return acceptedOtherFlights;
  }
  const open = openAfter(assessment, work.lastSuccess);
  if (open.length > 0) {
    const text = `Only some booking references were settled by the ${action}: the status still offers it for ${open.join(", ")}. Decide about ${open.length === 1 ? "that one" : "those"}.`;
    return { code: "mixed-results", text };
  }
  const status = contradictingStatus(action, assessment);
  if (status === null) return null;
  return {
    code: "status-contradicts-result",
    text: `The gateway answered SUCCESS to ${action}, but its status now says ${status}. Check the booking at the airline.`,
  };
}

function openAfter({ proposal }: Assessment, effect: EffectSnapshot | null): readonly string[] {
  return effect === null ? [] : leftOpen(effect, proposal);
}

function saysOtherwise(action: EffectAction, assessment: Assessment, effect: EffectSnapshot | null): boolean {
  return contradictingStatus(action, assessment) !== null || openAfter(assessment, effect).length > 0;
}

/** The status, when a SUCCESS to the action does not lead to it. */
function contradictingStatus(action: EffectAction, { proposal }: Assessment): string | null {
  const { scheduleChangeStatus: status } = proposal;
  const opposite = action === "accept" ? ["Rejected", "Partially-Accepted"] : ["Accepted", "Partially-Accepted"];
  return status.known && opposite.includes(status.value) ? status.value : null;
}
