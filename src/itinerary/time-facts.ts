import { type Fact, known, unknown } from "../kernel/fact.ts";
import { instantsOf } from "../travel/local-time.ts";
import type { Counterpart } from "./align.ts";
import { type Departure, describeDeparture } from "./departure-words.ts";
import { factsFrom } from "./fact-definition.ts";
import { anyOf, differs, farthestOf, largestOf } from "./fact-logic.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { describeRetimings } from "./retiming-words.ts";
import {
  dayShiftsOf,
  elapsedOf,
  endOf,
  instantRange,
  movesOf,
  reasonAt,
  shiftsOf,
  wallClockShiftsOf,
} from "./shifts.ts";

const { bool, int, text, list } = factsFrom<TimeParts>();

export const timeFacts = {
  minutesToDeparture: int(
    "Minutes from now to the first departure not yet flown, booked or proposed, whichever is earlier. Negative once it has left.",
    ({ now, next }) => (next.known ? known(Math.floor((next.value.instant - now.getTime()) / 60_000)) : next),
    { unit: "min" },
  ),
  nextDeparture: text(
    "The same in words: LH98 FRA-MUC leaves in 7 h; or the booked departure of LH98 FRA-MUC on 5 May 2027 has passed.",
    ({ now, next }) => (next.known ? known(describeDeparture(next.value, now)) : next),
  ),
  departureEarlierMinutes: int(
    "Largest move of a departure to an earlier instant.",
    ({ departures }) => departures.earlier,
    { unit: "min", atLeast: 0 },
  ),
  departureLaterMinutes: int("Largest move of a departure to a later instant.", ({ departures }) => departures.later, {
    unit: "min",
    atLeast: 0,
  }),
  arrivalEarlierMinutes: int("Largest move of an arrival to an earlier instant.", ({ arrivals }) => arrivals.earlier, {
    unit: "min",
    atLeast: 0,
  }),
  arrivalLaterMinutes: int("Largest move of an arrival to a later instant.", ({ arrivals }) => arrivals.later, {
    unit: "min",
    atLeast: 0,
  }),
  sinceAcceptedDepartureEarlierMinutes: int(
    "As departureEarlierMinutes, measured from the itinerary accepted last.",
    ({ acceptedDepartures }) => acceptedDepartures.earlier,
    { unit: "min", atLeast: 0 },
  ),
  sinceAcceptedDepartureLaterMinutes: int(
    "As departureLaterMinutes, measured from the itinerary accepted last.",
    ({ acceptedDepartures }) => acceptedDepartures.later,
    { unit: "min", atLeast: 0 },
  ),
  sinceAcceptedArrivalEarlierMinutes: int(
    "As arrivalEarlierMinutes, measured from the itinerary accepted last.",
    ({ acceptedArrivals }) => acceptedArrivals.earlier,
    { unit: "min", atLeast: 0 },
  ),
  sinceAcceptedArrivalLaterMinutes: int(
    "As arrivalLaterMinutes, measured from the itinerary accepted last.",
    ({ acceptedArrivals }) => acceptedArrivals.later,
    { unit: "min", atLeast: 0 },
  ),
  departureShiftMinutes: int(
    "The largest move of a departure either way, between instants; negative is earlier. Of equal ones the earlier.",
    ({ departureShifts }) => farthestOf(departureShifts),
    { unit: "min" },
  ),
  arrivalShiftMinutes: int(
    "The largest move of an arrival either way, between instants; negative is earlier. Of equal ones the earlier.",
    ({ arrivalShifts }) => farthestOf(arrivalShifts),
    { unit: "min" },
  ),
  departureWallClockShiftMinutes: int(
    "As departureShiftMinutes, between the printed local times: what a traveller reads. It differs where the clocks change in between. Unknown when the airport changes.",
    ({ flights }) => farthestOf(wallClockShiftsOf(flights, "departure")),
    { unit: "min" },
  ),
  arrivalWallClockShiftMinutes: int(
    "As departureWallClockShiftMinutes, for arrivals.",
    ({ flights }) => farthestOf(wallClockShiftsOf(flights, "arrival")),
    { unit: "min" },
  ),
  cumulativeShiftMinutes: int(
    "The largest move of a departure or an arrival since booking, earlier or later, never negative: what many small changes add up to.",
    ({ departures, arrivals }) =>
      largestOfKnown([departures.earlier, departures.later, arrivals.earlier, arrivals.later]),
    { unit: "min", atLeast: 0 },
  ),
  sinceAcceptedShiftMinutes: int(
    "As cumulativeShiftMinutes, since the itinerary accepted last: what this change alone does.",
    ({ acceptedDepartures, acceptedArrivals }) =>
      largestOfKnown([
        acceptedDepartures.earlier,
        acceptedDepartures.later,
        acceptedArrivals.earlier,
        acceptedArrivals.later,
      ]),
    { unit: "min", atLeast: 0 },
  ),
  dateChanged: bool(
    "Whether a flight leaves or arrives on another local date.",
    ({ flights }) => isDateChanged(flights),
    { implies: ["changedFlightCount > 0", "!aircraftOrTerminalOnly"] },
  ),
  departureDayShift: int(
    "The largest move of a departure between local dates, however few minutes it moves; negative is earlier.",
    ({ flights }) => farthestOf(dayShiftsOf(flights, "departure")),
    { unit: "days" },
  ),
  arrivalDayShift: int(
    "The largest move of an arrival between local dates, however few minutes it moves; negative is earlier.",
    ({ flights }) => farthestOf(dayShiftsOf(flights, "arrival")),
    { unit: "days" },
  ),
  retimings: list(
    "How flights move, each that does: LH98 FRA-MUC departs and arrives 31 min later. Between instants; where they cannot be compared it says so.",
    ({ flights }) => known(describeRetimings(flights)),
  ),
  timeAmbiguous: bool("Whether a local time falls into an hour that occurs twice or never at its airport.", ({ all }) =>
    isTimeAmbiguous(all),
  ),
  timeQuality: text(
    "The worst local time of all flights, booked and proposed: nonexistent (the clocks skip it), unknown-zone (the airport is not known), ambiguous (it occurs twice) or exact. An ambiguous time is used as far as both meanings agree.",
    ({ all }) => timeQualityOf(all),
    { values: ["nonexistent", "unknown-zone", "ambiguous", "exact"] },
  ),
  durationContradicted: bool(
    "Whether a stated flight duration of a proposed flight differs by 15 minutes or more from the time between its departure and arrival, which is what everything else is computed from. A flight without a stated duration contradicts nothing; unknown when a stated one cannot be read.",
    ({ flights }) => isDurationContradicted(flights.flatMap((pair) => pair.after)),
  ),
};

