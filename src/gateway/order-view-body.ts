import { responseVersion } from "../contract/envelope.ts";
import { keysIn, type OfferItemElement, type OrderContent, type OrderElement, segmentKeysOf } from "./order-content.ts";
import type { AmendmentFlags, BookingReference, GatewayOrder } from "./ports.ts";
import { withNewFares } from "./segment-fare.ts";

/** What `Document.Name` of everything that the gateway sends says. */
export const gatewayDocumentName = "API GATEWAY";

/**
 * The order as AirReservationStatus returns it: what is stored, with the statuses, flags and the pending change as they
 * are now.
 *
 * @param party `Party` of the request, which a response repeats; the order's own when the request had none.
 */
export function statusBody(order: GatewayOrder, party: unknown) {
  return { OrderViewRS: orderView(order, party) };
}

/** The fields that stand first in a response about a booking: `Party` is repeated as it came, whatever its form. */
export function bookingResponseHead(party: unknown, { content }: GatewayOrder, version = responseVersion) {
  return {
    Document: { Name: gatewayDocumentName, ReferenceVersion: version },
    Party: party ?? content.Party,
    ShoppingResponseId: content.ShoppingResponseId,
    Success: {},
  };
}

/** The Order Change Notification of the order, as the bytes that are sent. @see interface document, "Events" */
export function notificationBody(order: GatewayOrder): Buffer {
  return Buffer.from(JSON.stringify({ OrderViewRS: { ...orderView(order, undefined), threeDsResponse: "" } }));
}

function orderView(order: GatewayOrder, party: unknown) {
  const content = withNewFares(order.content, order.change?.segments ?? [], (reference) => isOpenFor(order, reference));
  const { Party, ShoppingResponseId, Payments, Order, DataLists, TicketDocInfos, ...others } = content;
  return {
    ...bookingResponseHead(party, order),
    ...(Payments === undefined ? {} : { Payments }),
    Order: Order.map((element) => orderElement(order, element)),
    DataLists: withPendingSegments(order, DataLists),
    ...(TicketDocInfos === undefined ? {} : { TicketDocInfos }),
    ...others,
    MetaData: {},
  };
}

/** Statuses stand where the interface document lists them, before the rest of the order. */
function orderElement(order: GatewayOrder, element: OrderElement) {
  const { OrderID, GdsBookingReference, OrderStatus, PaymentStatus, TicketStatus, ...others } = element;
  const reference = order.references.find((candidate) => candidate.gdsBookingReference === GdsBookingReference);
  return {
    OrderID,
    GdsBookingReference,
    ...(OrderStatus === undefined ? {} : { OrderStatus }),
    ...(PaymentStatus === undefined ? {} : { PaymentStatus }),
    ...(TicketStatus === undefined ? {} : { TicketStatus }),
    PnrStatus: reference?.pnrStatus ?? "",
    ScheduleChangeIndicator: reference?.scheduleChangeIndicator ?? false,
    ScheduleChangeStatus: reference?.scheduleChangeStatus ?? "",
    ...others,
    OfferItem: others.OfferItem.map(withPricedComponents),
    ScheduleChange: reference === undefined ? [] : scheduleChange(order, reference),
  };
}

/** Without fare components whose every segment was withdrawn. */
function withPricedComponents(item: OfferItemElement): OfferItemElement {
  if (item.FareComponent === undefined) return item;
  return { ...item, FareComponent: item.FareComponent.filter(({ SegmentRefs }) => SegmentRefs !== "") };
}

/**
 * The flights that the pending change moves, for a reference that has not answered it, then the flags. Once it has
 * answered only the flags are left: a flight that is named without new segment values would read as withdrawn.
 */
function scheduleChange(order: GatewayOrder, reference: BookingReference): readonly unknown[] {
  if (reference.flags === null) return [];
  const { gdsBookingReference } = reference;
  const flights = isOpenFor(order, gdsBookingReference) ? changedFlights(order, gdsBookingReference) : [];
  const actions = amendmentsActions(reference.flags);
  return Object.keys(actions).length === 0 ? flights : [...flights, { AmendmentsActions: actions }];
}

/** Whether a change is pending on the reference and was not answered for it. */
function isOpenFor({ change }: GatewayOrder, gdsBookingReference: string): boolean {
  return change?.references.includes(gdsBookingReference) === true && !change.settled.includes(gdsBookingReference);
}

function changedFlights(order: GatewayOrder, gdsBookingReference: string): readonly unknown[] {
  const own = segmentKeysOf(order.content, gdsBookingReference);
  const changed = new Set(order.change?.segments.map((segment) => segment.segmentKey));
  return order.content.DataLists.FlightList.Flight.flatMap((flight) => {
    const keys = keysIn(flight.SegmentReferences).filter((key) => changed.has(key) && own.includes(key));
    return keys.length === 0 ? [] : [{ FlightKey: flight.FlightKey, SegmentRefs: keys.join(" ") }];
  });
}

function amendmentsActions(flags: AmendmentFlags): Readonly<Record<string, "Y" | "N">> {
  return {
    ...(flags.accept === null ? {} : { Accept: flags.accept }),
    ...(flags.cancel === null ? {} : { Cancel: flags.cancel }),
    ...(flags.reSchedule === null ? {} : { ReSchedule: flags.reSchedule }),
  };
}

/** A withdrawn segment has no new values, so it is not in the list. */
function withPendingSegments(order: GatewayOrder, dataLists: OrderContent["DataLists"]) {
  const pending = (order.change?.segments ?? []).filter((segment) => segment.details.length > 0);
  return {
    ...dataLists,
    ScheduleChangeSegmentList: {
      ScheduleChangeSegment: pending.map((segment) => ({
        SegmentKey: segment.segmentKey,
        SegmentDetails: segment.details,
      })),
    },
  };
}
