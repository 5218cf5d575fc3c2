import { describe, expect, test } from "vitest";
import {
  differenceBetween,
  type FlightDifference,
  type ItineraryDifference,
} from "../../../src/itinerary/difference.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import type { Json, OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

function compareView(options: OrderViewOptions): ItineraryDifference {
  const { current, proposed } = aProposedChange(options).proposal;
  return differenceBetween(current, proposed);
}

const back = "LH1172 FRA 03-21 17:30 LIS 19:45";

/** What becomes of LH1167 LIS 07:10 – FRA 11:20 on 14 March. */
function becomes(change: Json | string): FlightDifference {
  const options =
    typeof change === "string"
      ? flights(`LIS 03-14 07:10 FRA 11:20 > ${change}`, back)
      : { changes: { Segment1: [change] } };
  return compareView(options).journeys[0]!.flights[0]!;
}

describe("the difference between two itineraries", () => {
  test("is empty between an itinerary and itself", () => {
    const { journeys } = compareView({ changes: {} });

    expect(journeys.map(({ isChanged }) => isChanged)).toEqual([false, false]);
    expect(journeys.flatMap(({ flights }) => flights)).toMatchObject([
      { action: "unchanged", before: [{ changed: [] }], after: [{ changed: [] }] },
      { action: "unchanged", before: [{ changed: [] }], after: [{ changed: [] }] },
    ]);
  });

  test("marks the members that differ on both sides, journey by journey", () => {
    const { journeys } = compareView(flights("LIS 03-14 07:10 FRA 11:20 > LIS 07:30 FRA 11:40", back));

    expect(journeys).toMatchObject([
      {
        origin: "LIS",
        destination: "FRA",
        isChanged: true,
        departureShift: { minutes: known(20), wallClockMinutes: known(20) },
        flights: [
          {
            action: "retimed",
            before: [{ flight: { departure: { time: "07:10" } }, changed: ["departure.time", "arrival.time"] }],
            after: [{ flight: { departure: { time: "07:30" } }, changed: ["departure.time", "arrival.time"] }],
          },
        ],
      },
      { origin: "FRA", destination: "LIS", isChanged: false, departureShift: { minutes: known(0) } },
    ]);
  });

  const operatedBy = (AirlineID: string) => ({ OperatingCarrier: { AirlineID } });

  test.each<[string, Json | string, FlightDifference["action"], readonly string[]]>([
    ["amended for another aircraft", { Equipment: { AircraftCode: "321" } }, "amended", ["aircraftCode"]],
    ["amended for another operating carrier", operatedBy("EN"), "amended", ["operatingCarrier"]],
    ["retimed for another date", "LIS 03-15 07:10 FRA 11:20", "retimed", ["departure.date", "arrival.date"]],
    ["replaced for another number", { MarketingCarrier: { FlightNumber: "8" } }, "replaced", ["marketingFlightNumber"]],
    ["replaced for another airport", "- HHN 11:20", "replaced", ["arrival.airport"]],
  ])("calls a flight %s", (_, detail, action, changed) => {
    expect(becomes(detail)).toMatchObject({ action, before: [{ changed }], after: [{ changed }] });
  });

  test("does not mark what one side does not state", () => {
    expect(becomes({ Equipment: { AircraftCode: null } })).toMatchObject({ action: "unchanged" });
  });

  test("marks a time that is no longer known", () => {
    const difference = becomes("LIS 07:30 -");

    expect(difference.after[0]?.changed).toEqual(["departure.time", "arrival.date", "arrival.time"]);
    expect(difference.arrivalShift).toEqual({
      minutes: unknown("unknown-arrival"),
      wallClockMinutes: unknown("unknown-arrival"),
    });
  });

  test("compares several flights for one at their ends; the points between are new", () => {
    const difference = becomes("LH1167 LIS 07:10 MUC 11:10 + LH101 MUC 14:10 FRA 15:10");

    expect(difference).toMatchObject({
      action: "replaced-by-several",
      departureShift: { minutes: known(0) },
      arrivalShift: { minutes: known(230) },
      after: [
        { changed: ["arrival.airport", "arrival.date", "arrival.time"] },
        { changed: ["marketingFlightNumber", "departure.airport", "departure.date", "departure.time", "arrival.time"] },
      ],
    });
  });

  test("shows a withdrawn flight beside nothing", () => {
    const { journeys } = compareView(flights("LIS 03-14 07:10 FRA 11:20 > withdrawn", back));

    expect(journeys[0]).toMatchObject({
      isChanged: true,
      flights: [{ action: "removed", after: [], departureShift: { minutes: unknown("withdrawn") } }],
    });
  });

  test("shows a flight that was flown, and is not listed any more, as it was booked", () => {
    const before = itineraryOf("XX1 LIS 03-10 09:00 OPO 10:00");
    const listed = itineraryOf({ segments: [], changes: {} });
    const actionsAt = (now: string) =>
      differenceBetween(before, listed, { current: listed, now: new Date(now) }).journeys.flatMap(({ flights }) =>
        flights.map(({ action }) => action),
      );

    expect(actionsAt("2027-03-30T00:00:00Z")).toEqual(before.segments.map(() => "unchanged"));
    expect(actionsAt("2027-01-01T00:00:00Z")).toContain("removed");
  });

  test("shows an added flight beside nothing", () => {
    const before = itineraryOf("XX1 LIS 03-10 09:00 OPO 10:00");
    const proposed = itineraryOf(flights("XX1 LIS 03-10 09:00 OPO 10:00", "XX3 OPO 03-12 09:00 LIS 10:00"));

    expect(differenceBetween(before, proposed).journeys.flatMap(({ flights }) => flights)).toMatchObject([
      { action: "unchanged" },
      {
        action: "added",
        before: [],
        departureShift: { minutes: unknown("added"), wallClockMinutes: unknown("added") },
      },
    ]);
  });

  test("shifts by instants and by the clock differ where the clocks change in between", () => {
    // Lisbon goes to summer time on 28 March 2027.
    const { departureShift } = becomes("LIS 03-28 07:10 FRA 11:20");

    expect(departureShift).toEqual({ minutes: known(14 * 1440 - 60), wallClockMinutes: known(14 * 1440) });
  });

  test("the clocks of two airports are not subtracted", () => {
    expect(becomes("OPO 07:30 -").departureShift).toEqual({
      minutes: known(20),
      wallClockMinutes: unknown("another-airport"),
    });
  });
});
