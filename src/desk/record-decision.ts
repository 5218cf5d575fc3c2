import type { Question, Reason } from "../cases/decision.ts";
import { describeChange } from "../itinerary/describe.ts";
import { fitsOffer, type Itinerary, sameFlights } from "../itinerary/itinerary.ts";
import { flightsDecidedBefore } from "./accepted-flights.ts";
import { type Assessment, assess, assessmentBasis, assessNotification } from "./assess.ts";
import { type DueBy, dueByOf, instantAfter } from "./clocks.ts";
import { flightDatesOf } from "./cohorts.ts";
import { decide, priorityOf, review, type Verdict } from "./decide.ts";
import type { DeskContext } from "./desk-context.ts";
import { leftOpen } from "./left-open.ts";
import type {
  CaseMove,
  DecisionInputs,
  DecisionSnapshot,
  DecisionSubject,
  EffectSnapshot,
  Lease,
  NewDecision,
  NewShadowDecision,
  StatusReading,
  WaitingState,
  Work,
} from "./ports.ts";
import { undoWindow } from "./undo-window.ts";

export function isByPerson({ decidedBy }: Pick<DecisionSnapshot, "decidedBy">): boolean {
  return decidedBy.startsWith("person:");
}

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
  work: Work,
  status: { readonly reading: StatusReading; readonly statusViewId: string },
  overruled: Reason | null,
): Promise<Verdict | "unchanged"> {
  const { reading, statusViewId } = status;
  const assessment = assess(reading.view, lease.orderId, work, assessmentBasis(desk, lease.source));
  if (assessment === null) {
    const text = "The gateway's status does not show this order. Look it up at the gateway or the airline.";
    const waiting = waitingForPeople(desk, lease, work);
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
  const policy = desk.policyOf(lease.source);
  if (overruled === null && isAlreadyAsked(work, assessment, policy.version)) {
    // Time has passed, or the traveller was informed: the clocks are read again although nothing is decided anew.
    const { priority } = decide(decisionSubject(desk, lease, work, assessment, overruled), policy, null);
    await desk.store.move(
      lease,
      work.case,
      {
        ...goBackToWaiting(work, assessment.evaluatedAt),
        priority,
        dueBy: readClocks(desk, work, assessment, priority),
      },
      { kind: "status.unchanged", detail: { statusViewId } },
    );
    return "unchanged";
  }
  const noRuleMay = overruled ?? reservedFor(work, assessment);
  const subject = decisionSubject(desk, lease, work, assessment, noRuleMay);
  const verdict = decide(subject, policy);
  const shadow = decideInShadow(desk, lease, work, reading, noRuleMay, verdict);
  await keep(desk, lease, work, assessment, verdict, statusViewId, { subject, shadow });
  return verdict;
}

/** What a decision on this work rests on. */
export function decisionSubject(
  desk: Pick<DeskContext, "timing">,
  { source }: Pick<Lease, "source">,
  work: Pick<Work, "case" | "decision" | "lastSuccess" | "earlierProposals">,
  assessment: Assessment,
  overruled: Reason | null,
): DecisionSubject {
  const { facts, order, legal, notified, proposal } = assessment;
  const { lastSuccess } = work;
  return {
    source,
    order,
    facts,
    legal,
    now: assessment.evaluatedAt,
    proposal,
    notified,
    notifiedUnseen: assessment.notifiedShowsChange && notified !== null && !wasOffered(work, notified),
    awaited: work.decision?.proposed ?? null,
    lastSuccess:
      lastSuccess === null
        ? null
        : {
            action: lastSuccess.action,
            proposalDigest: lastSuccess.proposalDigest,
            finishedAt: lastSuccess.finishedAt,
            decidedFlights: flightsDecidedBefore(work, work.case.openedAt, proposal.current, desk.timing.statusLagMs),
          },
    caseOpenedAt: work.case.openedAt,
    notifiedAt: work.case.notifiedAt,
    statusLagMs: desk.timing.statusLagMs,
    overruled,
  };
}

/**
 * What the shadow version of the source would decide; null when it has none. It is assessed anew, since its connection
 * times and presets may be others. Whatever goes wrong here must not keep the real decision from being made.
 */
function decideInShadow(
  desk: DeskContext,
  lease: Lease,
  work: Work,
  { view }: StatusReading,
  overruled: Reason | null,
  verdict: Verdict,
): NewShadowDecision | null {
  const policy = desk.shadowOf(lease.source);
  if (policy === null) return null;
  try {
    const assessment = assess(view, lease.orderId, work, { ...assessmentBasis(desk, lease.source), policy });
    if (assessment === null) return null;
    const { action, reviewQueue, rule, reasons } = decide(
      decisionSubject(desk, lease, work, assessment, overruled),
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
    desk.logger.error(
      { source: lease.source, orderId: lease.orderId, version: policy.version, error },
      "shadow.failed",
    );
    return null;
  }
}

/**
 * Why no rule may decide about this change: a person has decided about it, or was asked to, before the gateway showed
 * another one or could not be read. When what they wanted done was never sent, it is theirs to decide whatever is shown.
 */
function reservedFor({ reserved }: Pick<Work, "reserved">, { proposal }: Assessment): Reason | null {
  const isAboutThis = reserved.some(({ proposalDigest }) => proposalDigest === proposal.digest);
  const newest = reserved.find(({ isQuestion }) => !isQuestion);
  if (!isAboutThis && newest?.isUnsent !== true) return null;
  return {
    code: "person-decided",
    text: "A person has decided about this change before, or was asked to, so no rule decides in their place. Decide anew.",
  };
}

/**
 * Where a case goes on waiting although its status says nothing of it, because a person has decided who is asked, or is
 * asked after an effect that did not go well; null when it is for the rules, or a notification tells of another change.
 */
export function waitingForPeople(desk: DeskContext, lease: Lease, work: Work): Waiting | null {
  const { decision } = work;
  if (decision === null || !(isByPerson(decision) || decision.question === "effect-outcome")) return null;
  return tellsOfAnother(desk, lease, work) ? null : waitingOn(work, desk.clock.now());
}

/** Whether the newest notification tells of flights that nothing was ever decided about. */
export function tellsOfAnother(desk: DeskContext, lease: Lease, work: Work): boolean {
  const told = readableNotification(desk, lease, work)?.proposal.proposed ?? null;
  return told !== null && !wasShown(work, told);
}

/** Whether a status has ever shown just this as the new flights, cabins and classes included as far as both state them. */
function wasOffered({ earlierProposals }: Pick<Work, "earlierProposals">, notified: Itinerary): boolean {
  return earlierProposals.some(({ proposed }) => sameFlights(proposed, notified) && fitsOffer(proposed, notified));
}

/** Whether a decision was ever made about these new flights. */
function wasShown({ earlierProposals }: Pick<Work, "earlierProposals">, flights: Itinerary): boolean {
  return earlierProposals.some(({ proposed }) => sameFlights(proposed, flights));
}

/** Where a case waits whose people, or traveller, are asked already; null when nobody is. */
export function waitingOn(work: Work, now: Date): Waiting | null {
  const { decision } = work;
  const isAsked = decision?.action === "review" || decision?.action === "ask-traveller";
  return isAsked && work.case.state === "checking" ? goBackToWaiting(work, now) : null;
}

interface Waiting extends CaseMove {
  readonly state: WaitingState;
}

/** Where a case waits on that is asked about already; one that a person has put off rests on. */
function goBackToWaiting({ decision, heardSince, snoozedUntil }: Work, now: Date): Waiting {
  const reviewQueue = decision?.reviewQueue ?? null;
  if (snoozedUntil !== null && snoozedUntil > now) return { state: "snoozed", reviewQueue, dueAt: snoozedUntil };
  if (decision?.action === "ask-traveller" && heardSince !== "answered") {
    return { state: "awaiting-traveller", reviewQueue: null, dueAt: null };
  }
  return { state: "awaiting-agent", reviewQueue: reviewQueue ?? "agent", dueAt: null };
}

/**
 * Whether a person, or the traveller, is already asked about exactly this, under the same policy, against the same booked
 * flights and with all that was heard of the traveller. Who was asked by a person, as after they stopped an effect, is not overruled by a rule before
 * the traveller has answered.
 */
function isAlreadyAsked(
  { decision, heardSince, isRestated }: Work,
  { proposal }: Assessment,
  policyVersion: string,
): boolean {
  if (decision === null || (decision.action !== "review" && decision.action !== "ask-traveller")) return false;
  if (decision.proposalDigest !== proposal.digest) return false;
  if (decision.question === "effect-outcome") return true;
  if (isByPerson(decision)) return heardSince !== "answered";
  if (isRestated || decision.question === "unreadable-status") return false;
  return heardSince === "nothing" && decision.onStatus && decision.policyVersion === policyVersion;
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
  why: {
    readonly rule: string;
    readonly question: Question | null;
    readonly reason: Reason;
    readonly statusViewId: string | null;
    readonly dueAt?: Date;
  },
): Promise<Verdict> {
  const assessment = readableNotification(desk, lease, work);
  const verdict: Verdict = {
    ...review("agent", why.rule, why.reason),
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
  return decisionOf(
    desk,
    lease.source,
    assessment,
    { ...effectReview, reasons: [{ code: "effect-outcome-unknown", text }] },
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
  made: { readonly subject: DecisionSubject; readonly shadow: NewShadowDecision | null } | null = null,
): Promise<void> {
  const decisionId = await desk.store.decide(
    lease,
    work.case,
    {
      ...decisionOf(desk, lease.source, assessment, verdict, statusViewId),
      inputs: made === null ? null : inputsOf(made.subject),
      shadow: made?.shadow ?? null,
    },
    moveOf(desk, assessment, verdict, work),
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
  verdict: Pick<Verdict, "action" | "reviewQueue" | "rule" | "question" | "reasons" | "trace"> &
    Partial<Pick<Verdict, "priority">>,
  statusViewId: string | null,
): NewDecision {
  const policy = desk.policyOf(source);
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
    itineraries:
      assessment === null
        ? null
        : {
            booked: assessment.booked,
            accepted: assessment.accepted,
            current: assessment.proposal.current,
            proposed: assessment.proposal.proposed,
          },
    trace: verdict.trace,
    statusViewId,
    evaluatedAt: assessment?.evaluatedAt ?? desk.clock.now(),
    legal: assessment?.legal ?? null,
    priority: verdict.priority ?? null,
    inputs: null,
    shadow: null,
    versions: {
      ...desk.versions,
      ...presetVersions(assessment),
      connectionTimes: policy.connectionTimes.version,
      policy: policy.version,
      policyName: policy.name,
    },
  };
}

/** `preset:us-dot-260` → its version. */
function presetVersions(assessment: Assessment | null): Readonly<Record<string, string>> {
  return Object.fromEntries(assessment?.legal.presets.map(({ id, version }) => [`preset:${id}`, version]) ?? []);
}

/** What a subject holds that has no place of its own in a decision. */
function inputsOf({ facts: _facts, legal: _legal, now: _now, proposal, ...inputs }: DecisionSubject): DecisionInputs {
  const { referencesAllowing, scheduleChangeStatus, scheduleChangeIndicator, current, suspicions } = proposal;
  const { withdrawnSegmentKeys, showsChange } = proposal;
  return {
    ...inputs,
    proposal: {
      referencesAllowing,
      scheduleChangeStatus,
      scheduleChangeIndicator,
      current,
      withdrawnSegmentKeys,
      showsChange,
      suspicions,
    },
  };
}

function moveOf(desk: DeskContext, assessment: Assessment | null, verdict: Verdict, work: Work): CaseMove {
  const base = {
    state: verdict.state,
    reviewQueue: verdict.reviewQueue,
    ...(verdict.action === "accept" || verdict.action === "cancel"
      ? sendingTime(desk, assessment)
      : { dueAt: verdict.dueAt }),
    priority: verdict.priority,
    // An effect that fails brings the case to a person without another decision. Who waits for more needs nobody.
    dueBy: verdict.action === "wait" ? null : readClocks(desk, work, assessment, verdict.priority),
  };
  if (assessment === null) return base;
  const references = assessment.proposal.gdsBookingReferences;
  return {
    ...base,
    headline: describeChange({
      booked: assessment.booked,
      proposed: assessment.proposal.proposed,
      facts: assessment.facts,
      withdrawnSegmentKeys: assessment.proposal.withdrawnSegmentKeys,
      current: assessment.proposal.current,
    }),
    departureAt: instantAfter(assessment.evaluatedAt, assessment.facts.minutesToDeparture),
    gdsBookingReferences: references.length > 0 ? references : work.case.gdsBookingReferences,
    flightDates: flightDatesOf(assessment),
  };
}

/**
 * An effect that is decided and not planned yet must not be forgotten if this process dies now, so it is due: at once, or
 * when nobody may stop it any more.
 */
function sendingTime(
  { clock, timing }: DeskContext,
  assessment: Assessment | null,
): Pick<CaseMove, "dueAt" | "undoUntil"> {
  const now = clock.now();
  const heldMs = assessment === null ? 0 : undoWindow(timing.undoWindowMs, assessment.facts.minutesToDeparture);
  if (heldMs === 0) return { dueAt: now };
  const undoUntil = new Date(now.getTime() + heldMs);
  return { dueAt: undoUntil, undoUntil };
}

/** How urgent a change is that could not be read: as urgent as one whose departure is not known. */
const unreadablePriority = 2;

/** A case that a person has put off is to be answered anew from when it comes back. */
function readClocks(desk: DeskContext, work: Work, assessment: Assessment | null, priority: number): DueBy | null {
  const since = assessment?.order.changeSeenAt ?? work.case.openedAt;
  const { snoozedUntil } = work;
  return dueByOf({
    since: snoozedUntil !== null && snoozedUntil > since ? snoozedUntil : since,
    priority,
    responseTargets: desk.timing.responseTargets,
    assessment,
  });
}
