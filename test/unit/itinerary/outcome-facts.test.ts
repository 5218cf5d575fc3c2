import { describe, expect, test } from "@jest/globals";
import { factValues, itineraryOf, oneFlight } from "../../builders/fact-values.ts";
import { aSegment, details, flightValues, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

const departure = "LIS 2027-06-14 07:10 1";
const arrival = "FRA 2027-06-14 11:20 1";
const usual = oneFlight(departure, arrival);
const later = oneFlight("LIS 2027-06-14 08:10 1", "FRA 2027-06-14 12:20 1");
const backAgain = { Segment1: [details(departure, arrival)] };

describe("backToOriginal", () => {
  test("is not said where nothing ever changed", () => {
    expect(factValues(usual)["backToOriginal"]).toBe(false);
  });

  test("holds when others were accepted, or are listed, and the booked flights are proposed", () => {
    const view = { ...later, changes: backAgain };

    expect(factValues(view, { booked: itineraryOf(usual), accepted: itineraryOf(later) })["backToOriginal"]).toBe(true);
    expect(factValues(view, { booked: itineraryOf(usual) })["backToOriginal"]).toBe(true);
  });

  test("holds when others were proposed before", () => {
    const history = {
      proposals: [{ proposed: itineraryOf(later), decidedAt: "2026-12-30T00:00:00Z" }],
      acceptedBefore: false,
      awaiting: null,
      notified: null,
    };

    expect(factValues(usual, { history })["backToOriginal"]).toBe(true);
    expect(factValues(later, { history, booked: itineraryOf(usual) })["backToOriginal"]).toBe(false);
  });

  test("does not hold a minute beside the booked time", () => {
    const view = { ...later, changes: { Segment1: [details("LIS 2027-06-14 07:11 1", arrival)] } };

    expect(factValues(view, { booked: itineraryOf(usual), accepted: itineraryOf(later) })["backToOriginal"]).toBe(
      false,
    );
  });
});

describe("improvement", () => {
  const becomes = (detail: Json, now?: string) =>
    factValues(oneFlight(departure, arrival, detail), now === undefined ? {} : { now })["improvement"];

  test.each<[string, Json, unknown]>([
    ["the same", details(departure, arrival), false],
    ["an arrival a minute earlier", details(departure, "FRA 2027-06-14 11:19 1"), true],
    ["an arrival a minute later", details(departure, "FRA 2027-06-14 11:21 1"), false],
    ["a later departure alone", details("LIS 2027-06-14 07:20 1", arrival), false],
    ["a later departure and an earlier arrival", details("LIS 2027-06-14 07:11 1", "FRA 2027-06-14 11:19 1"), true],
    ["an earlier departure by a minute", details("LIS 2027-06-14 07:09 1", "FRA 2027-06-14 11:10 1"), false],
    ["another airport", details(departure, "HHN 2027-06-14 11:10"), false],
    ["an arrival that is not known", details("LIS 2027-06-14 07:20 1", null), "?unknown-arrival"],
    ["one more stop", details(departure, "FRA 2027-06-14 11:10 1", { FlightDetail: { Stops: { Value: 1 } } }), false],
  ])("is judged for %s", (_, detail, expected) => {
    expect(becomes(detail)).toBe(expected);
  });

  test.each([
    ["12:21", true],
    ["12:20", false],
  ])(
    "an earlier arrival over a connection that leaves at %s, with 15 minutes to spare or not: %s",
    (time, expected) => {
      const over = (leaves: string, arrives: string): OrderViewOptions => ({
        segments: [
          aSegment("S1", "LH1", departure, "FRA 2027-06-14 10:50 1"),
          aSegment("S2", "LH2", `FRA 2027-06-14 ${leaves} 1`, `CDG 2027-06-14 ${arrives} 1`),
        ],
        journeys: [["S1", "S2"]],
        changes: { S2: [details(`FRA 2027-06-14 ${time} 1`, "CDG 2027-06-14 13:40 1")] },
      });

      expect(factValues(over("15:00", "16:15"))["improvement"]).toBe(expected);
    },
  );

  test("on another date is none, however little it moves", () => {
    const early = oneFlight("LIS 2027-06-14 20:00", "FRA 2027-06-15 00:05", details(null, "FRA 2027-06-14 23:55"));

    expect(factValues(early)).toMatchObject({ improvement: false, dateChanged: true });
  });
});

describe("cancelled and partly cancelled", () => {
  const twoJourneys = [
    aSegment("Segment1", "LH1167", departure, arrival),
    aSegment("Segment2", "LH1172", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45"),
  ];
  const gone = (...keys: string[]) => keys.map((key) => ({ FlightKey: `Flight${key}`, SegmentRefs: `Segment${key}` }));

  test.each<[string, string[], Record<string, unknown>]>([
    ["every journey", ["1", "2"], { cancelled: true, partiallyCancelled: false }],
    [
      "no journey, since all are offered at other times",
      ["2"],
      { cancelled: "?cancelled-with-offer", removedFlightCount: 0 },
    ],
  ])("%s, as the status says", (_, keys, expected) => {
    const changes: Readonly<Record<string, Json[]>> =
      keys.length === 2
        ? {}
        : { Segment1: [details("LIS 2027-06-14 07:20 1", arrival)], Segment2: [details(null, "LIS 2027-06-21 19:55")] };

    expect(
      factValues({ segments: twoJourneys, pnrStatus: "CANCELLED", changes, changedFlights: gone(...keys) }),
    ).toMatchObject(expected);
  });

  test("one of two journeys, while the other is offered at another time", () => {
    const changes = { Segment1: [details("LIS 2027-06-14 07:20 1", arrival)] };

    expect(
      factValues({ segments: twoJourneys, pnrStatus: "CANCELLED", changes, changedFlights: gone("1", "2") }),
    ).toMatchObject({ cancelled: true, partiallyCancelled: true });
  });

  test("a journey without new values is removed or unknown, and the other remains", () => {
    expect(factValues({ segments: twoJourneys, changedFlights: gone("2"), changes: {} })).toMatchObject({
      cancelled: "?removed-or-unknown",
      partiallyCancelled: "?removed-or-unknown",
      removedFlightCount: 1,
    });
  });

  test("a journey with another flight in its place is not cancelled", () => {
    const replaced = flightValues("LH9", "LIS 2027-06-14 17:10", "FRA 2027-06-14 21:20");

    expect(factValues({ segments: twoJourneys, changes: { Segment1: [replaced] } })).toMatchObject({
      cancelled: false,
      partiallyCancelled: false,
      replaced: true,
    });
  });
});

describe("baseline", () => {
  test.each(["imported", "status", "notice"] as const)("is returned as it is given: %s", (baseline) => {
    expect(factValues(usual, { baseline })["baseline"]).toBe(baseline);
  });

  test("is unknown when it is not given", () => {
    expect(factValues(usual)["baseline"]).toBe("?not-stated");
  });
});
