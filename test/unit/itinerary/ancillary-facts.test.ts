import { describe, expect, test } from "vitest";
import { ancillaryFacts, ancillaryParts } from "../../../src/itinerary/ancillary-facts.ts";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { aSegment, details, flightValues, type Json, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

/** LIS–FRA–JFK with what was bought for it. */
function facts(bought: Json, changes: OrderViewOptions["changes"] = {}, options: OrderViewOptions = {}) {
  const { proposal, records, view } = aProposedChange({
    segments: [
      aSegment("S1", "LH1167", "LIS 2027-06-14 07:10 1", "FRA 2027-06-14 11:20 1"),
      aSegment("S2", "LH400", "FRA 2027-06-14 13:20 1", "JFK 2027-06-14 15:50 1"),
    ],
    journeys: [["S1", "S2"]],
    changes,
    order: bought,
    dataLists: {
      ServiceDefinitionList: {
        ServiceDefinition: [
          { ServiceDefinitionID: "SD1", ServiceType: "BAG", ServiceCode: "0GO" },
          { ServiceDefinitionID: "SD2", ServiceType: "", ServiceCode: "VGML" },
        ],
      },
    },
    ...options,
  });
  return plain(computeTopic(ancillaryFacts, ancillaryParts(records, view.serviceDefinitions, proposal)));
}

const seat = (origin: string, destination: string, status = "SUCCESS"): Json => ({
  PaxSeatInfo: [
    { SeatNumber: "12A", SegmentNumber: 1, Origin: origin, Destination: destination, PaxRef: "T1", Status: status },
  ],
});

const service = (definition: string, segments?: string, status = "SUCCESS"): Json => ({
  OfferItem: [
    {
      OfferItemID: "SRV-OfferItem-1",
      Status: status,
      ServiceDefinitionRef: definition,
      ...(segments === undefined ? {} : { Service: { PassengerRefs: "ADT1", SegmentRefs: segments } }),
    },
  ],
});

const retimed = { S1: [details("LIS 2027-06-14 07:11 1", "FRA 2027-06-14 11:20 1")] };
const none = { ancillariesAtRiskCount: 0, ancillariesAtRisk: [] };

describe("ancillaryFacts", () => {
  test.each<[string, Json, string]>([
    ["a seat", seat("LIS", "FRA"), "SEAT LIS-FRA"],
    ["a bag", service("SD1", "S1"), "BAG LIS-FRA"],
    ["a bag on both flights, of which one changes", service("SD1", "S1 S2"), "BAG LIS-FRA"],
    ["a meal without a type", service("SD2", "S1"), "VGML LIS-FRA"],
    ["a service that is not listed", service("SD9", "S1"), "SERVICE LIS-FRA"],
    ["a bag that names no flight", service("SD1"), "BAG"],
    ["a seat that names no airports", seat("", ""), "SEAT"],
  ])("%s is at risk when its flight is retimed by a minute", (_, bought, entry) => {
    expect(facts(bought, retimed)).toEqual({ ancillariesAtRiskCount: 1, ancillariesAtRisk: [entry] });
    expect(facts(bought)).toEqual(none);
  });

  test.each<[string, Json]>([
    ["a seat on the other flight", seat("FRA", "JFK")],
    ["a bag on the other flight", service("SD1", "S2")],
    ["a seat that was refused", seat("LIS", "FRA", "FAILED")],
    ["a bag that was refused", service("SD1", "S1", "FAILED")],
    ["nothing", {}],
  ])("%s is not at risk", (_, bought) => {
    expect(facts(bought, retimed)).toEqual(none);
  });

  test("a replaced flight takes all with it, and one ancillary on two flights counts once", () => {
    const changes = {
      S1: [details(null, null, { MarketingCarrier: { FlightNumber: "99" } })],
      S2: [
        flightValues("LH1", "FRA 2027-06-14 13:20 1", "LHR 2027-06-14 14:00 1"),
        flightValues("LH2", "LHR 2027-06-14 16:00 1", "JFK 2027-06-14 19:00 1"),
      ],
    };

    expect(facts({ ...seat("FRA", "JFK"), ...service("SD1", "S1 S2") }, changes)).toEqual({
      ancillariesAtRiskCount: 2,
      ancillariesAtRisk: ["SEAT FRA-JFK", "BAG LIS-FRA FRA-JFK"],
    });
  });

  test("a withdrawn flight takes all with it", () => {
    const changedFlights = [{ FlightKey: "Flight1", SegmentRefs: "S2" }];

    expect(facts({ ...seat("FRA", "JFK"), ...service("SD1", "S2") }, {}, { changedFlights })).toMatchObject({
      ancillariesAtRisk: ["SEAT FRA-JFK", "BAG FRA-JFK"],
    });
  });

  test("another aircraft puts seats at risk, and a stated terminal nothing", () => {
    const bought = { ...seat("LIS", "FRA"), ...service("SD1", "S1") };

    expect(facts(bought, { S1: [{ Equipment: { AircraftCode: "321" } }] })).toMatchObject({
      ancillariesAtRisk: ["SEAT LIS-FRA"],
    });
    expect(facts(bought, { S1: [{ Equipment: { AircraftCode: "" } }] })).toEqual(none);
    expect(facts(bought, { S1: [{ Arrival: { Terminal: { Name: "2" } } }] })).toEqual(none);
  });

  test("an arrival that is no longer known is treated as another flight", () => {
    expect(facts(service("SD1", "S1"), { S1: [{ Arrival: { Time: null } }] })).toMatchObject({
      ancillariesAtRiskCount: 1,
    });
  });
});
