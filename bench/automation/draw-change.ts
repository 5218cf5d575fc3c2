import type { ChangeRequest } from "../../src/gateway/change-request.ts";
import { findAirport } from "../../src/gateway/served-airports.ts";
import { findItineraries } from "../../src/gateway/supply/simulated/itineraries.ts";
import { worldSeed } from "../../src/gateway/supply/simulated/world-seed.ts";
import { printedIn } from "../../src/travel/zones.ts";
import type { RandomNumbers } from "../../test/builders/random-numbers.ts";
import { trueFlight } from "./draw-trip.ts";
import { drawEntry, drawFrom, drawYes, type Mix, type MixedChange } from "./read-mix.ts";
import type { TrueFlight, TruePoint, Truth } from "./truth.ts";

/** What an airline does to booked flights, as the gateway is asked for it and as it really is. */
export interface DrawnChange extends Pick<Truth, "proposed" | "acceptOffered"> {
  readonly request: ChangeRequest;
}

type Part = Extract<ChangeRequest, { kind: "combined" }>["parts"][number];

interface Drawn {
  readonly parts: readonly Part[];
  readonly proposed: Truth["proposed"];
}

/** One flight that stays one flight: what is asked for, and what becomes of it. */
interface Revision {
  readonly parts: readonly Part[];
  readonly becomes: TrueFlight;
}

/** Whether such a change can be made of these flights. */
export function canChange({ kind }: MixedChange, booked: readonly TrueFlight[]): boolean {
  return kind !== "terminal only" || booked.some(statesTerminal);
}

export function drawChange(
  random: RandomNumbers,
  mix: Mix,
  change: MixedChange,
  booked: readonly TrueFlight[],
): DrawnChange {
  const { parts, proposed } = drawParts(random, mix, change, booked);
  const { accept, cancel, reSchedule } = drawEntry(random, mix.flags);
  const withdraws = change.kind === "withdrawn";
  return {
    request: {
      kind: "combined",
      parts: [...parts],
      // For withdrawn flights the gateway says what airlines say: nothing is left to accept.
      ...(withdraws ? {} : { flags: { accept, cancel, reSchedule } }),
    },
    proposed,
    acceptOffered: !withdraws && accept === "Y",
  };
}

function drawParts(random: RandomNumbers, mix: Mix, change: MixedChange, booked: readonly TrueFlight[]): Drawn {
  const flightIndex = random.integer(booked.length);
  const flight = booked[flightIndex]!;
  switch (change.kind) {
    case "flight number only":
      return revised(booked, flightIndex, renumber(random, flight, flightIndex));
    case "aircraft only":
      return revised(booked, flightIndex, swapAircraft(random, flight, flightIndex));
    case "terminal only":
      return moveTerminal(random, booked);
    case "withdrawn":
      return withdraw(random, booked);
    case "another flight":
      return replace(random, mix, change, booked, flightIndex);
    case "more stops or connections":
      return addLanding(random, booked);
    case "times of several flights":
      return retimeBothWays(random, mix, change, booked);
    case "times and aircraft": {
      const { parts, becomes } = retime(random, mix, change, flight, flightIndex);
      const swapped = swapAircraft(random, becomes, flightIndex);
      return revised(booked, flightIndex, { ...swapped, parts: [...parts, ...swapped.parts] });
    }
    default:
      return revised(booked, flightIndex, retime(random, mix, change, flight, flightIndex));
  }
}

/** The booked flights with a revised one in the place of the one at that position. */
function revised(booked: readonly TrueFlight[], at: number, { parts, becomes }: Revision): Drawn {
  return { parts, proposed: booked.map((flight, position) => [position === at ? becomes : flight]) };
}

/** One flight of each way. */
function retimeBothWays(random: RandomNumbers, mix: Mix, change: MixedChange, booked: readonly TrueFlight[]): Drawn {
  const revisions = new Map(
    [0, 1].map((journey) => {
      const position = random.pick(booked.flatMap((flight, index) => (flight.journey === journey ? [index] : [])));
      return [position, retime(random, mix, change, booked[position]!, position)] as const;
    }),
  );
  return {
    parts: [...revisions.values()].flatMap(({ parts }) => parts),
    proposed: booked.map((flight, position) => [revisions.get(position)?.becomes ?? flight]),
  };
}

