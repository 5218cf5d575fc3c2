import { type Fact, known, unknown } from "../kernel/fact.ts";
import { isRecord } from "../kernel/record.ts";
import type { offerItem } from "./elements/offer-item.ts";
import type { scheduleChangeElement } from "./elements/segment.ts";
import { gdsBookingReferencesOf, orderIdOf } from "./find-orders.ts";
import {
  booleanOf,
  foldedTextOf,
  isUnreadable,
  listOf,
  member,
  numberOf,
  referencesOf,
  statesAnything,
  textOf,
  tokensOf,
} from "./lenient-value.ts";
import { localDateTimeOf } from "./local-date-time.ts";
import type { AirlineDeadline, AmendmentsActions, FareComponent, Flight, OrderRecord } from "./order-view.ts";
import { readBookedSeat, readBookedServices } from "./read-booked-extras.ts";
import { readCancellationFee, readRefundable, readTotalPrice } from "./read-prices.ts";
import { readSoldTerms } from "./read-sold-terms.ts";
import type { Stated } from "./stated.ts";
import type { StatedOrderElement } from "./stated-view.ts";

export type FlightsByKey = ReadonlyMap<string, Flight>;

/**
 * Reads an `Order` element that has an OrderID.
 * @param flights the flights that the order's services may refer to.
 * @param deadlines those that the order, or the view for all its orders, states.
 * @see interface document, "Order / offer object", "Schedule-change objects"
 */
export function readOrder(
  order: StatedOrderElement,
  flights: FlightsByKey,
  deadlines: readonly AirlineDeadline[],
): OrderRecord {
  const scheduleChange = listOf(order?.ScheduleChange);
  const offerItems = listOf(order?.OfferItem);
  const fareComponents = offerItems.flatMap(readFareComponents);
  return {
    orderId: orderIdOf(order) ?? "",
    gdsBookingReferences: gdsBookingReferencesOf(order),
    owner: textOf(order?.Owner),
    pnrStatus: stated("pnr-status", pnrStatusOf(order?.PnrStatus)),
    scheduleChangeIndicator: stated("schedule-change-indicator", booleanOf(order?.ScheduleChangeIndicator)),
    scheduleChangeStatus: stated("schedule-change-status", changeStatusOf(order?.ScheduleChangeStatus)),
    orderStatus: stated("order-status", foldedTextOf(order?.OrderStatus)),
    paymentStatus: stated("payment-status", foldedTextOf(order?.PaymentStatus)),
    ticketStatus: stated("ticket-status", foldedTextOf(order?.TicketStatus)),
    needToTicket: stated("need-to-ticket", booleanOf(order?.NeedToTicket)),
    totalPrice: readTotalPrice(order),
    refundable: readRefundable(offerItems),
    paymentTimeLimit: stated(
      "payment-time-limit",
      localDateTimeOf(textOf(order?.TimeLimits?.PaymentExpirationDateTime)),
    ),
    deadlines,
    cancellationFee: readCancellationFee(order),
    sold: readSoldTerms(order, offerItems),
    seats: listOf(order?.PaxSeatInfo).filter(isRecord).map(readBookedSeat),
    services: offerItems.flatMap(readBookedServices),
    changedFlights: scheduleChange.flatMap(readChangedFlights),
    flags: readFlags(order, scheduleChange),
    segmentKeys: segmentKeysOf(offerItems, fareComponents, flights),
    fareComponents,
    ...readSoldTo(offerItems),
  };
}

