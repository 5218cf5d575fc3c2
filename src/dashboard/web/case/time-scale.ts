import type { CaseView } from "../api/responses.ts";

export type JourneyTimes = NonNullable<CaseView["journeyTimes"]>[number];
export type TimedFlights = JourneyTimes["booked"];
type Connection = TimedFlights["connections"][number];

export interface Bar {
  readonly flight: TimedFlights["flights"][number];
  /** In percent of the axis. Null if a time is unknown, and the flight has no place on the axis. */
  readonly from: number | null;
  readonly width: number;
}

export interface Gap {
  readonly connection: Connection;
  readonly from: number;
  readonly width: number;
}

/** The flights of a journey from left to right, as booked or as proposed. */
export interface Row {
  readonly bars: readonly Bar[];
  /** Between bars that both have a place. */
  readonly gaps: readonly Gap[];
}

/** Both rows on one axis, which begins with the first known departure and ends with the last known arrival. */
export function placeOnAxis({ booked, proposed }: JourneyTimes): { readonly booked: Row; readonly proposed: Row } {
  const instants = [booked, proposed].flatMap(({ flights }) =>
    flights.flatMap(({ departure, arrival }) => [instantOf(departure.at), instantOf(arrival.at)]),
  );
  const known = instants.filter((instant) => instant !== null);
  const start = Math.min(...known);
  const span = Math.max(...known) - start;
  const scale = (instant: number): number => (span <= 0 ? 0 : ((instant - start) / span) * 100);
  return { booked: rowOf(booked, scale), proposed: rowOf(proposed, scale) };
}

function rowOf({ flights, connections }: TimedFlights, scale: (instant: number) => number): Row {
  const placed = flights.map((flight) => {
    const leaves = instantOf(flight.departure.at);
    const arrives = instantOf(flight.arrival.at);
    if (leaves === null || arrives === null || arrives < leaves) return { flight, from: null, width: 0 };
    return { flight, from: scale(leaves), width: scale(arrives) - scale(leaves) };
  });
  const gaps = connections.flatMap((connection, position) => {
    const [before, after] = [placed[position], placed[position + 1]];
    if (before?.from == null || after?.from == null) return [];
    const end = before.from + before.width;
    return [{ connection, from: Math.min(end, after.from), width: Math.abs(after.from - end) }];
  });
  return { bars: placed, gaps };
}

function instantOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
