import { isDeepStrictEqual } from "node:util";
import type { RequestProblem } from "../http/request-problems.ts";
import { withBooked } from "./change-segments.ts";
import { pathInView, UnusableOrderView } from "./load-order-view.ts";
import { type FlightElement, type FlightSegmentElement, keysIn, type OrderContent } from "./order-content.ts";
import type { BookingReference, ChangedSegment, GatewayOrder, Ticket } from "./ports.ts";
import { proposeSegments, usualFlags } from "./propose-change.ts";
import { withoutKey } from "./revise-segment.ts";

/**
 * Makes an order what a newer view of it says.
 * If the view states no change of its own, and `flights` is `proposed`, the flights that differ become a change of the
 * airline: the booked ones stay until it is accepted. Statuses that such a view leaves blank or normal stay, because its
 * writer need not know what agencies answered here.
 * @param before stored.
 * @param given the view as it was loaded.
 * @throws UnusableOrderView, AppError `gateway.nothing_to_change`
 */
export function replaceOrder(
  before: GatewayOrder,
  given: GatewayOrder,
  flights: "proposed" | "booked",
  changeId: string,
): GatewayOrder {
  if (given.owner !== before.owner) {
    const message = `is ${given.owner || "missing"}, but order ${before.orderId} is of ${before.owner || "no airline"}. An order stays with its airline`;
    throw new UnusableOrderView([{ path: pathInView("Order", 0, "Owner"), message }]);
  }
  const { version, createdAt } = before;
  const replaced = { ...given, agencyId: given.agencyId ?? before.agencyId, version, createdAt };
  const withTickets = { ...replaced, tickets: mergeTickets(before, given) };
  if (given.change !== null) return { ...withTickets, change: sameChange(before, given) ?? given.change };
  if (flights === "booked") return withTickets;
  const changed = differingFlights(before, given.content);
  const order: GatewayOrder = {
    ...withTickets,
    content: withBookedFlights(given.content, before.content),
    references: given.references.map((reference) => mergeState(reference, before)),
    change: before.change,
  };
  if (changed.length === 0) return withoutEndedChange(order);
  const flags = usualFlags(changed.every(({ becomes }) => becomes.length === 0));
  const booked = changed.map((segment) => withBooked(order, segment));
  return proposeSegments(order, booked, changeId, () => flags);
}

/** Keeps the id of a change that the view repeats, and what was answered to it. */
function sameChange({ change }: GatewayOrder, given: GatewayOrder): GatewayOrder["change"] {
  const shown = (order: GatewayOrder["change"]) =>
    order?.segments.map(({ segmentKey, details }) => [segmentKey, details]);
  return change !== null && isDeepStrictEqual(shown(change), shown(given.change)) ? change : null;
}

/** A change is over once no reference has it pending, as when the view says that the booking was cancelled. */
function withoutEndedChange(order: GatewayOrder): GatewayOrder {
  const { change } = order;
  if (change === null) return order;
  const isOpen = order.references.some(
    ({ gdsBookingReference, scheduleChangeStatus }) =>
      change.references.includes(gdsBookingReference) &&
      (scheduleChangeStatus === "Initiated" || scheduleChangeStatus === "Partially-Accepted"),
  );
  return isOpen ? order : { ...order, change: null };
}

function mergeState(given: BookingReference, before: GatewayOrder): BookingReference {
  const stored = before.references.find((one) => one.gdsBookingReference === given.gdsBookingReference);
  const statesChange = given.scheduleChangeStatus !== "" || given.scheduleChangeIndicator || given.flags !== null;
  if (stored === undefined || statesChange) return given;
  const isNormal = ["", "CONFIRMED", "PENDING"].includes(given.pnrStatus);
  if (given.pnrStatus === "" || (isNormal && stored.scheduleChangeStatus !== "")) return stored;
  return isNormal || given.pnrStatus === stored.pnrStatus ? { ...stored, pnrStatus: given.pnrStatus } : given;
}

/**
 * The states of known tickets stay. One that is no longer listed was used or voided elsewhere.
 * @throws UnusableOrderView
 */
function mergeTickets(before: GatewayOrder, given: GatewayOrder): readonly Ticket[] {
  const listed = new Set(given.tickets.map(({ ticketNumber }) => ticketNumber));
  const known = new Map(before.tickets.map((ticket) => [ticket.ticketNumber, ticket]));
  const problems = given.tickets.flatMap(({ ticketNumber }, position): RequestProblem[] => {
    const state = known.get(ticketNumber)?.state;
    if (state !== "void" && state !== "refunded") return [];
    const path = pathInView("TicketDocInfos", "TicketDocInfo", position, "TicketDocument", "TicketDocNbr");
    return [{ path, message: `is ${state} here, by an answer to this gateway. Leave the document out` }];
  });
  if (problems.length > 0) throw new UnusableOrderView(problems);
  const earlier = before.tickets.map((ticket): Ticket => {
    if (ticket.state !== "open" || listed.has(ticket.ticketNumber)) return ticket;
    return { ...ticket, state: ticket.flownSegmentKeys.length > 0 ? "used" : "void" };
  });
  return [...earlier, ...given.tickets.filter(({ ticketNumber }) => !known.has(ticketNumber))];
}

/**
 * Compares the flights as proposed, or booked, with those of the view, without their keys, which each system chooses.
 * @throws UnusableOrderView if a flight was flown, or replaces none
 */
