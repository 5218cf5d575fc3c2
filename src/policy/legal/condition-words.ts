import { spanOf } from "../../itinerary/span.ts";
import { counted } from "../../kernel/counted.ts";
import {
  type FlagFact,
  type LegalCondition,
  limitOf,
  type Notice,
  type NumberCondition,
  type NumberFact,
  type UnsettledFact,
} from "./preset.ts";

/** The words of a number in verdicts and on pages; `{}` stands for the number or the limit. */
const numberWords: Readonly<Record<NumberFact, string>> = {
  journeyDepartureEarlierMinutes: "leaves {} earlier",
  journeyDepartureLaterMinutes: "leaves {} later",
  journeyArrivalEarlierMinutes: "arrives {} earlier",
  journeyArrivalLaterMinutes: "arrives {} later",
  removedFlightCount: "{} withdrawn",
  changedFlightCount: "{} changed",
};

/** The words for true, then for false. */
const flagWords: Readonly<Record<FlagFact, readonly [string, string]>> = {
  cancelled: ["the journey is cancelled", "the journey is not cancelled"],
  originChanged: ["leaves from another airport", "leaves from the same airport"],
  destinationChanged: ["arrives at another airport", "arrives at the same airport"],
  connectionsAdded: ["has more connections", "has no more connections"],
  connectingAirportsChanged: ["changes flights at other airports or at fewer", "changes flights where booked"],
  flightNumberChanged: ["has another flight number", "has the same flight numbers"],
  aircraftChanged: ["has another aircraft", "has the same aircraft"],
  cabinDowngraded: ["is in a lower cabin", "is in no lower cabin"],
  assistanceRequested: ["a passenger needs assistance", "no passenger asks for assistance"],
};

/** As a part of a condition, then as what a verdict says of it: nothing that is stated settles it. */
const unsettledWords: Readonly<Record<UnsettledFact, readonly [string, string]>> = {
  aircraftAccessibility: [
    "the new aircraft lacks what they need",
    "it is not known whether the new aircraft has what they need",
  ],
  carrierControl: [
    "the cause is in the carrier's control",
    "it is not known whether the cause is in the carrier's control",
  ],
  courtReading: ["courts read it so", "no settled reading of the law by courts is known for it"],
  enforcement: ["the authority enforces it", "it is not known whether the authority enforces it"],
  cancelled: ["it is withdrawn for good", "it is not known whether it is withdrawn for good"],
};

/** Returns, for example, `leaves 20 min earlier`. */
export function wordsForNumber(fact: NumberFact, value: number): string {
  return numberWords[fact].replace("{}", amountOf(fact, value));
}

export function wordsForFlag(flag: FlagFact, value: boolean): string {
  return flagWords[flag][value ? 0 : 1];
}

/** Returns a clause, such as `it is not known whether it is withdrawn for good`. */
export function wordsForUnsettled(fact: UnsettledFact): string {
  return unsettledWords[fact][1];
}

/** Returns `3 h or more` or `more than 1 h`. */
export function wordsForLimit(condition: NumberCondition, limit: number): string {
  const { fact } = condition;
  return limitOf(condition).isInclusive ? `${amountOf(fact, limit)} or more` : `more than ${amountOf(fact, limit)}`;
}

/** Returns `14 days` or `72 h`. */
export function wordsForNotice(notice: Notice): string {
  return "days" in notice ? `${notice.days} days` : `${notice.hours} h`;
}

export function wordsForCondition(condition: LegalCondition): string {
  if ("any" in condition) return condition.words ?? listed(condition.any, "or");
  if ("all" in condition) return listed(condition.all, "and");
  if ("flag" in condition) return wordsForFlag(condition.flag, true);
  if ("unsettled" in condition) return `*${unsettledWords[condition.unsettled][0]}* (never known)`;
  if ("toldLessThan" in condition) {
    const notice = wordsForNotice(condition.toldLessThan);
    return condition.inclusive === true
      ? `the traveller is told ${notice} before departure or later`
      : `the traveller is told less than ${notice} before departure`;
  }
  return numberWords[condition.fact].replace("{}", limitsOf(condition));
}

function listed(conditions: readonly LegalCondition[], joint: "and" | "or"): string {
  const parts = conditions.map((condition) => {
    const words = wordsForCondition(condition);
    const isNested = ("any" in condition && condition.words === undefined) || "all" in condition;
    return isNested ? `(${words})` : words;
  });
  return parts.join(`, ${joint} `);
}

function limitsOf(condition: NumberCondition): string {
  const { limit } = limitOf(condition);
  if (typeof limit === "number") return wordsForLimit(condition, limit);
  return `${wordsForLimit(condition, limit.domestic)} (domestic) or ${wordsForLimit(condition, limit.international)} (international)`;
}

function amountOf(fact: NumberFact, value: number): string {
  if (!fact.endsWith("Minutes")) return value === 0 ? "no flight" : counted(value, "flight");
  if (value === 0) return "no";
  return value % 60 === 0 ? `${value / 60} h` : spanOf(value);
}
