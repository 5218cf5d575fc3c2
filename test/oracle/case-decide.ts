import { showsOtherFlights } from "../../src/cases/accepted-flights.ts";
import {
  type DecisionAction,
  isEffectAction,
  type Question,
  questions,
  type Reason,
} from "../../src/cases/decision.ts";

const isDeparted = ({ tripDeparted }: { tripDeparted: Fact<boolean> }) => tripDeparted.known && tripDeparted.value;

import type { CaseState } from "../../src/cases/lifecycle.ts";
import type { DecisionSubject } from "../../src/cases/new-decision.ts";
import { is, isNothingOpen, isNothingProposed, isY } from "../../src/cases/open-change.ts";
import { fitsOffer, sameFlights } from "../../src/itinerary/itinerary.ts";
import { severityOf } from "../../src/itinerary/severity.ts";
import type { Fact } from "../../src/kernel/fact.ts";
import type { RuleTrace } from "../../src/policy/evaluate.ts";
import { isMarkBeforeDeparture } from "../../src/policy/legal/clock-catalogue.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { judge, type PolicyJudgement } from "./policy-decide.ts";

/** What is to be done about an assessed change, before anything is done. */
export interface Verdict {
  readonly action: DecisionAction;
  /** The state the case goes to. An accept or a cancel stays in `checking` until its effect is planned. */
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** The check or the policy rule that decided. */
  readonly rule: string;
  /** What a person is asked; null when it is what the rule says, and when nobody is. */
  readonly question: Question | null;
  /** The first one decided. */
  readonly reasons: readonly Reason[];
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  readonly trace: unknown;
  /** Wait until then and look again; only with `wait`. */
  readonly dueAt: Date | null;
}

/**
 * Decides what to do about an assessed change. Pure: the same input gives the same verdict. Checks that need no policy run
 * first: already answered, resolved elsewhere, partially accepted. Then the policy and its guards decide, and sanity, "change
 * not shown" and "no booking reference" may still object, in this order. The check that decides names itself as the rule.
 * What is for a person to decide, and an effect while automatic effects are stopped, becomes a review in the end.
 *
 * @param trace where the policy writes how each rule came out; null when nobody wants to know.
 */
export function decide(subject: DecisionSubject, policy: Policy, trace: RuleTrace[] | null = []): Verdict {
  const decided = decideByRules(subject, policy, trace);
  const instead = subject.overruled ?? checkStopped(subject, decided);
  if (instead === null || decided.state === "resolved-elsewhere") return decided;
  return {
    ...decided,
    ...review(decided.reviewQueue ?? "agent", `check:${instead.code}`, instead),
    question: questions.find((question) => question === instead.code) ?? null,
    reasons: [instead, ...decided.reasons],
  };
}

/** While automatic effects are stopped, a person decides about what the rules would have sent. */
function checkStopped({ automationStoppedAt }: DecisionSubject, { action }: Verdict): Reason | null {
  if (automationStoppedAt === null || !isEffectAction(action)) return null;
  return {
    code: "automation-stopped",
    text: `Automatic effects are stopped since ${automationStoppedAt.toISOString()}; the policy would ${action} this change.`,
  };
}

function decideByRules(subject: DecisionSubject, policy: Policy, trace: RuleTrace[] | null): Verdict {
  const early = checkAlreadyAnswered(subject) ?? checkResolved(subject) ?? checkPartial(subject);
  if (early !== null) return ranked({ ...early, trace: [] }, subject, null);

  const decision = judge(subject, policy, trace);
  const check = checkSanity(subject) ?? checkShown(subject, decision) ?? checkReferences(subject, decision);
  const verdict =
    check === null ? followPolicy(decision) : { ...check, reasons: [...check.reasons, ...decision.reasons] };
  return ranked({ ...verdict, trace: trace ?? [] }, subject, decision.priority);
}

/**
 * Takes the more urgent of the policy's priority and the computed one: a policy can hurry a case and cannot hide a near
 * departure. It is computed on demand, because a backtest reads no priority and should not evaluate the laws for it.
 */
function ranked(
  verdict: Omit<Verdict, "priority" | "question">,
  subject: DecisionSubject,
  byPolicy: number | null,
): Verdict {
  return {
    ...verdict,
    question: null,
    get priority() {
      const priority = priorityOf(subject);
      return Math.min(priority, byPolicy ?? priority);
    },
  };
}

/** The state that each thing a policy may ask for leads to. */
const stateAfter: Readonly<Record<DecisionAction, CaseState>> = {
  accept: "checking",
  cancel: "checking",
  review: "awaiting-agent",
  "ask-traveller": "awaiting-traveller",
  wait: "snoozed",
  none: "closed",
};

function followPolicy({ action, queue, rule, reasons, until }: PolicyJudgement): Check {
  if (action === "review") return { ...review(queue ?? "agent", rule, reasons[0]), reasons };
  return {
    action,
    state: stateAfter[action],
    reviewQueue: null,
    rule,
    reasons,
    dueAt: until === null ? null : new Date(until),
  };
}

