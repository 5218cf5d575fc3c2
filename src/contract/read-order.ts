import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import { gdsBookingReferencesOf, orderIdOf } from "./find-orders.ts";
import {
  booleanOf,
  foldedTextOf,
  isUnreadable,
  listOf,
  member,
  memberAt,
  memberOf,
  numberOf,
  onlyOf,
  referencesOf,
  statesAnything,
  textOf,
  tokensOf,
} from "./lenient-value.ts";
import { localDateTimeOf } from "./local-date-time.ts";
import type { AirlineDeadline, AmendmentsActions, FareComponent, Flight, OrderRecord } from "./order-view.ts";
import { readBookedSeat, readBookedServices } from "./read-booked-extras.ts";
import { readDeadlines } from "./read-deadlines.ts";
import { readCancellationFee, readRefundable, readTotalPrice } from "./read-prices.ts";
import { readSoldTerms } from "./read-sold-terms.ts";

export type FlightsByKey = ReadonlyMap<string, Flight>;

/**
 * Reads an `Order` element that has an OrderID.
 * @param flights the flights that the order's services may refer to.
 * @param deadlinesOfAll those that the view states for all its orders.
 * @see interface document, "Order / offer object", "Schedule-change objects"
 */
export function readOrder(
  json: unknown,
  flights: FlightsByKey,
  deadlinesOfAll: readonly AirlineDeadline[] = [],
): OrderRecord {
  const scheduleChange = listOf(member(json, "ScheduleChange"));
  const offerItems = listOf(member(json, "OfferItem"));
  const fareComponents = offerItems.flatMap(readFareComponents);
  return {
    orderId: orderIdOf(json) ?? "",
    gdsBookingReferences: gdsBookingReferencesOf(json),
    owner: textOf(member(json, "Owner")),
    pnrStatus: stated("pnr-status", pnrStatusOf(member(json, "PnrStatus"))),
    scheduleChangeIndicator: stated("schedule-change-indicator", booleanOf(member(json, "ScheduleChangeIndicator"))),
    scheduleChangeStatus: stated("schedule-change-status", changeStatusOf(member(json, "ScheduleChangeStatus"))),
    orderStatus: stated("order-status", foldedTextOf(member(json, "OrderStatus"))),
    paymentStatus: stated("payment-status", foldedTextOf(member(json, "PaymentStatus"))),
    ticketStatus: stated("ticket-status", foldedTextOf(member(json, "TicketStatus"))),
    needToTicket: stated("need-to-ticket", booleanOf(member(json, "NeedToTicket"))),
    totalPrice: readTotalPrice(json),
    refundable: readRefundable(offerItems),
    paymentTimeLimit: stated(
      "payment-time-limit",
      localDateTimeOf(textOf(memberAt(json, "TimeLimits", "PaymentExpirationDateTime"))),
    ),
    deadlines: [...deadlinesOfAll, ...readDeadlines(json)],
    cancellationFee: readCancellationFee(json),
    sold: readSoldTerms(json, offerItems),
    seats: listOf(member(json, "PaxSeatInfo")).filter(isRecord).map(readBookedSeat),
    services: offerItems.flatMap(readBookedServices),
    changedFlights: scheduleChange.flatMap(readChangedFlights),
    flags: readFlags(json, scheduleChange),
    segmentKeys: segmentKeysOf(offerItems, fareComponents, flights),
    fareComponents,
    ...readSoldTo(offerItems),
  };
}

/** Left out if no fare says for whom it is. */
function readSoldTo(offerItems: readonly unknown[]): Pick<OrderRecord, "soldTo"> {
  const soldTo = offerItems.flatMap((item) => {
    const ptc = textOf(member(item, "PassengerType"))?.toUpperCase() ?? null;
    const quantity = numberOf(member(item, "PassengerQuantity"));
    return ptc === null && quantity === null ? [] : [{ ptc, quantity }];
  });
  return soldTo.length === 0 ? {} : { soldTo };
}

function stated<T>(name: string, value: T | null): Fact<T> {
  return value === null ? unknown(`missing-${name}`) : known(value);
}

/** Booking results spell CANCELED, the status CANCELLED. */
function pnrStatusOf(value: unknown): string | null {
  const status = foldedTextOf(value);
  return status === "CANCELED" ? "CANCELLED" : status;
}

function changeStatusOf(value: unknown): string | null {
  const sent = textOf(value);
  const letters = sent?.replace(/[^a-z]/gi, "").toLowerCase();
  return changeStatuses.find((status) => status.replace("-", "").toLowerCase() === letters) ?? sent;
}

