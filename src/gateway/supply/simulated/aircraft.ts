import { type Cabin, cabins } from "../offer.ts";
import { drawOne } from "./draw.ts";

export interface SimulatedAircraft {
  /** IATA code. */
  readonly code: string;
  readonly name: string;
  readonly cabins: readonly Cabin[];
}

/** By the longest flight in miles; the first line that reaches far enough counts. */
const fleets: readonly { readonly upTo: number; readonly aircraft: readonly SimulatedAircraft[] }[] = [
  {
    upTo: 350,
    aircraft: [of("AT7", "ATR 72", "Y"), of("E90", "Embraer 190", "Y C"), of("319", "Airbus A319", "Y C")],
  },
  {
    upTo: 1800,
    aircraft: [
      of("320", "Airbus A320", "Y C"),
      of("32N", "Airbus A320neo", "Y C"),
      of("738", "Boeing 737-800", "Y C"),
      of("7M8", "Boeing 737 MAX 8", "Y C"),
    ],
  },
  {
    upTo: 2600,
    aircraft: [of("321", "Airbus A321", "Y C"), of("32Q", "Airbus A321neo", "Y C")],
  },
  {
    upTo: 4800,
    aircraft: [
      of("332", "Airbus A330-200", "Y C"),
      of("333", "Airbus A330-300", "Y W C"),
      of("788", "Boeing 787-8", "Y W C"),
    ],
  },
  {
    upTo: Number.POSITIVE_INFINITY,
    aircraft: [
      of("789", "Boeing 787-9", "Y W C"),
      of("359", "Airbus A350-900", "Y W C"),
      of("351", "Airbus A350-1000", "Y W C"),
      of("77W", "Boeing 777-300ER", "Y W C F"),
    ],
  },
];

const doubleDeck = of("388", "Airbus A380-800", "Y W C F");
const doubleDeckAirlines: ReadonlySet<string> = new Set(["EK", "SQ", "BA", "QF", "LH", "QR", "EY", "KE"]);

/** The same on every day, so that the seat map of a flight stays the same. */
export function aircraftFor(miles: number, airline: string, ...keys: readonly (string | number)[]): SimulatedAircraft {
  const fleet = fleets.find(({ upTo }) => miles <= upTo)?.aircraft ?? [];
  const withDoubleDeck = miles > 4800 && doubleDeckAirlines.has(airline) ? [...fleet, doubleDeck] : fleet;
  return drawOne(withDoubleDeck, "aircraft", airline, ...keys);
}

function of(code: string, name: string, letters: string): SimulatedAircraft {
  return { code, name, cabins: cabins.filter((cabin) => letters.includes(cabin)) };
}
