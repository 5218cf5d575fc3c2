import { aSegment, details, flightValues, type Json, type OrderViewOptions } from "./order-view.ts";

/**
 * An order view with these flights. A flight is a line with its two ends, as `aPoint` reads them, and LH1167 unless it has
 * a number; behind `>` stands what becomes of it. Each line is a journey of its own, and a list of lines is one journey.
 *
 * - `LIS 07:10 FRA 11:20`: nothing becomes of it
 * - `LIS 07:10 FRA 11:20 > LIS 07:30 FRA 11:40`: other times; `-` in place of a point leaves it out
 * - `LIS 07:10 FRA 11:20 > LH1 LIS 07:10 MUC 11:10 + LH2 MUC 13:10 FRA 14:10`: other flights, with all their values
 * - `LIS 07:10 FRA 11:20 > withdrawn`: it is named as changed, without new values
 *
 * A date that is left out is that of the departure before it, and of the first one 14 June 2027. The segments have the keys
 * Segment1, Segment2 and so on.
 */
export function flights(...journeys: readonly (string | readonly string[])[]): OrderViewOptions {
  const read = flightReader();
  let count = 0;
  const keyed = journeys.map((lines) =>
    (typeof lines === "string" ? [lines] : lines).map((line) => ({ key: `Segment${++count}`, ...read(line) })),
  );
  const all = keyed.flat();
  const changed = all.flatMap(({ key, becomes }) => (becomes === null ? [] : [{ key, becomes }]));
  const options = {
    segments: all.map(({ key, segment }) => ({ ...segment, SegmentKey: key })),
    journeys: keyed.map((journey) => journey.map(({ key }) => key)),
    changes: Object.fromEntries(changed.flatMap(({ key, becomes }) => (becomes.length === 0 ? [] : [[key, becomes]]))),
  };
  if (changed.every(({ becomes }) => becomes.length > 0)) return options;
  const flightKeyOf = (key: string) => `Flight${options.journeys.findIndex((keys) => keys.includes(key)) + 1}`;
  return {
    ...options,
    changedFlights: changed.map(({ key }) => ({ FlightKey: flightKeyOf(key), SegmentRefs: key })),
  };
}

const point = String.raw`[A-Z]{3}(?: [\d-]+)? \d\d:\d\d(?: [A-Z\d]{1,2})?`;
const twoPoints = new RegExp(String.raw`^(?:([A-Z\d]{2}\d+) )?(-|${point}) (-|${point})$`);

/** Reads lines one after the other, because a line may leave out the date of the one before it. */
function flightReader() {
  let date = "2027-06-14";

  function readPoints(text: string) {
    const [, name, departure = "", arrival = ""] = twoPoints.exec(text) ?? [];
    if (arrival === "") throw new Error(`"${text}" is no flight.`);
    date = / ([\d-]{5,}) /.exec(departure)?.[1] ?? date;
    return { name, departure: dated(departure), arrival: dated(arrival) };
  }

  function dated(end: string): string | null {
    return end === "-" ? null : end.replace(/^(...) (?=\d\d:)/, `$1 ${date} `);
  }

  function readNewValues(text: string): Json {
    const { name, departure, arrival } = readPoints(text);
    return name === undefined ? details(departure, arrival) : flightValues(name, departure!, arrival!);
  }

  /** What becomes of it is null where nothing does, and empty where it is withdrawn. */
  return (line: string): { segment: Json; becomes: readonly Json[] | null } => {
    const [booked = "", after] = line.split(" > ");
    const { name = "LH1167", departure, arrival } = readPoints(booked);
    const segment = aSegment("", name, departure!, arrival!);
    if (after === undefined) return { segment, becomes: null };
    return { segment, becomes: after === "withdrawn" ? [] : after.split(" + ").map(readNewValues) };
  };
}
