import { describe, expect, test } from "@jest/globals";
import { compareItineraries, formatShift } from "../../../../src/dashboard/web/words/flight-comparison.ts";
import type { Itinerary, ItinerarySegment } from "../../../../src/itinerary/itinerary.ts";

const flight: ItinerarySegment = {
  segmentKey: "Segment1",
  departure: { airport: "BCN", date: "2027-01-15", time: "12:15", terminal: "1" },
  arrival: { airport: "YYZ", date: "2027-01-15", time: "15:00", terminal: null },
  marketingCarrier: "AC",
  marketingFlightNumber: "813",
  operatingCarrier: "AC",
  aircraftCode: "333",
  stops: 0,
  marriageGroup: null,
  brandId: null,
  cabinType: "Y",
  rbd: "Q",
};

function itinerary(...segments: readonly ItinerarySegment[]): Itinerary {
  return { segments, journeys: [] };
}

describe("comparing booked and proposed flights", () => {
  test("an equal flight is not changed", () => {
    const [pair] = compareItineraries(itinerary(flight), itinerary({ ...flight }));

    expect(pair).toMatchObject({ isChanged: false, departureShiftMinutes: 0, arrivalShiftMinutes: 0 });
  });

  test("only the values that differ are marked, on both sides", () => {
    const later = { ...flight, departure: { ...flight.departure, date: "2027-01-16", time: "00:05" } };

    const [pair] = compareItineraries(itinerary(flight), itinerary(later));

    expect(pair).toMatchObject({
      isChanged: true,
      departureShiftMinutes: 710,
      booked: [{ departure: { time: { text: "12:15", isDifferent: true }, airport: { isDifferent: false } } }],
      proposed: [
        {
          departure: { time: { text: "00:05", isDifferent: true }, date: { isDifferent: true } },
          arrival: { time: { isDifferent: false } },
          number: { isDifferent: false },
        },
      ],
    });
  });

  test("what one side does not state has not changed", () => {
    const silent = {
      ...flight,
      aircraftCode: null,
      cabinType: null,
      rbd: null,
      departure: { ...flight.departure, terminal: null },
    };

    expect(compareItineraries(itinerary(flight), itinerary(silent))).toMatchObject([{ isChanged: false }]);
  });

  test("a flight that became two is compared at its ends, and the point between is new", () => {
    const first = { ...flight, marketingCarrier: "LH", arrival: { ...flight.arrival, airport: "FRA", time: "14:00" } };
    const second = { ...flight, departure: { ...flight.departure, airport: "FRA", time: "15:30" } };

    const pairs = compareItineraries(itinerary(flight), itinerary(first, second));

    expect(pairs).toHaveLength(1);
    expect(pairs[0]).toMatchObject({
      isChanged: true,
      departureShiftMinutes: 0,
      arrivalShiftMinutes: 0,
      proposed: [
        { departure: { time: { isDifferent: false } }, arrival: { airport: { text: "FRA", isDifferent: true } } },
        { departure: { airport: { text: "FRA", isDifferent: true } }, arrival: { airport: { isDifferent: false } } },
      ],
    });
  });

  test("a withdrawn flight has nothing in its place, and an unknown proposal changes nothing", () => {
    expect(compareItineraries(itinerary(flight), itinerary())).toMatchObject([
      { isChanged: true, proposed: [], departureShiftMinutes: null },
    ]);
    expect(compareItineraries(itinerary(flight), null)).toMatchObject([{ isChanged: false, proposed: [] }]);
  });

  test("times at another airport are not subtracted", () => {
    const elsewhere = { ...flight, departure: { ...flight.departure, airport: "GRO", time: "12:20" } };

    expect(compareItineraries(itinerary(flight), itinerary(elsewhere))).toMatchObject([
      { departureShiftMinutes: null },
    ]);
  });
});

test.each([
  [0, null],
  [null, null],
  [31, "+31 min"],
  [-59, "−59 min"],
  [60, "+1 h"],
  [-155, "−2 h 35 min"],
])("a shift of %p minutes is shown as %p", (minutes, shown) => {
  expect(formatShift(minutes)).toBe(shown);
});