/**
 * Accept and cancel act on whatever is pending. A status that offers them and says nothing of a changed flight hides what
 * that is, and so does one that shows the booked flights as they were while the newest notification told of others. Only
 * when both show them is the change really taken back. A status that shows other new flights than the notification may
 * have been stored before it, unless an earlier one has shown the flights of the notification: then the airline has moved on.
 */
function checkShown(subject: DecisionSubject, { action }: PolicyJudgement): Check | null {
  const { proposal, notified, now } = subject;
  if (!isEffectAction(action)) return null;
  const isAsNotified = notified === null || sameFlights(proposal.proposed, notified);
  // A decision that was kept before this was asked does not say, and is replayed as it was made.
  const isHidden = proposal.showsChange === false || (isNothingProposed(proposal) && !isAsNotified);
  const isBehind = subject.notifiedUnseen === true && notified !== null && !fitsOffer(proposal.proposed, notified);
  if (!isHidden && !isBehind) return null;
  const lagEnds = endOfLag(subject);
  if (!isHidden && now < lagEnds) return notShownYet(lagEnds);
  return review("agent", "check:change-not-shown", {
    code: "change-not-shown",
    text: `The gateway offers to ${action} a change and does not show which: no changed flight, or not the one that the notification tells of.`,
  });
}

/** When a status can no longer be older than the newest notification. */
function endOfLag({ caseOpenedAt, notifiedAt, statusLagMs }: DecisionSubject): Date {
  return new Date(Math.max(caseOpenedAt.getTime(), notifiedAt?.getTime() ?? 0) + statusLagMs);
}

/** An action runs for the booking references whose flag is Y, so without one there is nothing to run it for. */
function checkReferences({ proposal }: DecisionSubject, { action }: PolicyJudgement): Check | null {
  if (!isEffectAction(action)) return null;
  if (isY(proposal.flags[action]) && proposal.referencesAllowing[action].length > 0) return null;
  return review("agent", "check:reference", {
    code: "no-booking-reference",
    text: `The status names no booking reference for which the gateway offers to ${action}.`,
  });
}

type Check = Omit<Verdict, "priority" | "trace" | "question">;

/**
 * The change that this order's last successful effect was about, still shown as open: the status lags, or it came back.
 * Whichever case it was answered in: a cancel is never repeated by a rule, and neither undoes the other.
 */
function checkAlreadyAnswered({ lastSuccess: last, proposal, now, statusLagMs }: DecisionSubject): Check | null {
  if (last === null || last.proposalDigest !== proposal.digest) return null;
  const done = last.action === "accept" ? "accepted" : "cancelled";
  const rule = `check:already-${done}`;
  const finishedAt = last.finishedAt ?? now;
  const lagEnds = new Date(finishedAt.getTime() + statusLagMs);
  if (now < lagEnds) {
    return {
      action: "wait",
      state: "snoozed",
      reviewQueue: null,
      rule,
      reasons: [
        {
          code: `already-${done}`,
          text: `This change was ${done} at ${finishedAt.toISOString()}; the status may not show it yet.`,
        },
      ],
      dueAt: lagEnds,
    };
  }
  return review("agent", rule, {
    code: `${done}-but-still-open`,
    text: `This change was ${done}, but the gateway still shows it as open. Ask the airline before answering it again.`,
  });
}

/**
 * Settled by somebody else: nothing is open, whether the status says that the proposed flights are accepted or only shows
 * no change. PnrStatus CANCELLED alone settles nothing: a cancelled flight may still have a refund to claim. Accepted alone
 * does not either, when other flights are shown that nobody says cannot be answered: it may be left over from a change
 * before. Neither does a status that shows nothing right after a notification told of other flights: it may have been
 * stored before the change, also where it shows what was decided about before.
 */
function checkResolved(subject: DecisionSubject): Check | null {
  const { proposal, notified, now } = subject;
  if (!isNothingOpen(proposal)) return null;
  const awaited = [subject.awaited, notified].filter((flights) => flights !== null);
  const isAccepted =
    is(proposal.scheduleChangeStatus, "Accepted") && awaited.some((flights) => sameFlights(proposal.current, flights));
  const isTold = notified === null || sameFlights(proposal.current, notified);
  const lagEnds = endOfLag(subject);
  // A decision that was kept before this was asked of accepted flights does not say when it was notified.
  const isAsked = !isAccepted || subject.notifiedAt !== undefined;
  if (!isTold && isAsked && now < lagEnds) return notShownYet(lagEnds);
  return (
    ownAcceptInstead(subject) ??
    checkBooking(subject) ??
    (isAccepted
      ? resolved("accepted-elsewhere", "The gateway shows the proposed flights as accepted.")
      : resolved("nothing-open", "The gateway shows no open change for this order."))
  );
}

