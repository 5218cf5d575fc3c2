import type { MinorUnits } from "../../travel/money.ts";
import { findAirline } from "../airline-names.ts";
import type { ParsedFlightRequest } from "../order-request.ts";
import { digitsOf, flightKeyAt, passengerIdAt, segmentKeyAt } from "./booked-keys.ts";
import { moneyIn } from "./money-element.ts";
import {
  flightsOf,
  type PassengerGroup,
  passengerGroups,
  passengersOf,
  type SyntheticBooking,
} from "./synthetic-booking.ts";
import { fareOf, type SyntheticFare } from "./synthetic-fare.ts";

/** Without its statuses, which the gateway stores separately. */
export function generateOrder(booking: SyntheticBooking, position: number) {
  const { request, orderId, owner, references } = booking;
  const money = moneyIn(request.currency);
  const flights = flightsOf(booking, position);
  const segmentKeys = flights.map(segmentKeyAt).join(" ");
  const groups = passengerGroups(booking, position);
  const sums = groups.map((group) => ({ group, fare: fareOf(request, group.ptc, flights.length) }));
  const total = (pick: (fare: SyntheticFare) => MinorUnits) =>
    money(sums.reduce((sum, { group, fare }) => sum + pick(fare) * group.passengerIds.length, 0));
  const { departure } = request.flights[flights[0]!]!;
  return {
    OrderID: orderId,
    GdsBookingReference: references[position],
    OrderStatus: "SUCCESS",
    PaymentStatus: request.ticketed ? "PAID" : "",
    TicketStatus: request.ticketed ? "TICKETED" : "NOT TICKETED",
    NeedToTicket: request.ticketed ? "N" : "Y",
    InstantTicket: "N",
    OfferID: digitsOf(`${orderId} offer ${position}`, 21),
    Owner: owner,
    OwnerName: findAirline(owner).name,
    IsBrandedFare: "N",
    IsAdditionalCabinType: "N",
    BrandedFareOptions: [],
    CabinOptions: [],
    Eticket: request.ticketed ? "true" : "false",
    TimeLimits: {
      OfferExpirationDateTime: `${departure.date}T${departure.time}`,
      PaymentExpirationDateTime: `${departure.date} ${departure.time}`,
    },
    BookingCurrencyCode: request.currency,
    EquivCurrencyCode: request.currency,
    HstPercentage: "",
    RewardSettings: { RewardAvailable: "N", PointTypes: [], PointValues: {} },
    BookingFeeInfo: { FeeType: "", ...money(0) },
    TotalPrice: total((fare) => fare.total),
    BasePrice: total((fare) => fare.base),
    TaxPrice: total((fare) => fare.tax),
    Commission: { AgencyCommission: money(0), AgencyYqCommission: money(0) },
    PortalCharges: { Markup: money(0), Surcharge: money(0), Discount: money(0) },
    AgentMarkupInfo: {
      AgentMarkup: money(0),
      AgentDiscount: money(0),
      AgentHst: money(0),
      PromoDiscount: { ...money(0), PromoCode: "" },
    },
    Penalty: { ChangeFee: notAvailable, CancelationFee: notAvailable },
    PaxSeatInfo: [],
    OfferItem: sums.map(({ group, fare }, index) => buildOfferItem(booking, { group, fare, index, flights })),
    BaggageAllowance: [
      {
        SegmentRefs: segmentKeys,
        PassengerRefs: passengersOf(booking, position).map(passengerIdAt).join(" "),
        BaggageAllowanceRef: "Bag1",
      },
    ],
    SplitPaymentInfo: [
      { AirItineraryId: String(position + 1), MultipleFop: "N", MaxCardsPerPax: 1, MaxCardsPerPaxInMFOP: 1 },
    ],
    BookingToEquivExRate: 1,
    FopRef: "FOP_1",
  };
}

const notAvailableMoney = { BookingCurrencyPrice: "NA", EquivCurrencyPrice: "NA" };
const notAvailable = { Before: notAvailableMoney, After: notAvailableMoney };

function buildOfferItem(
  booking: SyntheticBooking,
  item: {
    readonly group: PassengerGroup;
    readonly fare: SyntheticFare;
    readonly index: number;
    readonly flights: readonly number[];
  },
) {
  const { request, journeys } = booking;
  const { group, fare, index, flights } = item;
  const money = moneyIn(request.currency);
  const passengerRefs = group.passengerIds.join(" ");
  const tokens = (pick: (flight: ParsedFlightRequest) => string) =>
    flights.map((position) => pick(request.flights[position]!)).join(" ");
  const flightRefs = journeys.flatMap((journey, at) =>
    journey.some((position) => flights.includes(position)) ? [flightKeyAt(at)] : [],
  );
  return {
    OfferItemID: `OFFERITEMID${index + 1}`,
    Refundable: "false",
    PassengerType: group.ptc,
    PassengerQuantity: group.passengerIds.length,
    TotalPriceDetail: { TotalAmount: money(fare.total * group.passengerIds.length) },
    Service: [{ ServiceID: `SV${index + 1}`, PassengerRefs: passengerRefs, FlightRefs: flightRefs.join(" ") }],
    FareDetail: {
      PassengerRefs: passengerRefs,
      Price: {
        TotalAmount: money(fare.total),
        BaseAmount: money(fare.base),
        TaxAmount: money(fare.tax),
        Commission: { AgencyCommission: money(0), AgencyYqCommission: money(0) },
        BookingFee: money(0),
        PortalCharges: { Markup: money(0), Surcharge: money(0), Discount: money(0) },
        Taxes: fare.taxes.map((tax) => ({ TaxCode: tax.code, ...money(tax.amount) })),
      },
    },
    FareComponent: [
      {
        PriceClassRef: "PCR_1",
        SegmentRefs: flights.map(segmentKeyAt).join(" "),
        FareBasis: {
          FareBasisCode: { Refs: "FG_1", Code: tokens((flight) => `${flight.rbd}NR7AV`) },
          RBD: tokens((flight) => flight.rbd),
          CabinType: tokens((flight) => flight.cabin),
          SeatLeft: tokens(() => "9"),
        },
      },
    ],
  };
}
