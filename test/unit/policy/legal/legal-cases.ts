import type { JourneyChange, JourneyChangeFactName } from "../../../../src/itinerary/journey-changes.ts";
import { type Fact, known, unknown } from "../../../../src/kernel/fact.ts";
import type { LegalAssessment, LegalVerdict } from "../../../../src/policy/legal/assessment.ts";
import { evaluateLegal } from "../../../../src/policy/legal/evaluate-legal.ts";
import { defaultLegalContext, type LegalContext, type LegalInput } from "../../../../src/policy/legal/legal-input.ts";
import { legalPresets } from "../../../../src/policy/legal/presets.ts";
import { airportOf, distanceKm } from "../../../../src/travel/airports.ts";

export type JourneyFactValue = number | boolean | { readonly unknown: string };

export interface JourneyOptions {
  /** Booked airports. Default: `LIS-FRA`. */
  readonly route?: string;
  /** Operating carrier of each flight, or one for all; null is not stated. Default: LH. */
  readonly carriers?: string | readonly (string | null)[];
  /** Marketing carrier of each flight, or one for all; null is not stated. Default: the operating carriers. */
  readonly soldBy?: string | readonly (string | null)[];
  /** Whether the flights are on one booking reference. Default: true. */
  readonly oneBooking?: boolean | { readonly unknown: string };
  /** Local time at the first airport. Default: 2027-03-14 07:10. */
  readonly departure?: string;
  readonly facts?: { readonly [Name in JourneyChangeFactName]?: JourneyFactValue };
}

/** A booked journey to which nothing happens, but for the facts that are given. */
export function aJourney({
  route = "LIS-FRA",
  carriers = "LH",
  soldBy = carriers,
  oneBooking = true,
  departure = "2027-03-14 07:10",
  facts = {},
}: JourneyOptions = {}): JourneyChange {
  const airports = route.split("-");
  const [date = null, time = null] = departure.split(" ");
  const km = distanceKm(airports[0]!, airports.at(-1)!);
  const quiet: Readonly<Record<JourneyChangeFactName, JourneyFactValue>> = {
    cancelled: false,
    removedFlightCount: 0,
    changedFlightCount: 0,
    journeyDepartureEarlierMinutes: 0,
    journeyDepartureLaterMinutes: 0,
    journeyArrivalEarlierMinutes: 0,
    journeyArrivalLaterMinutes: 0,
    originChanged: false,
    destinationChanged: false,
    connectionsAdded: false,
    connectingAirportsChanged: false,
    flightNumberChanged: false,
    aircraftChanged: false,
    cabinDowngraded: false,
    journeyDistanceKm: km === null ? { unknown: "unknown-airport" } : Math.ceil(km),
  };
  return {
    flights: airports.slice(1).map((to, position) => ({
      from: place(airports[position]!),
      to: place(to),
      operatingCarrier: carrierAt(carriers, position),
      marketingCarrier: carrierAt(soldBy, position),
    })),
    oneBooking: typeof oneBooking === "object" ? unknown(oneBooking.unknown) : known(oneBooking),
    departure: { airport: airports[0] ?? null, date, time },
    facts: Object.fromEntries(
      Object.entries({ ...quiet, ...facts }).map(([name, value]) => [name, toFact(value)]),
    ) as unknown as JourneyChange["facts"],
  };
}

function carrierAt(carriers: string | readonly (string | null)[], position: number): string | null {
  return typeof carriers === "string" ? carriers : (carriers[position] ?? null);
}

function place(airport: string) {
  return { airport, country: airportOf(airport)?.country ?? null };
}

function toFact(value: JourneyFactValue): Fact<number | boolean> {
  return typeof value === "object" ? unknown(value.unknown) : known(value);
}

export interface LegalOptions extends Partial<Omit<LegalContext, "presets">> {
  /** The presets that are on. Default: those that are shipped on. */
  readonly presets?: readonly string[];
  readonly journeys?: readonly JourneyChange[];
  readonly assistance?: Fact<boolean>;
  readonly held?: Fact<boolean>;
  /** Default: 2027-01-01, more than two months before the journey. */
  readonly now?: string;
}

export function legalInput({
  presets,
  journeys,
  assistance,
  held,
  now = "2027-01-01T00:00:00Z",
  ...context
}: LegalOptions = {}): LegalInput {
  const only = Object.fromEntries(legalPresets.map(({ id }) => [id, presets?.includes(id) ?? false]));
  return {
    facts: { assistanceRequested: assistance ?? known(false), held: held ?? known(false) },
    journeys: journeys ?? [aJourney()],
    context: { ...defaultLegalContext, presets: presets === undefined ? {} : only, ...context },
    now: new Date(now),
  };
}

export function assessed(options: LegalOptions): LegalAssessment {
  return evaluateLegal(legalInput(options));
}

/** The verdicts of one trigger. */
export function verdictsOf(assessment: LegalAssessment, preset: string, trigger: string): readonly LegalVerdict[] {
  return assessment.verdicts.filter((verdict) => verdict.preset === preset && verdict.trigger === trigger);
}

/** `entitled`, `not-entitled`, or `cannot-tell: fact`, of the first verdict of a trigger. */
export function ruling(options: LegalOptions, preset: string, trigger: string): string {
  const [verdict] = verdictsOf(assessed({ presets: [preset], ...options }), preset, trigger);
  if (verdict === undefined) throw new Error(`${preset} has no trigger ${trigger}.`);
  return verdict.unknownFact === null ? verdict.verdict : `${verdict.verdict}: ${verdict.unknownFact}`;
}