/** Nothing is open either when the booking itself is gone, and then somebody has to look after the traveller. */
function checkBooking({ facts }: DecisionSubject): Check | null {
  // Facts that were kept by an earlier version do not have it, and are replayed as they were shown.
  const stands: Fact<boolean> | undefined = facts.bookingStands;
  if (stands === undefined || (stands.known && stands.value)) return null;
  return review("agent", "check:booking-status", {
    code: "booking-status",
    text: "The gateway shows no open change, and a status of which it is not certain that the booking stands. Find out what it means.",
  });
}

/**
 * Shortly after an accept of ours, flights that it was not decided about are most likely what it was carried out for: the
 * airline had put them in the place of the others in the moment before.
 */
function ownAcceptInstead({ lastSuccess, proposal, now }: DecisionSubject): Check | null {
  const decided = lastSuccess?.decidedFlights ?? null;
  if (decided === null || !showsOtherFlights(proposal, decided, now)) return null;
  return review("agent", "check:accepted-other-flights", acceptedOtherFlights);
}

/** What the people are told when an accept brought other flights than those that were decided about. */
export const acceptedOtherFlights: Reason = {
  code: "accepted-other-flights",
  text: "The gateway accepted, but it now shows other flights than those that were decided about. Check the booking at the airline.",
};

function checkPartial({ proposal }: DecisionSubject): Check | null {
  if (!is(proposal.scheduleChangeStatus, "Partially-Accepted")) return null;
  return review("agent", "check:partially-accepted", {
    code: "partially-accepted",
    text: "The gateway shows the change as partially accepted. Accept and cancel act on the whole order.",
  });
}

function checkSanity({ proposal, facts }: DecisionSubject): Check | null {
  if (proposal.suspicions.length === 0) return null;
  // Facts that were kept by an earlier version have no words for it, and are replayed as they were shown.
  const problems: Fact<readonly string[]> | undefined = facts.dataProblems;
  const text =
    problems?.known === true
      ? `The new flights are impossible or incomplete as sent: ${problems.value.join("; ")}.`
      : `The new flights are impossible or incomplete as sent (${proposal.suspicions.join(", ")}).`;
  return review("agent", "check:sanity", { code: "data-suspect", text });
}

function notShownYet(lagEnds: Date): Check {
  return {
    action: "wait",
    state: "snoozed",
    reviewQueue: null,
    rule: "check:not-shown-yet",
    reasons: [
      {
        code: "status-lags-behind",
        text: "The gateway's status does not show the change that the notification tells of; it is read once more.",
      },
    ],
    dueAt: lagEnds,
  };
}

function resolved(code: string, text: string): Check {
  return {
    action: "none",
    state: "resolved-elsewhere",
    reviewQueue: null,
    rule: "check:resolved-elsewhere",
    reasons: [{ code, text }],
    dueAt: null,
  };
}

/** Hands the case to the people of a queue. */
export function review(queue: string, rule: string, reason: Reason | undefined): Check {
  return {
    action: "review",
    state: "awaiting-agent",
    reviewQueue: queue,
    rule,
    reasons: reason === undefined ? [] : [reason],
    dueAt: null,
  };
}

/**
 * How urgent a change is, by the first line that holds:
 *
 * | priority | when |
 * |---|---|
 * | 0 | the first flight leaves within 24 hours |
 * | 1 | it leaves within 72 hours; or a moment by which a law wants the traveller told comes within 24 hours |
 * | 2 | the change is critical, such as a cancellation or a missed connection; or when the flight leaves is not known |
 * | 3 | it leaves within 7 days; or such a moment comes within 72 hours |
 * | 4 | the change is major |
 * | 5 | anything else, and a trip of which every flight has left |
 *
 * A policy can make a case more urgent, up to 0, and no case less.
 */
export function priorityOf({ facts, legal, now }: Pick<DecisionSubject, "facts" | "legal" | "now">): number {
  if (isDeparted(facts)) return 5;
  const { minutesToDeparture } = facts;
  const toDeparture = minutesToDeparture.known ? minutesToDeparture.value / 60 : null;
  if (toDeparture !== null && toDeparture < 24) return 0;
  if (toDeparture !== null && toDeparture < 72) return 1;
  const toTellTraveller = hoursToLegalMark(legal, now);
  if (toTellTraveller < 24) return 1;
  const severity = severityOf(facts).name;
  if (toDeparture === null || severity === "critical") return 2;
  if (toDeparture < 7 * 24 || toTellTraveller < 72) return 3;
  return severity === "major" ? 4 : 5;
}

/** To the next moment by which the traveller is to be told; infinite when none is ahead. */
function hoursToLegalMark({ verdicts }: DecisionSubject["legal"], now: Date): number {
  const ahead = verdicts
    .flatMap(({ clocks }) => clocks)
    .flatMap(({ name, dueAt }) => (dueAt !== null && isMarkBeforeDeparture(name) ? [Date.parse(dueAt)] : []))
    .filter((at) => at > now.getTime());
  return (Math.min(...ahead) - now.getTime()) / 3_600_000;
}
