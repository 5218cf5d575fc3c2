import { isEnd, isNeed } from "../contract/orders-to-stop.ts";
import { isInFlightOrFlag, type UnreadMembers } from "../contract/unread-members.ts";
import type { FactName } from "./fact-catalogue.ts";
import { type MemberMarks, unmarkedStatements } from "./member-marks.ts";
import type { UnreadStatements } from "./outcome-facts.ts";

export type MemberUse =
  | {
      /** Some of these facts change, or become unknown, with its value. */
      readonly feeds: readonly FactName[];
      readonly only?: string;
    }
  /** Why another value needs no attention. */
  | { readonly harmless: string };

/** The members of an element by path. A path includes everything below it. */
export type ElementUses = Readonly<Record<string, MemberUse>>;

const pointUses = (name: "Departure" | "Arrival"): ElementUses => {
  const moved = name === "Departure" ? "departureShiftMinutes" : "arrivalShiftMinutes";
  return {
    [`${name}.AirportCode`]: { feeds: ["airportChanged", "flightsDiffer"] },
    [`${name}.Date`]: { feeds: ["dateChanged", moved, "flightsDiffer"] },
    [`${name}.Time`]: { feeds: [moved, "flightsDiffer"] },
    [`${name}.AirportName`]: { feeds: ["flightsDiffer"], only: "AirportCode is not stated" },
    [`${name}.Terminal`]: { feeds: ["terminalChanged", "flightsDiffer"] },
  };
};

/** Compared with the booking only where the new values leave them; other differences show in flightsDiffer. */
const segmentUses: ElementUses = {
  ...pointUses("Departure"),
  ...pointUses("Arrival"),
  "MarketingCarrier.AirlineID": { feeds: ["marketingCarrierChanged", "flightsDiffer"] },
  "MarketingCarrier.Name": { feeds: ["flightsDiffer"], only: "AirlineID is not stated" },
  "MarketingCarrier.FlightNumber": { feeds: ["flightNumberChanged", "flightsDiffer"] },
  "OperatingCarrier.AirlineID": { feeds: ["operatingCarrierChanged", "flightsDiffer"] },
  "OperatingCarrier.Name": {
    feeds: ["operatingCarrierChanged", "flightsDiffer"],
    only: "AirlineID is not stated",
  },
  "OperatingCarrier.FlightNumber": { harmless: "Tickets and laws go by the number under which the flight is sold." },
  "Equipment.AircraftCode": { feeds: ["aircraftChanged", "flightsDiffer"] },
  "Equipment.Name": { feeds: ["flightsDiffer"], only: "AircraftCode holds no code" },
  "Code.MarriageGroup": { feeds: ["marriageRegrouped", "flightsDiffer"] },
  "Code.ResBookDesigCode": { feeds: ["rbdChanged", "flightsDiffer"] },
  "Code.Cabin": { feeds: ["cabinDowngraded", "retimedOnly", "flightsDiffer"] },
  "FlightDetail.FlightDuration": { feeds: ["durationContradicted", "flightsDiffer"] },
  "FlightDetail.Stops": { feeds: ["stopsAdded", "flightsDiffer"] },
  "FlightDetail.InterMediate": { feeds: ["stopsAdded", "flightsDiffer"] },
  "FlightDetail.AirMilesFlown": { feeds: ["milesDelta", "flightsDiffer"] },
  "FlightDetail.AirlinePnr": { harmless: "The airline's own name for the same booking." },
  BrandId: { feeds: ["brandChanged", "flightsDiffer"] },
};

const price = "The total price tells whether anything of it has changed.";
const key = "A key of the gateway's own; what it names is compared.";
const howShopped = "It tells how the offer was found, not what was bought.";

/**
 * What becomes of every member of an order view that states something about an order, a passenger, a flight or a fare.
 * A test proves it by changing each of them alone; docs/members.md shows it.
 */
