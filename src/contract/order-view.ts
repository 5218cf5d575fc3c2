import type { Fact } from "../kernel/fact.ts";
import type { Assistance } from "./read-assistance.ts";
import type { UnreadMembers } from "./unread-members.ts";

/**
 * The order view after normalisation: one shape for what a notification, a reservation status or a ticket-document
 * response carries, whichever of the accepted spellings it came in. It holds what decisions need and nothing that
 * identifies a traveller; the original bytes are kept beside it.
 *
 * @see interface document, "Order / offer object", "DataLists", "Schedule-change objects"
 */
export interface OrderView {
  /** One entry for each `Order` element. Several elements may carry the same OrderID with different booking references. */
  readonly orders: readonly OrderRecord[];
  readonly flightSegments: readonly FlightSegment[];
  readonly flights: readonly Flight[];
  readonly originDestinations: readonly OriginDestination[];
  readonly scheduleChangeSegments: readonly ScheduleChangeSegment[];
  readonly passengers: readonly Passenger[];
  readonly ticketDocuments: readonly TicketDocument[];
  readonly priceClasses: readonly PriceClass[];
  /** `BaggageAllowanceList` in one text, to compare views by; null when it is empty. */
  readonly baggageAllowances: string | null;
  readonly serviceDefinitions: readonly ServiceDefinition[];
  /** Whether an e-mail address or a telephone number of the traveller is given. Neither is kept. */
  readonly contactable: boolean;
  /** What the view states and nobody reads, such as `Order.PnrRemark`. */
  readonly unread: UnreadMembers;
}

export interface OrderRecord {
  readonly orderId: string;
  /** Empty when the order carries none: such an order cannot be asked about. */
  readonly gdsBookingReferences: readonly string[];
  readonly owner: string | null;
  /** As sent, upper case, blanks folded; `CANCELED` is read as `CANCELLED`. Empty and missing are unknown. */
  readonly pnrStatus: Fact<string>;
  readonly scheduleChangeIndicator: Fact<boolean>;
  /** Initiated, Accepted, Rejected, Partially-Accepted as sent; empty and missing are unknown. */
  readonly scheduleChangeStatus: Fact<string>;
  /** Upper case, blanks folded, like the two that follow. */
  readonly orderStatus: Fact<string>;
  readonly paymentStatus: Fact<string>;
  readonly ticketStatus: Fact<string>;
  readonly needToTicket: Fact<boolean>;
  /** `TotalPrice` of the order; its currency is that of the booking. */
  readonly totalPrice: Fact<Money>;
  /** Whether all fare items say that they are refundable; `mixed-refundability` when they differ. */
  readonly refundable: Fact<boolean>;
  /** `TimeLimits.PaymentExpirationDateTime` as yyyy-mm-ddThh:mm:ss. The gateway states no zone. */
  readonly paymentTimeLimit: Fact<string>;
  /** `Penalty.CancelationFee` before departure. `NA` is unknown. */
  readonly cancellationFee: Fact<Money>;
  readonly sold: SoldTerms;
  readonly seats: readonly BookedSeat[];
  readonly services: readonly BookedService[];
  /** `ScheduleChange[]` elements that name a flight. */
  readonly changedFlights: readonly { readonly flightKey: string; readonly segmentKeys: readonly string[] }[];
  /** `ScheduleChange[].AmendmentsActions`. A missing flag is unknown, never N. */
  readonly flags: AmendmentsActions;
  /** Segment keys that the order's offer items refer to; empty when they refer to none. */
  readonly segmentKeys: readonly string[];
  readonly fareComponents: readonly FareComponent[];
}

/** @see interface document, "Schedule-change objects": an action is performed only when its value is 'Y'. */
export interface AmendmentsActions {
  readonly accept: Fact<"Y" | "N">;
  readonly cancel: Fact<"Y" | "N">;
  readonly reSchedule: Fact<"Y" | "N">;
}

/**
 * Booking class and cabin per segment, from `OfferItem[].FareComponent[].FareBasis`, one token per segment; null where
 * something is stated that cannot be read.
 */
export interface FareComponent {
  /** Position of its offer item in the order. */
  readonly offerItem: number;
  readonly segmentKeys: readonly string[];
  readonly rbds: readonly string[] | null;
  readonly cabinTypes: readonly string[] | null;
  /** Key of a `PriceClass`. */
  readonly priceClassRef: string | null;
}

