import type { Fact } from "../kernel/fact.ts";
import type { NameDigests } from "./name-digests.ts";
import type { Assistance } from "./read-assistance.ts";
import type { StatedContacts } from "./read-contacts.ts";
import type { UnreadMembers } from "./unread-members.ts";

/**
 * A normalised order view, from a notification, a reservation status or ticket documents. It has what decisions need
 * and nothing that identifies a traveller; the original bytes are stored beside it.
 * @see interface document, "Order / offer object", "DataLists", "Schedule-change objects"
 */
export interface OrderView {
  /** One per `Order` element. Several may have the same OrderID with different booking references. */
  readonly orders: readonly OrderRecord[];
  readonly flightSegments: readonly FlightSegment[];
  readonly flights: readonly Flight[];
  readonly originDestinations: readonly OriginDestination[];
  readonly scheduleChangeSegments: readonly ScheduleChangeSegment[];
  readonly passengers: readonly Passenger[];
  readonly ticketDocuments: readonly TicketDocument[];
  readonly priceClasses: readonly PriceClass[];
  /** `BaggageAllowanceList` as one text for comparison; null if it is empty. */
  readonly baggageAllowances: string | null;
  readonly serviceDefinitions: readonly ServiceDefinition[];
  readonly contacts: StatedContacts;
  /** What nobody reads, such as `Order.PnrRemark`. */
  readonly unread: UnreadMembers;
}

export interface OrderRecord {
  readonly orderId: string;
  /** Without one, nothing can be asked about the order. */
  readonly gdsBookingReferences: readonly string[];
  readonly owner: string | null;
  /** In upper case, blanks folded; `CANCELED` is read as `CANCELLED`. Empty is unknown. */
  readonly pnrStatus: Fact<string>;
  readonly scheduleChangeIndicator: Fact<boolean>;
  /** Initiated, Accepted, Rejected or Partially-Accepted as sent. Empty is unknown. */
  readonly scheduleChangeStatus: Fact<string>;
  /** In upper case, blanks folded, like the two that follow. */
  readonly orderStatus: Fact<string>;
  readonly paymentStatus: Fact<string>;
  readonly ticketStatus: Fact<string>;
  readonly needToTicket: Fact<boolean>;
  /** In the currency of the booking. */
  readonly totalPrice: Fact<Money>;
  /** Whether all fare items are refundable; `mixed-refundability` if they differ. */
  readonly refundable: Fact<boolean>;
  /** `TimeLimits.PaymentExpirationDateTime` as yyyy-mm-ddThh:mm:ss without a zone. */
  readonly paymentTimeLimit: Fact<string>;
  /** The deadlines of the airline, as far as the order names any, or the view for all its orders. */
  readonly deadlines: readonly AirlineDeadline[];
  /** `Penalty.CancelationFee` before departure. `NA` is unknown. */
  readonly cancellationFee: Fact<Money>;
  readonly sold: SoldTerms;
  readonly seats: readonly BookedSeat[];
  readonly services: readonly BookedService[];
  /** Elements of `ScheduleChange[]` that name a flight. */
  readonly changedFlights: readonly { readonly flightKey: string; readonly segmentKeys: readonly string[] }[];
  /** A missing flag is unknown, never N. */
  readonly flags: AmendmentsActions;
  /** The segments that the offer items refer to. */
  readonly segmentKeys: readonly string[];
  readonly fareComponents: readonly FareComponent[];
  /** For whom the fares were sold, as far as they say so. */
  readonly soldTo?: readonly SoldTo[];
}

export interface SoldTo {
  /** As `Passenger.ptc`. */
  readonly ptc: string | null;
  /** Null if it is not stated. */
  readonly quantity: number | null;
}

export interface AirlineDeadline {
  readonly purpose: "act" | "pay";
  /** yyyy-mm-ddThh:mm:ss as printed; the beginning of the day if no time is stated. Empty if it cannot be read. */
  readonly at: string;
  /** The later reading, if day and month may be either way round. Else missing. */
  readonly otherAt?: string;
  /** The name and what is stated, if that cannot be read: `ActionTimeLimit is “soon”`. Else missing. */
  readonly unread?: string;
  /** Minutes ahead of UTC; null if no zone is stated, or none that can be read. */
  readonly utcOffset: number | null;
  /** What the airline does then. */
  readonly consequence: "cancelled" | "accepted" | "unknown-code" | "not-stated";
}

