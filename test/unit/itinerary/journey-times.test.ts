import { describe, expect, test } from "vitest";
import { differenceBetween } from "../../../src/itinerary/difference.ts";
import type { Itinerary, ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { journeyTimes } from "../../../src/itinerary/journey-times.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { anItinerary } from "../../builders/case-rows.ts";

/** `AA1 MIA 13:00 JFK 16:05` on 2 May 2027. */
function aFlight(text: string, segmentKey: string, date: string | null = "2027-05-02"): ItinerarySegment {
  const [name, from, leaves, to, arrives] = text.split(" ");
  return {
    ...anItinerary("00:00").segments[0]!,
    segmentKey,
    marketingCarrier: name!.slice(0, 2),
    marketingFlightNumber: name!.slice(2),
    departure: { airport: from!, date, time: leaves!, terminal: null },
    arrival: { airport: to!, date, time: arrives!, terminal: null },
  };
}

function oneJourney(...segments: readonly ItinerarySegment[]): Itinerary {
  const [first, last] = [segments[0]!, segments.at(-1)!];
  const journey = {
    origin: first.departure.airport,
    destination: last.arrival.airport,
    segments: segments.map((_, position) => position),
  };
  return { segments, journeys: [journey] };
}

const booked = oneJourney(aFlight("AA1 MIA 13:00 JFK 16:05", "S1"), aFlight("AA2 JFK 17:55 CDG 23:20", "S2"));

function timesOf(proposed: Itinerary, facts: Parameters<typeof journeyTimes>[2] = {}) {
  return journeyTimes(differenceBetween(booked, proposed), proposed, facts);
}

describe("the times of a journey", () => {
  const late = oneJourney(aFlight("AA1 MIA 14:35 JFK 17:40", "S1"), booked.segments[1]!);

  test("are instants beside the printed times, with the minutes between the flights", () => {
    const [journey] = timesOf(late);

    expect(journey!.booked.connections).toEqual([
      { airport: "JFK", nextAirport: "JFK", minutes: 110, minimumMinutes: null, state: "fine" },
    ]);
    expect(journey!.proposed.flights[0]).toEqual({
      flight: "AA1",
      departure: { airport: "MIA", local: "2027-05-02T14:35", readings: null, at: new Date("2027-05-02T18:35:00Z") },
      arrival: { airport: "JFK", local: "2027-05-02T17:40", readings: null, at: new Date("2027-05-02T21:40:00Z") },
    });
  });

  test.each([
    ["broken", { brokenConnections: known(["JFK: 15 of 75 min"]), connections: known(["JFK 15 of 75 min DI"]) }, 75],
    // Another connection made the list of all unknown.
    ["broken", { brokenConnections: known(["JFK: 15 of 75 min"]), connections: unknown("unknown-arrival") }, 75],
    ["broken", { brokenConnections: known(["JFK: 15 min of 4 h"]), connections: unknown("unknown-arrival") }, 240],
    ["broken", { brokenConnections: known(["JFK: 15 min of 1 h 40 min"]) }, 100],
    ["tight", { tightConnections: known(["JFK: 15 of 10 min"]) }, 10],
    ["fine", { connections: known(["JFK 15 of 10 min DI"]), brokenConnections: known([]) }, 10],
    ["unknown", { brokenConnections: known(["FRA: 15 of 75 min"]) }, null],
    ["unknown", {}, null],
  ])("call a connection %s as the facts of the decision do", (state, facts, minimumMinutes) => {
    expect(timesOf(late, facts)[0]!.proposed.connections).toEqual([
      { airport: "JFK", nextAirport: "JFK", minutes: 15, minimumMinutes, state },
    ]);
  });

  test("name both readings of a time that contradicts the clock of its airport", () => {
    const contradicted = oneJourney(
      {
        ...late.segments[0]!,
        departure: { ...late.segments[0]!.departure, time: null, contradiction: "14:35 UTC, and MIA is at -4" },
      },
      booked.segments[1]!,
    );

    expect(timesOf(contradicted)[0]!.proposed.flights[0]!.departure).toEqual({
      airport: "MIA",
      local: null,
      readings: "14:35 or 10:35",
      at: null,
    });
  });

  test("stay unknown without a date or at an airport that is not known", () => {
    const undated = oneJourney(
      aFlight("AA1 MIA 14:35 JFK 17:40", "S1", null),
      aFlight("AA2 QQQ 17:55 CDG 23:20", "S2"),
    );
    const { flights, connections } = timesOf(undated)[0]!.proposed;

    expect(flights[0]!.departure).toEqual({ airport: "MIA", local: null, readings: null, at: null });
    expect(flights[1]!.departure).toEqual({ airport: "QQQ", local: "2027-05-02T17:55", readings: null, at: null });
    expect(connections).toEqual([
      { airport: "JFK", nextAirport: "QQQ", minutes: null, minimumMinutes: null, state: "unknown" },
    ]);
  });

  test("have no minutes where nothing flies between two cities", () => {
    const elsewhere = oneJourney(aFlight("AA1 MIA 13:00 BOS 16:05", "S1"), booked.segments[1]!);

    expect(timesOf(elsewhere, { brokenConnections: known(["no flight BOS-JFK"]) })[0]!.proposed.connections).toEqual([
      { airport: "BOS", nextAirport: "JFK", minutes: null, minimumMinutes: null, state: "no-flight" },
    ]);
  });

  test("have no flights in the place of withdrawn ones", () => {
    const [journey] = timesOf({ segments: [], journeys: [] });

    expect(journey!.booked.flights).toHaveLength(2);
    expect(journey!.proposed).toEqual({ flights: [], connections: [] });
  });
});
