import { responseVersion } from "../contract/envelope.ts";
import { keysIn, type OfferItemElement, type OrderContent, type OrderElement, segmentKeysOf } from "./order-content.ts";
import type { AmendmentFlags, BookingReference, GatewayOrder } from "./ports.ts";
import { withNewFares } from "./segment-fare.ts";

/** In everything that the gateway sends. */
export const gatewayDocumentName = "API GATEWAY";

/**
 * As AirReservationStatus returns it: the stored order with its current statuses, flags and pending change.
 * @param party `Party` of the request, which the response repeats; default: the order's own.
 */
export function statusBody(order: GatewayOrder, party: unknown) {
  return { OrderViewRS: orderView(order, party) };
}

/** The first members of a response about a booking. `Party` is repeated as it came. */
export function bookingResponseHead(party: unknown, { content }: GatewayOrder, version = responseVersion) {
  return {
    Document: { Name: gatewayDocumentName, ReferenceVersion: version },
    Party: party ?? content.Party,
    ShoppingResponseId: content.ShoppingResponseId,
    Success: {},
  };
}

/** The Order Change Notification as it is sent. @see interface document, "Events" */
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

/** Statuses come first, as in the interface document. */
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

/** Drops fare components whose segments were all withdrawn. */
function withPricedComponents(item: OfferItemElement): OfferItemElement {
  if (item.FareComponent === undefined) return item;
  return { ...item, FareComponent: item.FareComponent.filter(({ SegmentRefs }) => SegmentRefs !== "") };
}

/**
 * The changed flights, if the change is open for the reference, then the flags. Afterwards only the flags, because a
 * flight without new values would be read as withdrawn.
 */
function scheduleChange(order: GatewayOrder, reference: BookingReference): readonly unknown[] {
  if (reference.flags === null) return [];
  const { gdsBookingReference } = reference;
  const flights = isOpenFor(order, gdsBookingReference) ? changedFlights(order, gdsBookingReference) : [];
  const actions = amendmentsActions(reference.flags);
  return Object.keys(actions).length === 0 ? flights : [...flights, { AmendmentsActions: actions }];
}

/** Whether a change is pending and not settled for the reference. */
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

/** Omits withdrawn segments, which have no new values. */
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
