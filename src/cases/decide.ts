import { fitsOffer, type Itinerary, sameFlights } from "../itinerary/itinerary.ts";
import { extend } from "../kernel/extend.ts";
import type { Policy } from "../policy/policy.ts";
import { flightsOfLastAccept } from "./accepted-flights.ts";
import { applyPolicy, type PolicyDecision } from "./apply-policy.ts";
import type { Assessment } from "./assess.ts";
import { declined, findFirst, type Objection, sendingChecks, statusChecks } from "./checks.ts";
import { airlineDeadlineRule, describeDeadlines } from "./clocks.ts";
import { type DecisionAction, isEffectAction, type Question, questions, type Reason } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { DecisionInputs, DecisionSubject, NewDecision } from "./new-decision.ts";
import type { OrderContext } from "./order-context.ts";
import { priorityOf } from "./priority.ts";
import type { SourceSettings } from "./source-settings.ts";

export interface CaseVerdict
  extends Pick<NewDecision, "action" | "reviewQueue" | "rule" | "question" | "reasons" | "trace"> {
  /** The next state. An accept or a cancel stays in `checking` until its effect is planned. */
  readonly state: CaseState;
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  /** When to look again; only with `wait`. */
  readonly dueAt: Date | null;
}

/**
 * Decides what to do about an assessed change. Pure. The order is: checks of the status, the policy's rules with the
 * checks that no policy can switch off, checks before sending. The first that objects is stored as the rule. No rule
 * decides what is reserved for a person.
 */
export function decide(subject: DecisionSubject, policy: Policy): CaseVerdict {
  const verdict = withDeadline(
    decideByStatus(subject) ?? withTravellerChoice(decideByPolicy(subject, policy), subject),
    subject,
  );
  const { manualReviewReason } = subject;
  if (manualReviewReason === null || verdict.state === "resolved-elsewhere") return verdict;
  const rule = `check:${manualReviewReason.code}`;
  return {
    ...verdict,
    ...review(verdict.reviewQueue ?? "agent", rule, [manualReviewReason, ...verdict.reasons]),
    question: questionOf(rule),
  };
}

/** Who is asked is told first that the traveller does not want the change, whichever rule asks. */
function withTravellerChoice(verdict: CaseVerdict, { order: { travellerAnswer } }: DecisionSubject): CaseVerdict {
  if (travellerAnswer === null || travellerAnswer === "accept" || verdict.action !== "review") return verdict;
  const reason = declined(travellerAnswer);
  const isStated = verdict.reasons.some(({ code }) => code === reason.code);
  return isStated ? verdict : { ...verdict, reasons: [reason, ...verdict.reasons] };
}

/** Who is asked is told by when the airline wants an answer. */
function withDeadline(verdict: CaseVerdict, { airlineDeadline }: DecisionSubject): CaseVerdict {
  const isAsked = verdict.action === "review" || verdict.action === "ask-traveller";
  if (airlineDeadline === null || !isAsked) return verdict;
  return { ...verdict, reasons: [...verdict.reasons, airlineDeadline] };
}

function questionOf(rule: string): Question | null {
  return questions.find((question) => rule === `check:${question}`) ?? null;
}

function decideByStatus(subject: DecisionSubject): CaseVerdict | null {
  const found = findFirst(statusChecks, subject);
  if (found === null) return null;
  return extend(outcomeOf(found), { question: null, trace: [], priority: priorityOf(subject) });
}

function decideByPolicy(subject: DecisionSubject, policy: Policy): CaseVerdict {
  const decision = applyPolicy(subject, policy);
  const { action, trace, reasons } = decision;
  const found = isEffectAction(action) ? findFirst(sendingChecks, { subject, action }) : null;
  const priority = priorityOf(subject);
  return extend(found === null ? toOutcome(decision) : outcomeOf(found, reasons), {
    question: found === null ? null : questionOf(found.rule),
    trace,
    // A policy can only make a case more urgent.
    priority: Math.min(priority, decision.priority ?? priority),
  });
}

