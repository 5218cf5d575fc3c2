import { describe, expect, test } from "vitest";
import { summariseChange } from "../../../src/dashboard/changed-flights.ts";
import { differenceBetween, type ProposedView } from "../../../src/itinerary/difference.ts";
import type { Itinerary, ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { anItinerary } from "../../builders/case-rows.ts";

/** `LH1167 LIS–FRA 07:10–11:20` on the given date. */
function aFlight(text: string, segmentKey: string, date = "2027-03-14"): ItinerarySegment {
  const [, carrier, number, from, to, leaves, arrives] =
    /^(..)(\d+) (...)–(...) (\d\d:\d\d)–(\d\d:\d\d)$/.exec(text) ?? [];
  return {
    ...anItinerary("00:00").segments[0]!,
    segmentKey,
    marketingCarrier: carrier!,
    marketingFlightNumber: number!,
    operatingCarrier: carrier!,
    departure: { airport: from!, date, time: leaves!, terminal: null },
    arrival: { airport: to!, date, time: arrives!, terminal: null },
  };
}

/** Each argument is one journey. */
function anItineraryOf(...journeys: readonly (readonly ItinerarySegment[])[]): Itinerary {
  const segments = journeys.flat();
  return {
    segments,
    journeys: journeys.map((journey) => ({
      origin: journey[0]!.departure.airport,
      destination: journey.at(-1)!.arrival.airport,
      segments: journey.map((segment) => segments.indexOf(segment)),
    })),
  };
}

function summaryOf(booked: Itinerary, proposed: Itinerary, view: ProposedView = {}) {
  return summariseChange(differenceBetween(booked, proposed, view));
}

const out = aFlight("LH1167 LIS–FRA 07:10–11:20", "S1");
const back = aFlight("LH1172 FRA–LIS 18:00–20:05", "S2", "2027-03-20");

describe("the summary of a change", () => {
  test("states old and new local times of the retimed flight, and only of that one", () => {
    const later = aFlight("LH1167 LIS–FRA 07:30–11:40", "S1");

    expect(summaryOf(anItineraryOf([out], [back]), anItineraryOf([later], [back]))).toEqual({
      route: "LIS–FRA",
      times: [
        {
          flight: "LH1167",
          bookedDeparture: "2027-03-14T07:10",
          proposedDeparture: "2027-03-14T07:30",
          bookedArrival: "2027-03-14T11:20",
          proposedArrival: "2027-03-14T11:40",
        },
      ],
    });
  });

  test("joins the way out and the way back when both change", () => {
    const changed = anItineraryOf(
      [aFlight("LH1167 LIS–FRA 07:30–11:40", "S1")],
      [aFlight("LH1172 FRA–LIS 18:10–20:15", "S2", "2027-03-20")],
    );

    expect(summaryOf(anItineraryOf([out], [back]), changed).route).toBe("LIS–FRA–LIS");
  });

  test("names the whole journey when one of its flights changes", () => {
    const first = aFlight("AA1 MIA–JFK 08:00–11:00", "S1");
    const second = aFlight("AF9 JFK–CDG 18:00–07:30", "S2");
    const later = aFlight("AF9 JFK–CDG 19:00–08:30", "S2");

    const { route, times } = summaryOf(anItineraryOf([first, second]), anItineraryOf([first, later]));

    expect(route).toBe("MIA–JFK–CDG");
    expect(times.map(({ flight }) => flight)).toEqual(["AF9"]);
  });

  test("separates journeys that do not meet", () => {
    const far = aFlight("QF1 SYD–SIN 10:00–15:00", "S3");
    const changed = anItineraryOf(
      [aFlight("LH1167 LIS–FRA 07:30–11:40", "S1")],
      [aFlight("QF1 SYD–SIN 11:00–16:00", "S3")],
    );

    expect(summaryOf(anItineraryOf([out], [far]), changed).route).toBe("LIS–FRA, SYD–SIN");
  });

  test("has no proposed times for a flight that is withdrawn", () => {
    expect(summaryOf(anItineraryOf([out], [back]), anItineraryOf([back])).times).toEqual([
      {
        flight: "LH1167",
        bookedDeparture: "2027-03-14T07:10",
        proposedDeparture: null,
        bookedArrival: "2027-03-14T11:20",
        proposedArrival: null,
      },
    ]);
  });

  test("states the first departure and the last arrival of several flights in place of one", () => {
    const viaMad = [aFlight("IB1 LIS–MAD 06:00–08:20", "S1"), aFlight("IB2 MAD–FRA 09:30–12:10", "S1")];

    const { times } = summaryOf(anItineraryOf([out]), anItineraryOf(viaMad));

    expect(times).toEqual([
      expect.objectContaining({
        flight: "LH1167",
        proposedDeparture: "2027-03-14T06:00",
        proposedArrival: "2027-03-14T12:10",
      }),
    ]);
  });

  test("pairs flights by their airports when the keys of the two views differ", () => {
    const changed = anItineraryOf([aFlight("LH1167 LIS–FRA 07:30–11:40", "X7")], [{ ...back, segmentKey: "X8" }]);

    expect(summaryOf(anItineraryOf([out], [back]), changed).times).toEqual([
      expect.objectContaining({ flight: "LH1167", proposedDeparture: "2027-03-14T07:30" }),
    ]);
  });

  test("has null for a time that is not known", () => {
    const unknownTime = { ...out, departure: { ...out.departure, time: null } };

    expect(summaryOf(anItineraryOf([out]), anItineraryOf([unknownTime])).times[0]).toMatchObject({
      bookedDeparture: "2027-03-14T07:10",
      proposedDeparture: null,
    });
  });

  test("has no route and no flights when nothing changes, nor for a terminal", () => {
    const otherGate = { ...out, departure: { ...out.departure, terminal: "2" } };

    expect(summaryOf(anItineraryOf([out]), anItineraryOf([otherGate]))).toEqual({ route: null, times: [] });
  });

  test("leaves out a flight that was flown before the status was read and is not listed any more", () => {
    const booked = anItineraryOf([out], [back]);
    const later = anItineraryOf([aFlight("LH1172 FRA–LIS 18:10–20:15", "S2", "2027-03-20")]);

    const current = anItineraryOf([back]);

    expect(summaryOf(booked, later, { current, now: new Date("2027-03-15T00:00:00Z") })).toEqual({
      route: "FRA–LIS",
      times: [expect.objectContaining({ flight: "LH1172" })],
    });
    expect(summaryOf(booked, later, { current, now: new Date("2027-03-01T00:00:00Z") }).times).toHaveLength(2);
  });

  test("names at most 20 flights", () => {
    const many = Array.from({ length: 30 }, (_, index) => aFlight(`LH${index} LIS–FRA 07:10–11:20`, `S${index}`));

    expect(summaryOf(anItineraryOf(many), anItineraryOf()).times).toHaveLength(20);
  });
});
