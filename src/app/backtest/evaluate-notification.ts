import { type AssessedOrder, type Assessment, assess } from "../../cases/assess.ts";
import { type CaseVerdict, decide } from "../../cases/decide.ts";
import { escalationVerdict, orderNotInStatus } from "../../cases/escalation.ts";
import { subjectOfUnseenOrder, unseenOrder } from "../../cases/unseen-order.ts";
import { interfaceDocument } from "../../contract/gateway-capabilities.ts";
import type { OrderView } from "../../contract/order-view.ts";
import { namesOrder, orderIdsOf, viewOfOrder } from "../../contract/order-views.ts";
import { type MemberMarks, shippedMarks } from "../../itinerary/member-marks.ts";
import { type Severity, severityOf } from "../../itinerary/severity.ts";
import type { Policy } from "../../policy/policy.ts";
import { type ChangeReading, readChange } from "../read-change.ts";

export interface EvaluatedOrder {
  readonly orderId: string;
  /** By the first policy; computed from the notification if the status does not show the order. */
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
  /** As in `ChangeBodies`. */
  readonly statusBody: Uint8Array | null;
  /** What nobody reads and is harmless; defaults to the shipped marks. */
  readonly marks?: MemberMarks;
}

export type NotificationEvaluation =
  | { readonly ok: true; readonly orders: readonly EvaluatedOrder[] }
  | Extract<ChangeReading, { readonly ok: false }>;

/** Decides by each policy, as the worker does when the notification is the first one of its orders. */
export function evaluateNotification(
  { body, statusBody, source, now, marks = shippedMarks }: NotificationToEvaluate,
  policies: readonly Policy[],
): NotificationEvaluation {
  const reading = readChange({ body, statusBody });
  if (!reading.ok) return reading;
  const { notified, status } = reading;

  const orders = orderIdsOf(notified).flatMap((orderId): readonly EvaluatedOrder[] => {
    const order = unseenOrder(orderId, viewOfOrder(notified, orderId) ?? "unreadable");
    const named = notified.findLast((view) => namesOrder(view, orderId))!;
    const view = status === null ? named : status.view;
    const known = { marks, now };
    const fromStatus = view === null ? [] : assessByEach(policies, order, view, known);
    const isInStatus = fromStatus.length > 0;
    const assessed = isInStatus ? fromStatus : assessByEach(policies, order, named, known);
    const [first] = assessed;
    if (first === undefined) return [];
    const verdicts = assessed.map(({ policy, assessment }) =>
      isInStatus
        ? decide(subjectOfUnseenOrder(source, assessment), policy)
        : escalationVerdict(assessment, status?.refused ?? orderNotInStatus),
    );
    return [{ orderId, assessment: first.assessment, severity: severityOf(first.assessment.facts), verdicts }];
  });
  return { ok: true, orders };
}

interface AssessedByPolicy {
  readonly policy: Policy;
  readonly assessment: Assessment;
}

/** Assesses the order by each policy; policies that lead to the same facts share it. Empty if the status lacks the order. */
function assessByEach(
  policies: readonly Policy[],
  order: AssessedOrder,
  status: OrderView,
  { marks, now }: { readonly marks: MemberMarks; readonly now: Date },
): readonly AssessedByPolicy[] {
  const assessed: AssessedByPolicy[] = [];
  for (const policy of policies) {
    const alike = assessed.find((earlier) => leadToSameFacts(earlier.policy, policy));
    const assessment =
      alike?.assessment ??
      assess(status, order, { gateway: interfaceDocument, policy, customerAgreement: false, marks }, now);
    if (assessment === null) return [];
    assessed.push({ policy, assessment });
  }
  return assessed;
}

function leadToSameFacts(a: Policy, b: Policy): boolean {
  if (a === b) return true;
  return (
    a.connectionTimes.version === b.connectionTimes.version &&
    JSON.stringify(a.legalPresets) === JSON.stringify(b.legalPresets)
  );
}
