import type { Itinerary, ItinerarySegment } from "../../src/itinerary/itinerary.ts";
import type { LegalAssessment } from "../../src/policy/legal/assessment.ts";
import type { ClockName } from "../../src/policy/legal/clock-catalogue.ts";

/** What the law says of a change when these clocks run, one of each of its rights, and no refund has fallen due yet. */
export function lawWith(clocks: readonly ClockName[]): Pick<LegalAssessment, "verdicts"> {
  const verdicts = clocks.map((name) => ({
    preset: "eu-261",
    trigger: "cancelled",
    title: "A flight is withdrawn",
    right: "refund-or-rerouting" as const,
    verdict: "cannot-tell" as const,
    journey: "LIS-FRA",
    unknownFact: null,
    because: "",
    paragraph: "",
    citation: "",
    note: null,
    amount: null,
    clocks: [{ name, dueAt: null, rule: "" }],
  }));
  return { verdicts };
}

/** Flights from an airport, by their local departures: `2027-03-01 12:00`. */
export function flightsLeaving(airport: string, ...departures: readonly string[]): Itinerary {
  const segments = departures.map((departure, index): ItinerarySegment => {
    const [date = null, time = null] = departure.split(" ");
    return {
      segmentKey: `Segment${index + 1}`,
      departure: { airport, date, time, terminal: null },
      arrival: { airport: "FRA", date, time: null, terminal: null },
      marketingCarrier: "LH",
      marketingFlightNumber: "1167",
      operatingCarrier: "LH",
      aircraftCode: null,
      stops: null,
      marriageGroup: null,
      brandId: null,
      cabinType: null,
      rbd: null,
    };
  });
  return { segments, journeys: [] };
}