/** The one end moves by what was drawn, the other by as much or a little less. */
function retime(
  random: RandomNumbers,
  { retimings }: Mix,
  { minutes = { from: 5, to: 30 } }: MixedChange,
  flight: TrueFlight,
  flightIndex: number,
): Revision {
  const most = drawShift(random, minutes);
  const less = drawYes(random, retimings.otherLength) ? drawFrom(random, retimings.otherLength.minutes, 5) : 0;
  const sign = drawYes(random, retimings.earlier) ? -1 : 1;
  const ends = [sign * most, sign * Math.max(0, most - less)];
  const [departureMinutes = 0, arrivalMinutes = 0] = random.oneIn(2) ? ends : ends.toReversed();
  return {
    parts: [{ kind: "retime", flightIndex, departureMinutes, arrivalMinutes }],
    becomes: { ...flight, from: movedBy(flight.from, departureMinutes), to: movedBy(flight.to, arrivalMinutes) },
  };
}

/** Small moves are more frequent than large ones, so the smaller of two counts. */
function drawShift(random: RandomNumbers, minutes: { readonly from: number; readonly to: number }): number {
  return Math.min(drawFrom(random, minutes, 5), drawFrom(random, minutes, 5));
}

function movedBy(point: TruePoint, minutes: number): TruePoint {
  const at = point.at + minutes * 60_000;
  return { ...point, at, date: localText(at, point.airport).slice(0, 10) };
}

/** Aircraft that stand in for one another, as gateways name them; a swap mostly stays within its line. */
export const aircraftNames: Readonly<Record<string, string>> = {
  AT7: "ATR 72",
  DH4: "De Havilland DHC-8-400",
  E90: "Embraer 190",
  E95: "Embraer 195",
  319: "Airbus A319",
  320: "Airbus A320",
  "32N": "Airbus A320neo",
  321: "Airbus A321",
  "32Q": "Airbus A321neo",
  738: "Boeing 737-800",
  "7M8": "Boeing 737 MAX 8",
  332: "Airbus A330-200",
  333: "Airbus A330-300",
  788: "Boeing 787-8",
  789: "Boeing 787-9",
  359: "Airbus A350-900",
  351: "Airbus A350-1000",
  "77W": "Boeing 777-300ER",
  388: "Airbus A380-800",
};

const fleets = [
  ["AT7", "DH4"],
  ["E90", "E95", "319"],
  ["319", "320", "32N", "321", "32Q", "738", "7M8"],
  ["332", "333", "788", "789", "359", "351", "77W", "388"],
] as const;

function swapAircraft(random: RandomNumbers, flight: TrueFlight, flightIndex: number): Revision {
  const fleet: readonly string[] =
    fleets.findLast((codes) => codes.some((code) => code === flight.aircraft)) ?? fleets[2];
  const aircraft = random.pick(fleet.filter((code) => code !== flight.aircraft));
  return { parts: [{ kind: "aircraft", flightIndex, aircraft }], becomes: { ...flight, aircraft } };
}

function renumber(random: RandomNumbers, flight: TrueFlight, flightIndex: number): Revision {
  const flightNumber = otherNumber(random, flight);
  return { parts: [{ kind: "renumber", flightIndex, flightNumber }], becomes: { ...flight, flightNumber } };
}

function statesTerminal({ from, to }: TrueFlight): boolean {
  return from.terminal !== "" || to.terminal !== "";
}

function moveTerminal(random: RandomNumbers, booked: readonly TrueFlight[]): Drawn {
  const flightIndex = random.pick(booked.flatMap((flight, position) => (statesTerminal(flight) ? [position] : [])));
  const flight = booked[flightIndex]!;
  const isDeparture = flight.to.terminal === "" || (flight.from.terminal !== "" && random.oneIn(2));
  const before = isDeparture ? flight.from.terminal : flight.to.terminal;
  const terminal = random.pick(["1", "2", "3", "4"].filter((name) => name !== before));
  const moved = isDeparture
    ? { ...flight, from: { ...flight.from, terminal } }
    : { ...flight, to: { ...flight.to, terminal } };
  const named = isDeparture ? { fromTerminal: terminal } : { toTerminal: terminal };
  return revised(booked, flightIndex, { parts: [{ kind: "terminal", flightIndex, ...named }], becomes: moved });
}

