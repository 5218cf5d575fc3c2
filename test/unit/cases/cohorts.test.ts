import { describe, expect, test } from "vitest";
import { flightDatesOf } from "../../../src/cases/case-summary.ts";
import type { Itinerary, ItinerarySegment } from "../../../src/itinerary/itinerary.ts";

function flight(number: string, changes: Partial<ItinerarySegment> & { date?: string; time?: string } = {}) {
  const { date = "2027-03-14", time = "07:10", ...others } = changes;
  return {
    segmentKey: `Segment${number}`,
    departure: { airport: "LIS", date, time, terminal: "1" },
    arrival: { airport: "FRA", date, time: "23:00", terminal: null },
    marketingCarrier: "LH",
    marketingFlightNumber: number,
    operatingCarrier: "CL",
    aircraftCode: null,
    stops: null,
    marriageGroup: null,
    brandId: null,
    cabinType: null,
    rbd: null,
    ...others,
  };
}

function oneJourneyEach(...segments: readonly ItinerarySegment[]): Itinerary {
  return {
    segments,
    journeys: segments.map(({ departure, arrival }, index) => ({
      origin: departure.airport,
      destination: arrival.airport,
      segments: [index],
    })),
  };
}

function touched(booked: Itinerary, proposed: Itinerary, current = booked, at = "2027-01-01"): readonly string[] {
  return flightDatesOf(booked, { current, proposed }, new Date(at));
}

describe("the flights that a change touches", () => {
  test("are the changed ones, by marketing carrier and number and the local date on which they were to leave", () => {
    const booked = oneJourneyEach(flight("1167"), flight("900", { date: "2027-03-20" }));
    const proposed = oneJourneyEach(flight("1167", { date: "2027-03-15" }), flight("900", { date: "2027-03-20" }));

    expect(touched(booked, proposed)).toEqual(["LH1167/2027-03-14"]);
  });

  test("are named under the booked number when another flight takes the place, and when nothing does", () => {
    const booked = oneJourneyEach(flight("1167"), flight("900", { date: "2027-03-20" }));
    const proposed = oneJourneyEach({ ...flight("1169"), segmentKey: "Segment1167" });

    expect(touched(booked, proposed)).toEqual(["LH1167/2027-03-14", "LH900/2027-03-20"]);
  });

  test("leave out a flight that was flown already and is not listed any more", () => {
    const booked = oneJourneyEach(flight("1167"), flight("900", { date: "2027-03-20" }));
    const current = oneJourneyEach(flight("900", { date: "2027-03-20" }));
    const proposed = oneJourneyEach(flight("900", { date: "2027-03-20", time: "08:00" }));

    expect(touched(booked, proposed, current, "2027-03-15T12:00:00Z")).toEqual(["LH900/2027-03-20"]);
    expect(touched(booked, proposed, current, "2027-03-14T12:00:00Z")).toEqual([
      "LH1167/2027-03-14",
      "LH900/2027-03-20",
    ]);
  });

  test("are none when nothing changes", () => {
    const booked = oneJourneyEach(flight("1167"));

    expect(touched(booked, oneJourneyEach(flight("1167")))).toEqual([]);
  });

  test("leave out a flight of which the carrier, the number or the date is not known", () => {
    const nameless = [
      flight("1", { marketingCarrier: null }),
      { ...flight("2"), marketingFlightNumber: null },
      { ...flight("3"), departure: { ...flight("3").departure, date: null } },
    ];
    for (const segment of nameless) {
      const moved = { ...segment, departure: { ...segment.departure, time: "09:00" } };
      expect(touched(oneJourneyEach(segment), oneJourneyEach(moved))).toEqual([]);
    }
  });
});
