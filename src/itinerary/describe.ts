import { alignItineraries, type Counterpart } from "./align.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { isRestated } from "./fact-logic.ts";
import { isChanged } from "./flight-facts.ts";
import type { Itinerary, ItinerarySegment, LocalPoint } from "./itinerary.ts";
import { type End, movesOf } from "./time-facts.ts";

/** What a change is described from. */
export interface DescriptionInput {
  readonly booked: Itinerary;
  /** `Proposal.current`. Left out, the booked flights stand for it as long as they have the proposed ones' keys. */
  readonly current?: Itinerary;
  readonly proposed: Itinerary;
  readonly facts: ChangeFacts;
  readonly withdrawnSegmentKeys: readonly string[];
}

/**
 * One line for a list, in plain English and local times:
 * `LH1167 LIS–FRA on 2027-03-14 leaves 20 min later (07:10 → 07:30), arrives 20 min later (11:20 → 11:40)`.
 * It tells the first two changed flights and how many more there are. Times are compared as instants.
 */
export function describeChange(input: DescriptionInput): string {
  const { booked, proposed, facts } = input;
  const current = input.current ?? bridge(booked, proposed);
  const counterparts = alignItineraries(booked, current, proposed).flatMap((journey) => journey.counterparts);
  const changed = counterparts.filter(isChanged);
  if (changed.length === 0) return "Nothing changes";
  const told = changed.slice(0, flightsTold).map((counterpart) => describeFlight(counterpart, facts));
  const untold = changed.length - told.length;
  const rest = untold === 0 ? [] : [untold === 1 ? "1 more flight changes" : `${untold} more flights change`];
  const line = [...told, ...rest, ...describeConnection(facts)].join("; ");
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
}

const flightsTold = 2;

/** Far more than real flights need; names and numbers come from the gateway and have no bound of their own. */
const longestLine = 600;

function bridge(booked: Itinerary, proposed: Itinerary): Itinerary {
  const keys = new Set(booked.segments.map((segment) => segment.segmentKey));
  return proposed.segments.every((segment) => keys.has(segment.segmentKey)) ? booked : proposed;
}

function describeFlight(counterpart: Counterpart, facts: ChangeFacts): string {
  const { before, after } = counterpart;
  if (before.length === 0) return `${listed(after)} ${are(after)} added`;
  const subject = `${listed(before)} on ${before[0]!.departure.date ?? "an unknown date"}`;
  if (after.length === 0) {
    const isCancelled = facts.cancelled.known && facts.cancelled.value;
    const what = isCancelled ? `${are(before)} cancelled` : `${are(before)} withdrawn`;
    return `${subject} ${what}, nothing offered`;
  }
  const moves = [describeMove(counterpart, "departure"), describeMove(counterpart, "arrival")].flat();
  if (before.length > 1 || after.length > 1) {
    return [`${subject} ${are(before)} replaced by ${listed(after)}`, moves.join(", ")].filter(Boolean).join("; ");
  }
  const identity = describeIdentity(before[0]!, after[0]!);
  const sameTimes = identity.length > 0 && moves.length === 0 ? ["at the same times"] : [];
  return `${subject} ${[...identity, ...moves, ...sameTimes, ...describeRest(before[0]!, after[0]!)].join(", ")}`;
}

/** Another number or carrier, which travellers look for first. */
function describeIdentity(before: ItinerarySegment, after: ItinerarySegment): readonly string[] {
  const parts: string[] = [];
  if (numberOf(before) !== numberOf(after)) parts.push(`becomes ${numberOf(after)}`);
  const isSameMarketing = before.marketingCarrier === after.marketingCarrier;
  if (isSameMarketing && isRestated(before.operatingCarrier, after.operatingCarrier)) {
    parts.push(`is operated by ${after.operatingCarrier} instead of ${before.operatingCarrier}`);
  }
  return parts;
}