/** Left out if no fare says for whom it is. */
function readSoldTo(offerItems: readonly Stated<typeof offerItem>[]): Pick<OrderRecord, "soldTo"> {
  const soldTo = offerItems.flatMap((item) => {
    const ptc = textOf(item?.PassengerType)?.toUpperCase() ?? null;
    const quantity = numberOf(item?.PassengerQuantity);
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

function readChangedFlights(change: Stated<typeof scheduleChangeElement>): OrderRecord["changedFlights"] {
  const segmentKeys = referencesOf([change?.SegmentRefs, change?.SegmentReferences].flat());
  const flightKeys = referencesOf(change?.FlightKey);
  if (flightKeys.length > 0) return flightKeys.map((flightKey) => ({ flightKey, segmentKeys }));
  return segmentKeys.length > 0 ? [{ flightKey: "", segmentKeys }] : [];
}

/** The flags are in an element of `ScheduleChange`, or in the order itself. */
function readFlags(
  order: StatedOrderElement,
  scheduleChange: readonly Stated<typeof scheduleChangeElement>[],
): AmendmentsActions {
  const holders = [...scheduleChange, order];
  const actions = holders.flatMap((holder) => listOf(holder?.AmendmentsActions)).filter(isRecord);
  return {
    accept: readFlag(actions.map(({ Accept }) => Accept)),
    cancel: readFlag(actions.map(({ Cancel }) => Cancel)),
    reSchedule: readFlag(actions.map(({ ReSchedule }) => ReSchedule)),
  };
}

function readFlag(stated: readonly unknown[]): Fact<"Y" | "N"> {
  const flags = stated.filter((value) => textOf(value) !== null).map(booleanOf);
  if (flags.length === 0) return unknown("missing-flag");
  if (flags.includes(null)) return unknown("unreadable-flag");
  if (flags.some((flag) => flag !== flags[0])) return unknown("contradictory-flags");
  return known(flags[0] === true ? "Y" : "N");
}

/** Other gateways send fare components in `FareDetail`; these are not read. */
function readFareComponents(item: Stated<typeof offerItem>, position: number): readonly FareComponent[] {
  const elsewhere = listOf(item?.FareDetail).flatMap((detail) => listOf(member(detail, "FareComponent")));
  const components = listOf(item?.FareComponent).filter(statesAnything);
  return [...components, ...elsewhere.filter(statesAnything).map(() => null)].map((component) => {
    const basis = isRecord(component) ? component.FareBasis : null;
    const isRead = isRecord(component) && (isRecord(basis) || !statesAnything(basis));
    return {
      offerItem: position,
      segmentKeys: referencesOf(component?.SegmentRefs),
      rbds: isRead ? readTokens(basis?.RBD, tokensOf) : null,
      cabinTypes: isRead ? readTokens(basis?.CabinType, cabinTokensOf) : null,
      priceClassRef: textOf(component?.PriceClassRef),
    };
  });
}

function readTokens(stated: unknown, read: (value: unknown) => readonly string[]): readonly string[] | null {
  return listOf(stated).some(isUnreadable) ? null : read(stated);
}

/** As `tokensOf`, but the words of one name, such as `Premium Economy`, stay together. */
function cabinTokensOf(value: unknown): readonly string[] {
  const joined = listOf(value).map((part) => {
    const text = textOf(part) ?? "";
    return mayHaveWords.test(text) ? namesInWords.reduce((each, blank) => each.replaceAll(blank, "\0"), text) : text;
  });
  return joined
    .flatMap((text) => text.split(/[\s,]+/).filter((token) => token !== ""))
    .map((token) => token.replaceAll("\0", " "));
}

/** Most texts are codes of one letter, which {@link namesInWords} cannot join. */
const mayHaveWords = /\p{L}{3}|\(/u;

/** Blanks within the name of one cabin. No text has NUL, because reading drops it. */
const namesInWords: readonly RegExp[] = [
  /(?<=\bprem(?:ium)?\.?)\s+(?=(?:eco\w*|turista|tourist|y)\b)/giu,
  /(?<=\b(?:eco|economy|econom[iíy]a|turista|tourist))\s+(?=premium\b(?!\s+(?:eco|turista)))/giu,
  /(?<=[\p{L}\0])\s+(?=(?:class|klasse|classe|clase|cabin|cabine|cabina)\b)/giu,
  /(?<=\b(?:classe|clase|cabina))\s+(?=\p{L}{3})/giu,
  /(?<=\p{L})\s+(?=\([A-Z]\))/gu,
];

function segmentKeysOf(
  offerItems: readonly Stated<typeof offerItem>[],
  fareComponents: readonly FareComponent[],
  flights: FlightsByKey,
): readonly string[] {
  const services = offerItems.flatMap((item) => listOf<unknown>(item?.Service));
  const flightKeys = services.flatMap((service) => referencesOf(member(service, "FlightRefs")));
  return [
    ...new Set([
      ...fareComponents.flatMap((component) => component.segmentKeys),
      ...flightKeys.flatMap((flightKey) => flights.get(flightKey)?.segmentKeys ?? []),
    ]),
  ];
}
