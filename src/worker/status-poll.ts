import { isFinished } from "../cases/lifecycle.ts";
import { isNothingOpen } from "../cases/open-change.ts";
import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import { type Proposal, readProposal } from "../itinerary/proposal.ts";
import { codeOf } from "../kernel/app-error.ts";
import { whileRenewing } from "./lease.ts";
import { type Observing, observe } from "./observe-members.ts";
import type { PolledOrder, PollOutcome, PollStore } from "./poll-ports.ts";
import { firstPoll, nextPoll, pollAfterFailure, refusalsMax } from "./poll-schedule.ts";
import type { CaseStore, Lease, StatusReading } from "./ports.ts";
import type { WorkerContext } from "./worker-context.ts";

export type PollContext = Pick<WorkerContext, "gatewayOf" | "clock" | "random" | "logger" | "holder" | "timing"> &
  Observing & {
    readonly store: Pick<CaseStore, "renewLease" | "releaseLease">;
    readonly polls: PollStore;
  };

export interface PolledSource {
  readonly source: string;
  readonly pollHours: number;
  /** The least time between two polls, over all processes, in milliseconds. */
  readonly gapMs: number;
}

/** `idle`: nothing to poll now. */
export type PollResult = "idle" | "unchanged" | "work" | "failed" | "lease-lost";

/**
 * Polls one order without a notification, under the same lease as other work. An unhandled change opens a case, or
 * makes the open one due if it now shows something else; the workers then read the status themselves. Decides and sends
 * nothing.
 */
export async function pollNext(worker: PollContext, polled: PolledSource): Promise<PollResult> {
  const { source, gapMs } = polled;
  const lease = await worker.polls.acquirePoll(source, worker.holder, worker.timing.leaseMs, gapMs);
  if (lease === null) return "idle";
  try {
    return await whileRenewing(worker, lease, () => poll(worker, lease, polled));
  } catch (error) {
    if (codeOf(error) !== "desk.lease_lost") throw error;
    return "lease-lost";
  } finally {
    await worker.store.releaseLease(lease);
  }
}

/** Plans the first polls of imported or notified orders. @returns how many were planned. */
export async function planPolls(
  worker: PollContext,
  { source, pollHours }: PolledSource,
  limit: number,
): Promise<number> {
  const orders = await worker.polls.listUnplanned(source, limit);
  const plan = { pollHours, now: worker.clock.now(), random: worker.random };
  await worker.polls.plan(
    orders.map(({ orderId, hasReference, flights }) => {
      const first = hasReference ? firstPoll(flights, plan) : withoutReference;
      return { source, orderId, ...first };
    }),
  );
  return orders.length;
}

const withoutReference = { nextPollAt: null, ended: "no-reference" } as const;

async function poll(worker: PollContext, lease: Lease, polled: PolledSource): Promise<PollResult> {
  const order = await worker.polls.beginPoll(lease);
  if (order === null) return "idle";
  if (order.gdsBookingReferences.length === 0) {
    await worker.polls.endPoll(lease, { ...withoutReference, failures: 0, error: null, seen: null, work: "none" });
    return "unchanged";
  }
  let reading: StatusReading;
  const { source, orderId } = lease;
  const { gdsBookingReferences } = order;
  try {
    const { result, body, readAt } = await worker.gatewayOf(source).readStatus({ orderId, gdsBookingReferences });
    reading = { view: result, body, readAt };
  } catch (error) {
    await endFailed(worker, lease, polled, order, error);
    return "failed";
  }
  const proposal = readProposal(reading.view, orderId, order.storedDigests);
  if (proposal === null) {
    await endFailed(worker, lease, polled, order, null);
    return "failed";
  }
  const outcome = outcomeOf(worker, polled, order, reading, proposal);
  const members = observe(worker, lease, reading.view, { isCounted: true, before: null });
  await worker.polls.endPoll(lease, outcome, members);
  if (members !== null) worker.recorder?.remember(source, members.statements);
  if (outcome.work === "none") return "unchanged";
  worker.logger.info({ source, orderId, work: outcome.work, proposalDigest: proposal.digest }, "poll.found_change");
  return "work";
}

function outcomeOf(
  worker: PollContext,
  { pollHours }: PolledSource,
  order: PolledOrder,
  reading: StatusReading,
  proposal: Proposal,
): PollOutcome {
  const now = worker.clock.now();
  const hasNothingOpen = isNothingOpen(proposal);
  const isFirstRead = hasNothingOpen && order.newestCase === null && proposal.current.segments.length > 0;
  return {
    ...nextPoll([proposal.current, proposal.proposed], { pollHours, now, random: worker.random }),
    failures: 0,
    error: null,
    seen: {
      reading,
      proposalDigest: proposal.digest,
      gdsBookingReferences: proposal.gdsBookingReferences,
      booked: isFirstRead ? proposal.current : null,
    },
    work: workOf(worker, order, proposal, hasNothingOpen, now),
  };
}

/** Returns the unhandled work. Ignores orders with a live effect, and statuses that may lag behind one. */
function workOf(
  worker: PollContext,
  { newestCase, lastSuccess, hasLiveEffect }: PolledOrder,
  { digest }: Proposal,
  hasNothingOpen: boolean,
  now: Date,
): PollOutcome["work"] {
  if (hasLiveEffect) return "none";
  if (newestCase !== null && !isFinished(newestCase.state)) {
    return newestCase.proposalDigest === digest ? "none" : "wake-case";
  }
  if (hasNothingOpen) return "none";
  if (newestCase !== null && isSettled(newestCase) && newestCase.proposalDigest === digest) return "none";
  if (lastSuccess !== null && lastSuccess.proposalDigest === digest) {
    const finishedAt = lastSuccess.finishedAt ?? now;
    return now.getTime() < finishedAt.getTime() + worker.timing.statusLagMs ? "none" : "open-case";
  }
  return "open-case";
}

/** A closed case, or one that a person has settled, stays settled however long the gateway shows the change. */
function isSettled({ state, decidedByPerson }: NonNullable<PolledOrder["newestCase"]>): boolean {
  return state === "closed" || (state === "resolved-elsewhere" && decidedByPerson);
}

/** @param error null if the response does not contain the order. */
async function endFailed(
  worker: PollContext,
  lease: Lease,
  { pollHours }: PolledSource,
  order: PolledOrder,
  error: unknown,
): Promise<void> {
  // A failure that is not the gateway's is ours, and no reason to stop polling an order.
  const isRefusal =
    error === null ||
    (error instanceof GatewayError &&
      error.phase === "responded" &&
      !error.retryable &&
      error.code !== gatewayErrorCodes.unauthorized);
  const failures = isRefusal ? Math.max(order.failures, 0) + 1 : Math.min(order.failures, 0) - 1;
  const consecutive = Math.abs(failures);
  const ended = failures >= refusalsMax ? "refused" : null;
  const { source, orderId } = lease;
  worker.logger.warn({ source, orderId, isRefusal, failures: consecutive, ended, error }, "poll.failed");
  await worker.polls.endPoll(lease, {
    nextPollAt: ended === null ? pollAfterFailure(consecutive, { pollHours, now: worker.clock.now() }) : null,
    ended,
    failures,
    error: error === null ? null : codeOf(error),
    seen: null,
    work: "none",
  });
}
