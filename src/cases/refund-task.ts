import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { clockCatalogue, isRefundClock } from "../policy/legal/clock-catalogue.ts";
import { endOfTerm } from "../policy/legal/clocks.ts";
import { defaultLegalContext } from "../policy/legal/legal-input.ts";
import type { ClockTerm } from "../policy/legal/preset.ts";
import type { RefundFollowUp } from "./case-update.ts";
import type { TaskDueBy } from "./clocks.ts";
import type { EffectResult, ExpectedRefund } from "./effect.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import { checkRefund } from "./refund-check.ts";

/**
 * Compares what was refunded with what was expected, and asks for a task if an agent must look at it.
 * @param results null if no response was read
 * @param legal null if the law was not evaluated
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

/** The same for a cancel confirmed without a response. It happened when it was sent, however late that was found. */
export function followUpCancelWithoutResponse(
  { expectedRefund, legal, sentAt, finishedAt }: EffectSnapshot,
  now: Date,
): RefundFollowUp {
  return followUpRefund(expectedRefund, null, legal, sentAt ?? finishedAt ?? now);
}

/**
 * Returns when the refund of a cancel must be checked: at the earliest refund clock of the laws that give a right to it
 * or may, counted from the traveller's request, else from the cancel, when it fell due at the latest. A clock that has
 * already run out still counts: the money is late, and the next clock would only delay the claim.
 * Without such a clock, the agency's own term applies: 20 calendar days, the longer of the two prompt terms in 14 CFR
 * 260.2. It ends no sooner than any clock of the catalogue, and a debt without a deadline would never be claimed.
 * @param legal the legal results of the decision; null if the law was not evaluated.
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

/** Days are in the same zone as in the legal evaluation: UTC. */
function markAfter(cancelledAt: Date, rule: string, term: ClockTerm): TaskDueBy[] {
  const end = endOfTerm(term, cancelledAt, defaultLegalContext.timeZone);
  return end === null ? [] : [{ at: new Date(end), rule }];
}

export const agencyRefundRule = "agency-refund";
const agencyRefundTerm: ClockTerm = { days: 20 };
