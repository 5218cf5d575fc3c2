import type { OrderRecord, OrderView, Passenger } from "../contract/order-view.ts";
import { alignItineraries, type JourneyPair } from "./align.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { withFlownFlights, withoutFlownJourneys } from "./flown.ts";
import type { Itinerary } from "./itinerary.ts";
import type { Baseline } from "./outcome-facts.ts";
import type { Proposal } from "./proposal.ts";
import type { ChangeHistory } from "./sequence-facts.ts";

/** What facts are computed from. A fact that needs what is left out is unknown: `order-not-given` and the like. */
export interface FactsInput {
  readonly booked: Itinerary;
  /** The itinerary accepted last; the booked one when none was. */
  readonly accepted: Itinerary;
  readonly proposal: Proposal;
  /** `OrderView.passengers` of the view that the proposal was read from. */
  readonly passengers: readonly Passenger[];
  readonly now: Date;
  /** `defaultConnectionTimes` when it is left out. */
  readonly connectionTimes?: ConnectionTimes;
  /** The order beside its flights; see {@link orderPartsOf}. */
  readonly order?: OrderParts;
  /** The same from the notification that told of the change; null when there was none. */
  readonly notified?: NotifiedOrder | null;
  /** Where the booked flights come from. */
  readonly baseline?: Baseline;
  /** When the traveller, not the agency, was told; null when they were not, or nobody knows. */
  readonly travellerInformedAt?: Date | null;
  /** What is kept of the earlier changes of the order. */
  readonly history?: ChangeHistory;
}

/** What a view says of one order beside its flights. */
export interface OrderParts
  extends Pick<
    OrderView,
    "passengers" | "priceClasses" | "baggageAllowances" | "serviceDefinitions" | "contactable" | "unread"
  > {
  /** All `Order` elements of the order. */
  readonly records: readonly OrderRecord[];
}

/** What a notification says of an order. */
export interface NotifiedOrder extends OrderParts {
  readonly flights: Pick<Proposal, "current" | "proposed">;
}

/** The parts of the view that the proposal was read from. */
export function orderPartsOf(view: OrderView, orderId: string): OrderParts {
  const { passengers, priceClasses, baggageAllowances, serviceDefinitions, contactable, unread } = view;
  const records = view.orders.filter((record) => record.orderId === orderId);
  return { records, passengers, priceClasses, baggageAllowances, serviceDefinitions, contactable, unread };
}

/** The booked journeys beside the proposed ones, without those that were flown before the view was written. */
export function comparedJourneys({ booked, proposal, now }: FactsInput): readonly JourneyPair[] {
  return withoutFlownJourneys(pairsOf(booked, proposal, now), now);
}

/** Flights of an order beside the proposed ones, flown ones beside themselves. */
export function pairsOf(before: Itinerary, { current, proposed }: Proposal, now: Date): readonly JourneyPair[] {
  return withFlownFlights(alignItineraries(before, current, proposed), current, now);
}