type Outcome = Omit<CaseVerdict, "priority" | "trace" | "question">;

/** Turns an objection into an outcome. @param reasons of the rules that wanted something else. */
function outcomeOf(
  { rule, objection }: { rule: string; objection: Objection },
  reasons: readonly Reason[] = [],
): Outcome {
  const because = [objection.reason, ...reasons];
  switch (objection.outcome) {
    case "ask-person":
      return review(objection.queue, rule, because);
    case "wait":
      return { action: "wait", state: "snoozed", reviewQueue: null, rule, reasons: because, dueAt: objection.until };
    case "resolved-elsewhere":
      return { action: "none", state: "resolved-elsewhere", reviewQueue: null, rule, reasons: because, dueAt: null };
  }
}

const stateAfter: Readonly<Record<DecisionAction, CaseState>> = {
  accept: "checking",
  cancel: "checking",
  review: "awaiting-agent",
  "ask-traveller": "ask-traveller",
  wait: "snoozed",
  none: "closed",
};

function toOutcome({ action, queue, rule, reasons, until }: PolicyDecision): Outcome {
  if (action === "review") return review(queue ?? "agent", rule, reasons);
  const dueAt = until === null ? null : new Date(until);
  return { action, state: stateAfter[action], reviewQueue: null, rule, reasons, dueAt };
}

export function review(queue: string, rule: string, reasons: readonly Reason[]): Outcome {
  return { action: "review", state: "awaiting-agent", reviewQueue: queue, rule, reasons, dueAt: null };
}

export function decisionSubject(
  context: OrderContext,
  assessment: Assessment,
  { timing: { statusLagMs }, learning = null }: Pick<SourceSettings, "timing" | "learning">,
  manualReviewReason: Reason | null,
): DecisionSubject {
  const { facts, order, legal, notified, notifiedShowsChange, proposal, evaluatedAt } = assessment;
  const { source, lastSuccess, automationStoppedAt } = context;
  const { openedAt, notifiedAt } = context.case;
  return {
    source,
    order,
    facts,
    legal,
    now: evaluatedAt,
    proposal,
    notified,
    notifiedUnseen: notifiedShowsChange && notified !== null && !wasOffered(context, notified),
    awaited: context.decision?.proposed ?? null,
    lastSuccess: lastSuccess && {
      action: lastSuccess.action,
      proposalDigest: lastSuccess.proposalDigest,
      finishedAt: lastSuccess.finishedAt,
      decidedFlights: flightsOfLastAccept(context, openedAt, proposal.current, statusLagMs),
    },
    airlineDeadline: airlineDeadlineOf(assessment),
    caseOpenedAt: openedAt,
    notifiedAt,
    statusLagMs,
    manualReviewReason,
    automationStoppedAt,
    ...(learning === null ? {} : { learning }),
  };
}

export function airlineDeadlineOf(assessment: Pick<Assessment, "deadlines" | "evaluatedAt" | "facts">): Reason | null {
  const text = describeDeadlines(assessment);
  return text === null ? null : { code: airlineDeadlineRule, text };
}

/** Whether a status has shown these flights, with cabins and classes as far as both state them. */
function wasOffered({ earlierProposals }: OrderContext, notified: Itinerary): boolean {
  return earlierProposals.some(({ proposed }) => sameFlights(proposed, notified) && fitsOffer(proposed, notified));
}

export function inputsOf({ facts: _f, legal: _l, now: _n, proposal, ...inputs }: DecisionSubject): DecisionInputs {
  const { referencesAllowing, scheduleChangeStatus, scheduleChangeIndicator } = proposal;
  const { current, withdrawnSegmentKeys, showsChange, suspicions } = proposal;
  const status = { referencesAllowing, scheduleChangeStatus, scheduleChangeIndicator };
  return extend(inputs, {
    proposal: extend(status, { current, withdrawnSegmentKeys, showsChange, suspicions }),
  });
}
