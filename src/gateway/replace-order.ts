import { isDeepStrictEqual } from "node:util";
import type { RequestProblem } from "../http/request-problems.ts";
import { withBooked } from "./change-segments.ts";
import { hasDeparted } from "./departed-segments.ts";
import { pathInView, UnusableOrderView } from "./load-order-view.ts";
import {
  type FlightElement,
  type FlightSegmentElement,
  keysIn,
  type OrderContent,
  segmentKeysOf,
} from "./order-content.ts";
import { isChangeable } from "./order-states.ts";
import type { BookingReference, ChangedSegment, GatewayOrder, GivenView, Ticket } from "./ports.ts";
import { proposeSegments, usualFlags } from "./propose-change.ts";
import { withoutKey } from "./revise-segment.ts";
import { areSameFlights, isSameFlight } from "./same-flight.ts";
import { retireTickets } from "./tickets.ts";

export interface Replacement {
  /** The view that was given last; null if none was. What it stated already is no news. */
  readonly earlier: GivenView | null;
  /** The view as it was loaded. */
  readonly given: GatewayOrder;
  /** The same as it will be stored, to be compared with `earlier`. */
  readonly view: GivenView;
  /** What to do with flights that differ, if the view states no change. */
  readonly flights: "proposed" | "booked";
  readonly changeId: string;
}

/**
 * Makes an order what a newer view of it says. Only what differs from the view before counts, because its writer need
 * not know what agencies answered here.
 * If the view states no change of its own, and `flights` is `proposed`, the flights that differ become a change of the
 * airline: the booked ones stay until it is accepted.
 * @param before stored.
 * @throws UnusableOrderView, AppError `gateway.nothing_to_change` if no booking flies what differs
 */
export function replaceOrder(before: GatewayOrder, replacement: Replacement): GatewayOrder {
  const { earlier, given, view, flights } = replacement;
  if (given.owner !== before.owner) {
    const message = `is ${given.owner || "missing"}, but order ${before.orderId} is of ${before.owner || "no airline"}. An order stays with its airline`;
    throw new UnusableOrderView([{ path: pathInView("Order", 0, "Owner"), message }]);
  }
  const agencyId = given.agencyId ?? before.agencyId;
  if (flights === "proposed" && earlier !== null && isDeepStrictEqual(earlier, view)) {
    return { ...before, agencyId };
  }
  const { change } = given;
  const isNews = change !== null && isNewChange(before, replacement);
  const order = withTickets(before, given, {
    ...before,
    agencyId,
    references: given.references.map((reference) => mergeState(reference, isNews, before, replacement)),
  });
  if (isNews) return { ...order, change };
  if (change === null && flights === "booked") {
    return {
      ...order,
      change: null,
      references: order.references.map((reference, position) =>
        isOpen(reference) ? given.references[position]! : reference,
      ),
    };
  }
  const isRepeated = earlier !== null && isDeepStrictEqual(earlier.content, view.content);
  const content = isRepeated ? before.content : withBookedFlights(order.content, before.content);
  return proposeDifferences({ ...order, content }, before, replacement);
}

/** What is stored of a view, to compare the next one with it. */
export function toGivenView({ content, references, tickets, change }: GatewayOrder): GivenView {
  const segments = change?.segments ?? null;
  // As it will be read from JSON.
  return JSON.parse(JSON.stringify({ content, references, tickets, segments })) as GivenView;
}

/** Whether a view states a change that was neither given before nor is pending or booked already. */
function isNewChange(before: GatewayOrder, { earlier, given }: Replacement): boolean {
  const stated = given.change!.segments;
  if (hasOtherReferences(before, given)) return true;
  if ([earlier?.segments, before.change?.segments].some((known) => known != null && isSameChange(known, stated))) {
    return false;
  }
  const { FlightSegment } = before.content.DataLists.FlightSegmentList;
  return !stated.every(({ segmentKey, becomes }) =>
    areSameFlights(
      FlightSegment.filter((segment) => segment.SegmentKey === segmentKey),
      becomes,
    ),
  );
}

function isSameChange(some: readonly ChangedSegment[], others: readonly ChangedSegment[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ segmentKey, becomes }, position) => {
      const other = others[position]!;
      return segmentKey === other.segmentKey && areSameFlights(becomes, other.becomes);
    })
  );
}