/** @see interface document, "Schedule-change objects": an action is performed only if its value is 'Y'. */
export interface AmendmentsActions {
  readonly accept: Fact<"Y" | "N">;
  readonly cancel: Fact<"Y" | "N">;
  readonly reSchedule: Fact<"Y" | "N">;
}

/** Booking class and cabin per segment, from `OfferItem[].FareComponent[].FareBasis`; null if unreadable. */
export interface FareComponent {
  /** Position of the offer item in the order. */
  readonly offerItem: number;
  readonly segmentKeys: readonly string[];
  readonly rbds: readonly string[] | null;
  readonly cabinTypes: readonly string[] | null;
  /** Key of a `PriceClass`. */
  readonly priceClassRef: string | null;
}

/** Each is one text for comparison, the same in all views that state the same; null if not stated. */
export interface SoldTerms {
  /** Seats, services and baggage allowances. */
  readonly extras: string | null;
  /** Fare bases, refundability, and fees for changing and cancelling. */
  readonly fare: string | null;
}

/** The digits as sent. */
export interface Money {
  readonly amount: string;
  readonly currency: string | null;
}

export interface BookedSeat {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly passengerRefs: readonly string[];
  /** SUCCESS and others, in upper case. */
  readonly status: string | null;
}

export interface BookedService {
  readonly serviceDefinitionRef: string | null;
  /** What its keys say of assistance, as `WCHR` does; left out if they say nothing. */
  readonly assistance?: readonly string[];
  readonly passengerRefs: readonly string[];
  readonly segmentKeys: readonly string[];
  /** SUCCESS and others, in upper case. */
  readonly status: string | null;
}

/** A brand. */
export interface PriceClass {
  readonly priceClassId: string;
  readonly name: string | null;
  readonly code: string | null;
  /** What it includes, as one text. */
  readonly descriptions: string | null;
}

export interface ServiceDefinition {
  readonly serviceDefinitionId: string;
  /** BAG, MEAL and others, in upper case. */
  readonly type: string | null;
  readonly code: string | null;
  readonly name: string | null;
}

/** `undefined`: the key was absent. `null`: it was sent as null. Merging treats them differently. */
export interface SegmentPoint {
  readonly airportCode?: string | null;
  /** yyyy-mm-dd, local. */
  readonly date?: string | null;
  /** hh:mm:ss, local. */
  readonly time?: string | null;
  /** Minutes ahead of UTC by the zone behind the time; several if its name is that of several. */
  readonly utcOffsets?: readonly number[];
  /** What is stated of a date or time that cannot be read: `“11:35 XYZ” as Arrival.Time`. */
  readonly unreadTime?: string;
  /** What is stated as the code, if it is none. */
  readonly airportName?: string | null;
  readonly terminal?: string | null;
}

/** The name is a question mark if a code is stated that is none, or no name is stated and something else is unreadable. */
export interface Carrier {
  readonly airlineId?: string | null;
  readonly name?: string | null;
  readonly flightNumber?: string | null;
}

/** All optional, because `SegmentDetails` may be partial. */
export interface SegmentValues {
  readonly departure?: SegmentPoint | null;
  readonly arrival?: SegmentPoint | null;
  readonly marketingCarrier?: Carrier | null;
  readonly operatingCarrier?: Carrier | null;
  /** The code, or the name if there is no code. */
  readonly aircraftCode?: string | null;
  readonly marriageGroup?: string | null;
  /** `Code.ResBookDesigCode` and `Code.Cabin`. Blank counts as absent. */
  readonly rbd?: string | null;
  readonly cabinType?: string | null;
  /** As sent: "3 H 50 M", "1 Hrs 0 Min". JSON if it is no text. */
  readonly flightDuration?: string | null;
  readonly stops?: number | null;
  /** In order, such as `NUE STR`. */
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
  /** As sent: ADT, CHD, INF. */
  readonly ptc: string | null;
  /** yyyy-mm-dd; `missing-birth-date` if none is stated. */
  readonly birthDate: Fact<string>;
  /** Null if none is stated. */
  readonly name: NameDigests | null;
  readonly assistance: Assistance;
  /** How many travel together by a request for a group; left out without one. */
  readonly groupSize?: Fact<number>;
}

export interface TicketDocument {
  readonly passengerReference: string | null;
  readonly gdsBookingReference: string | null;
  /** TKT and others. The number itself stays in the stored bytes. */
  readonly type: string | null;
}
