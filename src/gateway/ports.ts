import type { OperationName } from "../contract/operations/operation.ts";
import type { Tx } from "../kernel/tx.ts";
import type { FlightSegmentElement, OrderContent, SegmentDetailsElement } from "./order-content.ts";

/** An order at the gateway, with what is pending on it. */
export interface GatewayOrder {
  readonly orderId: string;
  /** Airline designator. */
  readonly owner: string;
  readonly content: OrderContent;
  /** One for each `Order` element of the content, in that order. */
  readonly references: readonly BookingReference[];
  /** Every ticket document that was ever issued for it, those that are void or refunded included. */
  readonly tickets: readonly Ticket[];
  /** The change that waits for an answer; null when none does. */
  readonly change: OpenChange | null;
  /** Grows with everything that happens to the order. */
  readonly version: number;
  readonly createdAt: Date;
}

/** One booking reference of an order and its state. */
export interface BookingReference {
  readonly gdsBookingReference: string;
  readonly pnrStatus: PnrStatus;
  readonly scheduleChangeIndicator: boolean;
  readonly scheduleChangeStatus: ScheduleChangeStatus;
  /** Null for a reference that no change has concerned. */
  readonly flags: AmendmentFlags | null;
}

/**
 * The documented values; blank when a loaded order view had none.
 *
 * @see interface document, "States and transitions"
 */
export const pnrStatuses = ["", "CONFIRMED", "PENDING", "MODIFIED", "CANCELLED", "SCHEDULE CHANGED", "FAILED"] as const;
export type PnrStatus = (typeof pnrStatuses)[number];

/** The documented values; empty by default. */
export const scheduleChangeStatuses = ["", "Initiated", "Accepted", "Rejected", "Partially-Accepted"] as const;
export type ScheduleChangeStatus = (typeof scheduleChangeStatuses)[number];

/** `AmendmentsActions`; null leaves the flag out of the order view. */
export interface AmendmentFlags {
  readonly accept: AmendmentFlag;
  readonly cancel: AmendmentFlag;
  readonly reSchedule: AmendmentFlag;
}
export type AmendmentFlag = "Y" | "N" | null;

/** A ticket document and what became of it. */
export interface Ticket {
  readonly ticketNumber: string;
  /** `TKT`, or the kind of another document. */
  readonly documentType: string;
  /** Null when the order view does not say whose it is. */
  readonly passengerId: string | null;
  /** Null for a document of the whole order. */
  readonly gdsBookingReference: string | null;
  readonly state: TicketState;
  /** The segments whose coupon was flown. A coupon that was not has the state of its ticket. */
  readonly flownSegmentKeys: readonly string[];
}

/** `used`: every coupon was flown. `void` and `refunded` tickets are no longer listed in the order view. */
export const ticketStates = ["open", "used", "void", "refunded"] as const;
export type TicketState = (typeof ticketStates)[number];

/** A change that airlines made and that was not answered for all its booking references. */
export interface OpenChange {
  readonly id: string;
  /** What is still to take effect, in the order of the segments. */
  readonly segments: readonly ChangedSegment[];
  /** The booking references that it concerns. */
  readonly references: readonly string[];
  /** Those of them that were answered. */
  readonly settled: readonly string[];
}

/** What an airline does with one booked segment. */
export interface ChangedSegment {
  readonly segmentKey: string;
  /** What the order view shows as `SegmentDetails`: complete or partial; empty when the segment is withdrawn. */
  readonly details: readonly SegmentDetailsElement[];
  /** The flights that stand in its place once it is accepted; none when it is withdrawn. */
  readonly becomes: readonly FlightSegmentElement[];
  /** Its new booking class and cabin; left out when they stay. */
  readonly fare?: SegmentFare;
  /** What was booked when the airline changed it; left out when the change was loaded. */
  readonly booked?: BookedSegment;
}

/** What a fare component says of one segment; null where it does not tell. */
export interface SegmentFare {
  readonly rbd: string | null;
  readonly cabin: string | null;
}

/** A segment as it was booked, with its fare. */
export interface BookedSegment {
  readonly segment: FlightSegmentElement;
  readonly fare: SegmentFare;
}

/** A change as it is recorded for good. */
export interface NewChange extends Omit<OpenChange, "settled"> {
  readonly orderId: string;
  readonly kind: ChangeKind;
  readonly causedAt: Date;
  /** `not-announced`: it was loaded together with its order, so nothing was sent. */
  readonly announcement: "announced" | "no-recipient" | "not-announced";
  /** Recipients that the notification goes to. */
  readonly deliveries: number;
}

