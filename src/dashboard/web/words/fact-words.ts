import type { Fact } from "../../../kernel/fact.ts";
import { formatDuration } from "./moments.ts";

/** How a fact is shown. `quiet` values say that nothing of the kind happened and are folded away. */
interface FactWords {
  readonly label: string;
  readonly say?: (value: never) => string;
  readonly isQuiet?: (value: never) => boolean;
}

const minutes = (direction: string) => ({
  say: (value: number) => (value === 0 ? "no" : `${formatDuration(value * 60)} ${direction}`),
});

/** More minutes than any connection has: the facts say "none" by it. */
const noConnectionMinutes = 100_000;

interface FactGroup {
  readonly title: string;
  readonly facts: Readonly<Record<string, FactWords>>;
}

const groups: readonly FactGroup[] = [
  {
    title: "Times",
    facts: {
      minutesToDeparture: {
        label: "Time to departure",
        say: (value: number) => (value < 0 ? "has departed" : formatDuration(value * 60)),
      },
      departureEarlierMinutes: { label: "Departs earlier", ...minutes("earlier") },
      departureLaterMinutes: { label: "Departs later", ...minutes("later") },
      arrivalEarlierMinutes: { label: "Arrives earlier", ...minutes("earlier") },
      arrivalLaterMinutes: { label: "Arrives later", ...minutes("later") },
      journeyDepartureEarlierMinutes: { label: "Journey starts earlier", ...minutes("earlier") },
      journeyArrivalLaterMinutes: { label: "Journey ends later", ...minutes("later") },
      sinceAcceptedDepartureEarlierMinutes: { label: "Departs earlier than accepted last", ...minutes("earlier") },
      sinceAcceptedDepartureLaterMinutes: { label: "Departs later than accepted last", ...minutes("later") },
      dateChanged: { label: "Another date" },
      timeAmbiguous: { label: "Time falls into a clock change" },
    },
  },
  {
    title: "Flights",
    facts: {
      changedFlightCount: { label: "Flights changed" },
      cancelled: { label: "Cancelled, nothing offered" },
      partiallyCancelled: { label: "One direction cancelled" },
      replaced: { label: "Replaced by other flights" },
      retimedOnly: { label: "Only times differ" },
      flightNumberOnly: { label: "Only the flight number differs" },
      flightNumberChanged: { label: "Another flight number" },
      marketingCarrierChanged: { label: "Another selling airline" },
      operatingCarrierChanged: { label: "Another operating airline" },
      airportChanged: { label: "Another airport" },
      terminalChanged: { label: "Another terminal" },
      aircraftChanged: { label: "Another aircraft" },
      stopsAdded: { label: "More stops on the way" },
    },
  },
  {
    title: "Connections",
    facts: {
      connectionBroken: { label: "Connection cannot be made" },
      shortestConnectionMinutes: {
        label: "Shortest connection",
        say: (value: number) => (value >= noConnectionMinutes ? "no connection" : formatDuration(value * 60)),
        isQuiet: (value: number) => value >= noConnectionMinutes,
      },
      hasConnection: { label: "Changes flights" },
      connectionsAdded: { label: "More changes of flight than booked" },
      connectingAirports: { label: "Changes at" },
    },
  },
  {
    title: "Travellers and ticket",
    facts: {
      passengerCount: { label: "Travellers" },
      hasInfant: { label: "Infant travels" },
      unaccompaniedMinor: { label: "Only children travel" },
      assistanceRequested: { label: "Wheelchair asked for" },
      ticketed: { label: "Ticketed", isQuiet: () => false },
    },
  },
  { title: "Data", facts: { dataSuspect: { label: "Proposed flights are impossible" } } },
];

export interface ShownFact {
  readonly name: string;
  readonly label: string;
  /** The value in words, or `unknown`. */
  readonly value: string;
  /** Why it is unknown; null when it is known. */
  readonly unknownBecause: string | null;
  readonly isQuiet: boolean;
}

/** Facts by subject, in reading order. Facts that this page has no words for come last, under their own names. */
export function groupFacts(
  facts: Readonly<Record<string, Fact<unknown>>>,
): readonly { readonly title: string; readonly facts: readonly ShownFact[] }[] {
  const named = new Set(groups.flatMap((group) => Object.keys(group.facts)));
  const others = Object.keys(facts).filter((name) => !named.has(name));
  return [...groups, { title: "More", facts: Object.fromEntries(others.map((name) => [name, { label: spell(name) }])) }]
    .map(({ title, facts: words }: FactGroup) => ({
      title,
      facts: Object.entries(words).flatMap(([name, word]) => {
        const fact = facts[name];
        return fact === undefined ? [] : [showFact(name, word, fact)];
      }),
    }))
    .filter((group) => group.facts.length > 0);
}

function showFact(name: string, words: FactWords, fact: Fact<unknown>): ShownFact {
  const { label } = words;
  if (!fact.known) {
    return { name, label, value: "unknown", unknownBecause: describeUnknown(fact.reason), isQuiet: false };
  }
  const value = fact.value as never;
  return {
    name,
    label,
    value: words.say === undefined ? sayPlainly(fact.value) : words.say(value),
    unknownBecause: null,
    isQuiet: words.isQuiet === undefined ? isNothing(fact.value) : words.isQuiet(value),
  };
}

/** The label of one fact, for sentences about rules. */
export function labelOfFact(name: string): string {
  for (const group of groups) {
    const words = group.facts[name];
    if (words !== undefined) return words.label;
  }
  return spell(name);
}

function sayPlainly(value: unknown): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

function isNothing(value: unknown): boolean {
  return value === false || value === 0 || value === null || (Array.isArray(value) && value.length === 0);
}

const unknownReasons: Readonly<Record<string, string>> = {
  "missing-flag": "the gateway did not say",
  "unreadable-flag": "the gateway's answer is neither Y nor N",
  "contradictory-flags": "the gateway contradicts itself",
  "differs-by-reference": "the booking references differ",
  "missing-order": "the gateway's answer has no such order",
  "missing-ticket-status": "the gateway does not say whether it is ticketed",
  "unknown-ticket-status": "the ticket status is none that is known",
  "unknown-airport": "the time zone of an airport is not known",
  "unknown-time": "a time is missing",
  "unknown-stops": "the number of stops is missing",
  "unknown-passenger-type": "a passenger's type is none that is known",
  "no-passengers": "the gateway names no passengers",
  "no-flights": "there are no flights to compare",
  "ambiguous-time": "a local time occurs twice as clocks change",
  "nonexistent-time": "a local time does not exist as clocks change",
  "partial-details": "the airline gave only a part of the new flight",
  "removed-or-unknown": "a flight is named as changed without new details",
  "cancelled-with-offer": "a flight is cancelled and offered at once",
  withdrawn: "a flight is withdrawn",
};

/** Why something is unknown, as people say it. */
export function describeUnknown(reason: string): string {
  return unknownReasons[reason] ?? reason.replaceAll("-", " ");
}

/** `changedFlightCount` → `Changed flight count`. */
function spell(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
