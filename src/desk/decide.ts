import { sameFlights } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Fact } from "../kernel/fact.ts";
import { evaluatePolicy } from "../policy/evaluate.ts";
import type { Policy } from "../policy/policy.ts";
import type { Assessment } from "./assess.ts";
import type { CaseState } from "./lifecycle.ts";
import type { DecisionAction, Reason, Work } from "./ports.ts";

/** What is to be done about an assessed change, before anything is done. */
export interface Verdict {
  readonly action: DecisionAction;
  /** The state the case goes to. An accept stays in `checking` until its effect is planned. */
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** The check or the policy rule that decided. */
  readonly rule: string;
  /** The first one decided. */
  readonly reasons: readonly Reason[];
  /** 0 (most urgent) to 9. */
  readonly priority: number;
  readonly trace: unknown;
  /** Wait until then and look again; only with `wait`. */
  readonly dueAt: Date | null;
}

export interface DecisionContext {
  readonly source: string;
  readonly orderId: string;
  readonly work: Work;
  readonly policy: Policy;
  /** How long a status may still show a change that was accepted already, milliseconds. */
  readonly statusLagMs: number;
}

/**
 * Decides what to do about an assessed change. Pure: the same input gives the same verdict. The checks run in the order
 * of the design, and the first that fails names itself as the rule:
 * already accepted → resolved elsewhere → partially accepted → sanity → flags → references → the policy.
 */
export function decide(assessment: Assessment, context: DecisionContext): Verdict {
  const priority = priorityOf(assessment.facts.minutesToDeparture);
  const early =
    checkAlreadyAccepted(assessment, context) ?? checkResolved(assessment, context) ?? checkPartial(assessment);
  if (early !== null) return { ...early, priority, trace: [] };

  const verdict = evaluatePolicy(context.policy, {
    facts: assessment.facts,
    source: context.source,
    orderId: context.orderId,
  });
  const { trace } = verdict;
  const policyReasons = verdict.reasons;

  const suspect = checkSanity(assessment);
  if (suspect !== null) return { ...suspect, reasons: [...suspect.reasons, ...policyReasons], priority, trace };

  const flags = assessment.proposal.flags;
  if (!isY(flags.accept)) {
    const onlyReschedule = isY(flags.reSchedule) && !isY(flags.cancel);
    const reason = acceptFlagReason(assessment.proposal);
    return {
      ...review(onlyReschedule ? "reschedule" : "agent", "check:flags", reason),
      reasons: [reason, ...(verdict.action === "review" && verdict.rule !== "default" ? policyReasons : [])],
      priority,
      trace,
    };
  }

  if (assessment.proposal.referencesAllowing.accept.length === 0) {
    const reason = {
      code: "no-booking-reference",
      text: "The status names no booking reference for this order, so it cannot be accepted by itself.",
    };
    return { ...review("agent", "check:reference", reason), priority, trace };
  }

  switch (verdict.action) {
    case "accept":
      return {
        action: "accept",
        state: "checking",
        reviewQueue: null,
        rule: verdict.rule,
        reasons: policyReasons,
        priority,
        trace,
        dueAt: null,
      };
    case "none":
      return {
        action: "none",
        state: "closed",
        reviewQueue: null,
        rule: verdict.rule,
        reasons: policyReasons,
        priority,
        trace,
        dueAt: null,
      };
    case "wait":
    case "cancel":
    case "review":
      // A policy may not cancel by itself, and a wait has no end that the policy could name: a person decides.
      return {
        ...review(verdict.reviewQueue ?? "agent", verdict.rule, policyReasons[0]),
        reasons: policyReasons,
        // Whichever is more urgent: a policy can hurry a case and cannot hide a near departure.
        priority: Math.min(priority, verdict.priority ?? priority),
        trace,
      };
  }
}

type Check = Omit<Verdict, "priority" | "trace">;

/** The change that this order's last successful accept was about, still shown as open: the status lags, or it came back. */
function checkAlreadyAccepted(assessment: Assessment, { work, statusLagMs }: DecisionContext): Check | null {
  const last = work.lastSuccess;
  if (last === null || last.action !== "accept" || last.proposalDigest !== assessment.proposal.digest) return null;
  const lagEnds = new Date((last.finishedAt ?? assessment.evaluatedAt).getTime() + statusLagMs);
  if (assessment.evaluatedAt < lagEnds) {
    return {
      action: "wait",
      state: "snoozed",
      reviewQueue: null,
      rule: "check:already-accepted",
      reasons: [
        {
          code: "already-accepted",
          text: `This change was accepted at ${(last.finishedAt ?? assessment.evaluatedAt).toISOString()}; the status may not show it yet.`,
        },
      ],
      dueAt: lagEnds,
    };
  }
  return review("agent", "check:already-accepted", {
    code: "accepted-but-still-open",
    text: "This change was accepted, but the gateway still shows it as open. Ask the airline before accepting it again.",
  });
}

