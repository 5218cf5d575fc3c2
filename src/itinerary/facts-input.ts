import type { OwnAddresses } from "../contract/addressee.ts";
import type { GatewayCapabilities } from "../contract/gateway-capabilities.ts";
import type { OrderRecord, OrderView, Passenger } from "../contract/order-view.ts";
import { alignItineraries, type JourneyPair } from "./align.ts";
import type { ChangeHistory } from "./change-history.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { withFlownFlights, withoutFlownJourneys } from "./flown.ts";
import type { Itinerary } from "./itinerary.ts";
import type { MemberMarks } from "./member-marks.ts";
import type { Baseline } from "./outcome-facts.ts";
import type { Proposal } from "./proposal.ts";

/** The inputs of the facts. A fact whose input is missing is unknown: `order-not-given` and the like. */
export interface FactsInput {
  readonly booked: Itinerary;
  /** The itinerary accepted last; the booked one if none was. */
  readonly accepted: Itinerary;
  readonly proposal: Proposal;
  readonly passengers: readonly Passenger[];
  /** Whose views these are. */
  readonly gateway: Pick<GatewayCapabilities, "statesAssistance">;
  readonly now: Date;
  /** Defaults to `defaultConnectionTimes`. */
  readonly connectionTimes?: ConnectionTimes;
  readonly order?: OrderParts;
  /** The same from the notification of the change; null if there was none. */
  readonly notified?: NotifiedParts | null;
  readonly baseline?: Baseline;
  /** When the traveller, not the agency, was informed; null if they were not, or it is unknown. */
  readonly travellerInformedAt?: Date | null;
  readonly history?: ChangeHistory;
  /** At which addresses no traveller is reached. Defaults to none. */
  readonly ownAddresses?: OwnAddresses;
  /** What is harmless of what nobody reads. Defaults to `shippedMarks`. */
  readonly marks?: MemberMarks;
}

/** What a view states about one order besides its flights. */
export interface OrderParts
  extends Pick<
    OrderView,
    "passengers" | "priceClasses" | "baggageAllowances" | "serviceDefinitions" | "contacts" | "unread"
  > {
  readonly records: readonly OrderRecord[];
}

export interface NotifiedParts extends OrderParts {
  readonly flights: Pick<Proposal, "current" | "proposed" | "showsChange">;
}

export function orderPartsOf(view: OrderView, orderId: string): OrderParts {
  const { passengers, priceClasses, baggageAllowances, serviceDefinitions, contacts, unread } = view;
  const records = view.orders.filter((record) => record.orderId === orderId);
  return { records, passengers, priceClasses, baggageAllowances, serviceDefinitions, contacts, unread };
}

export function comparedJourneys({ booked, proposal, now }: FactsInput): readonly JourneyPair[] {
  return withoutFlownJourneys(pairsOf(booked, proposal, now), now);
}

/** Returns flights beside the proposed ones, flown flights beside themselves. */
export function pairsOf(before: Itinerary, { current, proposed }: Proposal, now: Date): readonly JourneyPair[] {
  return withFlownFlights(alignItineraries(before, current, proposed), current, now);
}
