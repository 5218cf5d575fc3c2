import { airportOf, type Position } from "../travel/airports.ts";
import names from "./supply/simulated/airport-names.json" with { type: "json" };

/** An airport that simulated airlines serve. */
export interface Airport extends Position {
  readonly code: string;
  readonly name: string;
  /** IANA zone. */
  readonly timeZone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

const airports: ReadonlyMap<string, Airport> = new Map(
  names.rows.map((row) => {
    const code = row.slice(0, 3);
    const { zone, country, position } = airportOf(code)!;
    return [code, { code, name: row.slice(4), timeZone: zone, country, ...position! }];
  }),
);

/** In alphabetical order. */
export const airportCodes: readonly string[] = [...airports.keys()];

export function findAirport(code: string): Airport | null {
  return airports.get(code) ?? null;
}
