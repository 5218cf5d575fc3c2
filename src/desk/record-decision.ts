import { describeChange } from "../itinerary/describe.ts";
import { type Assessment, assess, assessmentBasis, assessNotification } from "./assess.ts";
import { type DecisionContext, decide, priorityOf, review, type Verdict } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import type { CaseMove, EffectSnapshot, Lease, NewDecision, Reason, StatusReading, Work } from "./ports.ts";

/** The rule under which a person is asked after an effect that did not go well. It is never overtaken by a policy. */
export const effectRule = "check:effect";

/**
 * Decides on a status and keeps the decision.
 *
 * @param overruled set when a person's decision could not be carried out because the proposal is no longer the one they
 *   saw: then no rule may decide in their place, and a person decides anew.
 * @returns the verdict, or `unchanged` when a person is already asked about exactly this.
 */
export async function decideOnStatus(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  status: { readonly reading: StatusReading; readonly statusViewId: string },
  overruled: Reason | null,
): Promise<Verdict | "unchanged"> {
  const { reading, statusViewId } = status;
  const assessment = assess(reading.view, lease.orderId, work, assessmentBasis(desk, lease.source));
  if (assessment === null) {
    return await handOver(desk, lease, work, {
      rule: "check:status",
      reason: {
        code: "order-not-in-status",
        text: "The gateway's status does not show this order. Look it up at the gateway or the airline.",
      },
      statusViewId,
    });
  }
  const policy = desk.policyOf(lease.source);
  if (overruled === null && isAlreadyAsked(work, assessment, policy.version)) {
    await desk.store.move(
      lease,
      work.case,
      { state: "awaiting-agent", reviewQueue: work.decision?.reviewQueue ?? "agent", dueAt: null },
      { kind: "status.unchanged", detail: { statusViewId } },
    );
    return "unchanged";
  }
  const decided = decide(assessment, decisionContext(desk, lease, work));
  const verdict =
    overruled === null || decided.action === "none"
      ? decided
      : {
          ...decided,
          ...review(decided.reviewQueue ?? "agent", "check:proposal-changed", overruled),
          reasons: [overruled, ...decided.reasons],
        };
  await keep(desk, lease, work, assessment, verdict, statusViewId);
  return verdict;
}

/** What a decision on this work rests on, besides the view. */
export function decisionContext(desk: DeskContext, { source, orderId }: Lease, work: Work): DecisionContext {
  return { source, orderId, work, policy: desk.policyOf(source), statusLagMs: desk.timing.statusLagMs };
}

/** Whether a person is already asked about exactly this, under the same policy. */
function isAlreadyAsked({ decision }: Work, { proposal }: Assessment, policyVersion: string): boolean {
  return (
    decision !== null &&
    decision.action === "review" &&
    decision.proposalDigest === proposal.digest &&
    ((decision.onStatus && decision.policyVersion === policyVersion) || decision.rule === effectRule)
  );
}

/**
 * Asks a person about something that the rules cannot be asked about, showing what the notification says.
 *
 * @param dueAt when to try again all the same; absent: only a person or a notification moves the case.
 */
export async function handOver(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  why: { readonly rule: string; readonly reason: Reason; readonly statusViewId: string | null; readonly dueAt?: Date },
): Promise<Verdict> {
  const assessment = readableNotification(desk, lease, work);
  const verdict: Verdict = {
    ...review("agent", why.rule, why.reason),
    priority: assessment === null ? 2 : priorityOf(assessment.facts.minutesToDeparture),
    trace: [],
    dueAt: why.dueAt ?? null,
  };
  await keep(desk, lease, work, assessment, verdict, why.statusViewId);
  return verdict;
}

/** The decision that asks a person what became of an effect. @param assessment of what is known of the order, if anything. */
export function askAboutOutcome(
  desk: DeskContext,
  lease: Lease,
  effect: EffectSnapshot,
  assessment: Assessment | null,
  statusViewId: string | null,
): NewDecision {
  const text = `Whether the ${effect.action} was carried out is unknown: the gateway gave no clear answer and its status does not show it. Find out at the gateway or the airline, then confirm or refute it.`;
  return decisionOf(
    desk,
    lease.source,
    assessment,
    {
      action: "review",
      reviewQueue: "agent",
      rule: effectRule,
      reasons: [{ code: "effect-outcome-unknown", text }],
      trace: [],
    },
    statusViewId,
  );
}

