import type { Itinerary, LocalPoint } from "../itinerary/itinerary.ts";
import { type SeverityName, severityOf } from "../itinerary/severity.ts";
import { digestOfValue } from "../kernel/digest.ts";
import type { NewDecision } from "./new-decision.ts";

/** What a case can be found by from a decision on. */
export interface SearchTerms {
  /** Null if the decision saw no change. */
  readonly severity: SeverityName | null;
  /**
   * About the change; null if the decision saw no flights, so that what is known stays: `severity:major`, `airline:LH`,
   * `airport:FRA`, `route:FRA-JFK`, `flight:LH400`, and for each booked flight that the change touches `touches:LH400`,
   * `touches:2027-03-14` and `touches:LH400/2027-03-14`.
   */
  readonly ofChange: readonly string[] | null;
  /**
   * `rule:` and the rule that decided, `reason:` and a code of why, `member:` and the path of what nobody reads, and
   * `member-value:` with the path and the digest of a value that has to be marked by itself.
   */
  readonly ofDecision: readonly string[];
  /** The price of the order; null if it is not known. */
  readonly value: { readonly amount: string; readonly currency: string } | null;
}

export function searchTermsOf(
  { itineraries, facts, unmarkedValues = [], rule, question, reasons }: NewDecision,
  flightDates: readonly string[] = [],
): SearchTerms {
  const severity = itineraries === null || facts === null ? null : severityOf(facts).name;
  const ofChange =
    itineraries === null
      ? null
      : [
          ...(severity === null ? [] : [`severity:${severity}`]),
          ...[itineraries.booked, itineraries.proposed].flatMap(termsOfFlights),
          ...flightDates.flatMap((touched) => [touched, ...touched.split("/")]).map((touched) => `touches:${touched}`),
        ];
  const codes = [question, reasons[0]?.code ?? null].filter((code) => code !== null);
  return {
    severity,
    ofChange: ofChange === null ? null : unique(ofChange),
    ofDecision: unique([
      `rule:${rule}`,
      ...codes.map((code) => `reason:${code}`),
      ...membersIn(facts).map(memberTerm),
      ...unmarkedValues.map(memberValueTerm),
    ]),
    value:
      facts?.orderValue.known === true && facts.currency.known
        ? { amount: facts.orderValue.value, currency: facts.currency.value }
        : null,
  };
}

/** The fact ends with how many more there are. An earlier decision, on which a person's may rest, has none. */
function membersIn(facts: NewDecision["facts"]): readonly string[] {
  const unread = facts?.unreadMembers;
  return unread?.known === true ? unread.value.filter((path) => !/^and \d+ more$/.test(path)) : [];
}

/** Returns the term of a path that nothing reads, as in the fact `unreadMembers`. */
export function memberTerm(path: string): string {
  return indexable(`member:${path}`);
}

/** Returns the term of a value, as `unmarkedValues` names it. */
export function memberValueTerm(value: string): string {
  return indexable(`member-value:${value}`);
}

function termsOfFlights({ segments, journeys }: Itinerary): readonly string[] {
  return [
    ...segments.flatMap(({ marketingCarrier, marketingFlightNumber, operatingCarrier, departure, arrival }) => [
      ...[marketingCarrier, operatingCarrier].flatMap((airline) => (airline === null ? [] : [`airline:${airline}`])),
      ...(marketingCarrier === null || marketingFlightNumber === null
        ? []
        : [`flight:${marketingCarrier}${marketingFlightNumber}`]),
      ...[departure, arrival].flatMap(({ airport }: LocalPoint) => (airport === null ? [] : [`airport:${airport}`])),
      ...routeOf(departure.airport, arrival.airport),
    ]),
    ...journeys.flatMap(({ origin, destination }) => routeOf(origin, destination)),
  ];
}

function routeOf(origin: string | null, destination: string | null): readonly string[] {
  return origin === null || destination === null ? [] : [`route:${origin}-${destination}`];
}

function unique(terms: readonly string[]): readonly string[] {
  return [...new Set(terms.map(indexable))].sort();
}

/** An index holds no term of more than 2,712 bytes, and no commit with one. */
const termBytesMax = 1_000;

/** Cuts a longer term, so that it ends in a digest of the whole. */
function indexable(term: string): string {
  const bytes = Buffer.from(term);
  if (bytes.length <= termBytesMax) return term;
  const digest = digestOfValue(term).slice(0, 32);
  const cut = bytes.subarray(0, termBytesMax - digest.length - "… ".length - 2).toString();
  return `${cut.replace(/\uFFFD$/, "")}… ${digest}`;
}
