import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { describeChange, describeOtherFlights } from "../../../src/itinerary/describe.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
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
  return describeProposal(readProposal(reading.view, "QX7R2M1A")!);
}

function describeProposal(proposal: Proposal, booked = proposal.current, accepted = booked): string {
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const now = new Date("2027-01-01T00:00:00Z");
  const facts = computeFacts({ booked, accepted, proposal, passengers: [], gateway: interfaceDocument, now });
  return describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys });
}

const noFlights = { segments: [], journeys: [] };

function aProposal(): Proposal {
  const reading = readOrderView(aMinorDelay({}));
  if (!reading.ok) throw new Error(reading.problem.message);
  return readProposal(reading.view, "QX7R2M1A")!;
}

const flight = "LH1167 LIS-FRA on 14 Mar 2027";

/** What becomes of LH1167 LIS 07:10 – FRA 11:20. */
function becomes(...elements: Json[]): string {
  return describeView({ changes: { Segment1: elements } })
    .replace(`${flight} `, "")
    .replace(" Nothing else changes.", "");
}

describe("describeChange", () => {
  test("says what changes, and that nothing else does", () => {
    expect(describeView({})).toBe(
      "LH1167 LIS-FRA on 14 Mar 2027 leaves 20 min later, 07:30, and arrives 11:40. Nothing else changes.",
    );
  });

  test("says that nothing is known where no flight is stated on either side", () => {
    const proposal = { ...aProposal(), current: noFlights, proposed: noFlights };

    expect(describeProposal(proposal, noFlights)).toBe("What changes is not known: no flight is stated.");
  });

  test("says when nothing changes", () => {
    const flags = { Accept: "N", Cancel: "N", ReSchedule: "N" };

    expect(describeView({ changes: {}, flags, scheduleChangeStatus: "Accepted" })).toBe("Nothing changes.");
  });

  test.each<[string, OrderViewOptions]>([
    ["the flags allow an action", {}],
    ["the status says so", { flags: { Accept: "N", Cancel: "N", ReSchedule: "N" }, scheduleChangeStatus: "Initiated" }],
  ])("does not say that nothing changes while a change is open, because %s", (_, options) => {
    expect(describeView({ changes: {}, ...options })).toBe(
      "A change is open, but no difference from the booked flights is found.",
    );
  });

  describe("of what only the proposal states", () => {
    const segments = [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20")];
    const leaving = (departure: string, arrival: string, more: Json = {}) =>
      describeView({ segments, changes: { Segment1: [{ ...details(departure, arrival), ...more }] } });
    const retimed = `${flight} leaves 20 min later, 07:30, and arrives 11:40.`;

    test("names a terminal, beside other changes and alone", () => {
      expect(leaving("LIS 2027-03-14 07:30 2", "FRA 2027-03-14 11:40")).toBe(
        `${retimed} Terminal 2 at LIS is now stated. Nothing else changes.`,
      );
      expect(leaving("LIS 2027-03-14 07:10 2", "FRA 2027-03-14 11:20 1")).toBe(
        "Terminal 2 at LIS is now stated. Terminal 1 at FRA is now stated. Nothing else is known to change.",
      );
    });

    test("only says that nothing else is known to change where there is much of it", () => {
      const unstated = [
        aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", { Equipment: null }),
      ];
      const changes = {
        Segment1: [
          {
            ...details("LIS 2027-03-14 07:30 2", "FRA 2027-03-14 11:40 1"),
            Equipment: { AircraftCode: "321", Name: "" },
          },
        ],
      };

      expect(describeView({ segments: unstated, changes })).toBe(`${retimed} Nothing else is known to change.`);
    });
  });

  test.each<[string, Json, string]>([
    [
      "an earlier arrival alone",
      details(null, "FRA 2027-03-14 11:05"),
      "arrives 15 min earlier, 11:05. It is an improvement.",
    ],
    [
      "a later departure alone",
      details("LIS 2027-03-14 07:11", "FRA 2027-03-14 11:20"),
      "leaves 1 min later, 07:11, and arrives 11:20 as booked.",
    ],
    [
      "an arrival that moves by another amount",
      details("LIS 2027-03-14 07:30", "FRA 2027-03-14 12:20"),
      "leaves 20 min later, 07:30, and arrives 60 min later, 12:20.",
    ],
    [
      "hours as such, and the day after the departure",
      details("LIS 2027-03-14 22:00", "FRA 2027-03-15 02:10"),
      "leaves 14 h 50 min later, 22:00, and arrives 02:10 (+1).",
    ],
    [
      "an arrival that moves to the day before",
      details(null, "FRA 2027-03-13 23:50"),
      "arrives 11 h 30 min earlier, 23:50 (-1).",
    ],
    [
      "another date alone",
      details("LIS 2027-03-15 07:10", "FRA 2027-03-15 11:20"),
      "leaves 1 day later, 07:10 on 15 Mar 2027, and arrives 11:20.",
    ],
    [
      "whole days across a change of the clocks",
      details("LIS 2027-03-28 07:10", "FRA 2027-03-28 11:20"),
      "leaves 14 days later, 07:10 on 28 Mar 2027, and arrives 11:20. The next journey leaves FRA 6 days 16 h 50 min before they arrive.",
    ],
    [
      "a time that occurs twice",
      details("LIS 2027-10-31 01:30", "FRA 2027-10-31 05:40"),
      "leaves at 01:30 on 31 Oct 2027 instead of 07:10, and arrives 230 days 18 h 20 min later, 05:40. The next journey leaves FRA 223 days 12 h 10 min before they arrive.",
    ],
    ["another airport at the same moment", details(null, "HHN 2027-03-14 11:20"), "arrives at HHN instead of FRA."],
    [
      "another airport at another time",
      details("OPO 2027-03-14 07:00", "FRA 2027-03-14 11:10"),
      "leaves 10 min earlier, 07:00, from OPO instead of LIS, and arrives 11:10.",
    ],
    ["an unknown airport", details(null, "QQX 2027-03-14 11:20"), "arrives at QQX instead of FRA."],
    ["another number", { MarketingCarrier: { FlightNumber: "1169" } }, "becomes LH1169."],
    ["another carrier", { MarketingCarrier: { AirlineID: "EN", FlightNumber: "8" } }, "becomes EN8."],
    [
      "another number and other times",
      { MarketingCarrier: { FlightNumber: "1169" }, ...details("LIS 2027-03-14 07:30", "FRA 2027-03-14 11:40") },
      "becomes LH1169, leaves 20 min later, 07:30, and arrives 11:40.",
    ],
    ["another operating carrier", { OperatingCarrier: { AirlineID: "EN" } }, "is operated by EN instead of LH."],
    ["another aircraft", { Equipment: { AircraftCode: "321" } }, "is flown with aircraft 321 instead of 32B."],
    ["a stop on the way", { FlightDetail: { Stops: { Value: 1 } } }, "makes 1 stop instead of 0."],
  ])("describes %s", (_, detail, expected) => {
    expect(becomes(detail)).toBe(expected);
  });

  test("describes another terminal with the end that it belongs to", () => {
    const segments = [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10 1", "FRA 2027-03-14 11:20 1")];
    const changes = { Segment1: [details("LIS 2027-03-14 07:30 2", "FRA 2027-03-14 11:40 2")] };

    expect(describeView({ segments, changes })).toBe(
      `${flight} leaves 20 min later, 07:30, from terminal 2 instead of 1, and arrives 11:40, at terminal 2 instead of 1. Nothing else changes.`,
    );
  });

  test("claims nothing about an arrival that is not stated", () => {
    expect(describeView({ changes: { Segment1: [details("LIS 2027-03-14 07:30", null)] } })).toBe(
      `${flight} leaves 20 min later, 07:30, and arrives at a time that is not stated. Nothing else is known to change.`,
    );
  });

  test("does not say that nothing changes when that is not known", () => {
    const changedFlights = [{ FlightKey: "Flight9" }];

    expect(describeView({ changes: {}, changedFlights })).toBe("Nothing is known to change.");
  });

  test("describes several flights in place of one", () => {
    const line = becomes(
      flightValues("LH1793", "LIS 2027-03-14 07:10", "MUC 2027-03-14 11:10"),
      flightValues("LH101", "MUC 2027-03-14 14:10", "FRA 2027-03-14 15:10"),
    );

    expect(line).toBe(
      "is replaced by LH1793 LIS-MUC and LH101 MUC-FRA: arrives 3 h 50 min later, 15:10. Nothing else is known to change.",
    );
  });

  test("describes several flights in place of one that leave and arrive when it did", () => {
    const line = becomes(
      flightValues("LH1793", "LIS 2027-03-14 07:10", "MUC 2027-03-14 09:10"),
      flightValues("LH101", "MUC 2027-03-14 10:20", "FRA 2027-03-14 11:20"),
    );

    expect(line).toMatch(/^is replaced by LH1793 LIS-MUC and LH101 MUC-FRA: leaves and arrives as booked\./);
  });

  test("calls a flight withdrawn as long as nobody says that it is cancelled", () => {
    const changedFlights = [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }];

    expect(describeView({ changes: {}, changedFlights })).toBe(
      `${flight} is withdrawn; nothing is offered in its place. Nothing else changes.`,
    );
    expect(describeView({ changes: {}, pnrStatus: "CANCELLED" })).toBe(
      `${flight} is cancelled; nothing is offered in its place. LH1172 FRA-LIS on 21 Mar 2027 is cancelled; nothing is offered in its place.`,
    );
  });

  test("says that a flight is no longer listed where nobody withdraws it", () => {
    const outbound = aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20");
    const reading = readOrderView(aMinorDelay({ segments: [outbound], changes: {} }));
    if (!reading.ok) throw new Error(reading.problem.message);
    const listed = readProposal(reading.view, "QX7R2M1A")!;

    expect(describeProposal(listed, aProposal().current)).toBe(
      "LH1172 FRA-LIS on 21 Mar 2027 is no longer listed; nothing is offered in its place. Nothing else changes.",
    );
  });

  test("says so as well where the view gives the key of that flight to another one", () => {
    const inbound = aSegment("Segment1", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45");
    const reading = readOrderView(aMinorDelay({ segments: [inbound], changes: {} }));
    if (!reading.ok) throw new Error(reading.problem.message);
    const listed = readProposal(reading.view, "QX7R2M1A")!;

    expect(describeProposal(listed, aProposal().current)).toBe(
      `${flight} is no longer listed; nothing is offered in its place. Nothing else changes.`,
    );
  });

  test("describes two flights and counts the others", () => {
    const times = ["07:00", "09:00", "11:00", "13:00"];
    const segments = times.map((time, i) =>
      aSegment(`S${i}`, `XX${i}`, `LIS 2027-03-1${i} ${time}`, `OPO 2027-03-1${i} 15:00`),
    );
    const delays = (count: number) =>
      Object.fromEntries(times.slice(0, count).map((_, i) => [`S${i}`, [details(null, `OPO 2027-03-1${i} 15:01`)]]));
    const two =
      "XX0 LIS-OPO on 10 Mar 2027 arrives 1 min later, 15:01. XX1 LIS-OPO on 11 Mar 2027 arrives 1 min later, 15:01.";

    expect(describeView({ segments, changes: delays(2) })).toBe(`${two} Nothing else changes.`);
    expect(describeView({ segments, changes: delays(3) })).toBe(`${two} 1 more flight changes.`);
    expect(describeView({ segments, changes: delays(4) })).toBe(`${two} 2 more flights change.`);
  });

  test("names the withdrawn flights and the largest moves before small ones", () => {
    const segments = [14, 15, 16, 17].map((day) =>
      aSegment(`S${day}`, `LH${day}`, `FRA 2027-03-${day} 07:00`, `MUC 2027-03-${day} 08:00`),
    );
    const moved = (day: number, departure: string, arrival: string) => ({
      [`S${day}`]: [details(`FRA 2027-03-${day} ${departure}`, `MUC 2027-03-${day} ${arrival}`)],
    });
    const small = { ...moved(14, "07:05", "08:05"), ...moved(15, "07:05", "08:05") };

    const large = describeView({ segments, changes: { ...small, ...moved(17, "12:00", "13:00") } });
    expect(large).toMatch(/^LH14 FRA-MUC .* LH17 FRA-MUC on 17 Mar 2027 leaves 5 h later.* 1 more flight changes\.$/);

    const withdrawn = describeView({
      segments,
      changes: { ...small, ...moved(16, "12:00", "13:00") },
      changedFlights: [14, 15, 16, 17].map((day, position) => ({
        FlightKey: `Flight${position + 1}`,
        SegmentRefs: `S${day}`,
      })),
    });
    expect(withdrawn).toMatch(/^LH16 FRA-MUC .* LH17 FRA-MUC on 17 Mar 2027 is withdrawn.* 2 more flights change\.$/);
  });

  test("describes a missed connection", () => {
    const segments = [
      aSegment("S1", "LH1", "LIS 2027-03-14 07:10 1", "FRA 2027-03-14 11:20 1"),
      aSegment("S2", "LH2", "FRA 2027-03-14 13:00 1", "JFK 2027-03-14 16:30 1"),
    ];
    const journeys = [["S1", "S2"]];
    const arriving = (arrival: string) =>
      describeView({ segments, journeys, changes: { S1: [details(null, arrival)] } });

    expect(arriving("FRA 2027-03-14 13:00 1")).toContain(" The connection at FRA is missed. ");
    expect(arriving("FRA 2027-03-14 12:40 1")).toContain(" Only 20 min remain to connect at FRA. ");
    expect(arriving("HHN 2027-03-14 11:20")).toContain(" There is no flight from HHN to FRA. ");
  });

  test("names the connection that breaks of several", () => {
    const over = [
      flightValues("LH2", "LIS 2027-03-14 07:00", "MAD 2027-03-14 09:20"),
      flightValues("LH3", "MAD 2027-03-14 11:20", "BCN 2027-03-14 12:20"),
      flightValues("LH4", "BCN 2027-03-14 12:50", "FRA 2027-03-14 15:00"),
    ];

    expect(becomes(...over)).toContain(" 30 min remain to connect at BCN and 1 h 45 min are needed.");
  });

  test("does not promise that nothing is offered while new values belong to no listed flight", () => {
    const changes = { Segment9: [flightValues("LH9", "LIS 2027-03-14 09:10", "FRA 2027-03-14 13:20")] };

    expect(describeView({ changes, changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }] })).toBe(
      `${flight} is withdrawn; what is offered in its place cannot be told. Nothing else is known to change.`,
    );
  });

  test("describes a flight whose number is no longer stated", () => {
    expect(becomes({ MarketingCarrier: null })).toBe(
      "becomes a flight without a stated number. Nothing else is known to change.",
    );
  });

  test("says that all flights are back as booked", () => {
    const [booked, later] = [{}, undefined].map((changes) => {
      const reading = readOrderView(aMinorDelay(changes === undefined ? {} : { changes }));
      if (!reading.ok) throw new Error(reading.problem.message);
      return readProposal(reading.view, "QX7R2M1A")!;
    });

    expect(describeProposal(booked!, booked!.current, later!.proposed)).toBe("All flights are back as booked.");
  });

  test("never grows beyond a line, whatever a gateway names its flights", () => {
    expect(becomes({ MarketingCarrier: { FlightNumber: "9".repeat(900) } })).toHaveLength(600 - flight.length - 1);
  });
});

describe("flights that were accepted instead of those proposed", () => {
  const { current: before, proposed } = aProposal();

  test("are named beside those, without the flights that are the same", () => {
    expect(describeOtherFlights(proposed, before)).toBe(
      `Other flights are booked than were proposed. Booked now: ${flight}, 07:10 to 11:20. Proposed: ${flight}, 07:30 to 11:40.`,
    );
  });

  test("are all named when only their details differ", () => {
    expect(describeOtherFlights(before, before)).toContain(`Booked now: ${flight}, 07:10 to 11:20`);
  });

  test("are none when nothing is booked any more", () => {
    expect(describeOtherFlights(proposed, noFlights)).toContain("Booked now: no flight. Proposed: LH1167");
  });
});