function differingFlights(before: GatewayOrder, given: OrderContent): readonly ChangedSegment[] {
  const pending = new Map(before.change?.segments.map(({ segmentKey, becomes }) => [segmentKey, becomes]));
  const flown = new Set(before.tickets.flatMap(({ flownSegmentKeys }) => flownSegmentKeys));
  const problems: RequestProblem[] = [];
  const changed = matchJourneys(before.content, given).flatMap(({ booked, shown }) => {
    const current = booked.map((segment) => pending.get(segment.SegmentKey) ?? [segment]);
    const places = placeOf(booked, current, shown);
    return booked.flatMap(({ SegmentKey: segmentKey }, place): ChangedSegment[] => {
      const becomes = shown.filter((_, position) => places[position] === place);
      if (isDeepStrictEqual(current[place]!.map(withoutKey), becomes.map(withoutKey))) return [];
      if (flown.has(segmentKey)) {
        problems.push({ path: flightPath(given, becomes[0]), message: `${segmentKey} was flown and cannot change` });
      }
      const named = becomes.map((segment) => ({ ...segment, SegmentKey: segmentKey }));
      return [{ segmentKey, details: named.map(withoutKey), becomes: named }];
    });
  });
  const replaced = new Set(matchJourneys(before.content, given).flatMap(({ shown }) => shown));
  for (const segment of given.DataLists.FlightSegmentList.FlightSegment) {
    if (replaced.has(segment)) continue;
    const message =
      'is in no Flight of the order. Give its Flight the FlightKey of the one that it replaces, or send "flights": "booked"';
    problems.push({ path: flightPath(given, segment), message });
  }
  if (problems.length > 0) throw new UnusableOrderView(problems);
  return changed;
}

interface MatchedJourney {
  readonly booked: readonly FlightSegmentElement[];
  /** In the view; none if the journey is not in it. */
  readonly shown: readonly FlightSegmentElement[];
}

/** By FlightKey. Without a FlightList, all segments are one journey. */
function matchJourneys(booked: OrderContent, given: OrderContent): readonly MatchedJourney[] {
  const journeys = booked.DataLists.FlightList.Flight;
  const shown = given.DataLists.FlightList.Flight;
  if (journeys.length === 0 || shown.length === 0) {
    const all = ({ DataLists }: OrderContent) => DataLists.FlightSegmentList.FlightSegment;
    return [{ booked: all(booked), shown: all(given) }];
  }
  return journeys.map((journey) => ({
    booked: segmentsOf(booked, journey),
    shown: segmentsOf(
      given,
      shown.find(({ FlightKey }) => FlightKey === journey.FlightKey),
    ),
  }));
}

function segmentsOf({ DataLists }: OrderContent, flight: FlightElement | undefined): readonly FlightSegmentElement[] {
  const { FlightSegment } = DataLists.FlightSegmentList;
  return keysIn(flight?.SegmentReferences).flatMap((key) =>
    FlightSegment.filter(({ SegmentKey }) => SegmentKey === key),
  );
}

/**
 * For each flight of the view, the position of the booked one whose place it takes: that with the same values or key,
 * else the first one that went missing there, else the one before.
 */
function placeOf(
  booked: readonly FlightSegmentElement[],
  current: readonly (readonly FlightSegmentElement[])[],
  shown: readonly FlightSegmentElement[],
): readonly number[] {
  const own = shown.map((segment) => {
    const isSame = (one: FlightSegmentElement) => isDeepStrictEqual(withoutKey(one), withoutKey(segment));
    const place = current.findIndex((flights) => flights.some(isSame));
    return place >= 0 ? place : booked.findIndex(({ SegmentKey }) => SegmentKey === segment.SegmentKey);
  });
  let last = -1;
  return own.map((place) => {
    if (place < 0) return Math.max(own.includes(last + 1) || last + 1 >= booked.length ? last : last + 1, 0);
    last = place;
    return place;
  });
}

function flightPath(given: OrderContent, segment: FlightSegmentElement | undefined): string {
  const path = ["DataLists", "FlightSegmentList", "FlightSegment"];
  return pathInView(
    ...path,
    ...(segment === undefined ? [] : [given.DataLists.FlightSegmentList.FlightSegment.indexOf(segment)]),
  );
}

/**
 * The booked flights stay until a change of them is accepted. If the view has other segments, so do the items that name
 * them.
 */
function withBookedFlights(given: OrderContent, booked: OrderContent): OrderContent {
  const { FlightSegmentList, FlightList, OriginDestinationList } = booked.DataLists;
  const keysOf = ({ DataLists }: OrderContent) =>
    DataLists.FlightSegmentList.FlightSegment.map((one) => one.SegmentKey);
  const hasSameKeys = isDeepStrictEqual(keysOf(given).toSorted(), keysOf(booked).toSorted());
  return {
    ...given,
    Order: hasSameKeys
      ? given.Order
      : given.Order.map((element) => {
          const own = booked.Order.find((one) => one.GdsBookingReference === element.GdsBookingReference);
          if (own === undefined) return element;
          const { OfferItem, BaggageAllowance } = own;
          return { ...element, OfferItem, ...(BaggageAllowance === undefined ? {} : { BaggageAllowance }) };
        }),
    DataLists: { ...given.DataLists, FlightSegmentList, FlightList, OriginDestinationList },
  };
}