export const memberUses: Readonly<Record<string, ElementUses>> = {
  Order: {
    OrderID: { harmless: "A view of another order is none of this one, and nothing is done on it." },
    GdsBookingReference: { feeds: ["referencesDiffer"] },
    OrderStatus: { feeds: ["orderStatus"] },
    PaymentStatus: { feeds: ["paymentStatus"] },
    TicketStatus: { feeds: ["ticketed"] },
    PnrStatus: { feeds: ["pnrStatus"] },
    ScheduleChangeIndicator: { feeds: ["scheduleChangeIndicated"] },
    ScheduleChangeStatus: { feeds: ["scheduleChangeStatus"] },
    OptionalServiceStatus: { feeds: ["unreadMember"], only: "it does not say that the services stand" },
    OfferID: { harmless: key },
    BookingCurrencyCode: { feeds: ["currency", "priceDiffers"] },
    EquivCurrencyCode: { harmless: "Amounts in the currency of the booking count." },
    "TotalPrice.BookingCurrencyPrice": { feeds: ["orderValue", "priceDiffers"] },
    "TotalPrice.EquivCurrencyPrice": { harmless: "Amounts in the currency of the booking count." },
    NeedToTicket: { feeds: ["needToTicket"] },
    InstantTicket: { harmless: "NeedToTicket and TicketStatus tell whether tickets are issued." },
    Owner: { harmless: "Each flight names its own airlines." },
    OwnerName: { harmless: "Each flight names its own airlines." },
    IsBrandedFare: { harmless: howShopped },
    IsAdditionalCabinType: { harmless: howShopped },
    BrandedFareOptions: { harmless: howShopped },
    CabinOptions: { harmless: howShopped },
    Eticket: { harmless: "Whether a ticket is issued counts, not its form." },
    "TimeLimits.OfferExpirationDateTime": { harmless: "The offer was booked." },
    "TimeLimits.PaymentExpirationDateTime": {
      feeds: ["paymentTimeLimitEarliestMinutes", "paymentTimeLimitLatestMinutes"],
      only: "the order is held and not paid",
    },
    HstPercentage: { harmless: price },
    RewardSettings: { harmless: "Points of the agency's customers are no part of the journey." },
    BookingFeeInfo: { harmless: price },
    BasePrice: { harmless: price },
    TaxPrice: { harmless: price },
    Commission: { harmless: "What the agency earns is no part of the journey." },
    PortalCharges: { harmless: price },
    AgentMarkupInfo: { harmless: price },
    "Penalty.CancelationFee.Before.BookingCurrencyPrice": { feeds: ["fareDiffers", "cancellationFee"] },
    Penalty: { feeds: ["fareDiffers"] },
    PaxSeatInfo: { feeds: ["extrasDiffer"] },
    BaggageAllowance: { feeds: ["extrasDiffer"] },
    SplitPaymentInfo: { harmless: "How it could be paid, not what was bought." },
    BookingToEquivExRate: { harmless: "Amounts in the currency of the booking count." },
    FopRef: { harmless: "How it could be paid, not what was bought." },
    "ScheduleChange.FlightKey": { feeds: ["dataSuspect"], only: "ScheduleChange lists no segments" },
    "ScheduleChange.SegmentRefs": { feeds: ["dataSuspect", "cancelled"] },
    "ScheduleChange.SegmentReferences": { feeds: ["dataSuspect", "cancelled"] },
    "ScheduleChange.AmendmentsActions.Accept": { feeds: ["acceptAllowed"] },
    "ScheduleChange.AmendmentsActions.Cancel": { feeds: ["cancelAllowed"] },
    "ScheduleChange.AmendmentsActions.ReSchedule": { feeds: ["rescheduleAllowed"] },
  },
  "OfferItem, a fare": {
    OfferItemID: { harmless: key },
    Refundable: { feeds: ["refundable", "fareDiffers"] },
    PassengerType: { harmless: "PassengerList tells who travels, unless a fare is for an unaccompanied minor." },
    PassengerQuantity: { feeds: ["passengerCount", "groupSize"], only: "it is more than PassengerList names" },
    TotalPriceDetail: { harmless: price },
    "Service.ServiceID": { harmless: key },
    "Service.PassengerRefs": { harmless: "PassengerList tells who travels." },
    "Service.FlightRefs": { harmless: "The segments of the order are those that are listed." },
    FareDetail: { harmless: price },
  },
  "OfferItem, a service": {
    OfferItemID: { harmless: key },
    "Service.OptinalServiceId": { feeds: ["extrasDiffer"] },
    "Service.PassengerRefs": { feeds: ["extrasDiffer"] },
    "Service.SegmentRefs": { feeds: ["extrasDiffer"] },
    Status: { feeds: ["extrasDiffer"] },
    Price: { harmless: price },
    ServiceDefinitionRef: { feeds: ["extrasDiffer"] },
  },
  FareComponent: {
    PriceClassRef: { feeds: ["brandChanged", "brands"] },
    SegmentRefs: { feeds: ["rbdChanged", "fareDiffers"] },
    "FareBasis.FareBasisCode.Refs": { harmless: key },
    "FareBasis.FareBasisCode.Code": { feeds: ["fareDiffers"] },
    "FareBasis.RBD": { feeds: ["rbdChanged", "flightsDiffer"] },
    "FareBasis.CabinType": { feeds: ["cabinDowngraded", "retimedOnly", "flightsDiffer"] },
    "FareBasis.SeatLeft": { harmless: "How many seats were left tells nothing of those that were bought." },
  },
  PriceClass: {
    PriceClassID: { feeds: ["brandChanged", "brands"] },
    Name: { feeds: ["brandChanged", "brands", "fareDiffers"] },
    Code: { feeds: ["brandChanged", "fareDiffers"] },
    Descriptions: { feeds: ["fareDiffers"] },
  },
  Passenger: {
    "attributes.PassengerID": { harmless: key },
    PassengerID: { harmless: key },
    PTC: { feeds: ["passengersDiffer", "hasChild", "hasInfant", "groupSize", "unaccompaniedMinor"] },
    PassengerRefID: { harmless: key },
    BirthDate: { feeds: ["passengersDiffer", "unaccompaniedMinor"] },
    NameTitle: { harmless: "Names tell who it is, unless a code of assistance stands there." },
    FirstName: { feeds: ["passengersDiffer"] },
    MiddleName: { feeds: ["passengersDiffer"], only: "both views state one" },
    LastName: { feeds: ["passengersDiffer"] },
    Gender: { harmless: "Names tell who it is." },
    TravelDocument: { harmless: "What the traveller shows at the border is no part of the change." },
    "Preference.WheelChairPreference.Reason": { feeds: ["assistanceRequested"] },
    "Preference.SeatPreference": {
      harmless: "Seats that were given are in PaxSeatInfo; what it says of assistance is read.",
    },
    LoyaltyProgramAccount: { harmless: "Accounts are no part of the journey." },
    SsrRequest: { feeds: ["assistanceRequested"] },
    ContactInfoRef: { harmless: key },
  },
  FlightSegment: {
    SegmentKey: {
      feeds: ["dataSuspect", "changedAfterNotice", "departureLaterMinutes", "retimedOnly", "brandChanged"],
    },
    ...segmentUses,
  },
  SegmentDetails: segmentUses,
};

