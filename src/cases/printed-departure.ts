import type { Itinerary } from "../itinerary/itinerary.ts";
import { instantRange } from "../itinerary/shifts.ts";

/** A departure by the clock of its airport. */
export interface PrintedDeparture {
  readonly airport: string;
  /** As printed, `yyyy-mm-ddThh:mm`. */
  readonly local: string;
}

/** The flights that a decision was made about. Some are missing in decisions of earlier versions. */
export interface DecidedFlights {
  readonly booked: Itinerary | null;
  readonly proposed: Itinerary | null;
}

/** Returns the flight that leaves at the departure of a case, which is an instant; null if none is known to. */
export function printedDeparture(at: Date | null, { booked, proposed }: DecidedFlights): PrintedDeparture | null {
  if (at === null) return null;
  for (const { departure } of [...(booked?.segments ?? []), ...(proposed?.segments ?? [])]) {
    const { airport, date, time } = departure;
    const leaves = instantRange(departure, "departure");
    if (airport === null || !leaves.known || leaves.value.low !== at.getTime()) continue;
    return { airport, local: `${date}T${time}` };
  }
  return null;
}