function hasOtherReferences(before: GatewayOrder, given: GatewayOrder): boolean {
  const namesOf = ({ references }: GatewayOrder) => references.map((one) => one.gdsBookingReference).toSorted();
  return !isDeepStrictEqual(namesOf(before), namesOf(given));
}

function isOpen({ scheduleChangeStatus }: BookingReference): boolean {
  return scheduleChangeStatus === "Initiated" || scheduleChangeStatus === "Partially-Accepted";
}

const normalStatuses: readonly string[] = ["", "CONFIRMED", "PENDING"];
const endStatuses: readonly string[] = ["CANCELLED", "FAILED"];

/** A state that was given before, or that only says that nothing is wrong, is no news. */
function mergeState(
  reference: BookingReference,
  isNews: boolean,
  before: GatewayOrder,
  { earlier, given }: Replacement,
): BookingReference {
  const find = (references: readonly BookingReference[] = []) =>
    references.find((one) => one.gdsBookingReference === reference.gdsBookingReference);
  const stored = find(before.references);
  const stated = find(earlier?.references);
  if (stored === undefined) return reference;
  if (given.change?.references.includes(reference.gdsBookingReference)) return isNews ? reference : stored;
  if (isDeepStrictEqual(stated, reference)) return stored;
  const { pnrStatus } = reference;
  if (reference.scheduleChangeStatus !== "" || reference.scheduleChangeIndicator || reference.flags !== null) {
    return reference;
  }
  if (pnrStatus === "" || pnrStatus === stored.pnrStatus) return stored;
  if (!normalStatuses.includes(pnrStatus)) {
    // A status alone settles no change, unless it ends the booking.
    return isOpen(stored) && !endStatuses.includes(pnrStatus) ? stored : reference;
  }
  const isReinstated = stated !== undefined && !normalStatuses.includes(stated.pnrStatus);
  const isSettledHere = stored.scheduleChangeStatus !== "" || !normalStatuses.includes(stored.pnrStatus);
  return isSettledHere && !isReinstated ? stored : { ...stored, pnrStatus };
}

/**
 * With the content of the view. The states of known tickets stay, also if the view lists one that was voided or refunded
 * here. One that is no longer listed was used or voided elsewhere; a view without documents says nothing of them.
 */
function withTickets(before: GatewayOrder, given: GatewayOrder, order: GatewayOrder): GatewayOrder {
  const { TicketDocInfos } = before.content;
  const tickets = mergeTickets(before, given);
  const content =
    given.content.TicketDocInfos === undefined && TicketDocInfos !== undefined
      ? { ...given.content, TicketDocInfos }
      : given.content;
  const numbersOf = (state: Ticket["state"]) =>
    tickets.filter((ticket) => ticket.state === state).map(({ ticketNumber }) => ticketNumber);
  const withoutVoid = retireTickets({ ...order, content, tickets }, numbersOf("void"), "void");
  return retireTickets(withoutVoid, numbersOf("refunded"), "refunded");
}

function mergeTickets(before: GatewayOrder, given: GatewayOrder): readonly Ticket[] {
  if (given.content.TicketDocInfos === undefined) return before.tickets;
  const listed = new Set(given.tickets.map(({ ticketNumber }) => ticketNumber));
  const known = new Set(before.tickets.map(({ ticketNumber }) => ticketNumber));
  const earlier = before.tickets.map((ticket): Ticket => {
    if (ticket.state !== "open" || listed.has(ticket.ticketNumber)) return ticket;
    return { ...ticket, state: ticket.flownSegmentKeys.length > 0 ? "used" : "void" };
  });
  return [...earlier, ...given.tickets.filter(({ ticketNumber }) => !known.has(ticketNumber))];
}

/** @param order with the booked flights. */
function proposeDifferences(order: GatewayOrder, before: GatewayOrder, replacement: Replacement): GatewayOrder {
  const { changeId, given } = replacement;
  const differing = statesOtherFlights(replacement) ? differingFlights(before, given) : [];
  const pending = before.change?.segments ?? [];
  // A pending change of references that are no longer there concerns those in their place.
  const asked = differing.length === 0 && hasOtherReferences(before, given) ? pending : differing;
  const changed = asked.filter(({ segmentKey }) => !isOfEndedBookings(order, segmentKey));
  if (changed.length === 0) return withoutEndedChange(order);
  const booked = changed.map((segment) => withBooked(order, segment));
  return proposeSegments(order, booked, changeId, (_, pending) => usualFlags(pending));
}

