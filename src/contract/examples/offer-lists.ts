import type { z } from "zod";
import type { offerDataLists, reshopDataLists } from "../elements/data-lists.ts";

const none = { BookingCurrencyPrice: 0, EquivCurrencyPrice: 0 };

const airportNames: Readonly<Record<string, string>> = {
  FRA: "Frankfurt Airport",
  JFK: "John F. Kennedy International Airport",
  LIS: "Humberto Delgado Airport",
};

/** Two adults, a child and an infant, Lisbon to New York and back. */
export const offerListsExample: z.infer<typeof offerDataLists> = {
  PassengerList: {
    Passengers: [
      { PassengerID: "T1", PTC: "ADT" },
      { PassengerID: "T2", PTC: "ADT" },
      { PassengerID: "T3", PTC: "CHD" },
      { PassengerID: "T4", PTC: "INF" },
    ],
  },
  DisclosureList: { Disclosures: [] },
  FareList: {
    FareGroup: [
      { FareGroupRef: "FG_1", FareCode: "70J", FareBasisCode: "QNR7AV" },
      { FareGroupRef: "FG_2", FareCode: "70J", FareBasisCode: "LKS0TP" },
      { FareGroupRef: "FG_3", FareCode: "70J", FareBasisCode: "QFR7AV" },
    ],
  },
  FlightSegmentList: {
    FlightSegment: [
      segment("Segment1", "1167", ["LIS", "2027-04-12", "06:05:00", "1"], ["FRA", "2027-04-12", "10:05:00", "1"], {
        duration: "3 H 0 M",
        miles: 1163,
        aircraft: ["32N", "Airbus A320neo"],
      }),
      segment("Segment2", "400", ["FRA", "2027-04-12", "11:00:00", "1"], ["JFK", "2027-04-12", "13:40:00", "1"], {
        duration: "8 H 40 M",
        miles: 3851,
        aircraft: ["74H", "Boeing 747-8"],
      }),
      segment("Segment3", "7600", ["JFK", "2027-04-26", "18:00:00", "1"], ["LIS", "2027-04-27", "05:50:00", "1"], {
        duration: "6 H 50 M",
        miles: 3366,
        aircraft: ["339", "Airbus A330-900"],
        operatedBy: { AirlineID: "TP", Name: "TAP Air Portugal", FlightNumber: "202" },
      }),
    ],
  },
  FlightList: {
    Flight: [
      { FlightKey: "Flight1", Journey: { Time: "12 H 35 M", Stops: 1 }, SegmentReferences: "Segment1 Segment2" },
      { FlightKey: "Flight2", Journey: { Time: "6 H 50 M", Stops: 0 }, SegmentReferences: "Segment3" },
    ],
  },
  OriginDestinationList: {
    OriginDestination: [
      { OriginDestinationKey: "OD1", DepartureCode: "LIS", ArrivalCode: "JFK", FlightReferences: "Flight1" },
      { OriginDestinationKey: "OD2", DepartureCode: "JFK", ArrivalCode: "LIS", FlightReferences: "Flight2" },
    ],
  },
  PriceClassList: {
    PriceClass: [
      priceClass("PCR_1", "Economy Light", "LIGHT", "One small bag in the cabin"),
      priceClass("PCR_2", "Economy Classic", "CLASSIC", "One checked bag up to 23 kg"),
      priceClass("PCR_3", "Economy Flex", "FLEX", "Changes without a fee"),
    ],
  },
  BaggageAllowanceList: {
    BaggageAllowance: [baggage("BG_1", "1", "One checked bag"), baggage("BG_2", "0", "No checked bag")],
  },
  FopList: [
    {
      CC: { Allowed: "Y", Types: { VI: { F: none, P: 1.5, Charges: none }, CA: { F: none, P: 1.5 } } },
      DC: { Allowed: "N", Types: {} },
      CASH: { Allowed: "Y", Types: {} },
      CHEQUE: { Allowed: "N", Types: {} },
      ACH: { Allowed: "N", Types: {} },
      PG: { Allowed: "N", Types: {} },
      FopKey: "FOP_1",
    },
  ],
};

/** The outbound journey only. */
export const oneWayListsExample: z.infer<typeof offerDataLists> = {
  ...offerListsExample,
  FlightSegmentList: { FlightSegment: offerListsExample.FlightSegmentList.FlightSegment.slice(0, 2) },
  FlightList: { Flight: offerListsExample.FlightList.Flight.slice(0, 1) },
  OriginDestinationList: {
    OriginDestination: offerListsExample.OriginDestinationList.OriginDestination.slice(0, 1),
  },
};

/** The passengers of an exchange are known by name and document. */
export const reshopListsExample: z.infer<typeof reshopDataLists> = {
  ...offerListsExample,
  PassengerList: {
    Passengers: [
      reshopPassenger("T1", "ADT", "Mrs", "Ana", "2201234567890"),
      reshopPassenger("T2", "ADT", "Mr", "Rui", "2201234567891"),
      reshopPassenger("T3", "CHD", "Miss", "Eva", "2201234567892"),
      reshopPassenger("T4", "INF", "Mstr", "Leo", "2201234567893"),
    ],
  },
};

type Point = readonly [airport: string, date: string, time: string, terminal: string];

interface FlightFacts {
  readonly duration: string;
  readonly miles: number;
  readonly aircraft: readonly [code: string, name: string];
  /** Default: the marketing carrier. */
  readonly operatedBy?: { readonly AirlineID: string; readonly Name: string; readonly FlightNumber: string };
}

function segment(key: string, number: string, departure: Point, arrival: Point, facts: FlightFacts) {
  return {
    SegmentKey: key,
    Departure: point(departure),
    Arrival: point(arrival),
    MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: number },
    OperatingCarrier: facts.operatedBy ?? { AirlineID: null, Name: null, FlightNumber: null },
    Equipment: { AircraftCode: facts.aircraft[0], Name: facts.aircraft[1] },
    Code: { MarriageGroup: "" },
    FlightDetail: {
      FlightDuration: { Value: facts.duration },
      Stops: { Value: 0 },
      InterMediate: [],
      AirMilesFlown: facts.miles,
    },
    BrandId: "",
  };
}

function point([airport, date, time, terminal]: Point) {
  return {
    AirportCode: airport,
    Date: date,
    Time: time,
    AirportName: airportNames[airport] ?? "",
    Terminal: { Name: terminal },
  };
}

function priceClass(id: string, name: string, code: string, feature: string) {
  const description = { Code: "INFO", Type: "TEXT", Text: feature };
  return { PriceClassID: id, Name: name, Code: code, Descriptions: { Description: [description] } };
}

function baggage(id: string, quantity: string, description: string) {
  return {
    BaggageAllowanceID: id,
    BaggageCategory: "Checked",
    AllowanceDescription: { ApplicableParty: "Traveler", Description: description },
    PieceAllowance: { ApplicableParty: "Traveler", TotalQuantity: quantity, Unit: "Pieces" },
  };
}

function reshopPassenger(id: string, ptc: "ADT" | "CHD" | "INF", title: string, first: string, document: string) {
  return {
    PassengerID: id,
    PTC: ptc,
    NameTitle: title,
    FirstName: first,
    MiddleName: "",
    LastName: "Example",
    DocumentNumber: document,
  };
}
