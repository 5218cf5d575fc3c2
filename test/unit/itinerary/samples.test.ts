import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";

function readSample(name: string) {
  const reading = readNotification(readFileSync(new URL(`../../../samples/${name}`, import.meta.url)));
  if (!reading.ok) throw new Error(reading.problem.message);
  const proposal = readProposal(reading.view, reading.view.orders[0]!.orderId)!;
  const booked = proposal.current;
  const facts = computeFacts({
    booked,
    accepted: booked,
    proposal,
    passengers: reading.view.passengers,
    gateway: interfaceDocument,
    now: new Date("2027-01-01T00:00:00Z"),
  });
  const { proposed, withdrawnSegmentKeys } = proposal;
  return { proposal, facts, line: describeChange({ booked, proposed, facts, withdrawnSegmentKeys }) };
}

function known<T>(value: T) {
  return { known: true, value };
}

function unknown(reason: string) {
  return { known: false, reason };
}

describe("the sample notifications", () => {
  test("minor delay: the arrival follows from departure and duration", () => {
    const { proposal, facts, line } = readSample("ocn-minor-delay.json");

    expect(proposal.proposed.segments[0]).toMatchObject({
      departure: { airport: "LIS", date: "2027-03-14", time: "07:30", terminal: "1" },
      arrival: { airport: "FRA", date: "2027-03-14", time: "11:40", terminal: "1" },
      marketingCarrier: "LH",
      marketingFlightNumber: "1167",
      cabinType: "Y",
      rbd: "Q",
    });
    expect(proposal.flags).toEqual({ accept: known("Y"), cancel: known("Y"), reSchedule: known("N") });
    expect(facts).toMatchObject({
      departureEarlierMinutes: known(0),
      departureLaterMinutes: known(20),
      arrivalEarlierMinutes: known(0),
      arrivalLaterMinutes: known(20),
      journeyArrivalLaterMinutes: known(20),
      changedFlightCount: known(1),
      retimedOnly: known(true),
      replaced: known(false),
      cancelled: known(false),
      dateChanged: known(false),
      airportChanged: known(false),
      hasConnection: known(false),
      connectionBroken: known(false),
      dataSuspect: known(false),
      ticketed: known(true),
      passengerCount: known(3),
      // 1 January 00:00Z to 14 March 07:10 in Lisbon, which is on UTC.
      minutesToDeparture: known(72 * 1440 + 430),
    });
    expect(line).toBe(
      "LH1167 LIS-FRA on 14 Mar 2027 leaves 20 min later, 07:30, and arrives 11:40. Nothing else changes.",
    );
  });

  test("misconnection: 15 minutes are left at JFK, the null operating carrier is no change", () => {
    const { proposal, facts, line } = readSample("ocn-misconnection.json");

    expect(proposal.proposed.segments[0]?.operatingCarrier).toBe("AA");
    expect(proposal.flags.reSchedule).toEqual(known("Y"));
    expect(facts).toMatchObject({
      departureLaterMinutes: known(95),
      arrivalLaterMinutes: known(95),
      journeyArrivalLaterMinutes: known(0),
      operatingCarrierChanged: known(false),
      hasConnection: known(true),
      connectingAirports: known(["JFK"]),
      shortestConnectionMinutes: known(15),
      connectionBroken: known(true),
      retimedOnly: known(true),
    });
    expect(line).toBe(
      "AA2290 MIA-JFK on 2 May 2027 leaves 1 h 35 min later, 14:35, and arrives 17:40. Only 15 min remain to connect at JFK. Nothing else changes.",
    );
  });

  test("replaced by two: first departure and last arrival count, a connection comes in", () => {
    const { proposal, facts, line } = readSample("ocn-replaced-by-two.json");

    expect(proposal.proposed.journeys).toEqual([{ origin: "BCN", destination: "YYZ", segments: [0, 1] }]);
    expect(proposal.proposed.segments.map((segment) => segment.segmentKey)).toEqual(["Segment1", "Segment1"]);
    expect(facts).toMatchObject({
      replaced: known(true),
      retimedOnly: known(false),
      changedFlightCount: known(1),
      departureEarlierMinutes: known(155),
      arrivalLaterMinutes: known(65),
      marketingCarrierChanged: known(true),
      connectionsAdded: known(true),
      connectingAirports: known(["FRA"]),
      shortestConnectionMinutes: known(90),
      airportChanged: known(false),
    });
    expect(line).toBe(
      "AC825 BCN-YYZ on 10 Jun 2027 is replaced by LH1137 BCN-FRA and AC873 FRA-YYZ: leaves 2 h 35 min earlier, 09:40, and arrives 65 min later, 16:05. Only 90 min remain to connect at FRA. Nothing else is known to change.",
    );
  });

  test("cancelled: withdrawn with nothing offered, and Accept is N", () => {
    const { proposal, facts, line } = readSample("ocn-cancelled.json");

    expect(proposal.withdrawnSegmentKeys).toEqual(["Segment1"]);
    expect(proposal.proposed).toEqual({
      segments: [],
      journeys: [{ origin: "DEL", destination: "DXB", segments: [] }],
    });
    expect(proposal.flags).toEqual({ accept: known("N"), cancel: known("Y"), reSchedule: known("N") });
    expect(proposal.referencesAllowing).toEqual({ accept: [], cancel: ["AISKD4"] });
    expect(facts).toMatchObject({
      cancelled: known(true),
      partiallyCancelled: known(false),
      changedFlightCount: known(1),
      departureLaterMinutes: unknown("withdrawn"),
      retimedOnly: known(false),
      replaced: known(false),
    });
    expect(line).toBe("AI995 DEL-DXB on 11 Feb 2027 is cancelled; nothing is offered in its place.");
  });

  test("flight number only: BA117 becomes BA1117", () => {
    const { facts, line } = readSample("ocn-flight-number-only.json");

    expect(facts).toMatchObject({
      flightNumberOnly: known(true),
      flightNumberChanged: known(true),
      retimedOnly: known(false),
      replaced: known(true),
      marketingCarrierChanged: known(false),
      departureLaterMinutes: known(0),
      departureEarlierMinutes: known(0),
    });
    expect(line).toBe("BA117 LHR-JFK on 20 Apr 2027 becomes BA1117. Nothing else changes.");
  });
});