function isOfEndedBookings({ references, content }: GatewayOrder, segmentKey: string): boolean {
  const own = references.filter((one) => segmentKeysOf(content, one.gdsBookingReference).includes(segmentKey));
  return own.length > 0 && !own.some(isChangeable);
}

/** Whether a view says other flights than the one before. */
function statesOtherFlights({ earlier, given, view }: Replacement): boolean {
  if (given.change !== null) return false;
  if (earlier === null || earlier.segments !== null) return true;
  return !isDeepStrictEqual(flightsOf(earlier.content), flightsOf(view.content));
}

function flightsOf({ DataLists }: OrderContent) {
  return [DataLists.FlightSegmentList, DataLists.FlightList];
}

/** A change is over once no reference has it pending, as when the view says that the booking was cancelled. */
function withoutEndedChange(order: GatewayOrder): GatewayOrder {
  const { change, references } = order;
  const isPending = references.some(
    (reference) => change?.references.includes(reference.gdsBookingReference) && isOpen(reference),
  );
  return isPending ? order : { ...order, change: null };
}

/**
 * Compares the flights as proposed, or booked, with those of the view, without their keys, which each system chooses.
 * One that has departed may be left out.
 * @throws UnusableOrderView if a flight was flown, or replaces none
 */
function differingFlights(before: GatewayOrder, { content, createdAt: now }: GatewayOrder): readonly ChangedSegment[] {
  const pending = new Map(before.change?.segments.map(({ segmentKey, becomes }) => [segmentKey, becomes]));
  const flown = new Set(before.tickets.flatMap(({ flownSegmentKeys }) => flownSegmentKeys));
  const problems: RequestProblem[] = [];
  const journeys = matchJourneys(before.content, content);
  const changed = journeys.flatMap(({ booked, shown }) => {
    const current = booked.map((segment) => pending.get(segment.SegmentKey) ?? [segment]);
    const places = placeOf(booked, current, shown);
    return booked.flatMap((segment, place): ChangedSegment[] => {
      const segmentKey = segment.SegmentKey;
      const becomes = shown.filter((_, position) => places[position] === place);
      if (areSameFlights(current[place]!, becomes)) return [];
      if (becomes.length === 0 && (flown.has(segmentKey) || hasDeparted(segment, now))) return [];
      if (flown.has(segmentKey)) {
        problems.push({ path: flightPath(content, becomes[0]), message: `${segmentKey} was flown and cannot change` });
      }
      const named = becomes.map((one) => ({ ...one, SegmentKey: segmentKey }));
      return [{ segmentKey, details: named.map(withoutKey), becomes: named }];
    });
  });
  const replaced = new Set(journeys.flatMap(({ booked, shown }) => (booked.length > 0 ? shown : [])));
  for (const segment of content.DataLists.FlightSegmentList.FlightSegment) {
    if (replaced.has(segment)) continue;
    const message =
      'is in no Flight of the order. Give its Flight the FlightKey of the one that it replaces, or send "flights": "booked"';
    problems.push({ path: flightPath(content, segment), message });
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
    const place = current.findIndex((flights) => flights.some((one) => isSameFlight(one, segment)));
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
 * The booked flights stay until a change of them is accepted. If the keys of the view name other flights, so do the
 * items that name these keys.
 */
function withBookedFlights(given: OrderContent, booked: OrderContent): OrderContent {
  const { FlightSegmentList, FlightList, OriginDestinationList } = booked.DataLists;
  return {
    ...given,
    Order: haveSameKeys(given, booked)
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

/** Whether each key names a flight between the same airports in both. */
function haveSameKeys(some: OrderContent, others: OrderContent): boolean {
  const routes = ({ DataLists }: OrderContent) =>
    DataLists.FlightSegmentList.FlightSegment.map(
      ({ SegmentKey, Departure, Arrival }) => `${SegmentKey} ${Departure?.AirportCode}-${Arrival?.AirportCode}`,
    ).toSorted();
  return isDeepStrictEqual(routes(some), routes(others));
}