export interface TimeParts extends ReturnType<typeof timeParts> {}

export function timeParts(flights: readonly Counterpart[], sinceAccepted: readonly Counterpart[], now: Date) {
  const departureShifts = shiftsOf(flights, "departure");
  const arrivalShifts = shiftsOf(flights, "arrival");
  const departures = movesOf(departureShifts);
  const arrivals = movesOf(arrivalShifts);
  const isFirstChange = sinceAccepted === flights;
  return {
    flights,
    now,
    departureShifts,
    arrivalShifts,
    departures,
    arrivals,
    acceptedDepartures: isFirstChange ? departures : movesOf(shiftsOf(sinceAccepted, "departure")),
    acceptedArrivals: isFirstChange ? arrivals : movesOf(shiftsOf(sinceAccepted, "arrival")),
    all: flights.flatMap((pair) => [...pair.before, ...pair.after]),
    next: nextDeparture(flights, now),
  };
}

function largestOfKnown(facts: readonly Fact<number>[]): Fact<number> {
  return largestOf(
    facts.map((fact) => (fact.known ? known({ low: fact.value, high: fact.value }) : fact)),
    0,
  );
}

const qualities = ["exact", "ambiguous", "unknown-zone", "nonexistent"] as const;

function timeQualityOf(flights: readonly ItinerarySegment[]): Fact<string> {
  let worst = 0;
  let missing: Fact<string> | null = null;
  for (const flight of flights) {
    for (const end of ["departure", "arrival"] as const) {
      const instants = instantsOf(flight[end]);
      if (!instants.known && instants.reason !== "unknown-airport") missing ??= unknown(reasonAt(instants.reason, end));
      else worst = Math.max(worst, qualities.indexOf(instants.known ? instants.value.quality : "unknown-zone"));
    }
  }
  const quality = qualities[worst]!;
  return quality === "nonexistent" ? known(quality) : (missing ?? known(quality));
}

