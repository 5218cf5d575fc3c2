import { type AssessedOrder, type Assessment, assess } from "../../cases/assess.ts";
import { type CaseVerdict, decide } from "../../cases/decide.ts";
import { subjectOfUnseenOrder, unseenOrder } from "../../cases/unseen-order.ts";
import { readNotification } from "../../contract/notification.ts";
import type { OrderView } from "../../contract/order-view.ts";
import { namesOrder, orderIdsOf, readOrderViews, viewOfOrder } from "../../contract/order-views.ts";
import { type Severity, severityOf } from "../../itinerary/severity.ts";
import type { Policy } from "../../policy/policy.ts";

export interface EvaluatedOrder {
  readonly orderId: string;
  /** By the first policy. */
  readonly assessment: Assessment;
  readonly severity: Severity;
  /** In the order of the policies. */
  readonly verdicts: readonly CaseVerdict[];
}

export interface NotificationToEvaluate {
  readonly body: Uint8Array;
  readonly source: string;
  /** The "now" of the decision. */
  readonly now: Date;
  /** The order's AirReservationStatus response; null uses the notification instead. */
  readonly statusBody: Uint8Array | null;
}

export type NotificationEvaluation =
  | { readonly ok: true; readonly orders: readonly EvaluatedOrder[] }
  | { readonly ok: false; readonly code: string; readonly path: string; readonly message: string };

/** Decides by each policy, as if the notification were the first one of its orders. */
export function evaluateNotification(
  { body, statusBody, source, now }: NotificationToEvaluate,
  policies: readonly Policy[],
): NotificationEvaluation {
  const notified = readOrderViews(body);
  if (!notified.ok) return { ok: false, ...notified.problem };
  const status = statusBody === null ? null : readNotification(statusBody);
  if (status?.ok === false) return { ok: false, ...status.problem };

  const orders = orderIdsOf(notified.views).flatMap((orderId): readonly EvaluatedOrder[] => {
    const notification = viewOfOrder(notified.views, orderId) ?? "unreadable";
    const shown = status?.view ?? notified.views.findLast((view) => namesOrder(view, orderId))!;
    const assessments = assessForEach(policies, unseenOrder(orderId, notification), shown, now);
    const [assessment] = assessments;
    if (assessment === undefined) return [];
    const verdicts = assessments.map((each, index) => decide(subjectOfUnseenOrder(source, each), policies[index]!));
    return [{ orderId, assessment, severity: severityOf(assessment.facts), verdicts }];
  });
  return { ok: true, orders };
}

/** One assessment for each policy; policies that lead to the same facts share it. Empty if the status lacks the order. */
function assessForEach(
  policies: readonly Policy[],
  order: AssessedOrder,
  status: OrderView,
  now: Date,
): readonly Assessment[] {
  const assessments: Assessment[] = [];
  for (const policy of policies) {
    const alike = policies.findIndex((earlier) => leadToSameFacts(earlier, policy));
    const assessment = assessments[alike] ?? assess(status, order, { policy, customerAgreement: false }, now);
    if (assessment === null) return [];
    assessments.push(assessment);
  }
  return assessments;
}

function leadToSameFacts(a: Policy, b: Policy): boolean {
  if (a === b) return true;
  return (
    a.connectionTimes.version === b.connectionTimes.version &&
    JSON.stringify(a.legalPresets) === JSON.stringify(b.legalPresets)
  );
}
