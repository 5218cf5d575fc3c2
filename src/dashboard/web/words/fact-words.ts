import type { Fact } from "../../../kernel/fact.ts";
import { describeCheck, type ReadCheck } from "../../../policy/check-words.ts";
import { formatMoney } from "../../../travel/money.ts";
import { type FactGroup, type FactWords, factGroups } from "./fact-groups.ts";

export interface ShownFact {
  readonly name: string;
  readonly label: string;
  /** The value in words, or `unknown`. */
  readonly value: string;
  /** Null if it is known. */
  readonly unknownBecause: string | null;
  readonly isQuiet: boolean;
}

/** By subject, in reading order. Facts without words of their own come last. */
export function groupFacts(
  facts: Readonly<Record<string, Fact<unknown>>>,
): readonly { readonly title: string; readonly facts: readonly ShownFact[] }[] {
  const named = new Set(factGroups.flatMap((group) => Object.keys(group.facts)));
  const others = Object.keys(facts).filter((name) => !named.has(name));
  return [
    ...factGroups,
    { title: "More", facts: Object.fromEntries(others.map((name) => [name, { label: spell(name) }])) },
  ]
    .map(({ title, facts: words }: FactGroup) => ({
      title,
      facts: Object.entries(words).flatMap(([name, word]) => {
        const fact = facts[name];
        return fact === undefined
          ? []
          : [moneyNames.has(name) ? showMoney(name, word, fact, facts) : showFact(name, word, fact)];
      }),
    }))
    .filter((group) => group.facts.length > 0);
}

/**
 * What made the change as severe as it is. Most of what is unknown follows from what is known, such as the new times from a
 * flight that is withdrawn, so it is only named where nothing else is.
 */
export function describeSeverityFacts({
  severityFacts,
  facts,
}: {
  readonly severityFacts: readonly string[];
  readonly facts: Readonly<Record<string, Fact<unknown>>> | null;
}): string {
  const known = severityFacts.filter((name) => facts?.[name]?.known !== false).map(labelOfFact);
  if (known.length > 0 || severityFacts.length === 0) return known.join(", ");
  return `not known: ${severityFacts.map(labelOfFact).join(", ")}`;
}

function showFact(name: string, words: FactWords, fact: Fact<unknown>): ShownFact {
  const { label } = words;
  if (!fact.known) {
    const isQuiet = expectedReasons.has(fact.reason);
    return { name, label, value: "unknown", unknownBecause: describeUnknown(fact.reason), isQuiet };
  }
  const value = fact.value as never;
  return {
    name,
    label,
    value: words.format === undefined ? formatPlainly(fact.value) : words.format(value),
    unknownBecause: null,
    isQuiet: words.isQuiet === undefined ? isNothing(fact.value) : words.isQuiet(value),
  };
}

const moneyNames: ReadonlySet<string> = new Set(["orderValue", "expectedRefund", "cancellationFee"]);

function showMoney(
  name: string,
  words: FactWords,
  fact: Fact<unknown>,
  facts: Readonly<Record<string, Fact<unknown>>>,
) {
  const shown = showFact(name, words, fact);
  const currency = facts["currency"];
  return fact.known
    ? { ...shown, value: formatMoney(String(fact.value), currency?.known === true ? String(currency.value) : null) }
    : shown;
}

/** What a check of a rule found, in the words and units of the facts. */
export function describeReadCheck(check: ReadCheck): string {
  return describeCheck(check, { label: labelOfFact, value: formatValue });
}

function formatValue(name: string, value: unknown): string {
  const words = wordsOfFact(name);
  // A limit of 0 is no "no".
  if (words?.format === undefined || (value === 0 && typeof value === "number")) return formatPlainly(value);
  return words.format(value as never);
}

export function labelOfFact(name: string): string {
  return wordsOfFact(name)?.label ?? contextLabels[name] ?? spell(name);
}

