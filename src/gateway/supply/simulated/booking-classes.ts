import type { Cabin, Flight } from "../offer.ts";
import { draw } from "./draw.ts";

/** The factor compares it with the cheapest fare of economy. */
interface BookingClass {
  readonly rbd: string;
  readonly factor: number;
}

/** Cheapest first. */
const ladder: Readonly<Record<Cabin, readonly BookingClass[]>> = {
  Y: [
    { rbd: "L", factor: 1 },
    { rbd: "K", factor: 1.18 },
    { rbd: "Q", factor: 1.4 },
    { rbd: "H", factor: 1.7 },
    { rbd: "M", factor: 2.1 },
    { rbd: "B", factor: 2.6 },
    { rbd: "Y", factor: 3.2 },
  ],
  W: [
    { rbd: "E", factor: 2.4 },
    { rbd: "P", factor: 3 },
    { rbd: "W", factor: 3.8 },
  ],
  C: [
    { rbd: "Z", factor: 3.9 },
    { rbd: "D", factor: 5.2 },
    { rbd: "C", factor: 6.6 },
  ],
  F: [
    { rbd: "A", factor: 8.5 },
    { rbd: "F", factor: 10.5 },
  ],
};

const factors: ReadonlyMap<string, number> = new Map(
  Object.values(ladder).flatMap((classes) => classes.map(({ rbd, factor }) => [rbd, factor] as const)),
);

/** Compared with the cheapest fare of economy. */
export function factorOf(rbd: string): number {
  return factors.get(rbd) ?? 1;
}

/** As other systems show. */
const seatsShownMax = 9;

/** 0 to 9. Cheap classes close first: few of them are left in the last days. */
export function seatsLeft(
  seed: string,
  flight: Pick<Flight, "carrier" | "flightNumber" | "departure">,
  cabin: Cabin,
  rbd: string,
  daysBefore: number,
): number {
  const classes = ladder[cabin];
  const level = classes.findIndex((candidate) => candidate.rbd === rbd);
  if (level < 0) return 0;
  const { carrier, flightNumber, departure } = flight;
  // From 0, empty, to 1, full.
  const demand = draw(seed, "demand", carrier, flightNumber, departure.date, cabin);
  const closed = 1 - Math.min(1, daysBefore / 60);
  const openness = 1.35 + level / classes.length - demand - closed;
  return Math.max(0, Math.min(seatsShownMax, Math.floor(openness * seatsShownMax)));
}

/** With a seat for everybody; null if the cabin is full. */
export function cheapestClass(
  seed: string,
  flight: Pick<Flight, "carrier" | "flightNumber" | "departure">,
  cabin: Cabin,
  seats: number,
  daysBefore: number,
): { readonly rbd: string; readonly seatsLeft: number } | null {
  for (const { rbd } of ladder[cabin]) {
    const left = seatsLeft(seed, flight, cabin, rbd, daysBefore);
    if (left >= seats) return { rbd, seatsLeft: left };
  }
  return null;
}
