import { describe, expect, test } from "@jest/globals";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import {
  aMinorDelay,
  aSegment,
  details,
  flightValues,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

function describeView(options: OrderViewOptions): string {
  const reading = readOrderView(aMinorDelay(options));
  if (!reading.ok) throw new Error(reading.problem.message);
  const proposal = readProposal(reading.view, "QX7R2M1A")!;
  const { current: booked, proposed, withdrawnSegmentKeys } = proposal;
  const now = new Date("2027-01-01T00:00:00Z");
  const facts = computeFacts({ booked, accepted: booked, proposal, passengers: reading.view.passengers, now });
  return describeChange({ booked, proposed, facts, withdrawnSegmentKeys });
}

/** What becomes of LH1167 LIS 07:10 – FRA 11:20. */
function becomes(...elements: Json[]): string {
  return describeView({ changes: { Segment1: elements } }).replace("LH1167 LIS–FRA on 2027-03-14 ", "");
}

describe("describeChange", () => {
  test("says when nothing changes", () => {
    expect(describeView({ changes: {} })).toBe("Nothing changes");
  });

  test.each<[string, Json, string]>([
    ["an earlier arrival", details(null, "FRA 2027-03-14 11:05"), "arrives 15 min earlier (11:20 → 11:05)"],
    [
      "another date",
      details("LIS 2027-03-14 22:00", "FRA 2027-03-15 02:10"),
      "leaves 14 h 50 min later (07:10 → 22:00), arrives 14 h 50 min later (2027-03-14 11:20 → 2027-03-15 02:10)",
    ],
    [
      "an unknown arrival",
      details("LIS 2027-03-14 07:30", null),
      "leaves 20 min later (07:10 → 07:30), arrives at an unknown time",
    ],
    ["another airport", details(null, "HHN 2027-03-14 11:20"), "arrives at HHN instead of FRA"],
    ["another carrier", { MarketingCarrier: { AirlineID: "EN", FlightNumber: "8" } }, "becomes EN8, at the same times"],
    [
      "another operating carrier",
      { OperatingCarrier: { AirlineID: "EN" } },
      "is operated by EN instead of LH, at the same times",
    ],
    ["another aircraft alone", { Equipment: { AircraftCode: "321" } }, "changes: aircraft 32B → 321"],
  ])("tells %s", (_, detail, expected) => {
    expect(becomes(detail)).toBe(expected);
  });

  test("tells several flights for one", () => {
    const line = becomes(
      flightValues("LH1793", "LIS 2027-03-14 07:10", "MUC 2027-03-14 11:10"),
      flightValues("LH101", "MUC 2027-03-14 14:10", "FRA 2027-03-14 15:10"),
    );

    expect(line).toBe("is replaced by LH1793 LIS–MUC and LH101 MUC–FRA; arrives 3 h 50 min later (11:20 → 15:10)");
  });

  test("calls a flight withdrawn as long as nobody says that it is cancelled", () => {
    const changedFlights = [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }];

    expect(describeView({ changes: {}, changedFlights })).toBe(
      "LH1167 LIS–FRA on 2027-03-14 is withdrawn, nothing offered",
    );
    expect(describeView({ changes: {}, pnrStatus: "CANCELLED" })).toBe(
      "LH1167 LIS–FRA on 2027-03-14 is cancelled, nothing offered; LH1172 FRA–LIS on 2027-03-21 is cancelled, nothing offered",
    );
  });

  test("tells two flights and counts the others", () => {
    const times = ["07:00", "09:00", "11:00", "13:00"];
    const segments = times.map((time, i) =>
      aSegment(`S${i}`, `XX${i}`, `LIS 2027-03-1${i} ${time}`, `OPO 2027-03-1${i} 15:00`),
    );
    const delays = (count: number) =>
      Object.fromEntries(times.slice(0, count).map((_, i) => [`S${i}`, [details(null, `OPO 2027-03-1${i} 15:01`)]]));
    const first = "XX0 LIS–OPO on 2027-03-10 arrives 1 min later (15:00 → 15:01)";
    const second = "XX1 LIS–OPO on 2027-03-11 arrives 1 min later (15:00 → 15:01)";

    expect(describeView({ segments, changes: delays(2) })).toBe(`${first}; ${second}`);
    expect(describeView({ segments, changes: delays(3) })).toBe(`${first}; ${second}; 1 more flight changes`);
    expect(describeView({ segments, changes: delays(4) })).toBe(`${first}; ${second}; 2 more flights change`);
  });

  test("tells a missed connection", () => {
    const segments = [
      aSegment("S1", "LH1", "LIS 2027-03-14 07:10 1", "FRA 2027-03-14 11:20 1"),
      aSegment("S2", "LH2", "FRA 2027-03-14 13:00 1", "JFK 2027-03-14 16:30 1"),
    ];
    const journeys = [["S1", "S2"]];

    expect(describeView({ segments, journeys, changes: { S1: [details(null, "FRA 2027-03-14 13:00 1")] } })).toMatch(
      /; the connection at FRA is missed$/,
    );
    expect(describeView({ segments, journeys, changes: { S1: [details(null, "HHN 2027-03-14 11:20")] } })).toMatch(
      /; the connection at HHN, FRA may not be made$/,
    );
  });
});