/** Returns the use of a member: of its own path, or of the nearest one above it. */
export function memberUseOf(element: string, path: string): MemberUse | undefined {
  const uses = memberUses[element] ?? {};
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length -= 1) {
    const use = uses[steps.slice(0, length).join(".")];
    if (use !== undefined) return use;
  }
  return undefined;
}

export interface UnreadJudgement extends UnreadStatements {
  /** The facts that would have another value if it were understood. */
  readonly facts: ReadonlySet<FactName>;
}

export function judgeUnread(views: readonly UnreadMembers[], marks: MemberMarks): UnreadJudgement {
  const statements = views.flatMap((view) => unmarkedStatements(view, marks));
  const values = views.flatMap((view) => view.values);
  const twice = new Set(views.flatMap((view) => view.twice ?? []));
  const named = values.map((path) => (twice.has(path) ? `${path} (stated twice)` : path));
  const stops = statements.filter((statement) => statement.class === "stop");
  return {
    ordersToStop: [...new Set(stops.map(({ path, word }) => (word === null ? path : `${path}: ${word}`)))],
    paths: [...new Set([...named, ...statements.map(({ path }) => path)])],
    mayBear: statements.length > 0 || values.some((path) => isInFlightOrFlag(path) || feedsFact(path)),
    facts: new Set([...values.flatMap(factsFedBy), ...stops.flatMap(({ word }) => factsNamedBy(word ?? ""))]),
  };
}

