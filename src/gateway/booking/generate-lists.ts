import type { OrderContent } from "../order-content.ts";
import { flightKeyAt, passengerIdAt, segmentKeyAt } from "./booked-keys.ts";
import { buildPassenger, contactLists } from "./build-passenger.ts";
import { buildSegment } from "./build-segment.ts";
import { moneyIn } from "./money-element.ts";
import type { SyntheticBooking } from "./synthetic-booking.ts";

export function generateLists(booking: SyntheticBooking): OrderContent["DataLists"] {
  const { request, journeys, owner } = booking;
  const money = moneyIn(request.currency);
  const firstRbd = request.flights[0]!.rbd;
  const departureYear = Number(request.flights[0]!.departure.date.slice(0, 4));
  return {
    PassengerList: {
      Passengers: request.passengers.map((passenger, position) =>
        buildPassenger(passenger, passengerIdAt(position), position, departureYear),
      ),
    },
    DisclosureList: { Disclosures: [] },
    ...contactLists,
    FareList: { FareGroup: [{ FareGroupRef: "FG_1", FareCode: "70J", FareBasisCode: `${firstRbd}NR7AV` }] },
    FlightSegmentList: {
      FlightSegment: request.flights.map((flight, position) => buildSegment(flight, segmentKeyAt(position), owner)),
    },
    FlightList: {
      Flight: journeys.map((journey, position) => ({
        FlightKey: flightKeyAt(position),
        Journey: { Time: "", Stops: journey.length - 1 },
        SegmentReferences: journey.map(segmentKeyAt).join(" "),
      })),
    },
    OriginDestinationList: {
      OriginDestination: journeys.map((journey, position) => ({
        OriginDestinationKey: `OD${position + 1}`,
        DepartureCode: request.flights[journey[0]!]!.from,
        ArrivalCode: request.flights[journey.at(-1)!]!.to,
        FlightReferences: flightKeyAt(position),
      })),
    },
    PriceClassList: {
      PriceClass: [
        {
          PriceClassID: "PCR_1",
          Name: "Economy Light",
          Code: "LIGHT",
          Descriptions: { Description: [{ Code: "BAG", Type: "INC", Text: "1 piece of 23 kg" }] },
        },
      ],
    },
    BaggageAllowanceList: {
      BaggageAllowance: [
        {
          BaggageAllowanceID: "Bag1",
          BaggageCategory: "Checked",
          AllowanceDescription: { ApplicableParty: "Traveler", Description: "CHECKED ALLOWANCE" },
          PieceAllowance: { ApplicableParty: "Traveler", TotalQuantity: "1", Unit: "Pieces" },
        },
      ],
    },
    FopList: [
      {
        CC: { Allowed: "Y", Types: { VI: { F: money(0), P: 0 } } },
        DC: { Allowed: "N", Types: {} },
        CASH: { Allowed: "Y", Types: {} },
        CHEQUE: { Allowed: "Y", Types: {} },
        ACH: { Allowed: "N", Types: {} },
        PG: { Allowed: "N", Types: {} },
        FopKey: "FOP_1",
      },
    ],
  };
}
