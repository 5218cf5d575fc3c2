import type { OrderRecord, PriceClass } from "../contract/order-view.ts";
import { changeStatuses } from "../contract/read-order.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { factsFrom } from "./fact-definition.ts";
import { agreed, allOf, not } from "./fact-logic.ts";
import type { Proposal } from "./proposal.ts";

const { bool, int, text, list } = factsFrom<TicketParts>();

/**
 * Facts about the state of the booking. Several `Order` elements must agree, or the fact is unknown:
 * `differs-by-reference`. Statuses are as sent, in upper case; their vocabulary is open.
 * @see interface document, "Order / offer object"
 */
export const ticketFacts = {
  ticketed: bool(
    "Whether tickets are issued: by TicketStatus, else by the documents listed, else by NeedToTicket.",
    ({ proposal }) => proposal.ticketed,
  ),
  held: bool(
    "Whether the order is only held: neither ticketed nor paid. A held order has no ticket to refund.",
    ({ held }) => held,
  ),
  orderStatus: text("OrderStatus as sent, such as SUCCESS or BOOKED.", ({ orderStatus }) => orderStatus),
  paymentStatus: text("PaymentStatus as sent, such as PAID.", ({ paymentStatus }) => paymentStatus),
  pnrStatus: text("PnrStatus as sent, such as CONFIRMED or SCHEDULE CHANGED.", ({ proposal }) => proposal.pnrStatus),
  bookingStands: bool(
    "Whether PnrStatus, OrderStatus and PaymentStatus, as far as they are stated, are those of a booking that stands. False when one says FAILED; unknown when one is another word that is not known here, such as HX or REFUNDED, when an order with a ticket is on hold or not paid, or when only some booking references are CANCELLED. The notification counts as well. PnrStatus CANCELLED of the whole order has facts of its own.",
    ({ records, notifiedRecords }) =>
      allOf([isWhole(records), isWhole(notifiedRecords), ...[...records, ...notifiedRecords].map(stands)]),
  ),
  scheduleChangeStatus: text(
    "ScheduleChangeStatus as sent: Initiated, Accepted, Rejected or Partially-Accepted.",
    ({ proposal }) => proposal.scheduleChangeStatus,
  ),
  unrecognisedChangeStatus: bool(
    "Whether ScheduleChangeStatus states something other than Initiated, Accepted, Rejected and Partially-Accepted.",
    ({ records }) => known(records.some((record) => isUnrecognised(record.scheduleChangeStatus))),
  ),
  scheduleChangeIndicated: bool(
    "Whether flights have changed, by ScheduleChangeIndicator.",
    ({ proposal }) => proposal.scheduleChangeIndicator,
  ),
  needToTicket: bool("Whether tickets have still to be issued, by NeedToTicket.", ({ records }) =>
    agreed(records.map((record) => record.needToTicket)),
  ),
  acceptAllowed: bool(
    "Whether the gateway allows to accept the change (flag Accept). A missing flag is unknown.",
    ({ proposal }) => flagValue(proposal.flags.accept),
  ),
  cancelAllowed: bool(
    "Whether the gateway allows to cancel because of the change (flag Cancel). A missing flag is unknown.",
    ({ proposal }) => flagValue(proposal.flags.cancel),
  ),
  rescheduleAllowed: bool(
    "Whether the gateway offers another flight (flag ReSchedule). A missing flag is unknown.",
    ({ proposal }) => flagValue(proposal.flags.reSchedule),
  ),
  paymentTimeLimitEarliestMinutes: int(
    "Minutes from now to the payment time limit of a held order, at the earliest: the gateway states no time zone, so it is read as that of UTC+14. Negative once it may have passed. Unknown for an order that is not held.",
    (parts) => minutesToLimit(parts, easternmostHours),
    { unit: "min" },
  ),
  paymentTimeLimitLatestMinutes: int(
    "The same at the latest, read as UTC-12. Negative once it has passed anywhere.",
    (parts) => minutesToLimit(parts, westernmostHours),
    { unit: "min" },
  ),
  refundable: bool("Whether all fares say that they are refundable; unknown when they differ.", ({ records }) =>
    agreed(records.map((record) => record.refundable)),
  ),
  brands: list(
    "Names of the brands that were booked, or their codes where they have none, each once.",
    ({ records, priceClasses }) => brandsOf(records, priceClasses),
  ),
};

export interface TicketParts extends ReturnType<typeof ticketParts> {}

export function ticketParts(
  proposal: Proposal,
  records: readonly OrderRecord[],
  priceClasses: readonly PriceClass[],
  now: Date,
  notifiedRecords: readonly OrderRecord[] = [],
) {
  const paymentStatus = agreed(records.map((record) => record.paymentStatus));
  const orderStatus = agreed(records.map((record) => record.orderStatus));
  const held = isHeld(proposal.ticketed, paymentStatus, orderStatus);
  return { proposal, records, notifiedRecords, priceClasses, now, paymentStatus, orderStatus, held };
}