/** Mostly the whole trip or one way of it, sometimes a single flight of a connection. */
function withdraw(random: RandomNumbers, booked: readonly TrueFlight[]): Drawn {
  const flight = random.pick(booked);
  const what = random.pick(["trip", "trip", "journey", "journey", "flight"] as const);
  const isGone = (each: TrueFlight): boolean =>
    what === "trip" || (what === "journey" ? each.journey === flight.journey : each === flight);
  return {
    parts: booked.flatMap((each, flightIndex) => (isGone(each) ? [{ kind: "cancel" as const, flightIndex }] : [])),
    proposed: booked.map((each) => (isGone(each) ? [] : [each])),
  };
}

/** The same airline's flight before or after it, under its own number. */
function replace(
  random: RandomNumbers,
  { retimings }: Mix,
  { minutes = { from: 60, to: 360 } }: MixedChange,
  booked: readonly TrueFlight[],
  flightIndex: number,
): Drawn {
  const flight = booked[flightIndex]!;
  const shift = drawShift(random, minutes) * (drawYes(random, retimings.earlier) ? -1 : 1);
  const other = {
    ...flight,
    flightNumber: otherNumber(random, flight),
    from: movedBy(flight.from, shift),
    to: movedBy(flight.to, shift),
  };
  return revised(booked, flightIndex, {
    parts: [{ kind: "replace", flightIndex, with: [requestOf(other)] }],
    becomes: other,
  });
}

/** A landing on the way, or two flights over a hub where the world has them and one landing where it has not. */
function addLanding(random: RandomNumbers, booked: readonly TrueFlight[]): Drawn {
  const flightIndex = random.integer(booked.length);
  const flight = booked[flightIndex]!;
  const ways = findItineraries(worldSeed, flight.from.airport, flight.to.airport, flight.from.date).filter(
    ({ airline, flights }) => airline === flight.carrier && flights.length === 2,
  );
  if (ways.length > 0 && random.oneIn(2)) {
    const two = random.pick(ways).flights.map((each) => trueFlight({ ...each, cabin: flight.cabin }, flight.journey));
    const proposed = booked.map((each, position) => (position === flightIndex ? two : [each]));
    return { parts: [{ kind: "replace", flightIndex, with: two.map(requestOf) }], proposed };
  }
  const longer = drawFrom(random, { from: 45, to: 90 }, 5);
  const landing = { ...flight, stops: flight.stops + 1, to: movedBy(flight.to, longer) };
  return revised(booked, flightIndex, {
    parts: [
      { kind: "retime", flightIndex, departureMinutes: 0, arrivalMinutes: longer },
      { kind: "stops", flightIndex, stops: landing.stops },
    ],
    becomes: landing,
  });
}

function otherNumber(random: RandomNumbers, { flightNumber }: TrueFlight): string {
  return String(((Number(flightNumber) + drawFrom(random, { from: 1, to: 900 })) % 9_000) + 1);
}

function requestOf(flight: TrueFlight) {
  return {
    from: flight.from.airport,
    to: flight.to.airport,
    departure: localText(flight.from.at, flight.from.airport),
    arrival: localText(flight.to.at, flight.to.airport),
    carrier: flight.carrier,
    flightNumber: flight.flightNumber,
    operatingCarrier: flight.operator,
    aircraft: flight.aircraft,
    fromTerminal: flight.from.terminal,
    toTerminal: flight.to.terminal,
  };
}

/** What the clocks of an airport show: yyyy-mm-ddThh:mm */
function localText(at: number, airport: string): string {
  return printedIn(findAirport(airport)!.timeZone, at).toISOString().slice(0, 16);
}
