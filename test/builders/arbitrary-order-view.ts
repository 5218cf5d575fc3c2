import fc from "fast-check";
import { aMinorDelay, type Json } from "./order-view.ts";

/**
 * Airports whose clocks do odd things, and one that no table has: summer time in both halves of the year and of half an
 * hour (LDH), zones of half hours and quarters, both sides of the date line.
 */
const airports = ["LIS", "FRA", "JFK", "LHR", "YYT", "KTM", "LDH", "AKL", "HNL", "GZA", "CMN", "MEX", "QQQ"];

/** Airports whose clocks do not change between 2025 and 2030. */
export const steadyAirports = ["NRT", "SIN", "DXB", "KTM", "HNL", "BLR", "PHX", "BNE"];

const date = fc
  .integer({ min: 0, max: 6 * 365 })
  .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10));
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));

function point(codes: readonly string[], requiredKeys: ("AirportCode" | "Date" | "Time")[]) {
  return fc.record(
    {
      AirportCode: fc.constantFrom(...codes),
      Date: date,
      Time: time,
      Terminal: fc.constantFrom({ Name: "" }, { Name: "1" }, { Name: "2" }),
    },
    { requiredKeys },
  );
}

const carrier = fc.record({
  AirlineID: fc.constantFrom("LH", "AA", "QF"),
  Name: fc.constant("Example Air"),
  FlightNumber: fc.constantFrom("1", "22", "333"),
});

const flightDetail = fc.record(
  {
    FlightDuration: fc.record({ Value: fc.constantFrom("", "3 H 50 M", "1 Hrs 0 Min", "95", "soon") }),
    Stops: fc.record({ Value: fc.integer({ min: 0, max: 2 }) }),
    AirMilesFlown: fc.integer({ min: 0, max: 9000 }),
  },
  { requiredKeys: [] },
);

function flight(codes: readonly string[], requiredKeys: ("Departure" | "Arrival" | "MarketingCarrier")[]) {
  const isPartial = requiredKeys.length === 0;
  const end = point(codes, isPartial ? [] : ["AirportCode", "Date", "Time"]);
  return fc.record(
    {
      Departure: isPartial ? fc.option(end) : end,
      Arrival: isPartial ? fc.option(end) : end,
      MarketingCarrier: carrier,
      OperatingCarrier: fc.option(carrier),
      Equipment: fc.record({ AircraftCode: fc.constantFrom("320", "32B", "AT7", "388") }),
      Code: fc.record({ MarriageGroup: fc.constantFrom("", "1", "2") }),
      FlightDetail: flightDetail,
      BrandId: fc.constantFrom("", "BASIC", "FLEX"),
    },
    { requiredKeys },
  );
}

/** Order views in the wire format, whole and well-formed, yet with any flights, changes, travellers and states. */
export function anyOrderView(codes: readonly string[] = airports): fc.Arbitrary<Json> {
  return fc
    .record({
      segments: fc.array(flight(codes, ["Departure", "Arrival", "MarketingCarrier"]), { minLength: 1, maxLength: 4 }),
      changes: fc.array(fc.option(fc.array(flight(codes, []), { maxLength: 3 })), { maxLength: 4 }),
      breaks: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      pnrStatus: fc.constantFrom("CONFIRMED", "SCHEDULE CHANGED", "CANCELLED", ""),
      passengers: fc.array(
        fc.record(
          { PTC: fc.constantFrom("ADT", "CHD", "INF", "???"), BirthDate: fc.option(date) },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
      ticketed: fc.boolean(),
      isWithdrawn: fc.boolean(),
    })
    .map(({ segments, changes, breaks, passengers, isWithdrawn, ...options }) => {
      const keyed = segments.map((segment, i) => ({ SegmentKey: `Segment${i + 1}`, ...segment }));
      const journeys = keyed.reduce<string[][]>((found, { SegmentKey }, i) => {
        if (found.length === 0 || breaks[i] === true) found.push([SegmentKey]);
        else found.at(-1)!.push(SegmentKey);
        return found;
      }, []);
      return aMinorDelay({
        ...options,
        passengers,
        segments: keyed,
        journeys,
        changes: Object.fromEntries(
          changes.flatMap((details, i) => (details === null ? [] : [[`Segment${i + 1}`, details]])),
        ),
        ...(isWithdrawn ? { changedFlights: [{ FlightKey: "Flight1" }] } : {}),
      });
    });
}

/** The same with up to eight values at any place replaced by something that does not belong there, or taken away. */
export function anyBrokenOrderView(): fc.Arbitrary<Json> {
  const replacement = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      "",
      0,
      -1,
      1e21,
      true,
      [],
      {},
      "2027-02-30",
      "25:61",
      "NA",
      "Segment1",
      "__proto__",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc
    .tuple(anyOrderView(), fc.array(fc.tuple(fc.nat(), replacement), { maxLength: 8 }))
    .map(([view, replacements]) => {
      const broken = structuredClone(view);
      for (const [choice, value] of replacements) {
        const places = [...placesIn(broken)];
        const [parent, key] = places[choice % places.length]!;
        parent[key] = value;
      }
      return broken;
    });
}

function* placesIn(value: unknown): Iterable<readonly [Json, string]> {
  if (value === null || typeof value !== "object") return;
  for (const [key, member] of Object.entries(value)) {
    yield [value as Json, key];
    yield* placesIn(member);
  }
}
