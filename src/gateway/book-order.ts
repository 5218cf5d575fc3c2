import { createHash, randomInt } from "node:crypto";
import { findAirline, findAirport } from "./geography.ts";
import { durationText, elapsedMinutes, printedMinutesBetween } from "./local-time.ts";
import { type MinorUnits, minorDigitsOf, percentOf, toDecimal, toDecimalText, toMinorUnits } from "./money.ts";
import { type FlightSegmentElement, type OrderContent, orderContentSchema } from "./order-content.ts";
import {
  flightRequestSchema,
  type ParsedFlightRequest,
  type ParsedOrderRequest,
  type ParsedPassengerRequest,
} from "./order-request.ts";
import type { GatewayOrder } from "./ports.ts";

/**
 * Makes an order of a request: complete by the interface document, with prices that add up to the cent. Everything that
 * was not asked for follows from the order id, so the same request with the same id is the same order.
 *
 * Each booking reference becomes an `Order` element of its own. With several, a flight belongs to the one it names;
 * when none is named and there are at least as many journeys as references, each journey has a reference of its
 * own, as in combined one-way offers; otherwise every reference holds every flight, and the party is split over them
 * when it is large enough.
 */
export function bookOrder(asked: ParsedOrderRequest, at: Date): GatewayOrder {
  const request = { ...asked, flights: asked.flights ?? [defaultFlight(at)] };
  const orderId = request.orderId ?? randomCode(8);
  const owner = request.owner ?? request.flights[0]?.carrier ?? "LH";
  const references = request.gdsBookingReferences ?? [randomCode(6)];
  const journeys = request.journeys ?? findJourneys(request.flights);
  const booking: Booking = { request, orderId, owner, references, journeys };
  // Parsing also proves that what is built is what the gateway can work with later.
  const content = orderContentSchema.parse(buildContent(booking));
  return {
    orderId,
    owner,
    content,
    references: references.map((gdsBookingReference) => ({
      gdsBookingReference,
      pnrStatus: request.ticketed ? "CONFIRMED" : "PENDING",
      scheduleChangeIndicator: false,
      scheduleChangeStatus: "",
      flags: null,
    })),
    change: null,
    version: 1,
    createdAt: at,
  };
}

/** A flight as an element of `FlightSegmentList`. */
export function buildSegment(flight: ParsedFlightRequest, segmentKey: string, owner: string): FlightSegmentElement {
  const carrier = flight.carrier ?? owner;
  const flightNumber = flight.flightNumber ?? "100";
  const operator = flight.operatingCarrier === undefined ? carrier : flight.operatingCarrier;
  return {
    SegmentKey: segmentKey,
    Departure: buildPoint(flight.from, flight.departure, flight.fromTerminal),
    Arrival: buildPoint(flight.to, flight.arrival, flight.toTerminal),
    MarketingCarrier: { AirlineID: carrier, Name: findAirline(carrier).name, FlightNumber: flightNumber },
    OperatingCarrier:
      operator === null
        ? { AirlineID: null, Name: null, FlightNumber: null }
        : { AirlineID: operator, Name: findAirline(operator).name, FlightNumber: flightNumber },
    Equipment: { AircraftCode: flight.aircraft, Name: "" },
    Code: { MarriageGroup: "" },
    FlightDetail: {
      FlightDuration: { Value: lengthOf(flight) },
      Stops: { Value: flight.stops },
      InterMediate: [],
      AirMilesFlown: 0,
    },
    BrandId: "",
  };
}

/** An order request with its flights. */
type FlownRequest = ParsedOrderRequest & { readonly flights: readonly ParsedFlightRequest[] };

interface Booking {
  readonly request: FlownRequest;
  readonly orderId: string;
  readonly owner: string;
  readonly references: readonly string[];
  readonly journeys: readonly (readonly number[])[];
}

interface Fare {
  readonly base: MinorUnits;
  readonly taxes: readonly { readonly code: string; readonly amount: MinorUnits }[];
  readonly tax: MinorUnits;
  readonly total: MinorUnits;
}

function buildContent(booking: Booking): unknown {
  const { request, orderId, references } = booking;
  const minorDigits = minorDigitsOf(request.currency);
  const orders = references.map((_, position) => buildOrder(booking, position));
  const paid = references.reduce((sum, _, position) => sum + totalOf(booking, position), 0);
  return {
    Party: {
      Sender: {
        TravelAgencySender: {
          Name: request.agencyName,
          IATA_Number: "",
          AgencyID: request.agencyName,
          Contacts: { Contact: [{ EmailContact: request.agencyEmail }] },
        },
      },
    },
    ShoppingResponseId: digitsOf(`${orderId} shopping`, 19),
    ...(request.ticketed ? { Payments: { Payment: [buildPayment(orderId, toDecimalText(paid, minorDigits))] } } : {}),
    Order: orders,
    DataLists: buildDataLists(booking),
    ...(request.ticketed ? { TicketDocInfos: { TicketDocInfo: buildTickets(booking) } } : {}),
  };
}

