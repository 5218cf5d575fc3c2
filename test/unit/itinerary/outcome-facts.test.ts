import { describe, expect, test } from "vitest";
import { type FactsOptions, factValues, itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import { details } from "../../builders/order-view.ts";

const usual = "LIS 07:10 1 FRA 11:20 1";
const later = "LIS 08:10 1 FRA 12:20 1";

describe("backToOriginal", () => {
  const booked = itineraryOf(usual);
  const accepted = itineraryOf(later);
  const history = {
    proposals: [{ proposed: accepted, decidedAt: "2026-12-30T00:00:00Z" }],
    acceptedBefore: false,
    awaiting: null,
    notified: null,
  };

  test.each<[string, string, FactsOptions, boolean]>([
    ["nothing ever changed", usual, {}, false],
    ["others were accepted", `${later} > ${usual}`, { booked, accepted }, true],
    ["others are listed", `${later} > ${usual}`, { booked }, true],
    ["others were proposed before", usual, { history }, true],
    ["others were proposed before, and are listed", later, { history, booked }, false],
    ["they leave a minute beside the booked time", `${later} > LIS 07:11 1 FRA 11:20 1`, { booked, accepted }, false],
  ])("of flights as they are proposed where %s", (_, change, options, backToOriginal) => {
    expect(factValues(change, options)).toMatchObject({ backToOriginal });
  });
});

describe("improvement", () => {
  test.each<[string, string, unknown]>([
    ["the same", "LIS 07:10 1 FRA 11:20 1", false],
    ["an arrival a minute earlier", "LIS 07:10 1 FRA 11:19 1", true],
    ["an arrival a minute later", "LIS 07:10 1 FRA 11:21 1", false],
    ["a later departure alone", "LIS 07:20 1 FRA 11:20 1", false],
    ["a later departure and an earlier arrival", "LIS 07:11 1 FRA 11:19 1", true],
    ["an earlier departure by a minute", "LIS 07:09 1 FRA 11:10 1", false],
    ["another airport", "LIS 07:10 1 HHN 11:10", false],
    ["an arrival that is not known", "LIS 07:20 1 -", "?unknown-arrival"],
  ])("is judged for %s", (_, becomes, improvement) => {
    expect(factValues(`${usual} > ${becomes}`)).toMatchObject({ improvement });
  });

  test("is none with one more stop", () => {
    const stop = details("LIS 07:10 1", "FRA 11:10 1", { FlightDetail: { Stops: { Value: 1 } } });

    expect(factValues({ ...flights(usual), changes: { Segment1: [stop] } })).toMatchObject({ improvement: false });
  });

  test.each([
    ["12:21", true],
    ["12:20", false],
  ])("of an arrival over a connection that leaves at %s, with 15 minutes to spare or not: %s", (time, improvement) => {
    const onwards = `LH2 FRA 15:00 1 CDG 16:15 1 > FRA ${time} 1 CDG 13:40 1`;

    expect(factValues(flights(["LH1 LIS 07:10 1 FRA 10:50 1", onwards]))).toMatchObject({ improvement });
  });

  test("on another date is none, however little it moves", () => {
    const early = "LIS 20:00 FRA 06-15 00:05 > - FRA 06-14 23:55";

    expect(factValues(early)).toMatchObject({ improvement: false, dateChanged: true });
  });
});

describe("cancelled and partly cancelled", () => {
  const back = "LH1172 FRA 06-21 17:30 LIS 19:45";
  const gone = (...keys: string[]) => keys.map((key) => ({ FlightKey: `Flight${key}`, SegmentRefs: `Segment${key}` }));
  const unknown = { cancelled: "?removed-or-unknown", partiallyCancelled: "?removed-or-unknown" };

  test.each([
    [
      "every journey",
      flights(`${usual} > withdrawn`, `${back} > withdrawn`),
      { cancelled: true, partiallyCancelled: false },
    ],
    [
      "no journey, since all are offered at other times",
      {
        ...flights(`${usual} > LIS 07:20 1 FRA 11:20 1`, `${back} > - LIS 06-21 19:55`),
        changedFlights: gone("2"),
      },
      { cancelled: "?cancelled-with-offer", removedFlightCount: 0 },
    ],
    [
      "one of two journeys, while the other is offered at another time",
      flights(`${usual} > LIS 07:20 1 FRA 11:20 1`, `${back} > withdrawn`),
      { cancelled: true, partiallyCancelled: true },
    ],
  ])("%s, as the status says", (_, change, expected) => {
    expect(factValues({ ...change, pnrStatus: "CANCELLED" })).toMatchObject(expected);
  });

  test.each([
    [
      "without new values is removed or unknown",
      flights(usual, `${back} > withdrawn`),
      { ...unknown, removedFlightCount: 1 },
    ],
    [
      "with another flight in its place is not cancelled",
      flights(`${usual} > LH9 LIS 17:10 FRA 21:20`, back),
      { cancelled: false, partiallyCancelled: false, replaced: true },
    ],
  ])("a journey %s", (_, change, expected) => {
    expect(factValues(change)).toMatchObject(expected);
  });
});

test.each(["imported", "status", "notice"] as const)("the baseline is returned as it is given: %s", (baseline) => {
  expect(factValues(usual, { baseline })["baseline"]).toBe(baseline);
});

test("the baseline is unknown when it is not given", () => {
  expect(factValues(usual)["baseline"]).toBe("?not-stated");
});
