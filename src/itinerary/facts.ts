import type { OrderRecord, OrderView, Passenger, PriceClass, ServiceDefinition } from "../contract/order-view.ts";
import { unknown } from "../kernel/fact.ts";
import { alignItineraries, type JourneyPair } from "./align.ts";
import { ancillaryFactCatalogue, ancillaryFacts } from "./ancillary-facts.ts";
import { connectionFactCatalogue, connectionFacts } from "./connection-facts.ts";
import { type ConnectionTimes, defaultConnectionTimes } from "./connection-times.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { unknownFacts } from "./fact-definition.ts";
import { flightFacts } from "./flight-facts.ts";
import type { Itinerary } from "./itinerary.ts";
import { journeyFacts } from "./journey-facts.ts";
import { instantOf } from "./local-time.ts";
import { type Baseline, outcomeFacts } from "./outcome-facts.ts";
import type { Proposal } from "./proposal.ts";
import { returnFacts } from "./return-facts.ts";
import { type ChangeHistory, sequenceFacts } from "./sequence-facts.ts";
import { ticketFacts } from "./ticket-facts.ts";
import { timeFacts } from "./time-facts.ts";
import { travellerFacts } from "./traveller-facts.ts";
import { valueFacts } from "./value-facts.ts";

/** What facts are computed from. A fact that needs what is left out is unknown: `order-not-given` and the like. */
export interface FactsInput {
  readonly booked: Itinerary;
  /** The itinerary accepted last; the booked one when none was. */
  readonly accepted: Itinerary;
  readonly proposal: Proposal;
  /** `OrderView.passengers` of the view that the proposal was read from. */
  readonly passengers: readonly Passenger[];
  readonly now: Date;
  /** {@link defaultConnectionTimes} when it is left out. */
  readonly connectionTimes?: ConnectionTimes;
  /** The order beside its flights; see {@link orderPartsOf}. */
  readonly order?: OrderParts;
  /** Where the booked flights come from. */
  readonly baseline?: Baseline;
  /** When the traveller, not the agency, was told; null when they were not, or nobody knows. */
  readonly travellerInformedAt?: Date | null;
  /** What is kept of the earlier changes of the order. */
  readonly history?: ChangeHistory;
}

/** What a view says of one order beside its flights and passengers. */
export interface OrderParts {
  /** All `Order` elements of the order. */
  readonly records: readonly OrderRecord[];
  readonly priceClasses: readonly PriceClass[];
  readonly serviceDefinitions: readonly ServiceDefinition[];
  readonly contactable: boolean;
}

/** The parts of the view that the proposal was read from. */
export function orderPartsOf(view: OrderView, orderId: string): OrderParts {
  const { priceClasses, serviceDefinitions, contactable } = view;
  const records = view.orders.filter((record) => record.orderId === orderId);
  return { records, priceClasses, serviceDefinitions, contactable };
}

/** Computes every fact of the catalogue for one proposal. Never throws: what cannot be told is unknown, with its reason. */
export function computeFacts(input: FactsInput): ChangeFacts {
  const { booked, accepted, proposal, now } = input;
  const allPairs = alignItineraries(booked, proposal.current, proposal.proposed);
  const pairs = withoutFlown(allPairs, now);
  const sinceAccepted = withoutFlown(alignItineraries(accepted, proposal.current, proposal.proposed), now);
  const flights = pairs.flatMap((pair) => pair.counterparts);
  const acceptedFlights = sinceAccepted.flatMap((pair) => pair.counterparts);
  const facts = {
    ...timeFacts(flights, acceptedFlights, now),
    ...journeyFacts(pairs, sinceAccepted),
    ...flightFacts(pairs),
    ...orderFacts(input, pairs, allPairs),
    ...sequenceFacts({
      booked,
      accepted,
      proposal,
      pairs,
      travellerInformedAt: input.travellerInformedAt ?? null,
      history: input.history ?? null,
      now,
    }),
  };
  const earlier = input.history?.proposals.map(({ proposed }) => proposed) ?? [];
  const between = [accepted, proposal.current, ...earlier];
  return {
    ...outcomeFacts({ pairs, booked, between, proposal, baseline: input.baseline ?? null, details: facts }),
    ...facts,
  };
}

/** Facts that need more of the view than its flights. */
function orderFacts(input: FactsInput, pairs: readonly JourneyPair[], allPairs: readonly JourneyPair[]) {
  const { booked, proposal, passengers, order, now } = input;
  const times = input.connectionTimes ?? defaultConnectionTimes;
  const records = order?.records ?? [];
  const trip = returnFacts(allPairs, now);
  const ticket = ticketFacts(proposal, records, order?.priceClasses ?? [], now);
  const travellers = travellerFacts({
    passengers,
    contactable: order?.contactable ?? false,
    services: records.flatMap((record) => record.services),
    serviceDefinitions: order?.serviceDefinitions ?? [],
    travelDate: booked.segments[0]?.departure.date ?? null,
  });
  // Between the flights of one booking reference there is no self-transfer, whatever the order says.
  const isReadable = order !== undefined || proposal.gdsBookingReferences.length < 2;
  return {
    ...(isReadable ? connectionFacts(pairs, records, times) : unknownFacts(connectionFactCatalogue, notGiven)),
    ...trip,
    ...travellers,
    ...(order === undefined ? { contactable: unknown(notGiven) } : {}),
    ...ticket,
    ...valueFacts(records, { departedFlightCount: trip.departedFlightCount, held: ticket.held }),
    ...(order === undefined
      ? unknownFacts(ancillaryFactCatalogue, notGiven)
      : ancillaryFacts(records, order.serviceDefinitions, proposal)),
  };
}

const notGiven = "order-not-given";

/** The booked journeys beside the proposed ones, without those that were flown before the view was written. */
export function comparedJourneys({ booked, proposal, now }: FactsInput): readonly JourneyPair[] {
  return withoutFlown(alignItineraries(booked, proposal.current, proposal.proposed), now);
}

/** A journey that was flown before the view was written is not listed any more, and not withdrawn either. */
function withoutFlown(pairs: readonly JourneyPair[], now: Date): readonly JourneyPair[] {
  return pairs.filter((pair) => {
    const last = pair.before.at(-1);
    if (pair.listed || last === undefined) return true;
    const arrived = instantOf(last.arrival);
    return !arrived.known || arrived.value > now.getTime();
  });
}
