import { sameFlights } from "../itinerary/itinerary.ts";
import { type Assessment, assessNotification } from "./assess.ts";
import type { CaseMove } from "./case-update.ts";
import { isByPerson, type Reason } from "./decision.ts";
import type { OrderContext, WaitingState } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";

/*
 * Who is asked already about a case, and whether they go on being asked. A worker that finds nothing new puts the case
 * back where it waited.
 */

/** Where a case waits. */
export type Waiting = CaseMove & { readonly state: WaitingState };

/**
 * Whether a person, or the traveller, is already asked about exactly this, under the same policy, against the same booked
 * flights and with all that was heard of the traveller. Who was asked by a person, as after they stopped an effect, is not
 * overruled by a rule before the traveller has answered. Who was asked only because automatic effects were stopped is
 * overruled when they are not any more, unless they have taken the case over.
 */
export function isAlreadyAsked(
  { decision, lastContact, isRestated, isTakenOver, automationStoppedAt }: OrderContext,
  { proposal }: Assessment,
  policyVersion: string,
): boolean {
  if (decision === null || (decision.action !== "review" && decision.action !== "ask-traveller")) return false;
  if (decision.proposalDigest !== proposal.digest) return false;
  if (decision.question === "effect-outcome") return true;
  if (isByPerson(decision)) return lastContact !== "answered";
  if (isRestated || decision.question === "unreadable-status") return false;
  if (decision.question === "automation-stopped" && automationStoppedAt === null && !isTakenOver) return false;
  return lastContact === "nothing" && decision.onStatus && decision.policyVersion === policyVersion;
}

/** Where a case waits whose people, or traveller, are asked already; null when nobody is. */
export function waitingOn(context: OrderContext, now: Date): Waiting | null {
  const { decision } = context;
  const isAsked = decision?.action === "review" || decision?.action === "ask-traveller";
  return isAsked && context.case.state === "checking" ? goBackToWaiting(context, now) : null;
}

/** Where a case waits on that is asked about already; one that a person has put off rests on. */
export function goBackToWaiting({ decision, lastContact, snoozedUntil }: OrderContext, now: Date): Waiting {
  const reviewQueue = decision?.reviewQueue ?? null;
  const isUnchanged = true;
  if (snoozedUntil !== null && snoozedUntil > now) {
    return { state: "snoozed", reviewQueue, dueAt: snoozedUntil, isUnchanged };
  }
  if (decision?.action === "ask-traveller" && lastContact !== "answered") {
    return { state: "awaiting-traveller", reviewQueue: null, dueAt: null, isUnchanged };
  }
  return { state: "awaiting-agent", reviewQueue: reviewQueue ?? "agent", dueAt: null, isUnchanged };
}

/**
 * Where a case goes on waiting although its status says nothing of it, because a person has decided who is asked, or is
 * asked after an effect that did not go well; null when it is for the rules, or a notification tells of another change.
 */
export function pendingReview(context: OrderContext, settings: SourceSettings, now: Date): Waiting | null {
  const { decision } = context;
  if (decision === null || !(isByPerson(decision) || decision.question === "effect-outcome")) return null;
  return isNotifiedOfAnother(context, settings, now) ? null : waitingOn(context, now);
}

/** Whether the newest notification tells of flights that nothing was ever decided about. */
export function isNotifiedOfAnother(context: OrderContext, settings: SourceSettings, now: Date): boolean {
  const notified = assessNotification(context, settings, now)?.proposal.proposed ?? null;
  return notified !== null && !context.earlierProposals.some(({ proposed }) => sameFlights(proposed, notified));
}

/**
 * Why no rule may decide about this change: a person has decided about it, or was asked to, before the gateway showed
 * another one or could not be read. When what they wanted done was never sent, it is theirs to decide whatever is shown.
 */
export function reservedFor({ reserved }: Pick<OrderContext, "reserved">, { proposal }: Assessment): Reason | null {
  const isAboutThis = reserved.some(({ proposalDigest }) => proposalDigest === proposal.digest);
  const newest = reserved.find(({ isQuestion }) => !isQuestion);
  if (!isAboutThis && newest?.isUnsent !== true) return null;
  return {
    code: "person-decided",
    text: "A person has decided about this change before, or was asked to, so no rule decides in their place. Decide anew.",
  };
}