function factsNamedBy(word: string): readonly FactName[] {
  if (isNeed(word)) return ["assistanceRequested", "assistanceKinds"];
  return isEnd(word) ? ["bookingStands"] : [];
}

/** Whether another value at a path of the view, such as `Order.PnrStatus`, could change a fact. */
function feedsFact(path: string): boolean {
  const uses = usesOf(path);
  if (uses === null) return !aboutNoOrder.test(path);
  return uses.some((use) => use === undefined || "feeds" in use);
}

function factsFedBy(path: string): readonly FactName[] {
  return (usesOf(path) ?? []).flatMap((use) =>
    use !== undefined && "feeds" in use && use.only === undefined ? use.feeds : [],
  );
}

/** Null where no element is described. What holds elements, such as a list of them, has the uses of all that is in it. */
function usesOf(path: string): readonly (MemberUse | undefined)[] | null {
  const place = places.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}.`));
  if (place !== undefined)
    return place.elements.flatMap((element) => usesAt(element, path.slice(place.prefix.length + 1)));
  const within = places.filter(({ prefix }) => prefix.startsWith(`${path}.`));
  return within.length === 0
    ? null
    : within.flatMap(({ elements }) => elements.flatMap((element) => usesAt(element, "")));
}

/** The use of a member, or those of all members that it holds. */
function usesAt(element: string, path: string): readonly (MemberUse | undefined)[] {
  const own = memberUseOf(element, path);
  const start = path === "" ? "" : `${path}.`;
  const below = Object.entries(memberUses[element] ?? {}).filter(([name]) => name.startsWith(start));
  return own !== undefined || below.length === 0 ? [own] : below.map(([, use]) => use);
}

/** Parts of a view that say nothing of what was booked. */
const aboutNoOrder =
  /^(?:Document|Party|ShoppingResponseId|Payments|MetaData|threeDsResponse|DataLists\.(?:FopList|FareList|contactEmail|contactNumber|ContactAddress)|DataLists\.FlightList\.Flight\.Journey)(?:\.|$)/;

/** The places of the elements in a view, the innermost first. */
const places: readonly { readonly prefix: string; readonly elements: readonly string[] }[] = [
  { prefix: "Order.OfferItem.FareComponent", elements: ["FareComponent"] },
  { prefix: "Order.OfferItem", elements: ["OfferItem, a fare", "OfferItem, a service"] },
  { prefix: "Order", elements: ["Order"] },
  { prefix: "DataLists.PassengerList.Passengers", elements: ["Passenger"] },
  { prefix: "DataLists.PassengerList", elements: ["Passenger"] },
  { prefix: "DataLists.PriceClassList.PriceClass", elements: ["PriceClass"] },
  { prefix: "DataLists.FlightSegmentList.FlightSegment", elements: ["FlightSegment"] },
  { prefix: "DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment.SegmentDetails", elements: ["SegmentDetails"] },
];
