import { type AssessedOrder, type Assessment, assess } from "../../cases/assess.ts";
import { type CaseVerdict, decide } from "../../cases/decide.ts";
import type { DecisionSubject } from "../../cases/new-decision.ts";
import { readNotification } from "../../contract/notification.ts";
import type { OrderView } from "../../contract/order-view.ts";
import { type Severity, severityOf } from "../../itinerary/severity.ts";
import type { Policy } from "../../policy/policy.ts";

export interface JudgedOrder {
  readonly orderId: string;
  /** By the first policy. */
  readonly assessment: Assessment;
  readonly severity: Severity;
  /** In the order of the policies. */
  readonly verdicts: readonly CaseVerdict[];
}

export interface NotificationToJudge {
  readonly body: Uint8Array;
  readonly source: string;
  /** The "now" of the decision. */
  readonly now: Date;
  /** The order's AirReservationStatus response; null uses the notification instead. */
  readonly statusBody: Uint8Array | null;
}

export type Judgement =
  | { readonly ok: true; readonly orders: readonly JudgedOrder[] }
  | { readonly ok: false; readonly code: string; readonly path: string; readonly message: string };

/** At first contact. Computes facts once for policies with the same connection times and legal presets. */
export function judgeNotification(notification: NotificationToJudge, policies: readonly Policy[]): Judgement {
  const notified = readNotification(notification.body);
  if (!notified.ok) return { ok: false, ...notified.problem };
  const status = notification.statusBody === null ? notified : readNotification(notification.statusBody);
  if (!status.ok) return { ok: false, ...status.problem };

  const { now, source } = notification;
  const orderIds = [...new Set(notified.view.orders.map(({ orderId }) => orderId))];
  const orders = orderIds.flatMap((orderId): JudgedOrder[] => {
    const known = firstContact(orderId, notified.view);
    let last: { policy: Policy; assessment: Assessment } | null = null;
    let first: Assessment | null = null;
    const verdicts: CaseVerdict[] = [];
    for (const policy of policies) {
      const assessment: Assessment | null =
        last !== null && seeAlike(last.policy, policy)
          ? last.assessment
          : assess(status.view, known, { policy, customerAgreement: false }, now);
      if (assessment === null) return [];
      last = { policy, assessment };
      first ??= assessment;
      verdicts.push(decide(subjectAtFirstContact(source, assessment), policy));
    }
    return first === null ? [] : [{ orderId, assessment: first, severity: severityOf(first.facts), verdicts }];
  });
  return { ok: true, orders };
}

function seeAlike(a: Policy, b: Policy): boolean {
  return (
    a.connectionTimes.version === b.connectionTimes.version &&
    JSON.stringify(a.legalPresets) === JSON.stringify(b.legalPresets)
  );
}

function subjectAtFirstContact(source: string, assessment: Assessment): DecisionSubject {
  const { facts, order, notified, proposal, evaluatedAt } = assessment;
  return {
    source,
    order,
    facts,
    legal: assessment.legal,
    now: evaluatedAt,
    proposal,
    notified,
    notifiedUnseen: assessment.notifiedShowsChange,
    notifiedAt: null,
    awaited: null,
    lastSuccess: null,
    caseOpenedAt: evaluatedAt,
    statusLagMs: 0,
    manualReviewReason: null,
    automationStoppedAt: null,
  };
}

export function firstContact(orderId: string, notification: OrderView): AssessedOrder {
  return {
    orderId,
    case: null,
    booked: null,
    bookedFrom: null,
    accepted: null,
    decision: null,
    earlierProposals: [],
    storedDigests: [],
    travellerContacts: [],
    notification,
  };
}