/**
 * Settled by somebody else: the status says so and its flights are the proposed ones, or nothing is open and no flag
 * is Y. PnrStatus CANCELLED alone settles nothing: a cancelled flight may still have a refund to claim. Neither does a
 * status that shows nothing right after a notification told of other flights: it may have been stored before the change.
 */
function checkResolved(assessment: Assessment, { work, statusLagMs }: DecisionContext): Check | null {
  const { proposal } = assessment;
  if (isAnyFlagY(proposal)) return null;
  const status = proposal.scheduleChangeStatus;
  const awaited = [work.decision?.proposed ?? null, assessment.notified].filter((flights) => flights !== null);
  if (is(status, "Accepted") && awaited.some((flights) => sameFlights(proposal.current, flights))) {
    return resolved("accepted-elsewhere", "The gateway shows the proposed flights as accepted.");
  }
  if (isNothingOpen(proposal)) {
    const lagEnds = new Date(work.case.openedAt.getTime() + statusLagMs);
    const isTold = assessment.notified === null || sameFlights(proposal.current, assessment.notified);
    if (!isTold && assessment.evaluatedAt < lagEnds) return notShownYet(lagEnds);
    return resolved("nothing-open", "The gateway shows no open change for this order.");
  }
  return null;
}

function checkPartial({ proposal }: Assessment): Check | null {
  if (!is(proposal.scheduleChangeStatus, "Partially-Accepted")) return null;
  return review("agent", "check:partially-accepted", {
    code: "partially-accepted",
    text: "The gateway shows the change as partially accepted. Accept and cancel act on the whole order.",
  });
}

function checkSanity({ proposal }: Assessment): Check | null {
  if (proposal.suspicions.length === 0) return null;
  return review("agent", "check:sanity", {
    code: "data-suspect",
    text: `The new flights are impossible or incomplete as sent (${proposal.suspicions.join(", ")}).`,
  });
}

/**
 * Nothing that anybody could still accept, cancel or reschedule. A missing flag does not count as N: without flags, only a
 * view that proposes no other flights shows that nothing is open.
 */
export function isNothingOpen(proposal: Proposal): boolean {
  const status = proposal.scheduleChangeStatus;
  if (isAnyFlagY(proposal) || is(status, "Initiated") || is(status, "Partially-Accepted")) return false;
  const { accept, cancel, reSchedule } = proposal.flags;
  const nothingOffered = [accept, cancel, reSchedule].every((flag) => flag.known && flag.value === "N");
  const nothingProposed =
    proposal.withdrawnSegmentKeys.length === 0 && sameFlights(proposal.current, proposal.proposed);
  if (is(status, "Accepted") || is(status, "Rejected")) return nothingOffered || nothingProposed;
  const indicatedUnchanged = proposal.scheduleChangeIndicator.known && !proposal.scheduleChangeIndicator.value;
  return nothingProposed && (nothingOffered || indicatedUnchanged);
}

function isAnyFlagY({ flags, referencesAllowing }: Proposal): boolean {
  return (
    isY(flags.accept) ||
    isY(flags.cancel) ||
    isY(flags.reSchedule) ||
    referencesAllowing.accept.length > 0 ||
    referencesAllowing.cancel.length > 0
  );
}

function acceptFlagReason({ flags }: Proposal): Reason {
  if (!flags.accept.known) {
    return {
      code: "flag-unknown",
      text: `Whether the gateway would accept is unknown (${flags.accept.reason}); a missing flag does not mean no.`,
    };
  }
  if (isY(flags.cancel)) {
    return {
      code: "accept-not-offered",
      text: "The gateway does not offer to accept this change; it can be cancelled.",
    };
  }
  if (isY(flags.reSchedule)) {
    return {
      code: "reschedule-only",
      text: "The gateway offers nothing but another flight: rebook, then close the case.",
    };
  }
  return { code: "no-action-offered", text: "The gateway offers neither accept nor cancel nor another flight." };
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
        text: "The gateway's status shows no change, though the notification tells of one; it is read once more.",
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

/** Nearer departures come first; an unknown one counts as near. */
export function priorityOf(minutesToDeparture: Fact<number>): number {
  if (!minutesToDeparture.known) return 2;
  const hours = minutesToDeparture.value / 60;
  if (hours < 24) return 0;
  if (hours < 72) return 1;
  if (hours < 7 * 24) return 3;
  return 5;
}

function is(fact: Fact<string>, value: string): boolean {
  return fact.known && fact.value.toUpperCase() === value.toUpperCase();
}

function isY(flag: Fact<"Y" | "N">): boolean {
  return flag.known && flag.value === "Y";
}