function describeMove(counterpart: Counterpart, end: End): readonly string[] {
  const before = end === "departure" ? counterpart.before[0]!.departure : counterpart.before.at(-1)!.arrival;
  const after = end === "departure" ? counterpart.after[0]!.departure : counterpart.after.at(-1)!.arrival;
  const verb = end === "departure" ? "leaves" : "arrives";
  const parts: string[] = [];
  if (before.airport !== after.airport) {
    const preposition = end === "departure" ? "from" : "at";
    parts.push(`${verb} ${preposition} ${after.airport ?? "an unknown airport"} instead of ${before.airport ?? "?"}`);
  }
  if (before.date === after.date && before.time === after.time && before.airport === after.airport) return parts;
  if (after.date === null || after.time === null) return [...parts, `${verb} at an unknown time`];
  const { earlier, later } = movesOf([counterpart], end);
  if (!earlier.known || !later.known) return [...parts, `${verb} ${printed(before, after)}`];
  const minutes = later.value - earlier.value;
  if (minutes === 0 && parts.length > 0) return parts;
  if (minutes === 0) return [`${verb} at the same moment ${printed(before, after)}`];
  return [
    ...parts,
    `${verb} ${span(Math.abs(minutes))} ${minutes > 0 ? "later" : "earlier"} ${printed(before, after)}`,
  ];
}

function describeRest(before: ItinerarySegment, after: ItinerarySegment): readonly string[] {
  const parts: string[] = [];
  const tell = (what: string, from: string | number | null, to: string | number | null) => {
    if (isRestated(from, to)) parts.push(`${what} ${from} → ${to}`);
  };
  tell("departure terminal", before.departure.terminal, after.departure.terminal);
  tell("arrival terminal", before.arrival.terminal, after.arrival.terminal);
  tell("cabin", before.cabinType, after.cabinType);
  tell("booking class", before.rbd, after.rbd);
  tell("aircraft", before.aircraftCode, after.aircraftCode);
  tell("stops", before.stops, after.stops);
  return parts.length === 0 || isMoved(before, after) ? parts : [`changes: ${parts.join(", ")}`];
}

function isMoved(before: ItinerarySegment, after: ItinerarySegment): boolean {
  const pair = { before: [before], after: [after] };
  return (
    [...describeIdentity(before, after), ...describeMove(pair, "departure"), ...describeMove(pair, "arrival")].length >
    0
  );
}

/** The minutes are told only where they can be told of one connection: of several, the shortest need not be the broken one. */
function describeConnection(facts: ChangeFacts): readonly string[] {
  const { connectionBroken, shortestConnectionMinutes, connectingAirports } = facts;
  if (!connectionBroken.known || !connectionBroken.value) return [];
  const airports = connectingAirports.known ? connectingAirports.value : [];
  const at = airports.length > 0 ? ` at ${airports.slice(0, flightsListed).join(", ")}` : "";
  if (airports.length !== 1 || !shortestConnectionMinutes.known) return [`the connection${at} may not be made`];
  const minutes = shortestConnectionMinutes.value;
  return [minutes <= 0 ? `the connection${at} is missed` : `only ${span(minutes)} to connect${at}`];
}

/** Flights as `LH1137 BCN–FRA and AC873 FRA–YYZ`. */
function listed(flights: readonly ItinerarySegment[]): string {
  const told = flights
    .slice(0, flightsListed)
    .map((flight) => `${numberOf(flight)} ${flight.departure.airport ?? "?"}–${flight.arrival.airport ?? "?"}`);
  const untold = flights.length - told.length;
  return [...told, ...(untold > 0 ? [`${untold} more`] : [])].join(" and ");
}

/** Keeps the line one line whatever a gateway sends. */
const flightsListed = 4;

function are(flights: readonly ItinerarySegment[]): string {
  return flights.length === 1 ? "is" : "are";
}

function numberOf(flight: ItinerarySegment): string {
  return `${flight.marketingCarrier ?? "?"}${flight.marketingFlightNumber ?? "?"}`;
}

/** Old and new local time, with dates only when they differ. */
function printed(before: LocalPoint, after: LocalPoint): string {
  const dated = before.date !== after.date;
  const [from, to] = [before, after].map(({ date, time }) => (dated ? `${date ?? "?"} ${time ?? "?"}` : (time ?? "?")));
  return `(${from} → ${to})`;
}

/** Minutes up to three hours, then hours: what people say. */
function span(minutes: number): string {
  if (minutes < 180) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${(minutes - rest) / 60} h` : `${(minutes - rest) / 60} h ${rest} min`;
}