/** Card values leave the gateway only as substitutes that mean nothing elsewhere. */
function buildPayment(orderId: string, amount: string) {
  const token = createHash("sha256").update(`${orderId} card`).digest("hex").slice(0, 16);
  return {
    Type: "CARD",
    Amount: amount,
    Method: {
      PaymentCard: {
        CardCode: "VI",
        CardNumber: `card_number_${token}`,
        SeriesCode: `cvv_${token}`,
        CardHolderName: `card_holder_name_${token}`,
        EffectiveExpireDate: { Effective: "", Expiration: `exp_year_${token}` },
      },
    },
  };
}

function buildOrder(booking: Booking, position: number) {
  const { request, orderId, owner, references } = booking;
  const money = moneyIn(request.currency);
  const flights = flightsOf(booking, position);
  const segmentKeys = flights.map(segmentKeyAt).join(" ");
  const groups = passengerGroups(booking, position);
  const sums = groups.map((group) => ({ group, fare: fareOf(request, group.ptc, flights.length) }));
  const total = (pick: (fare: Fare) => MinorUnits) =>
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
  booking: Booking,
  item: {
    readonly group: PassengerGroup;
    readonly fare: Fare;
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

function buildDataLists(booking: Booking): OrderContent["DataLists"] {
  const { request, journeys, owner } = booking;
  const money = moneyIn(request.currency);
  const firstRbd = request.flights[0]!.rbd;
  const departureYear = Number(request.flights[0]!.departure.date.slice(0, 4));
  return {
    PassengerList: {
      Passengers: request.passengers.map((passenger, position) => buildPassenger(passenger, position, departureYear)),
    },
    DisclosureList: { Disclosures: [] },
    contactEmail: ["traveller@example.com"],
    contactNumber: ["+1 2025550143"],
    ContactAddress: ["1 Example Street"],
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

/** Years of age, in the year of departure, of a passenger whose birth date was not given. */
const usualAge = { ADT: 40, CHD: 8, INF: 1 } as const;

function buildPassenger(passenger: ParsedPassengerRequest, position: number, departureYear: number) {
  const passengerId = passengerIdAt(position);
  const isAdult = passenger.ptc === "ADT";
  return {
    attributes: { PassengerID: passengerId },
    PassengerID: passengerId,
    PTC: passenger.ptc,
    BirthDate: passenger.birthDate ?? `${departureYear - usualAge[passenger.ptc]}-01-02`,
    NameTitle: passenger.nameTitle ?? (isAdult ? "Mr" : "Mstr"),
    FirstName: passenger.firstName ?? `Traveller${position + 1}`,
    MiddleName: "",
    LastName: passenger.lastName ?? "Example",
    Gender: passenger.gender ?? "Male",
    TravelDocument: { DocumentNumber: "", ExpiryDate: "", IssuingCountry: "", DocumentType: "" },
    Preference: { WheelChairPreference: { Reason: passenger.wheelchairReason }, SeatPreference: "" },
    LoyaltyProgramAccount: [],
    ContactInfoRef: "Contact1",
  };
}

/** One ticket for each passenger and booking reference: accounting code of the airline, then ten digits. */
function buildTickets(booking: Booking) {
  const { orderId, owner, references } = booking;
  const { accountingCode } = findAirline(owner);
  return references.flatMap((gdsBookingReference, position) =>
    passengersOf(booking, position)
      .map(passengerIdAt)
      .map((passengerId) => ({
        TicketDocument: {
          TicketDocNbr: accountingCode + digitsOf(`${orderId} ticket ${position} ${passengerId}`, 10),
          Type: "TKT",
        },
        PassengerReference: passengerId,
        GdsBookingReference: gdsBookingReference,
      })),
  );
}

function buildPoint(airportCode: string, local: { date: string; time: string }, terminal: string) {
  return {
    AirportCode: airportCode,
    Date: local.date,
    Time: local.time,
    AirportName: findAirport(airportCode)?.name ?? airportCode,
    Terminal: { Name: terminal },
  };
}

/** Empty when an airport's zone is not known: a wrong length would be read as a wrong arrival. */
function lengthOf(flight: ParsedFlightRequest): string {
  if (flight.durationMinutes !== undefined) return durationText(flight.durationMinutes);
  const from = findAirport(flight.from);
  const to = findAirport(flight.to);
  if (from === null || to === null) return "";
  const minutes = elapsedMinutes(flight.departure, from.timeZone, flight.arrival, to.timeZone);
  return minutes > 0 ? durationText(minutes) : "";
}

function defaultFlight(at: Date): ParsedFlightRequest {
  const date = new Date(at.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  return flightRequestSchema.parse({
    from: "LIS",
    to: "FRA",
    departure: `${date}T07:10`,
    arrival: `${date}T11:20`,
    carrier: "LH",
    flightNumber: "1167",
  });
}

const connectionMinutesMax = 24 * 60;

function findJourneys(flights: readonly ParsedFlightRequest[]): readonly (readonly number[])[] {
  const journeys: number[][] = [];
  flights.forEach((flight, position) => {
    const journey = journeys.at(-1);
    const before = flights[position - 1];
    const origin = journey === undefined ? undefined : flights[journey[0]!]?.from;
    const wait = before === undefined ? -1 : printedMinutesBetween(before.arrival, flight.departure);
    const connects = before?.to === flight.from && wait >= 0 && wait < connectionMinutesMax && flight.to !== origin;
    if (journey !== undefined && connects) journey.push(position);
    else journeys.push([position]);
  });
  return journeys;
}

/** Whether flights name the booking references that they belong to. */
function namesReferences({ request }: Booking): boolean {
  return request.flights.some((flight) => flight.gdsBookingReference !== undefined);
}

/** Positions of the flights that a booking reference holds. */
function flightsOf(booking: Booking, position: number): readonly number[] {
  const { request, references, journeys } = booking;
  const all = request.flights.map((_, index) => index);
  if (namesReferences(booking)) {
    const [first] = references;
    return all.filter((index) => (request.flights[index]?.gdsBookingReference ?? first) === references[position]);
  }
  if (journeys.length < references.length) return all;
  return journeys.filter((_, index) => Math.min(index, references.length - 1) === position).flat();
}

/** Positions of the passengers that a booking reference holds. */
function passengersOf(booking: Booking, position: number): readonly number[] {
  const { request, references, journeys } = booking;
  const all = request.passengers.map((_, index) => index);
  const isSplitParty =
    !namesReferences(booking) && journeys.length < references.length && all.length >= references.length;
  if (!isSplitParty) return all;
  return all.filter((index) => Math.floor((index * references.length) / all.length) === position);
}

interface PassengerGroup {
  readonly ptc: "ADT" | "CHD" | "INF";
  readonly passengerIds: readonly string[];
}

function passengerGroups(booking: Booking, position: number): readonly PassengerGroup[] {
  const { passengers } = booking.request;
  return (["ADT", "CHD", "INF"] as const).flatMap((ptc) => {
    const passengerIds = passengersOf(booking, position)
      .filter((index) => passengers[index]?.ptc === ptc)
      .map(passengerIdAt);
    return passengerIds.length === 0 ? [] : [{ ptc, passengerIds }];
  });
}

const basePercent = { ADT: 100, CHD: 75, INF: 10 } as const;
const taxPercents = [
  { code: "XT", percent: 15 },
  { code: "YQ", percent: 10 },
] as const;

/** The fare of one passenger for so many flights. Its parts are rounded first and then added, so they add up. */
function fareOf(request: FlownRequest, ptc: PassengerGroup["ptc"], flightCount: number): Fare {
  const adult = toMinorUnits(request.baseFare, minorDigitsOf(request.currency)) ?? 0;
  const base = percentOf(adult * flightCount, basePercent[ptc]);
  const taxes = taxPercents.map((tax) => ({ code: tax.code, amount: percentOf(base, tax.percent) }));
  const tax = taxes.reduce((sum, entry) => sum + entry.amount, 0);
  return { base, taxes, tax, total: base + tax };
}

function totalOf(booking: Booking, position: number): MinorUnits {
  const flightCount = flightsOf(booking, position).length;
  return passengerGroups(booking, position).reduce(
    (sum, group) => sum + fareOf(booking.request, group.ptc, flightCount).total * group.passengerIds.length,
    0,
  );
}

function moneyIn(
  currency: string,
): (amount: MinorUnits) => { BookingCurrencyPrice: number; EquivCurrencyPrice: number } {
  const minorDigits = minorDigitsOf(currency);
  return (amount) => ({
    BookingCurrencyPrice: toDecimal(amount, minorDigits),
    EquivCurrencyPrice: toDecimal(amount, minorDigits),
  });
}

function passengerIdAt(position: number): string {
  return `T${position + 1}`;
}

function segmentKeyAt(position: number): string {
  return `Segment${position + 1}`;
}

function flightKeyAt(position: number): string {
  return `Flight${position + 1}`;
}

/** So many digits that follow from the text, the first of them never 0. */
function digitsOf(seed: string, length: number): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  const digits = BigInt(`0x${hex}`).toString().slice(-length);
  return digits.startsWith("0") ? `1${digits.slice(1)}` : digits;
}

/** Letters and digits that cannot be mistaken for one another. */
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

function randomCode(length: number): string {
  return Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
}