/** In the interface document. */
export const changeStatuses: readonly string[] = ["Initiated", "Accepted", "Rejected", "Partially-Accepted"];

function readChangedFlights(element: unknown): OrderRecord["changedFlights"] {
  const segmentKeys = referencesOf(["SegmentRefs", "SegmentReferences"].map((key) => member(element, key)).flat());
  const flightKeys = referencesOf(member(element, "FlightKey"));
  if (flightKeys.length > 0) return flightKeys.map((flightKey) => ({ flightKey, segmentKeys }));
  return segmentKeys.length > 0 ? [{ flightKey: "", segmentKeys }] : [];
}

/** The flags are in an element of `ScheduleChange`, or in the order itself. */
function readFlags(order: unknown, scheduleChange: readonly unknown[]): AmendmentsActions {
  const holders = [...scheduleChange, order];
  const actions = holders.flatMap((holder) => listOf(member(holder, "AmendmentsActions"))).filter(isRecord);
  return {
    accept: readFlag(actions, "Accept"),
    cancel: readFlag(actions, "Cancel"),
    reSchedule: readFlag(actions, "ReSchedule"),
  };
}

function readFlag(actions: readonly unknown[], name: string): Fact<"Y" | "N"> {
  const values = actions.map((action) => member(action, name)).filter((value) => textOf(value) !== null);
  const flags = values.map(booleanOf);
  if (flags.length === 0) return unknown("missing-flag");
  if (flags.includes(null)) return unknown("unreadable-flag");
  if (flags.some((flag) => flag !== flags[0])) return unknown("contradictory-flags");
  return known(flags[0] === true ? "Y" : "N");
}

/** Other gateways send fare components in `FareDetail`; these are not read. */
function readFareComponents(item: unknown, offerItem: number): readonly FareComponent[] {
  const elsewhere = listOf(member(item, "FareDetail")).flatMap((detail) => listOf(member(detail, "FareComponent")));
  const components = listOf(member(item, "FareComponent")).filter(statesAnything);
  return [...components, ...elsewhere.filter(statesAnything).map(() => "not read")].map((json) => {
    const basis = isRecord(json) ? member(json, "FareBasis") : "not read";
    return {
      offerItem,
      segmentKeys: referencesOf(memberOf(json, "SegmentRefs", "SegmentReferences")),
      rbds: readTokens(basis, "RBD"),
      cabinTypes: readTokens(basis, "CabinType"),
      priceClassRef: textOf(member(json, "PriceClassRef")),
    };
  });
}

function readTokens(basis: unknown, key: string): readonly string[] | null {
  if (statesAnything(basis) && !isRecord(onlyOf(basis))) return null;
  const tokens = member(basis, key);
  if (listOf(tokens).some(isUnreadable)) return null;
  return key === "CabinType" ? cabinTokensOf(tokens) : tokensOf(tokens);
}

/** As `tokensOf`, but the words of one name, such as `Premium Economy`, stay together. */
function cabinTokensOf(value: unknown): readonly string[] {
  const joined = listOf(value).map((part) =>
    namesInWords.reduce((text, blank) => text.replaceAll(blank, "\0"), textOf(part) ?? ""),
  );
  return joined
    .flatMap((text) => text.split(/[\s,]+/).filter((token) => token !== ""))
    .map((token) => token.replaceAll("\0", " "));
}

/** Blanks within the name of one cabin. No text has NUL, because reading drops it. */
const namesInWords: readonly RegExp[] = [
  /(?<=\bprem(?:ium)?\.?)\s+(?=(?:eco\w*|turista|tourist|y)\b)/giu,
  /(?<=\b(?:eco|economy|econom[iíy]a|turista|tourist))\s+(?=premium\b(?!\s+(?:eco|turista)))/giu,
  /(?<=[\p{L}\0])\s+(?=(?:class|klasse|classe|clase|cabin|cabine|cabina)\b)/giu,
  /(?<=\b(?:classe|clase|cabina))\s+(?=\p{L}{3})/giu,
  /(?<=\p{L})\s+(?=\([A-Z]\))/gu,
];

function segmentKeysOf(
  offerItems: readonly unknown[],
  fareComponents: readonly FareComponent[],
  flights: FlightsByKey,
): readonly string[] {
  const services = offerItems.flatMap((item) => listOf(member(item, "Service")));
  const flightKeys = services.flatMap((service) => referencesOf(member(service, "FlightRefs")));
  return [
    ...new Set([
      ...fareComponents.flatMap((component) => component.segmentKeys),
      ...flightKeys.flatMap((flightKey) => flights.get(flightKey)?.segmentKeys ?? []),
    ]),
  ];
}
