import type { z } from "zod";
import type { postBookingSeatMapDataLists, seatMapDataLists } from "../elements/extras-data-lists.ts";

/** An adult and a child fly LIS–FRA–JFK. */
export const offeredFlightsExample: z.infer<typeof seatMapDataLists> = {
  PassengerList: {
    Passengers: [
      { PassengerID: "T1", PTC: "ADT" },
      { PassengerID: "T2", PTC: "CHD" },
    ],
  },
  FlightSegmentList: {
    FlightSegment: [
      {
        SegmentKey: "Segment1",
        Departure: lisbon("07:10:00"),
        Arrival: frankfurt("11:20:00"),
        MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "1167" },
        OperatingCarrier: { AirlineID: null, Name: null, FlightNumber: null },
        Equipment: { AircraftCode: "32N", Name: "Airbus A320neo" },
        Code: { MarriageGroup: "" },
        FlightDetail: {
          FlightDuration: { Value: "3 H 10 M" },
          Stops: { Value: 0 },
          InterMediate: [],
          AirMilesFlown: 1161,
        },
        BrandId: "",
      },
      {
        SegmentKey: "Segment2",
        Departure: frankfurt("13:25:00"),
        Arrival: newYork("16:05:00"),
        MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "404" },
        OperatingCarrier: { AirlineID: null, Name: null, FlightNumber: null },
        Equipment: { AircraftCode: "74H", Name: "Boeing 747-8" },
        Code: { MarriageGroup: "" },
        FlightDetail: {
          FlightDuration: { Value: "8 H 40 M" },
          Stops: { Value: 0 },
          InterMediate: [],
          AirMilesFlown: 3858,
        },
        BrandId: "",
      },
    ],
  },
  FlightList: {
    Flight: [
      { FlightKey: "Flight1", Journey: { Time: "13 H 55 M", Stops: 1 }, SegmentReferences: "Segment1 Segment2" },
    ],
  },
  OriginDestinationList: {
    OriginDestination: [
      { OriginDestinationKey: "OD1", DepartureCode: "LIS", ArrivalCode: "JFK", FlightReferences: "Flight1" },
    ],
  },
};

/** The first flight, booked. */
export const bookedFlightsExample: z.infer<typeof postBookingSeatMapDataLists> = {
  PassengerList: offeredFlightsExample.PassengerList,
  FlightSegmentList: {
    FlightSegment: [
      {
        FlightRef: "Flight1",
        SegmentRef: "Segment1",
        Departure: lisbon("07:10:00"),
        Arrival: frankfurt("11:20:00"),
        MarketingCarrier: { AirlineId: "LH", Name: "Lufthansa", FlightNumber: "1167" },
        OperatingCarrier: { AirlineId: null, Name: null, FlightNumber: null },
        Equipment: { AircraftCode: "32N", AircraftName: "Airbus A320neo" },
        Code: { ResBookDesigCode: "K", Cabin: "Y" },
        FlightDetail: {
          FlightDuration: { Value: "3 H 10 M" },
          Stops: { Value: 0 },
          IntermediateInfo: [],
          AirMilesFlown: 1161,
        },
      },
    ],
  },
};

function lisbon(Time: string) {
  return { AirportCode: "LIS", Date: "2027-03-14", Time, AirportName: "Humberto Delgado", Terminal: { Name: "1" } };
}

function frankfurt(Time: string) {
  return { AirportCode: "FRA", Date: "2027-03-14", Time, AirportName: "Frankfurt", Terminal: { Name: "1" } };
}

function newYork(Time: string) {
  return { AirportCode: "JFK", Date: "2027-03-14", Time, AirportName: "John F. Kennedy", Terminal: { Name: "1" } };
}
