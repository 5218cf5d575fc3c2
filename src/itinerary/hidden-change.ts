import { type Fact, isFalse, isTrue } from "../kernel/fact.ts";
import type { FactName } from "./fact-catalogue.ts";

/** A missing fact, as in decisions of earlier versions, counts as unknown. */
export type StoredFacts = Readonly<Partial<Record<FactName, Fact<unknown>>>>;

/**
 * Whether the gateway has a change open and nothing of it is seen: the flights are as they were booked. What was sold may
 * never have been stated, such as the cabin of an order that was first read after a downgrade.
 */
export function isChangeHidden(facts: StoredFacts): boolean {
  return isChangeOpen(facts) && isNothingChanged(facts) && !isTrue(facts.marriageRegrouped);
}

/** Whether no flight differs from the booked ones, for certain, and they were not changed in between. */
export function isNothingChanged(facts: StoredFacts): boolean {
  return (
    [facts.changedFlightCount, facts.addedFlightCount].every((count) => count?.known === true && count.value === 0) &&
    [facts.cancelled, facts.partiallyCancelled, facts.dataSuspect].every(isFalse) &&
    !isTrue(facts.backToOriginal)
  );
}

function isChangeOpen({ acceptAllowed, cancelAllowed, rescheduleAllowed, scheduleChangeStatus }: StoredFacts): boolean {
  const isInitiated = scheduleChangeStatus?.known === true && openStatuses.has(scheduleChangeStatus.value);
  return isInitiated || [acceptAllowed, cancelAllowed, rescheduleAllowed].some(isTrue);
}

const openStatuses: ReadonlySet<unknown> = new Set(["Initiated", "Partially-Accepted"]);
