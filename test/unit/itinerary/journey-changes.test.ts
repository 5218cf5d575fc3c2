import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { type FactsInput, orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import { type JourneyChange, journeyChanges } from "../../../src/itinerary/journey-changes.ts";
import { flights } from "../../builders/flights.ts";
import { aSegment, details, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function changesOf(options: OrderViewOptions, input: Partial<FactsInput> = {}): readonly JourneyChange[] {
  const { view, proposal, booked } = aProposedChange(options, input.booked);
  return journeyChanges({
    accepted: booked,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order: orderPartsOf(view, proposal.orderId),
    now: new Date("2027-01-01T00:00:00Z"),
    ...input,
    booked,
  });
}

const factsOf = (journey: JourneyChange | undefined) => plain(journey?.facts ?? {});

describe("each origin and destination", () => {
  test("has facts of its own", () => {
    const [out, back] = changesOf({
      changes: { Segment2: [details("FRA 03-21 14:10", "LIS 03-21 16:25")] },
    });

    expect(factsOf(out)).toMatchObject({ journeyDepartureEarlierMinutes: 0, changedFlightCount: 0, cancelled: false });
    expect(factsOf(back)).toMatchObject({
      journeyDepartureEarlierMinutes: 200,
      journeyArrivalEarlierMinutes: 200,
      journeyArrivalLaterMinutes: 0,
      changedFlightCount: 1,
    });
    expect(factsOf(out)["journeyDistanceKm"]).toBe(factsOf(back)["journeyDistanceKm"]);
  });

  test("names its booked flights with countries and carriers, and when it leaves", () => {
    const [journey] = changesOf({
      segments: [
        aSegment("Segment1", "LH1167", "LIS 03-14 07:10", "FRA 03-14 11:20"),
        aSegment("Segment2", "LH400", "FRA 03-14 13:10", "QQQ 03-14 16:00", {
          OperatingCarrier: { AirlineID: "UA", Name: "Example Air", FlightNumber: "8840" },
        }),
      ],
      journeys: [["Segment1", "Segment2"]],
      changes: {},
    });

    expect(journey?.departure).toEqual({ airport: "LIS", date: "2027-03-14", time: "07:10" });
    expect(journey?.flights).toEqual([
      {
        from: { airport: "LIS", country: "PT" },
        to: { airport: "FRA", country: "DE" },
        operatingCarrier: "LH",
        marketingCarrier: "LH",
      },
      {
        from: { airport: "FRA", country: "DE" },
        to: { airport: "QQQ", country: null },
        operatingCarrier: "UA",
        marketingCarrier: "LH",
      },
    ]);
  });

  test("is one booking when all its flights are on the same reference", () => {
    const connecting = flights(["LIS 03-14 07:10 FRA 11:20", "LH400 FRA 13:10 JFK 16:00"]);
    const item = (keys: string) => ({
      OfferItem: [{ FareComponent: [{ SegmentRefs: keys, FareBasis: { RBD: "Q", CabinType: "Y" } }] }],
    });
    const two: OrderViewOptions = {
      ...connecting,
      gdsBookingReference: "LHSKD1",
      order: item("Segment1"),
      otherOrders: [{ OrderID: "QX7R2M1A", GdsBookingReference: "LHSKD2", ...item("Segment2") }],
    };
    const order = orderPartsOf(aProposedChange(two).view, "QX7R2M1A");

    expect(changesOf(connecting)[0]?.oneBooking).toEqual({ known: true, value: true });
    expect(changesOf(two, { order })[0]?.oneBooking).toEqual({ known: true, value: false });
    expect(changesOf({ ...two, order: item("") }, {})[0]?.oneBooking).toEqual({
      known: false,
      reason: "unknown-reference-of-flight",
    });
  });

  test("sees another connecting airport and more connections", () => {
    const over = "LH1785 LIS 07:00 MUC 11:10 + LH099 MUC 12:30 FRA 13:30";
    const [journey] = changesOf(flights(`LIS 03-14 07:10 FRA 11:20 > ${over}`));

    expect(factsOf(journey)).toMatchObject({ connectionsAdded: true, connectingAirportsChanged: true });
  });

  test("crosses the date line and is compared in instants", () => {
    const [journey] = changesOf(flights("NZ010 AKL 06-01 10:00 HNL 05-31 19:00 > AKL 13:00 HNL 05-31 22:00"));

    expect(factsOf(journey)).toMatchObject({ journeyDepartureLaterMinutes: 180, journeyArrivalLaterMinutes: 180 });
  });
});

describe("of several journeys", () => {
  test("one that is cancelled does not make the other doubtful", () => {
    const moved = [details("FRA 03-21 17:40", "LIS 03-21 19:55")];
    const [out, back] = changesOf({ pnrStatus: "CANCELLED", changes: { Segment1: [], Segment2: moved } });

    expect(factsOf(out)).toMatchObject({ cancelled: true, removedFlightCount: 1 });
    expect(factsOf(back)).toMatchObject({ cancelled: false, removedFlightCount: 0 });
  });

  test("one without new values may be withdrawn, unless the status says so", () => {
    const [out, back] = changesOf({ changes: { Segment1: [] } });

    expect(factsOf(out)["cancelled"]).toBe("?removed-or-unknown");
    expect(factsOf(back)["cancelled"]).toBe(false);
  });

  test("a cancelled status with an offer for all of them leaves each in doubt", () => {
    const changes = changesOf({ pnrStatus: "CANCELLED" });

    expect(changes.map((journey) => factsOf(journey)["cancelled"])).toEqual([
      "?cancelled-with-offer",
      "?cancelled-with-offer",
    ]);
  });

  test("one that was flown and is no longer listed is left out", () => {
    const both = aProposedChange({}).booked;
    const onlyBack: OrderViewOptions = {
      segments: [aSegment("Segment2", "LH1172", "FRA 03-21 17:30", "LIS 03-21 19:45")],
      changes: {},
    };
    const changes = changesOf(onlyBack, { booked: both, now: new Date("2027-03-15T00:00:00Z") });

    expect(changes.map(({ departure }) => departure.airport)).toEqual(["FRA"]);
  });
});
