import { type Assessment, assess, assessNotification } from "../cases/assess.ts";
import { decide, priorityOf, review, type Verdict } from "../cases/decide.ts";
import type { Question, Reason } from "../cases/decision.ts";
import { decisionSubject, inputsOf } from "../cases/decision-subject.ts";
import { leftOpen } from "../cases/left-open.ts";
import type { DecisionSubject, NewDecision, NewShadowDecision } from "../cases/new-decision.ts";
import type { EffectSnapshot, OrderContext } from "../cases/order-context.ts";
import { clockFor, moveAfter, newDecision } from "../cases/record-decision.ts";
import type { SourceSettings } from "../cases/source-settings.ts";
import { goBackToWaiting, isAlreadyAsked, reservedFor, waitingForPeople } from "../cases/waiting.ts";
import { type DeskContext, settingsOf } from "./desk-context.ts";
import type { Lease, StatusReading } from "./ports.ts";

/** Asks a person after an effect that did not go well. No policy ever overtakes this question. */
export const effectReview = {
  action: "review",
  reviewQueue: "agent",
  rule: "check:effect",
  question: "effect-outcome",
  trace: [],
} as const;

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
  work: OrderContext,
  status: { readonly reading: StatusReading; readonly statusViewId: string },
  overruled: Reason | null,
): Promise<Verdict | "unchanged"> {
  const { reading, statusViewId } = status;
  const settings = settingsOf(desk, lease.source);
  const now = desk.clock.now();
  const assessment = assess(reading.view, work, settings, now);
  if (assessment === null) {
    const text = "The gateway's status does not show this order. Look it up at the gateway or the airline.";
    const waiting = waitingForPeople(work, settings, now);
    if (waiting !== null) {
      const failure = { code: "desk.order_not_in_status", message: text };
      await desk.store.postpone(lease, work.case, failure, waiting.dueAt, waiting.state);
      return "unchanged";
    }
    const reason = { code: "order-not-in-status", text };
    return await handOver(desk, lease, work, {
      rule: "check:status",
      question: "unreadable-status",
      reason,
      statusViewId,
    });
  }
  const { policy } = settings;
  if (overruled === null && isAlreadyAsked(work, assessment, policy.version)) {
    // Time has passed, or the traveller was informed: the clocks are read again although nothing is decided anew.
    const { priority } = decide(decisionSubject(work, assessment, settings, overruled), policy);
    await desk.store.move(
      lease,
      work.case,
      {
        ...goBackToWaiting(work, assessment.evaluatedAt),
        priority,
        dueBy: clockFor(work, assessment, priority, settings),
      },
      { kind: "status.unchanged", detail: { statusViewId } },
    );
    return "unchanged";
  }
  const noRuleMay = overruled ?? reservedFor(work, assessment);
  const subject = decisionSubject(work, assessment, settings, noRuleMay);
  const verdict = decide(subject, policy);
  const byRules =
    verdict.question === "automation-stopped" ? decide({ ...subject, automationStoppedAt: null }, policy) : verdict;
  const shadow = decideInShadow(desk, work, settings, reading, noRuleMay, byRules);
  await keep(desk, lease, work, assessment, verdict, statusViewId, { subject, shadow });
  return verdict;
}

/**
 * What the shadow version of the source would decide; null when it has none. It is assessed anew, since its connection
 * times and presets may be others. It sends nothing, so it decides as if automatic effects were not stopped. Whatever goes
 * wrong here must not keep the real decision from being made.
 *
 * @param verdict of the active version, under the same condition.
 */
function decideInShadow(
  desk: DeskContext,
  work: OrderContext,
  settings: SourceSettings,
  { view }: StatusReading,
  overruled: Reason | null,
  verdict: Verdict,
): NewShadowDecision | null {
  const policy = settings.shadow;
  if (policy === null) return null;
  try {
    const assessment = assess(view, work, { ...settings, policy }, desk.clock.now());
    if (assessment === null) return null;
    const { action, reviewQueue, rule, reasons } = decide(
      decisionSubject({ ...work, automationStoppedAt: null }, assessment, settings, overruled),
      policy,
    );
    return {
      version: policy.version,
      action,
      reviewQueue,
      rule,
      reason: reasons[0]?.code ?? rule,
      differs: action !== verdict.action || reviewQueue !== verdict.reviewQueue,
    };
  } catch (error) {
    desk.logger.error({ source: work.source, orderId: work.orderId, version: policy.version, error }, "shadow.failed");
    return null;
  }
}

/**
 * Asks a person about something that the rules cannot be asked about, showing what the notification says.
 *
 * @param dueAt when to try again all the same; absent: only a person or a notification moves the case.
 */
export async function handOver(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  why: {
    readonly rule: string;
    readonly question: Question | null;
    readonly reason: Reason;
    readonly statusViewId: string | null;
    readonly dueAt?: Date;
  },
): Promise<Verdict> {
  const assessment = assessNotification(work, settingsOf(desk, lease.source), desk.clock.now());
  const verdict: Verdict = {
    ...review("agent", why.rule, [why.reason]),
    question: why.question,
    priority:
      assessment === null
        ? unreadablePriority
        : priorityOf({ facts: assessment.facts, legal: assessment.legal, now: assessment.evaluatedAt }),
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
  const open = assessment === null ? [] : leftOpen(effect, assessment.proposal);
  const shown =
    open.length === 0 ? "does not show it" : `shows it for a part, since it is still offered for ${open.join(", ")}`;
  const text = `Whether the ${effect.action} was carried out is unknown: the gateway gave no clear answer and its status ${shown}. Find out at the gateway or the airline, then confirm or refute it.`;
  return newDecision(
    assessment,
    { ...effectReview, reasons: [{ code: "effect-outcome-unknown", text }] },
    settingsOf(desk, lease.source),
    statusViewId,
    desk.clock.now(),
  );
}

async function keep(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  assessment: Assessment | null,
  verdict: Verdict,
  statusViewId: string | null,
  made: { readonly subject: DecisionSubject; readonly shadow: NewShadowDecision | null } | null = null,
): Promise<void> {
  const settings = settingsOf(desk, lease.source);
  const now = desk.clock.now();
  const decisionId = await desk.store.decide(
    lease,
    work.case,
    {
      ...newDecision(assessment, verdict, settings, statusViewId, now),
      inputs: made === null ? null : inputsOf(made.subject),
      shadow: made?.shadow ?? null,
    },
    moveAfter(work, assessment, verdict, settings, now),
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

/** How urgent a change is that could not be read: as urgent as one whose departure is not known. */
const unreadablePriority = 2;
