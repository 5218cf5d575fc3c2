import { sameFlights } from "../itinerary/itinerary.ts";
import { type Assessment, assessNotification } from "./assess.ts";
import type { CaseMove } from "./case-update.ts";
import { isByPerson, type Reason } from "./decision.ts";
import type { OrderContext, WaitingState } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { travellerStateFor } from "./traveller.ts";

/* Whether somebody is already asked about a case. A worker that finds nothing new puts it back where it waited. */

export type Waiting = CaseMove & { readonly state: WaitingState };

/**
 * Whether a person or the traveller is already asked about this proposal, under the same policy, the same marks of
 * members, the same booked flights and the same contacts. No rule overrides a question by a person, as after a stop,
 * before the traveller has answered. A question that was asked only because automation was stopped, or because the
 * source was learning, ends with that, unless a person has taken the case over.
 */
export function isAlreadyAsked(
  { decision, lastContact, isRestated, isTakenOver, automationStoppedAt }: OrderContext,
  { proposal }: Assessment,
  { policy, marks, learning }: Pick<SourceSettings, "policy" | "marks" | "learning">,
): boolean {
  if (decision === null || (decision.action !== "review" && decision.action !== "ask-traveller")) return false;
  if (decision.proposalDigest !== proposal.digest) return false;
  if (decision.question === "effect-outcome") return true;
  if (isByPerson(decision)) return lastContact !== "answered";
  if (isRestated || decision.question === "unreadable-status") return false;
  const isOver =
    (decision.question === "automation-stopped" && automationStoppedAt === null) ||
    (decision.rule === "check:learning" && learning === null);
  if (isOver && !isTakenOver) return false;
  if (lastContact !== "none" || !decision.onStatus || decision.policyVersion !== policy.version) return false;
  return decision.marksVersion === null || decision.marksVersion === marks.version;
}

/** Returns where a case waits that already asks somebody, or null if it asks nobody. */
export function resumeWaitingIfAsked(context: OrderContext, now: Date): Waiting | null {
  const { decision } = context;
  const isAsked = decision?.action === "review" || decision?.action === "ask-traveller";
  return isAsked && context.case.state === "checking" ? resumeWaiting(context, now) : null;
}

/**
 * Returns where a case goes on waiting; a snoozed case stays snoozed.
 * @param dueBy its clock, if it was read again
 */
export function resumeWaiting(
  context: OrderContext,
  now: Date,
  dueBy: Date | null = context.case.clockRanOutAt,
): Waiting {
  const { decision, lastContact, snoozedUntil } = context;
  const reviewQueue = decision?.reviewQueue ?? null;
  const isUnchanged = true;
  if (snoozedUntil !== null && snoozedUntil > now) {
    return { state: "snoozed", reviewQueue, dueAt: snoozedUntil, isUnchanged };
  }
  if (decision?.action === "ask-traveller" && lastContact !== "answered") {
    return { ...whileAskingTraveller(context, decision.proposalDigest, dueBy), dueAt: null, isUnchanged };
  }
  return { state: "awaiting-agent", reviewQueue: reviewQueue ?? "agent", dueAt: null, isUnchanged };
}

/**
 * Returns where a case waits whose traveller is to be asked about the proposal: with an agent until they are, and again
 * once its clock has run out without an answer. The database's clock decides that.
 */
export function whileAskingTraveller(
  { case: { clockRanOutAt }, travellerContacts }: OrderContext,
  proposalDigest: string | null,
  dueBy: Date | null,
): Pick<Waiting, "state" | "reviewQueue"> {
  if (!travellerStateFor(proposalDigest, travellerContacts).isAsked) {
    return { state: "ask-traveller", reviewQueue: "agent" };
  }
  const isTooLate = clockRanOutAt !== null && dueBy !== null && dueBy <= clockRanOutAt;
  return isTooLate
    ? { state: "awaiting-agent", reviewQueue: "agent" }
    : { state: "awaiting-traveller", reviewQueue: null };
}

/** Returns where a case without a status waits, unless the rules may decide or another change was notified. */
export function pendingReview(context: OrderContext, settings: SourceSettings, now: Date): Waiting | null {
  const { decision } = context;
  if (decision === null || !(isByPerson(decision) || decision.question === "effect-outcome")) return null;
  return isNotifiedOfAnother(context, settings, now) ? null : resumeWaitingIfAsked(context, now);
}

export function isNotifiedOfAnother(context: OrderContext, settings: SourceSettings, now: Date): boolean {
  const notified = assessNotification(context, settings, now)?.proposal.proposed ?? null;
  return notified !== null && !context.earlierProposals.some(({ proposed }) => sameFlights(proposed, notified));
}

/**
 * Returns why no rule may decide about this change: a person has, or was asked to. If a person's effect was never sent,
 * every later proposal is theirs too.
 */
export function reservedFor({ reserved }: Pick<OrderContext, "reserved">, { proposal }: Assessment): Reason | null {
  const isAboutThis = reserved.some(({ proposalDigest }) => proposalDigest === proposal.digest);
  const newest = reserved.find(({ isQuestion }) => !isQuestion);
  if (!isAboutThis && newest?.isUnsent !== true) return null;
  return {
    code: "person-decided",
    text: "An agent already decided this change or was asked to, so the policy does not decide it. Decide again.",
  };
}
