import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { RefundFollowUp } from "./case-update.ts";
import type { EffectResult, ExpectedRefund } from "./effect.ts";
import type { EffectSnapshot } from "./order-context.ts";
import { checkRefund } from "./refund-check.ts";
import { refundTaskDueBy } from "./task-clocks.ts";

/** A cancel that was carried out, and what is known of its refund. */
export interface CancelledOrder {
  readonly expected: ExpectedRefund | null;
  /** Null when no answer was read. */
  readonly results: readonly EffectResult[] | null;
  /** What the law said of the change; null when it was not asked. */
  readonly legal: Pick<LegalAssessment, "verdicts"> | null;
  readonly cancelledAt: Date;
}

/** Compares the refund of a cancel with the expected one, and makes the task for who must look into it, if anybody must. */
export function followUpRefund({ expected, results, legal, cancelledAt }: CancelledOrder): RefundFollowUp {
  const { check, alarm } = checkRefund(expected, results);
  if (alarm === null) return { check, task: null };
  return { check, task: { kind: "check-refund", reasons: [alarm], dueBy: refundTaskDueBy(legal, cancelledAt) } };
}

/**
 * The same for a cancel that was found to be carried out without an answer to it, by a status or a person. It happened
 * when it was sent, however much later that was found out.
 */
export function followUpUnansweredCancel(
  { expectedRefund, legal, sentAt, finishedAt }: EffectSnapshot,
  now: Date,
): RefundFollowUp {
  const cancelledAt = sentAt ?? finishedAt ?? now;
  return followUpRefund({ expected: expectedRefund, results: null, legal, cancelledAt });
}