function isUnrecognised(status: Fact<string>): boolean {
  return status.known && !changeStatuses.includes(status.value);
}

function isWhole(records: readonly OrderRecord[]): Fact<boolean> {
  const cancelled = records.filter(({ pnrStatus }) => pnrStatus.known && pnrStatus.value === "CANCELLED");
  return cancelled.length > 0 && cancelled.length < records.length ? unknown("partly-cancelled") : known(true);
}

function stands({ pnrStatus, orderStatus, paymentStatus, ticketStatus }: OrderRecord): Fact<boolean> {
  const isOpen = isOneOf(notPaid, paymentStatus) || isOneOf(onHold, orderStatus);
  return allOf([
    isOpen && isOneOf(ticketed, ticketStatus) ? unknown("ticketed-but-not-paid") : known(true),
    isAmong(pnrStatuses, pnrStatus, "unrecognised-pnr-status"),
    isAmong(orderStatuses, orderStatus, "unrecognised-order-status"),
    isAmong(paymentStatuses, paymentStatus, "unrecognised-payment-status"),
  ]);
}

function isOneOf(statuses: ReadonlySet<string>, status: Fact<string>): boolean {
  return status.known && statuses.has(status.value);
}

function isAmong(expected: ReadonlySet<string>, status: Fact<string>, otherwise: string): Fact<boolean> {
  if (!status.known) return known(true);
  if (status.value === "FAILED") return known(false);
  return expected.has(status.value) ? known(true) : unknown(otherwise);
}

function isHeld(ticketed: Fact<boolean>, paymentStatus: Fact<string>, orderStatus: Fact<string>): Fact<boolean> {
  return allOf([not(ticketed), not(isPaid(paymentStatus, orderStatus))]);
}

function isPaid(paymentStatus: Fact<string>, orderStatus: Fact<string>): Fact<boolean> {
  if (paymentStatus.known) {
    if (paid.has(paymentStatus.value)) return known(true);
    return notPaid.has(paymentStatus.value) ? known(false) : unknown("unknown-payment-status");
  }
  return orderStatus.known && onHold.has(orderStatus.value) ? known(false) : paymentStatus;
}

const paid: ReadonlySet<string> = new Set(["PAID", "FULLY PAID", "SUCCESS", "COMPLETED", "CAPTURED", "SETTLED"]);
const notPaid: ReadonlySet<string> = new Set(["NOT PAID", "NOTPAID", "UNPAID", "PENDING", "FAILED"]);
const onHold: ReadonlySet<string> = new Set(["HOLD", "ON HOLD", "HELD"]);
const ticketed: ReadonlySet<string> = new Set(["TICKETED", "ISSUED"]);

/** Statuses of a booking that stands: PnrStatus values of the interface document, and others that gateways send. */
const orderStatuses: ReadonlySet<string> = new Set([
  ...["CONFIRMED", "PENDING", "MODIFIED", "SCHEDULE CHANGED", "HK"],
  ...["SUCCESS", "BOOKED", "TICKETED", "ISSUED", "COMPLETED", "OK", ...onHold],
]);
const pnrStatuses: ReadonlySet<string> = new Set([...orderStatuses, "CANCELLED"]);
const paymentStatuses: ReadonlySet<string> = new Set([...paid, ...notPaid, "APPROVED", "AUTHORIZED", "CONFIRMED"]);

function flagValue(flag: Fact<"Y" | "N">): Fact<boolean> {
  return flag.known ? known(flag.value === "Y") : flag;
}

/** The largest and smallest offset to UTC (tz database). */
const easternmostHours = 14;
const westernmostHours = -12;

function minutesToLimit({ held, records, now }: TicketParts, hoursAhead: number): Fact<number> {
  if (held.known && !held.value) return unknown("not-held");
  const minutes: number[] = [];
  for (const { paymentTimeLimit: limit } of records) {
    if (!limit.known) return limit;
    const printed = Date.parse(`${limit.value}Z`);
    if (Number.isNaN(printed)) return unknown("unknown-time");
    minutes.push(Math.floor((printed - hoursAhead * 3_600_000 - now.getTime()) / 60_000));
  }
  return minutes.length === 0 ? unknown("missing-order") : known(Math.min(...minutes));
}

function brandsOf(records: readonly OrderRecord[], priceClasses: readonly PriceClass[]): Fact<readonly string[]> {
  const byId = new Map(priceClasses.map((priceClass) => [priceClass.priceClassId, priceClass]));
  const components = records.flatMap((record) => record.fareComponents);
  if (components.length === 0) return unknown("missing-brand");
  const names = new Set<string>();
  for (const { priceClassRef } of components) {
    const priceClass = priceClassRef === null ? undefined : byId.get(priceClassRef);
    const name = priceClass?.name ?? priceClass?.code ?? null;
    if (name === null) return unknown("missing-brand");
    names.add(name);
  }
  return known([...names]);
}
