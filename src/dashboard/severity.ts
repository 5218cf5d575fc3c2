import type { Fact } from "../kernel/fact.ts";
import type { CaseItem, TriageFactName } from "./ports.ts";

export const severityNames = ["high", "medium", "low"] as const;
/** How much a change asks of people, for sorting by eye. It decides nothing. */
export type Severity = (typeof severityNames)[number];

/** Less than this before departure there is little time to find something else. */
const soonMs = 72 * 60 * 60_000;

/** A move of at most so many minutes is one that most travellers keep their plans for. */
const smallMoveMinutes = 30;

const disruptions = ["cancelled", "partiallyCancelled", "replaced", "connectionBroken"] as const;
const moves = [
  "departureEarlierMinutes",
  "departureLaterMinutes",
  "arrivalEarlierMinutes",
  "arrivalLaterMinutes",
] as const satisfies readonly TriageFactName[];

/**
 * How severe the change of a case is:
 *
 * - `low` when it was decided to accept it or to do nothing: it asks nothing of people any more;
 * - `high` when flights are withdrawn or replaced (by more than another number), a connection breaks, or the departure is
 *   less than 72 hours away;
 * - `medium` when a person must decide for any other reason, such as who travels;
 * - `low` when nothing but times moves, by at most 30 minutes and on the same date, or nothing changes at all;
 * - `medium` otherwise. What is unknown is never small.
 *
 * @param item a finished case is judged as of when it was closed, so that it does not become urgent afterwards.
 * @returns null when no facts are known: nothing was compared yet.
 */
export function severityOf(
  item: Pick<CaseItem, "change" | "decision" | "departureAt" | "closedAt">,
  now: Date,
): Severity | null {
  const facts = item.change?.facts ?? null;
  if (facts === null) return null;
  const action = item.decision?.action;
  if (action === "accept" || action === "none") return "low";
  if (isSoon(item, now)) return "high";
  // The same flight under another number is a replacement by its facts, yet nobody has to travel otherwise.
  if (isTrue(facts.flightNumberOnly)) return "medium";
  if (disruptions.some((name) => isTrue(facts[name]))) return "high";
  if (disruptions.some((name) => !isFalse(facts[name])) || !isFalse(facts.dataSuspect)) return "medium";
  if (action === "review") return "medium";
  if (isAtMost(facts.changedFlightCount, 0)) return "low";
  const isSmall =
    isTrue(facts.retimedOnly) &&
    isFalse(facts.dateChanged) &&
    moves.every((name) => isAtMost(facts[name], smallMoveMinutes));
  return isSmall ? "low" : "medium";
}

function isSoon({ departureAt, closedAt }: Pick<CaseItem, "departureAt" | "closedAt">, now: Date): boolean {
  return departureAt !== null && departureAt.getTime() - (closedAt ?? now).getTime() < soonMs;
}

/** A decision of an earlier version may lack a fact; that is unknown, too. */
function isTrue(fact: Fact<boolean> | undefined): boolean {
  return fact?.known === true && fact.value;
}

function isFalse(fact: Fact<boolean> | undefined): boolean {
  return fact?.known === true && !fact.value;
}

function isAtMost(fact: Fact<number> | undefined, limit: number): boolean {
  return fact?.known === true && fact.value <= limit;
}
