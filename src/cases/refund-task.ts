import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { clockCatalogue, isRefundClock } from "../policy/legal/clock-catalogue.ts";
import { endOfTerm } from "../policy/legal/clocks.ts";
import { defaultLegalContext } from "../policy/legal/legal-input.ts";
import type { ClockTerm } from "../policy/legal/preset.ts";
import type { RefundFollowUp, TaskDueBy } from "./case-update.ts";
import type { EffectResult, ExpectedRefund } from "./effect.ts";
import type { EffectSnapshot } from "./order-context.ts";
import { checkRefund } from "./refund-check.ts";

/**
 * Compares the refund of a cancel with the expected one, and makes the task for who must look into it, if anybody must.
 *
 * @param results null when no answer was read.
 * @param legal what the law said of the change; null when it was not asked.
 */
export function followUpRefund(
  expected: ExpectedRefund | null,
  results: readonly EffectResult[] | null,
  legal: Pick<LegalAssessment, "verdicts"> | null,
  cancelledAt: Date,
): RefundFollowUp {
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
  return followUpRefund(expectedRefund, null, legal, sentAt ?? finishedAt ?? now);
}

/**
 * By when somebody must have looked into the refund of a cancel: at the earliest refund clock of the laws that give a
 * right to it or may, counted from when the traveller asked for the refund, and else from the cancel: it fell due then at
 * the latest. A clock that has run out by the time the task is opened still counts: the money is late, and the next clock
 * would only put the claim off.
 *
 * Where no law names a term, the agency's own does: 20 calendar days, the longer of the two that count as prompt in
 * 14 CFR 260.2. It ends no sooner than any clock of the catalogue, so it hurries nobody more than a law would; and the
 * airline that ended the contract owes the money all the same, which nobody claims when no time is set.
 *
 * @param legal what the law said of the change when it was decided; null when it was not asked.
 */
export function refundTaskDueBy(legal: Pick<LegalAssessment, "verdicts"> | null, cancelledAt: Date): TaskDueBy | null {
  const clocks = (legal?.verdicts ?? []).flatMap((verdict) => verdict.clocks).filter(({ name }) => isRefundClock(name));
  const marks = clocks.flatMap(({ name, dueAt }) => {
    const term = clockCatalogue[name]?.term;
    if (dueAt !== null) return [{ at: new Date(dueAt), rule: name }];
    return term === undefined ? [] : markAfter(cancelledAt, name, term);
  });
  const [earliest] = marks.sort((a, b) => a.at.getTime() - b.at.getTime());
  return earliest ?? markAfter(cancelledAt, agencyRefundRule, agencyRefundTerm)[0] ?? null;
}

/** Days are those of the same zone as where the law is asked: UTC. */
function markAfter(cancelledAt: Date, rule: string, term: ClockTerm): TaskDueBy[] {
  const end = endOfTerm(term, cancelledAt, defaultLegalContext.timeZone);
  return end === null ? [] : [{ at: new Date(end), rule }];
}

/** The rule of the agency's own term for a refund. */
export const agencyRefundRule = "agency-refund";
const agencyRefundTerm: ClockTerm = { days: 20 };