/** The smallest step between time zones: a duration off by as much hints at a wrong zone or date. */
export const contradictionMinutes = 15;

/** Flights without a stated duration are not checked. An unreadable one may contradict. */
function isDurationContradicted(flights: readonly ItinerarySegment[]): Fact<boolean> {
  return anyOf(
    flights.map((flight) => {
      if (flight.unreadDuration) return unknown("unreadable-duration");
      const minutes = flight.statedMinutes ?? null;
      if (minutes === null) return known(false);
      const elapsed = elapsedOf([flight]);
      if (!elapsed.known) return elapsed;
      const { low, high } = elapsed.value;
      const off = [low, high].map((value) => Math.abs(value - minutes) >= contradictionMinutes);
      return off[0] === off[1] ? known(off[0] === true) : unknown("ambiguous-time");
    }),
  );
}

function isDateChanged(counterparts: readonly Counterpart[]): Fact<boolean> {
  return anyOf(
    counterparts
      .filter((pair) => pair.before.length > 0)
      .flatMap((pair) =>
        (["departure", "arrival"] as const).map((end) => {
          const before = endOf(pair.before, end);
          const after = endOf(pair.after, end);
          if (before === null || after === null) return unknown("withdrawn");
          return differs(before.date, after.date, `unknown-${end}`);
        }),
      ),
  );
}

function isTimeAmbiguous(flights: readonly ItinerarySegment[]): Fact<boolean> {
  return anyOf(
    flights.flatMap((flight) =>
      (["departure", "arrival"] as const).map((end) => {
        const instants = instantsOf(flight[end]);
        return instants.known ? known(instants.value.quality !== "exact") : unknown(reasonAt(instants.reason, end));
      }),
    ),
  );
}

/**
 * Returns the first departure that is not certainly flown: the earlier one of a flight and its counterpart, of which both
 * must have passed to call it flown. If all have, the last one.
 */
function nextDeparture(counterparts: readonly Counterpart[], now: Date): Fact<Departure> {
  const departures: (Departure & { readonly latest: number })[] = [];
  for (const { before, after } of counterparts) {
    const ends: Departure[] = [];
    let latest = Number.NEGATIVE_INFINITY;
    for (const flights of [before, after]) {
      const point = endOf(flights, "departure");
      if (point === null) continue;
      const range = instantRange(point, "departure");
      if (!range.known) return range;
      ends.push({ flights, isNew: flights === after, instant: range.value.low });
      latest = Math.max(latest, range.value.high);
    }
    const first = earliestOf(ends);
    if (first === null) continue;
    const { flights, isNew, instant } = first;
    departures.push({ flights, isNew, instant, latest });
  }
  const ahead = departures.filter(({ latest }) => latest > now.getTime());
  const next = earliestOf(ahead) ?? latestOf(departures);
  return next === null ? unknown("no-flights") : known(next);
}

/** Of those that leave together the one that is listed first. */
function earliestOf(departures: readonly Departure[]): Departure | null {
  return departures.reduce<Departure | null>(
    (first, each) => (first === null || each.instant < first.instant ? each : first),
    null,
  );
}

function latestOf(departures: readonly Departure[]): Departure | null {
  return departures.reduce<Departure | null>(
    (last, each) => (last === null || each.instant > last.instant ? each : last),
    null,
  );
}
