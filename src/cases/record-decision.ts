import type { Fact } from "../kernel/fact.ts";
import { activeTimeZones } from "../travel/zones.ts";
import type { Assessment } from "./assess.ts";
import { summariseCase } from "./case-summary.ts";
import type { CaseMove } from "./case-update.ts";
import { type DueBy, dueByOf } from "./clocks.ts";
import type { CaseVerdict } from "./decide.ts";
import { isEffectAction } from "./decision.ts";
import type { NewDecision } from "./new-decision.ts";
import type { OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import type { DecisionChange } from "./step.ts";
import { whileAskingTraveller } from "./waiting.ts";

/**
 * The version of the checks and of the policy evaluation. Increment it with every change that can change a decision or
 * its reasons for the same facts and policy. Stored with each decision; older ones have none.
 */
export const engineVersion = "3";

/** Returns a decision of the rules to store. @param assessment null if nothing was readable. */
export function newDecision(
  assessment: Assessment | null,
  verdict: Omit<CaseVerdict, "state" | "dueAt" | "priority"> & Partial<Pick<CaseVerdict, "priority">>,
  { policy, marks, versions }: SourceSettings,
  statusViewId: string | null,
  now: Date,
): NewDecision {
  const presets = assessment?.legal.presets ?? [];
  return {
    action: verdict.action,
    decidedBy: "policy",
    reviewQueue: verdict.reviewQueue,
    rule: verdict.rule,
    question: verdict.question,
    reasons: verdict.reasons,
    note: null,
    proposalDigest: assessment?.proposal.digest ?? null,
    flags: assessment?.proposal.flags ?? null,
    facts: assessment?.facts ?? null,
    unmarkedValues: assessment?.unmarkedValues ?? [],
    itineraries: assessment && {
      booked: assessment.booked,
      accepted: assessment.accepted,
      current: assessment.proposal.current,
      proposed: assessment.proposal.proposed,
    },
    trace: verdict.trace,
    statusViewId,
    evaluatedAt: assessment?.evaluatedAt ?? now,
    legal: assessment?.legal ?? null,
    priority: verdict.priority ?? null,
    inputs: null,
    shadow: null,
    versions: {
      ...versions,
      timeZones: assessment?.timeZones ?? activeTimeZones().version,
      engine: engineVersion,
      ...Object.fromEntries(presets.map(({ id, version }) => [`preset:${id}`, version])),
      connectionTimes: policy.connectionTimes.version,
      memberMarks: marks.version,
      policy: policy.version,
      policyName: policy.name,
    },
  };
}

/** Returns the context after a decision on a status, as if it were loaded again. */
export function withDecision(
  context: OrderContext,
  { id, decision, move, baseline }: DecisionChange,
  now: Date,
): OrderContext {
  const { action, decidedBy, rule, question, reviewQueue, proposalDigest, facts, itineraries, statusViewId } = decision;
  const { policy: policyVersion = null, memberMarks: marksVersion = null } = decision.versions;
  const proposed = itineraries?.proposed ?? null;
  return {
    ...context,
    case: {
      ...context.case,
      state: move.state,
      reviewQueue: move.reviewQueue,
      decisionId: id,
      proposalDigest,
      undoLeftMs: null,
      failures: 0,
      failingSince: null,
      gdsBookingReferences: move.gdsBookingReferences ?? context.case.gdsBookingReferences,
    },
    decision: {
      id,
      action,
      decidedBy,
      rule,
      question,
      reviewQueue,
      proposalDigest,
      policyVersion,
      marksVersion,
      proposed,
      facts,
      onStatus: statusViewId !== null,
    },
    ...(context.booked === null && baseline !== null ? { booked: baseline.booked, bookedFrom: baseline.from } : {}),
    decisionHasEffect: false,
    temporaryRefusals: 0,
    lastContact: "none",
    isRestated: false,
    isTakenOver: false,
    snoozedUntil: null,
    ...(proposed === null || proposalDigest === null
      ? {}
      : {
          earlierProposals: [
            ...context.earlierProposals,
            { proposed, decidedAt: now.toISOString(), isBlank: isBlank(decision) },
          ],
          storedDigests: [...new Set([...context.storedDigests, proposalDigest])],
        }),
  };
}

function isBlank({ itineraries }: NewDecision): boolean {
  return itineraries?.current?.segments.length === 0 && itineraries.proposed.segments.length === 0;
}

export function caseMoveFor(
  context: OrderContext,
  assessment: Assessment | null,
  verdict: CaseVerdict,
  settings: SourceSettings,
  now: Date,
): CaseMove {
  // A failed effect brings the case to a person without another decision, so its clock is set. A wait needs nobody.
  const dueBy = verdict.action === "wait" ? null : clockFor(context, assessment, verdict.priority, settings);
  const { state, reviewQueue } =
    verdict.action === "ask-traveller"
      ? whileAskingTraveller(context, assessment?.proposal.digest ?? null, dueBy?.at ?? null)
      : verdict;
  const base = {
    state,
    reviewQueue,
    ...(isEffectAction(verdict.action) ? effectDueTime(assessment, settings, now) : { dueAt: verdict.dueAt }),
    priority: verdict.priority,
    dueBy,
  };
  return assessment === null ? base : { ...base, ...summariseCase(context, assessment, verdict.reasons[0]) };
}

/** A decided effect must survive a crash, so the case is due: at once, or when the undo window ends. */
function effectDueTime(
  assessment: Assessment | null,
  { timing }: SourceSettings,
  now: Date,
): Pick<CaseMove, "dueAt" | "undoUntil"> {
  const undoMs = assessment === null ? 0 : undoWindow(timing.undoWindowMs, assessment.facts.minutesToDeparture);
  if (undoMs === 0) return { dueAt: now };
  const undoUntil = new Date(now.getTime() + undoMs);
  return { dueAt: undoUntil, undoUntil };
}

/** Within this time before departure there is no undo window, in milliseconds. */
const nearDepartureMs = 24 * 60 * 60_000;

/**
 * Returns the undo window, in milliseconds. It is 0 if it would end within 24 hours of departure, or if the departure
 * is unknown.
 * @param windowMs the setting; 0 means none.
 */
export function undoWindow(windowMs: number, minutesToDeparture: Fact<number>): number {
  if (!minutesToDeparture.known) return 0;
  return minutesToDeparture.value * 60_000 - windowMs >= nearDepartureMs ? windowMs : 0;
}

/** Returns the clock that counts for a case. A snooze restarts it when the case comes back. */
export function clockFor(
  { case: { openedAt }, snoozedUntil }: OrderContext,
  assessment: Assessment | null,
  priority: number,
  { timing }: SourceSettings,
): DueBy | null {
  const since = assessment?.order.changeSeenAt ?? openedAt;
  return dueByOf({
    since: snoozedUntil !== null && snoozedUntil > since ? snoozedUntil : since,
    priority,
    responseTargets: timing.responseTargets,
    assessment,
  });
}
