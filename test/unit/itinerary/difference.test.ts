import { describe, expect, test } from "@jest/globals";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import {
  differenceBetween,
  type FlightDifference,
  type ItineraryDifference,
} from "../../../src/itinerary/difference.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import {
  aMinorDelay,
  aSegment,
  details,
  flightValues,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

function compareView(options: OrderViewOptions): ItineraryDifference {
  const reading = readOrderView(aMinorDelay(options));
  if (!reading.ok) throw new Error(reading.problem.message);
  const { current, proposed } = readProposal(reading.view, "QX7R2M1A")!;
  return differenceBetween(current, proposed);
}

/** What becomes of LH1167 LIS 07:10 – FRA 11:20. */
function becomes(...elements: Json[]): FlightDifference {
  return compareView({ changes: { Segment1: elements } }).journeys[0]!.flights[0]!;
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
    const { journeys } = compareView({
      changes: { Segment1: [details("LIS 2027-03-14 07:30", "FRA 2027-03-14 11:40")] },
    });

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

  test.each<[string, Json, FlightDifference["action"], readonly string[]]>([
    ["amended for another aircraft", { Equipment: { AircraftCode: "321" } }, "amended", ["aircraftCode"]],
    [
      "amended for another operating carrier",
      { OperatingCarrier: { AirlineID: "EN" } },
      "amended",
      ["operatingCarrier"],
    ],
    [
      "retimed for another date",
      details("LIS 2027-03-15 07:10", "FRA 2027-03-15 11:20"),
      "retimed",
      ["departure.date", "arrival.date"],
    ],
    ["replaced for another number", { MarketingCarrier: { FlightNumber: "8" } }, "replaced", ["marketingFlightNumber"]],
    ["replaced for another airport", details(null, "HHN 2027-03-14 11:20"), "replaced", ["arrival.airport"]],
  ])("calls a flight %s", (_, detail, action, changed) => {
    expect(becomes(detail)).toMatchObject({ action, before: [{ changed }], after: [{ changed }] });
  });

  test("does not mark what one side does not state", () => {
    expect(becomes({ Equipment: { AircraftCode: null } })).toMatchObject({ action: "unchanged" });
  });

  test("marks a time that is no longer known", () => {
    const difference = becomes(details("LIS 2027-03-14 07:30", null));

    expect(difference.after[0]?.changed).toEqual(["departure.time", "arrival.date", "arrival.time"]);
    expect(difference.arrivalShift).toEqual({
      minutes: unknown("unknown-arrival"),
      wallClockMinutes: unknown("unknown-arrival"),
    });
  });

  test("compares several flights for one at their ends; the points between are new", () => {
    const difference = becomes(
      flightValues("LH1167", "LIS 2027-03-14 07:10", "MUC 2027-03-14 11:10"),
      flightValues("LH101", "MUC 2027-03-14 14:10", "FRA 2027-03-14 15:10"),
    );

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
    const { journeys } = compareView({
      changes: {},
      changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }],
    });

    expect(journeys[0]).toMatchObject({
      isChanged: true,
      flights: [{ action: "removed", after: [], departureShift: { minutes: unknown("withdrawn") } }],
    });
  });

  test("shows a flight that was flown, and is not listed any more, as it was booked", () => {
    const { proposed: before } = itinerariesOf(someSegments);
    const { proposed: listed } = itinerariesOf(someSegments.slice(1));
    const actionsAt = (now: string) =>
      differenceBetween(before, listed, { current: listed, now: new Date(now) }).journeys.flatMap(({ flights }) =>
        flights.map(({ action }) => action),
      );

    expect(actionsAt("2027-03-30T00:00:00Z")).toEqual(before.segments.map(() => "unchanged"));
    expect(actionsAt("2027-01-01T00:00:00Z")).toContain("removed");
  });

  test("shows an added flight beside nothing", () => {
    const { proposed } = itinerariesOf([
      ...someSegments,
      aSegment("S3", "XX3", "OPO 2027-03-12 09:00", "LIS 2027-03-12 10:00"),
    ]);
    const { proposed: before } = itinerariesOf(someSegments);

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
    const { departureShift } = becomes(details("LIS 2027-03-28 07:10", "FRA 2027-03-28 11:20"));

    expect(departureShift).toEqual({ minutes: known(14 * 1440 - 60), wallClockMinutes: known(14 * 1440) });
  });

  test("the clocks of two airports are not subtracted", () => {
    expect(becomes(details("OPO 2027-03-14 07:30", null)).departureShift).toEqual({
      minutes: known(20),
      wallClockMinutes: unknown("another-airport"),
    });
  });
});

const someSegments = [aSegment("S1", "XX1", "LIS 2027-03-10 09:00", "OPO 2027-03-10 10:00")];

function itinerariesOf(segments: readonly Json[]) {
  const reading = readOrderView(aMinorDelay({ segments, changes: {} }));
  if (!reading.ok) throw new Error(reading.problem.message);
  return readProposal(reading.view, "QX7R2M1A")!;
}
