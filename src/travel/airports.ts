import data from "./airports.json" with { type: "json" };

export interface Airport {
  /** IANA time zone, such as `Europe/Lisbon`. */
  readonly zone: string;
  /** ISO 3166-1 alpha-2; empty if unknown. */
  readonly country: string;
  /** Null for codes that are known by their zone only, such as railway stations. */
  readonly position: Position | null;
}

/** Degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The version of the table's data, stored with decisions so that they can be reevaluated. */
export const airportsVersion: string = data.version;

const rows: ReadonlyMap<string, string> = new Map(data.rows.map((row) => [row.slice(0, row.indexOf(" ")), row]));

/** Parsed on demand: a process needs few of the thousands. */
const airports = new Map<string, Airport>();

/** Returns the airport, railway station or city of an IATA code; null if the table does not have it. */
export function airportOf(code: string): Airport | null {
  const known = airports.get(code);
  if (known !== undefined) return known;
  const row = rows.get(code);
  if (row === undefined) return null;
  const airport = parseRow(row);
  airports.set(code, airport);
  return airport;
}

export function airportCodes(): readonly string[] {
  return [...rows.keys()];
}

function parseRow(row: string): Airport {
  const [, zone = "", country = "", latitude, longitude] = row.split(" ");
  const position =
    latitude === undefined || longitude === undefined
      ? null
      : { latitude: Number(latitude), longitude: Number(longitude) };
  return { zone: data.zones[Number(zone)] ?? "", country, position };
}

/** Returns the great-circle distance in kilometres; null if a position is unknown. */
export function distanceKm(from: string, to: string): number | null {
  const a = airportOf(from)?.position;
  const b = airportOf(to)?.position;
  if (!a || !b) return null;
  return earthRadiusKm * centralAngle(a, b);
}

/** The angle between two places as seen from the centre of the earth, in radians. */
export function centralAngle(a: Position, b: Position): number {
  const latitudes = radians(b.latitude - a.latitude);
  const longitudes = radians(b.longitude - a.longitude);
  const h =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(longitudes / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
}

const earthRadiusKm = 6371;

/** Degrees in radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
