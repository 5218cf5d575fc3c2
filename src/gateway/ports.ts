import type { OperationName } from "../contract/operations/operation.ts";
import type { Tx } from "../kernel/tx.ts";
import type { FlightSegmentElement, OrderContent, SegmentDetailsElement } from "./order-content.ts";

export interface GatewayOrder {
  readonly orderId: string;
  /** Airline designator. */
  readonly owner: string;
  /** The operator's name of the agency that it belongs to; null if that was not stated. */
  readonly agencyId: string | null;
  readonly content: OrderContent;
  /** One per `Order` element of the content, in the same order. */
  readonly references: readonly BookingReference[];
  /** Every ticket ever issued, also void and refunded ones. */
  readonly tickets: readonly Ticket[];
  /** Null if none is pending. */
  readonly change: OpenChange | null;
  /** Grows with each change of the order. */
  readonly version: number;
  readonly createdAt: Date;
}

/** What another system said of an order, as it was loaded. */
export interface GivenView extends Pick<GatewayOrder, "content" | "references" | "tickets"> {
  /** The segments of the change that it stated; null if it stated none. */
  readonly segments: readonly ChangedSegment[] | null;
}

export interface BookingReference {
  readonly gdsBookingReference: string;
  readonly pnrStatus: PnrStatus;
  readonly scheduleChangeIndicator: boolean;
  readonly scheduleChangeStatus: ScheduleChangeStatus;
  /** Null if no change has concerned it. */
  readonly flags: AmendmentFlags | null;
}

/**
 * The documented values; blank if a loaded order view had none.
 * @see interface document, "States and transitions"
 */
export const pnrStatuses = ["", "CONFIRMED", "PENDING", "MODIFIED", "CANCELLED", "SCHEDULE CHANGED", "FAILED"] as const;
export type PnrStatus = (typeof pnrStatuses)[number];

/** The documented values; empty by default. */
export const scheduleChangeStatuses = ["", "Initiated", "Accepted", "Rejected", "Partially-Accepted"] as const;
export type ScheduleChangeStatus = (typeof scheduleChangeStatuses)[number];

/** `AmendmentsActions`; null omits the flag from the order view. */
export interface AmendmentFlags {
  readonly accept: AmendmentFlag;
  readonly cancel: AmendmentFlag;
  readonly reSchedule: AmendmentFlag;
}
export type AmendmentFlag = "Y" | "N" | null;

/** A ticket document and its state. */
export interface Ticket {
  readonly ticketNumber: string;
  /** `TKT`, or another kind of document. */
  readonly documentType: string;
  /** Null if the order view does not state it. */
  readonly passengerId: string | null;
  /** Null for a document of the whole order. */
  readonly gdsBookingReference: string | null;
  readonly state: TicketState;
  /** Segments with a flown coupon. Other coupons have the state of the ticket. */
  readonly flownSegmentKeys: readonly string[];
}

/** `used`: every coupon was flown. `void` and `refunded` tickets are not in the order view. */
export const ticketStates = ["open", "used", "void", "refunded"] as const;
export type TicketState = (typeof ticketStates)[number];

/** A change that is not settled for all of its booking references. */
export interface OpenChange {
  readonly id: string;
  /** What will take effect, in the order of the segments. */
  readonly segments: readonly ChangedSegment[];
  /** Those that it concerns. */
  readonly references: readonly string[];
  /** Those for which it is settled. */
  readonly settled: readonly string[];
}

/** An airline's change of one booked segment. */
export interface ChangedSegment {
  readonly segmentKey: string;
  /** As `SegmentDetails` in the order view: complete or partial; empty if the segment is withdrawn. */
  readonly details: readonly SegmentDetailsElement[];
  /** The flights after acceptance; none if it is withdrawn. */
  readonly becomes: readonly FlightSegmentElement[];
  /** The new booking class and cabin; missing if they stay. */
  readonly fare?: SegmentFare;
  /** Before the change; missing if it was loaded. */
  readonly booked?: BookedSegment;
}

/** Null if the fare component does not state it. */
export interface SegmentFare {
  readonly rbd: string | null;
  readonly cabin: string | null;
}

export interface BookedSegment {
  readonly segment: FlightSegmentElement;
  readonly fare: SegmentFare;
}

/** The permanent record of a change. */
export interface NewChange extends Omit<OpenChange, "settled"> {
  readonly orderId: string;
  readonly kind: ChangeKind;
  readonly causedAt: Date;
  /** `not-announced`: it was loaded with its order, so nothing was sent. */
  readonly announcement: "announced" | "no-recipient" | "not-announced";
  /** The number of recipients. */
  readonly deliveries: number;
}