/** What the notification says; null also when reading it fails, which must not keep a person from being asked. */
export function readableNotification(desk: DeskContext, lease: Lease, work: Work): Assessment | null {
  try {
    return assessNotification(lease.orderId, work, assessmentBasis(desk, lease.source));
  } catch (error) {
    desk.logger.error(
      { source: lease.source, orderId: lease.orderId, caseId: work.case.id, error },
      "notification.unreadable",
    );
    return null;
  }
}

async function keep(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  assessment: Assessment | null,
  verdict: Verdict,
  statusViewId: string | null,
): Promise<void> {
  const decisionId = await desk.store.decide(
    lease,
    work.case,
    decisionOf(desk, lease.source, assessment, verdict, statusViewId),
    moveOf(assessment, verdict, work, desk.clock.now()),
    assessment === null ? null : { booked: assessment.booked, from: assessment.bookedFrom },
  );
  desk.metrics.decisions.inc({ source: lease.source, action: verdict.action, by: "policy" });
  desk.logger.info(
    {
      source: lease.source,
      orderId: lease.orderId,
      caseId: work.case.id,
      decisionId,
      action: verdict.action,
      rule: verdict.rule,
      reason: verdict.reasons[0]?.code,
      proposalDigest: assessment?.proposal.digest,
    },
    "decision.made",
  );
}

/** A decision with everything needed to make it again. */
export function decisionOf(
  desk: DeskContext,
  source: string,
  assessment: Assessment | null,
  verdict: Pick<Verdict, "action" | "reviewQueue" | "rule" | "reasons" | "trace">,
  statusViewId: string | null,
): NewDecision {
  const policy = desk.policyOf(source);
  return {
    action: verdict.action,
    decidedBy: "policy",
    reviewQueue: verdict.reviewQueue,
    rule: verdict.rule,
    reasons: verdict.reasons,
    note: null,
    proposalDigest: assessment?.proposal.digest ?? null,
    flags: assessment?.proposal.flags ?? null,
    facts: assessment?.facts ?? null,
    itineraries:
      assessment === null
        ? null
        : { booked: assessment.booked, accepted: assessment.accepted, proposed: assessment.proposal.proposed },
    trace: verdict.trace,
    statusViewId,
    evaluatedAt: assessment?.evaluatedAt ?? desk.clock.now(),
    versions: {
      ...desk.versions,
      connectionTimes: policy.connectionTimes.version,
      policy: policy.version,
      policyName: policy.name,
    },
  };
}

function moveOf(assessment: Assessment | null, verdict: Verdict, work: Work, now: Date): CaseMove {
  const base = {
    state: verdict.state,
    reviewQueue: verdict.reviewQueue,
    // An accept that is decided and not planned yet must not be forgotten if this process dies now.
    dueAt: verdict.action === "accept" ? now : verdict.dueAt,
    priority: verdict.priority,
  };
  if (assessment === null) return base;
  const references = assessment.proposal.gdsBookingReferences;
  const minutes = assessment.facts.minutesToDeparture;
  return {
    ...base,
    headline: describeChange({
      booked: assessment.booked,
      proposed: assessment.proposal.proposed,
      facts: assessment.facts,
      withdrawnSegmentKeys: assessment.proposal.withdrawnSegmentKeys,
      current: assessment.proposal.current,
    }),
    departureAt: minutes.known ? departureAfter(assessment.evaluatedAt, minutes.value) : null,
    gdsBookingReferences: references.length > 0 ? references : work.case.gdsBookingReferences,
  };
}

/** Minutes to departure are whole and rounded down, and flights leave on the minute. */
function departureAfter(now: Date, minutes: number): Date {
  return new Date(Math.ceil((now.getTime() + minutes * minuteMs) / minuteMs) * minuteMs);
}

const minuteMs = 60_000;
