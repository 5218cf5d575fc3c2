import { type Fact, isFalse, isTrue } from "../kernel/fact.ts";
import type { ChangeFacts, FactName } from "./fact-catalogue.ts";
import { isNothingChanged } from "./hidden-change.ts";

/** How much a change means for the travellers, ascending. */
export type SeverityName = "none" | "improvement" | "minor" | "major" | "critical";

export interface Severity {
  readonly name: SeverityName;
  /** The facts that caused it; empty if nothing changes. */
  readonly because: readonly FactName[];
}

/** A missing fact, as in decisions of earlier versions, counts as unknown. */
export type SeverityFacts = Partial<Pick<ChangeFacts, SeverityFactName>>;

/** Brought forward by more than an hour, a flight counts as cancelled in the EU (C-146/20): 61 minutes are major. */
const earlierMinutesMax = 60;

/** Agencies review delays from 90 minutes and only inform the traveller of shorter ones: 90 minutes are major. */
const laterMinutesMax = 89;

/** Until 72 hours before departure the trade speaks of a schedule change, from then on of a disruption (ARC, 2020). */
const nearMinutesMax = 72 * 60;

const criticalWhen = [
  ["cancelled", true],
  ["partiallyCancelled", true],
  ["connectionBroken", true],
  ["returnCoherent", false],
] as const satisfies readonly (readonly [FactName, boolean])[];

const majorWhenTrue = [
  "replaced",
  "airportChanged",
  "connectionsAdded",
  "connectionTight",
  "selfTransferShorter",
  "stopsAdded",
  "flightsReordered",
  "marriageBroken",
  "cabinDowngraded",
  "dateChanged",
  "overnightAdded",
  "dataSuspect",
] as const satisfies readonly FactName[];

const majorAbove = [
  ["removedFlightCount", 0],
  ["addedFlightCount", 0],
  ["departureEarlierMinutes", earlierMinutesMax],
  ["departureLaterMinutes", laterMinutesMax],
  ["arrivalLaterMinutes", laterMinutesMax],
  ["sinceAcceptedDepartureEarlierMinutes", earlierMinutesMax],
  ["sinceAcceptedDepartureLaterMinutes", laterMinutesMax],
  ["sinceAcceptedArrivalLaterMinutes", laterMinutesMax],
] as const satisfies readonly (readonly [FactName, number])[];

const minorWhenAny = [
  "departureEarlierMinutes",
  "departureLaterMinutes",
  "arrivalEarlierMinutes",
  "arrivalLaterMinutes",
  "flightNumberChanged",
  "operatingCarrierChanged",
  "connectingAirportsChanged",
  "connectionTooLong",
  "rbdChanged",
  "brandChanged",
  "terminalChanged",
  "aircraftChanged",
] as const satisfies readonly FactName[];

const conditions = [
  "changedFlightCount",
  "minutesToDeparture",
  "flightNumberOnly",
  "marketingCarrierChanged",
  "backToOriginal",
  "improvement",
] as const satisfies readonly FactName[];

type SeverityFactName = (
  | typeof conditions
  | (typeof criticalWhen)[number]["0"][]
  | typeof majorWhenTrue
  | (typeof majorAbove)[number]["0"][]
  | typeof minorWhenAny
)[number];

export const severityFactNames: readonly FactName[] = [
  ...new Set<FactName>([
    ...conditions,
    ...criticalWhen.map(([name]) => name),
    ...majorWhenTrue,
    ...majorAbove.map(([name]) => name),
    ...minorWhenAny,
  ]),
];

/**
 * Returns how severe a change is, by the first line that holds:
 *
 * - `none`: no flight differs from the booked ones, and nothing else was accepted since
 * - `critical`: a journey is cancelled; a connection breaks; a way back leaves before the way out arrives; or a major
 *   change within 72 hours of departure
 * - `major`: other flights, or one of another airline; another airport or date; a flight removed or added; another order of
 *   flights; more connections or stops; a connection that becomes tight; a shorter self-transfer; a broken married group; a
 *   lower cabin; a night on the way; a departure more than 60 minutes earlier; a departure or an arrival 90 minutes later
 *   or more, since booked or since accepted; impossible data; or one of these is unknown
 * - `improvement`: the traveller is better off, or all flights are back as booked
 * - `minor`: anything else that changes, such as another flight number, alone or with a small move
 *
 * Severity does not include urgency, which follows from the departure.
 */
export function severityOf(facts: SeverityFacts): Severity {
  if (isNothingChanged(facts)) return { name: "none", because: [] };
  const criticalFacts = criticalWhen
    .filter(([name, value]) => (value ? isTrue : isFalse)(facts[name]))
    .map(([name]) => name);
  if (criticalFacts.length > 0) return { name: "critical", because: criticalFacts };
  const majorFlags = majorWhenTrue.filter((name) => isMajor(facts, name));
  const majorMoves = majorAbove.filter(([name, limit]) => isMoreThan(facts[name], limit)).map(([name]) => name);
  const major = [...majorFlags, ...majorMoves];
  const isNear = facts.minutesToDeparture?.known === true && facts.minutesToDeparture.value <= nearMinutesMax;
  if (major.length > 0 && isNear) return { name: "critical", because: [...major, "minutesToDeparture"] };
  const missing = [...criticalWhen.map(([name]) => name), ...majorWhenTrue, ...majorAbove.map(([name]) => name)].filter(
    (name) => facts[name]?.known !== true,
  );
  if (major.length + missing.length > 0) return { name: "major", because: [...major, ...missing] };
  const improvements = (["backToOriginal", "improvement"] as const).filter((name) => isTrue(facts[name]));
  if (improvements.length > 0) return { name: "improvement", because: improvements };
  return { name: "minor", because: minorFacts(facts) };
}

function isMajor(facts: SeverityFacts, name: (typeof majorWhenTrue)[number]): boolean {
  return isTrue(facts[name]) && !(name === "replaced" && isRenumbered(facts));
}

/** A flight of the same airline between the same airports counts as replaced by its number; the journey stays the same. */
function isRenumbered(facts: SeverityFacts): boolean {
  if (isTrue(facts.flightNumberOnly)) return true;
  const others = [
    "marketingCarrierChanged",
    "airportChanged",
    "connectionsAdded",
    "connectingAirportsChanged",
  ] as const;
  return isTrue(facts.flightNumberChanged) && others.every((name) => isFalse(facts[name]));
}

function minorFacts(facts: SeverityFacts): readonly FactName[] {
  const found = minorWhenAny.filter((name) => isTrue(facts[name]) || isMoreThan(facts[name], 0));
  return found.length > 0 ? found : ["changedFlightCount"];
}

function isMoreThan(fact: Fact<unknown> | undefined, limit: number): boolean {
  return fact?.known === true && typeof fact.value === "number" && fact.value > limit;
}