/** What rules read beside the facts. */
const contextLabels: Readonly<Record<string, string>> = {
  source: "Source",
  orderId: "Order",
  now: "Time of the decision",
  "order.travellerAnswer": "Answer of the traveller",
  "order.customerAgreement": "Customer agreed beforehand",
  "order.bookingReferenceCount": "Booking references",
  "order.minutesSinceChange": "Minutes since the change",
  "order.ticketIssuedOn": "Ticket issued on",
  "legal.held": "Legal hold",
  "legal.refundOrRerouting": "Right to a refund or another flight",
  "legal.compensation": "Right to compensation",
  "legal.partialRefund": "Right to a partial refund",
};

function wordsOfFact(name: string): FactWords | undefined {
  for (const group of factGroups) {
    const words = group.facts[name];
    if (words !== undefined) return words;
  }
  return undefined;
}

function formatPlainly(value: unknown): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

function isNothing(value: unknown): boolean {
  return value === false || value === 0 || value === null || (Array.isArray(value) && value.length === 0);
}

/** Reasons that are normal, so such facts are folded away. */
const expectedReasons: ReadonlySet<string> = new Set([
  "no-history",
  // In decisions of version 0.2.
  "not-counted",
  "not-held",
  "not-stated",
  "traveller-not-informed",
  "unknown-miles",
  "unavailable-cancellation-fee",
  "missing-cancellation-fee",
]);

const unknownReasons: Readonly<Record<string, string>> = {
  "missing-flag": "the gateway does not state it",
  "unreadable-flag": "the gateway's response is neither Y nor N",
  "contradictory-flags": "the gateway contradicts itself",
  "differs-by-reference": "the booking references differ",
  "missing-order": "the gateway's response does not contain the order",
  "missing-ticket-status": "the gateway does not state whether it is ticketed",
  "unknown-ticket-status": "the ticket status is not a known one",
  "unknown-airport": "the time zone of an airport is not known",
  "unknown-time": "a time is missing",
  "offset-contradicted": "a stated time contradicts the clock of its airport",
  "unknown-stops": "the number of stops is missing",
  "unknown-departure": "a departure time is missing or unreadable",
  "unknown-arrival": "an arrival time is missing or unreadable",
  "unknown-cabin": "a cabin is missing or not a known one",
  "unknown-booking-class": "a booking class is missing",
  "unknown-brand": "a fare brand is missing",
  "unknown-carrier": "an airline is missing",
  "unknown-flight-number": "a flight number is missing",
  "unknown-aircraft": "an aircraft type is not a known one",
  "unknown-passenger-type": "a passenger type is not a known one",
  "no-passengers": "the gateway names no passengers",
  "no-flights": "there are no flights to compare",
  "ambiguous-time": "a local time occurs twice at a clock change",
  "nonexistent-time": "a local time does not exist at a clock change",
  "partial-details": "the airline states only part of the new flight",
  "removed-or-unknown": "a flight is marked as changed without new details",
  "cancelled-with-offer": "a flight is both cancelled and offered",
  withdrawn: "a flight is withdrawn",
  "no-history": "no earlier changes are stored",
  "no-notification": "there is no notification",
  "not-held": "the order is not awaiting payment",
  "not-paid": "the order is not paid",
  "not-stated": "the gateway does not state it",
  "partly-flown": "part of the trip is already flown",
  "traveller-not-informed": "the traveller is not informed yet",
  "mixed-cabins": "the travellers are in different cabins",
  "mixed-refundability": "some fares are refundable and some are not",
  "unknown-miles": "the gateway states no miles",
  "in-one-view": "only the status or only the notification states it",
  "names-in-one-view": "only the status or only the notification names the passengers",
  "notification-not-given": "the notification can no longer be read",
};

export function describeUnknown(reason: string): string {
  return unknownReasons[reason] ?? reason.replaceAll("-", " ");
}

/** `changedFlightCount` → `Changed flight count`. */
function spell(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
