import { type GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import type { Assessment } from "./assess.ts";
import { type CaseVerdict, review } from "./decide.ts";
import type { FurtherReview, Question, Reason } from "./decision.ts";
import { priorityOf } from "./priority.ts";

/** Why a person is asked although nothing could be decided. */
export interface Escalation {
  readonly rule: FurtherReview;
  readonly question: Question | null;
  readonly reason: Reason;
  readonly statusViewId?: string;
  /** When to retry meanwhile; if missing, only a person or a notification moves the case. */
  readonly dueAt?: Date;
}

export const orderNotInStatus = {
  rule: "check:status",
  question: "unreadable-status",
  reason: {
    code: "order-not-in-status",
    text: "The gateway's status does not show this order. Look it up at the gateway or the airline.",
  },
} as const satisfies Escalation;

/** Returns what a person is asked when the gateway refuses to give the status; null if asking again may help. */
export function statusRefusedBy({ phase, retryable, code, message, gatewayText }: GatewayError): Escalation | null {
  if (phase !== "responded" || retryable || code === gatewayErrorCodes.unauthorized) return null;
  const words = gatewayText === null ? "" : ` It says: ${gatewayText.replace(/\.?$/, ".")}`;
  return {
    rule: "check:status",
    question: "unreadable-status",
    reason: { code: "status-refused", text: `${message}${words} ${statusAdvice}` },
  };
}

const statusAdvice =
  "Check the booking reference and the OrderID with the gateway. Enter the right reference if it is another one; else re-check once the gateway knows the order.";

/** @param assessment of the notification, whose departure makes the question urgent; null if it cannot be assessed. */
export function escalationVerdict(
  assessment: Assessment | null,
  { rule, reason, question, dueAt }: Escalation,
): CaseVerdict {
  return {
    ...review("agent", rule, [reason]),
    question,
    priority: assessment === null ? unreadablePriority : priorityOf({ ...assessment, now: assessment.evaluatedAt }),
    trace: [],
    dueAt: dueAt ?? null,
  };
}

/** As urgent as a change whose departure is unknown. */
const unreadablePriority = 2;