/** Each in one text that is the same in every view that says the same; null when a view says nothing of it. */
export interface SoldTerms {
  /** Seats, services and baggage allowances. */
  readonly extras: string | null;
  /** Fare bases, whether they are refundable, and fees for changing and cancelling. */
  readonly fare: string | null;
}

/** An amount of money with its digits as sent, and its currency; null when none is stated. */
export interface Money {
  readonly amount: string;
  readonly currency: string | null;
}

/** An element of `PaxSeatInfo`. */
export interface BookedSeat {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly passengerRefs: readonly string[];
  /** SUCCESS and others, upper case. */
  readonly status: string | null;
}

/** An `OfferItem` that is a service, such as a bag or a meal. */
export interface BookedService {
  readonly serviceDefinitionRef: string | null;
  readonly passengerRefs: readonly string[];
  readonly segmentKeys: readonly string[];
  /** SUCCESS and others, upper case. */
  readonly status: string | null;
}

/** An element of `PriceClassList`: a brand. */
export interface PriceClass {
  readonly priceClassId: string;
  readonly name: string | null;
  readonly code: string | null;
  /** What it includes, in one text; null when nothing is said of it. */
  readonly descriptions: string | null;
}

/** An element of `ServiceDefinitionList`. */
export interface ServiceDefinition {
  readonly serviceDefinitionId: string;
  /** BAG, MEAL and others, upper case. */
  readonly type: string | null;
  readonly code: string | null;
  readonly name: string | null;
}

/** `undefined` = the key was absent, `null` = it was sent as null. The difference decides how details are merged. */
export interface SegmentPoint {
  readonly airportCode?: string | null;
  /** yyyy-mm-dd, local. */
  readonly date?: string | null;
  /** hh:mm:ss, local. */
  readonly time?: string | null;
  /** Minutes ahead of UTC that are written behind the time; null when what is written there cannot be read. */
  readonly utcOffset?: number | null;
  readonly airportName?: string | null;
  readonly terminal?: string | null;
}

/** An airline. Where something of it cannot be read and no name is stated, its name is a question mark. */
export interface Carrier {
  readonly airlineId?: string | null;
  readonly name?: string | null;
  readonly flightNumber?: string | null;
}

/** The values of a segment, all optional because `SegmentDetails` may be partial. */
export interface SegmentValues {
  readonly departure?: SegmentPoint | null;
  readonly arrival?: SegmentPoint | null;
  readonly marketingCarrier?: Carrier | null;
  readonly operatingCarrier?: Carrier | null;
  /** The code of the aircraft, or its name where no code is stated. */
  readonly aircraftCode?: string | null;
  readonly marriageGroup?: string | null;
  /** `Code.ResBookDesigCode` and `Code.Cabin`. A blank one says nothing and counts as absent. */
  readonly rbd?: string | null;
  readonly cabinType?: string | null;
  /** Free text as sent: "3 H 50 M", "1 Hrs 0 Min". What is no text is kept as JSON. */
  readonly flightDuration?: string | null;
  readonly stops?: number | null;
  /** The places of the stops, in order, such as `NUE STR`. */
  readonly stopPlaces?: string | null;
  readonly airMilesFlown?: number | null;
  readonly brandId?: string | null;
}

export interface FlightSegment extends SegmentValues {
  readonly segmentKey: string;
}

export interface Flight {
  readonly flightKey: string;
  readonly segmentKeys: readonly string[];
}

export interface OriginDestination {
  readonly originDestinationKey: string;
  readonly departureCode: string | null;
  readonly arrivalCode: string | null;
  readonly flightKeys: readonly string[];
}

export interface ScheduleChangeSegment {
  readonly segmentKey: string;
  readonly details: readonly SegmentValues[];
}

export interface Passenger {
  readonly passengerId: string;
  /** ADT, CHD, INF as sent. */
  readonly ptc: string | null;
  /** yyyy-mm-dd; unknown when none is stated, `missing-birth-date`, or it cannot be read. */
  readonly birthDate: Fact<string>;
  /** SHA-256 (hex) of the name, to tell whether two views mean the same traveller; null when none is stated. */
  readonly nameDigest: string | null;
  readonly assistance: Assistance;
}

export interface TicketDocument {
  readonly passengerReference: string | null;
  readonly gdsBookingReference: string | null;
  /** TKT and others. The number itself stays in the stored bytes. */
  readonly type: string | null;
}