/** As requested; `loaded` came with its order, `order-view` is the difference from a newer view of it. */
export const changeKinds = [
  "retime",
  "duration",
  "renumber",
  "carrier",
  "airport",
  "terminal",
  "aircraft",
  "stops",
  "fare",
  "downgrade",
  "replace",
  "cancel",
  "restore",
  "combined",
  "loaded",
  "order-view",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The only settlement of a change for one booking reference. */
export interface Settlement {
  readonly changeId: string;
  readonly gdsBookingReference: string;
  /** `cancelled`: the traveller cancelled the booking, so the change can no longer be accepted or rejected. */
  readonly outcome: "accepted" | "rejected" | "cancelled";
  readonly settledAt: Date;
}

/** The only refund of a ticket. */
export interface TicketRefund {
  readonly orderId: string;
  readonly ticketNumber: string;
  readonly gdsBookingReference: string;
  /** The change that caused it. */
  readonly changeId: string;
  /** Decimal text with every digit of the currency: `412.50`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly refundedAt: Date;
}

/** One call of an operation. */
export interface JournalEntry {
  readonly operation: string;
  /** Null if the request named none. */
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** `MIXED`: some booking references succeeded and others failed. `ERROR`: there was no result. */
  readonly result: "SUCCESS" | "FAILED" | "MIXED" | "ERROR";
  readonly errorCode: string | null;
  /** Pending at the time of the call. */
  readonly changeId: string | null;
  /** Before the call. */
  readonly orderVersion: number | null;
  readonly at: Date;
}

export interface RecordedJournalEntry extends JournalEntry {
  readonly id: number;
}

/** For lists. */
export interface OrderSummary extends Pick<GatewayOrder, "orderId" | "owner" | "version" | "createdAt" | "references"> {
  readonly openChangeId: string | null;
}

/** The result of one transaction on an order. */
export interface Amendment<Result> {
  /** Null if it stays. */
  readonly order: GatewayOrder | null;
  readonly change: NewChange | null;
  readonly settlements: readonly Settlement[];
  /** Default: none. */
  readonly refunds?: readonly TicketRefund[];
  readonly journal: JournalEntry | null;
  /**
   * Whether the order is what another system says: its references may be others and in any state. Tickets may be added.
   */
  readonly isReplacement?: boolean;
  /** To be compared with the next one; default: it stays. */
  readonly givenView?: GivenView;
  readonly result: Result;
}

/** Each method is one transaction. */
export interface GatewayStore {
  /** Adds an order, with the change that it was loaded with. False if the order id is taken. */
  createOrder(order: GatewayOrder, change: NewChange | null, givenView?: GivenView): Promise<boolean>;
  readOrder(orderId: string): Promise<GatewayOrder | null>;
  /** The view of the order that was given last; null if none was. */
  readGivenView(tx: Tx, orderId: string): Promise<GivenView | null>;
  /** Finds orders by the numbers of tickets in any state; one entry per order and ticket. */
  findTicketOrders(
    ticketNumbers: readonly string[],
  ): Promise<readonly { readonly ticketNumber: string; readonly orderId: string }[]>;
  /** By order id. */
  listOrders(page: { readonly after: string | null; readonly limit: number }): Promise<readonly OrderSummary[]>;
  /**
   * Locks the order, calls `amend` and commits its result, so that concurrent calls run one after the other. Null if
   * there is no such order. A rejection of `amend` rolls back and is passed on.
   */
  amendOrder<Result>(
    orderId: string,
    amend: (order: GatewayOrder, tx: Tx) => Promise<Amendment<Result>>,
  ): Promise<Result | null>;
  recordCall(entry: JournalEntry): Promise<void>;
  /** The newest entries, oldest first. */
  readJournal(filter: {
    readonly orderId: string | null;
    readonly limit: number;
  }): Promise<readonly RecordedJournalEntry[]>;
}

export interface ChangeAnnouncer {
  /** Adds the notification to the outbox in the same transaction. */
  announce(tx: Tx, notification: ChangeNotification): Promise<{ readonly deliveries: readonly StartedDelivery[] }>;
}

/** To one recipient. */
export interface StartedDelivery {
  readonly deliveryId: string;
  readonly recipientId: string;
}

export interface ChangeNotification {
  readonly orderId: string;
  /** Airline designator. */
  readonly airline: string;
  /** Null: it goes to the recipients of all agencies. */
  readonly agencyId: string | null;
  readonly changeId: string;
  /** The OCN, as it is sent. */
  readonly body: Uint8Array;
}

/** A scheduled flight on one day. */
export interface DatedFlight {
  /** The code of the marketing or the operating carrier. */
  readonly carrier: string;
  /** Without padding. */
  readonly flightNumber: string;
  /** Local date of departure, yyyy-mm-dd. */
  readonly date: string;
}

export interface OrderOnFlight {
  readonly orderId: string;
  /** On that flight, at least one. */
  readonly segmentKeys: readonly string[];
}

/** Before its first change, by segment key. */
export type FirstBooked = ReadonlyMap<string, BookedSegment>;

/** What a change depends on besides its order. */
export interface ChangeHistory {
  /**
   * Each segment before its first change that was caused here, by key. Runs in the transaction that holds the order.
   */
  readFirstBooked(tx: Tx, orderId: string): Promise<FirstBooked>;
  /** By order id. */
  findOrdersOnFlight(
    flight: DatedFlight,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly OrderOnFlight[]>;
}

/** The optional services that are switched off, shared by all processes of the gateway. */
export interface ServiceSwitches {
  readSwitchedOff(): Promise<readonly OperationName[]>;
  /** Switches these off, and all others on. */
  switchOff(names: readonly OperationName[]): Promise<void>;
}