/** What the airline did, as it was asked for; `loaded` came with its order. */
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
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The one answer to a change for one booking reference. */
export interface Settlement {
  readonly changeId: string;
  readonly gdsBookingReference: string;
  /** `cancelled`: the booking was cancelled at the traveller's wish, so nobody can answer any more. */
  readonly outcome: "accepted" | "rejected" | "cancelled";
  readonly settledAt: Date;
}

/** The one time that a ticket was paid back. */
export interface TicketRefund {
  readonly orderId: string;
  readonly ticketNumber: string;
  readonly gdsBookingReference: string;
  /** The change because of which it was paid back. */
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
  /** Null when the request named none. */
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** `MIXED`: some booking references succeeded and others failed. `ERROR`: there was no result. */
  readonly result: "SUCCESS" | "FAILED" | "MIXED" | "ERROR";
  readonly errorCode: string | null;
  /** The change that was pending when the call was made. */
  readonly changeId: string | null;
  /** The order's version before the call. */
  readonly orderVersion: number | null;
  readonly at: Date;
}

export interface RecordedJournalEntry extends JournalEntry {
  readonly id: number;
}

/** What is shown of an order in lists. */
export interface OrderSummary {
  readonly orderId: string;
  readonly owner: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly openChangeId: string | null;
  readonly references: readonly BookingReference[];
}

/** What becomes of an order in one transaction. */
export interface Amendment<Result> {
  /** The order as it is from now on; null leaves it as it is. */
  readonly order: GatewayOrder | null;
  readonly change: NewChange | null;
  readonly settlements: readonly Settlement[];
  /** None unless given. */
  readonly refunds?: readonly TicketRefund[];
  readonly journal: JournalEntry | null;
  readonly result: Result;
}

/** Where orders are kept. Each method is one transaction. */
export interface GatewayStore {
  /** Adds an order, with the change that it was loaded with. False when the order id is taken. */
  createOrder(order: GatewayOrder, change: NewChange | null): Promise<boolean>;
  readOrder(orderId: string): Promise<GatewayOrder | null>;
  /** The orders that have a ticket with one of these numbers, whatever became of it; one entry for each of the two. */
  findTicketOrders(
    ticketNumbers: readonly string[],
  ): Promise<readonly { readonly ticketNumber: string; readonly orderId: string }[]>;
  /** By order id, after the one given. */
  listOrders(page: { readonly after: string | null; readonly limit: number }): Promise<readonly OrderSummary[]>;
  /**
   * Lends the order, locked, and commits what becomes of it: of several calls at once each sees what the one before
   * left. Null when there is no such order. A rejection of `amend` rolls everything back and is passed on.
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

/** Tells the recipients of an airline's notifications about a change. */
export interface ChangeAnnouncer {
  /** Puts the notification into the outbox of the same transaction, so that neither can be committed alone. */
  announce(tx: Tx, notification: ChangeNotification): Promise<{ readonly deliveries: number }>;
}

export interface ChangeNotification {
  readonly orderId: string;
  /** Airline designator. */
  readonly airline: string;
  readonly changeId: string;
  /** The OCN, as it is sent. */
  readonly body: Uint8Array;
}

/** A scheduled flight on one day. */
export interface DatedFlight {
  /** Airline designator, of who sells it or who flies it. */
  readonly carrier: string;
  /** Without padding. */
  readonly flightNumber: string;
  /** Local date of departure, yyyy-mm-dd. */
  readonly date: string;
}

/** An order that holds a dated flight. */
export interface OrderOnFlight {
  readonly orderId: string;
  /** Its segments on that flight; at least one. */
  readonly segmentKeys: readonly string[];
}

/** Each segment as it was booked before its first change, by key. */
export type FirstBooked = ReadonlyMap<string, BookedSegment>;

/** What causing a change has to know of changes before and of other orders. */
export interface ChangeHistory {
  /**
   * Each segment of an order as it was booked before the first change of it that was caused here, by key. Runs in the
   * transaction that holds the order.
   */
  readFirstBooked(tx: Tx, orderId: string): Promise<FirstBooked>;
  /** Orders whose booked flights include that one, by order id, after the one given. */
  findOrdersOnFlight(
    flight: DatedFlight,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly OrderOnFlight[]>;
}

/** Which optional services are switched off, kept for every process of the gateway. */
export interface ServiceSwitches {
  readSwitchedOff(): Promise<readonly OperationName[]>;
  /** From now on these and no others. */
  switchOff(names: readonly OperationName[]): Promise<void>;
}
