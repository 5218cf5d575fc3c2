import { type Fact, unknown } from "../kernel/fact.ts";
import type { JourneyPair } from "./align.ts";
import { ancillaryFactCatalogue, ancillaryFacts } from "./ancillary-facts.ts";
import { connectionFactCatalogue, connectionFacts } from "./connection-facts.ts";
import { defaultConnectionTimes } from "./connection-times.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { type FactDefinition, unknownFacts } from "./fact-definition.ts";
import { type FactsInput, type OrderParts, pairsOf } from "./facts-input.ts";
import { flightFactCatalogue, flightFacts } from "./flight-facts.ts";
import { withoutFlownJourneys } from "./flown.ts";
import { journeyFactCatalogue, journeyFacts } from "./journey-facts.ts";
import { judgeUnread } from "./member-uses.ts";
import { noticeFactCatalogue, noticeFacts } from "./notice-facts.ts";
import { outcomeFactCatalogue, outcomeFacts } from "./outcome-facts.ts";
import { returnFactCatalogue, returnFacts } from "./return-facts.ts";
import { sequenceFactCatalogue, sequenceFacts } from "./sequence-facts.ts";
import { ticketFactCatalogue, ticketFacts } from "./ticket-facts.ts";
import { timeFactCatalogue, timeFacts } from "./time-facts.ts";
import { travellerFactCatalogue, travellerFacts } from "./traveller-facts.ts";
import { valueFactCatalogue, valueFacts } from "./value-facts.ts";

/**
 * The facts of one proposal, each group of them computed when the first of it is read: for those who read few of them,
 * once, over very many proposals. Not plain JSON, so not to be stored; `computeFacts` gives the same as plain JSON.
 */
export function factsOnDemand(input: FactsInput): ChangeFacts {
  return new FactsOnDemand(input) as unknown as ChangeFacts;
}

type Facts = Readonly<Record<string, Fact<unknown>>>;

/** What the groups are computed from. */
interface Compared {
  readonly input: FactsInput;
  readonly allPairs: readonly JourneyPair[];
  /** Without those that were flown before the view was written. */
  readonly pairs: readonly JourneyPair[];
  readonly sinceAccepted: readonly JourneyPair[];
  /** Facts of the other groups. */
  readonly others: ChangeFacts;
}

interface FactGroup {
  readonly catalogue: Readonly<Record<string, FactDefinition>>;
  readonly compute: (compared: Compared) => Facts;
}

const notGiven = "order-not-given";

const groups: readonly FactGroup[] = [
  {
    catalogue: outcomeFactCatalogue,
    compute: ({ input: { booked, accepted, proposal, baseline, history, order, notified }, pairs, others }) => {
      const earlier = history?.proposals.map(({ proposed }) => proposed) ?? [];
      const between = [accepted, proposal.current, ...earlier];
      const unread = order === undefined ? null : judgeUnread([order.unread, ...(notified ? [notified.unread] : [])]);
      return outcomeFacts({ pairs, booked, between, proposal, baseline: baseline ?? null, unread, details: others });
    },
  },
  {
    catalogue: noticeFactCatalogue,
    compute: ({ input: { order, proposal, notified } }) => {
      if (order === undefined) return unknownFacts(noticeFactCatalogue, notGiven);
      return notified === undefined
        ? unknownFacts(noticeFactCatalogue, "notification-not-given")
        : noticeFacts({ ...order, flights: proposal }, notified);
    },
  },
  {
    catalogue: timeFactCatalogue,
    compute: ({ input, pairs, sinceAccepted }) => {
      const flights = pairs.flatMap((pair) => pair.counterparts);
      const acceptedFlights = sinceAccepted === pairs ? flights : sinceAccepted.flatMap((pair) => pair.counterparts);
      return timeFacts(flights, acceptedFlights, input.now);
    },
  },
  { catalogue: journeyFactCatalogue, compute: ({ pairs, sinceAccepted }) => journeyFacts(pairs, sinceAccepted) },
  { catalogue: flightFactCatalogue, compute: ({ pairs }) => flightFacts(pairs) },
  {
    catalogue: connectionFactCatalogue,
    compute: ({ input: { order, proposal, connectionTimes }, pairs }) => {
      // Between the flights of one booking reference there is no self-transfer, whatever the order says.
      const isReadable = order !== undefined || proposal.gdsBookingReferences.length < 2;
      if (!isReadable) return unknownFacts(connectionFactCatalogue, notGiven);
      return connectionFacts(pairs, order?.records ?? [], connectionTimes ?? defaultConnectionTimes);
    },
  },
  {
    catalogue: returnFactCatalogue,
    compute: ({ input, allPairs }) => returnFacts(allPairs, input.now, input.connectionTimes),
  },
  {
    catalogue: travellerFactCatalogue,
    compute: ({ input: { passengers, order, notified, booked } }) => ({
      ...travellerFacts({
        passengers,
        contactable: order?.contactable ?? false,
        ...bookedServices(order),
        notified: notified ? { passengers: notified.passengers, ...bookedServices(notified) } : null,
        travelDate: booked.segments[0]?.departure.date ?? null,
      }),
      ...(order === undefined ? { contactable: unknown(notGiven) } : {}),
    }),
  },
  {
    catalogue: ticketFactCatalogue,
    compute: ({ input: { proposal, order, notified, now } }) =>
      ticketFacts(proposal, order?.records ?? [], order?.priceClasses ?? [], now, notified?.records),
  },
  {
    catalogue: valueFactCatalogue,
    compute: ({ input: { order }, others }) => {
      const { departedFlightCount, held } = others;
      return valueFacts(order?.records ?? [], { departedFlightCount, held });
    },
  },
  {
    catalogue: ancillaryFactCatalogue,
    compute: ({ input: { order, proposal } }) =>
      order === undefined
        ? unknownFacts(ancillaryFactCatalogue, notGiven)
        : ancillaryFacts(order.records, order.serviceDefinitions, proposal),
  },
  {
    catalogue: sequenceFactCatalogue,
    compute: ({ input: { booked, accepted, proposal, travellerInformedAt, history, now }, pairs }) =>
      sequenceFacts({
        booked,
        accepted,
        proposal,
        pairs,
        travellerInformedAt: travellerInformedAt ?? null,
        history: history ?? null,
        now,
      }),
  },
];

function bookedServices(order: OrderParts | undefined) {
  return {
    services: order?.records.flatMap((record) => record.services) ?? [],
    serviceDefinitions: order?.serviceDefinitions ?? [],
  };
}

/** Has each name of the catalogues as a property: see below. */
class FactsOnDemand {
  readonly #input: FactsInput;
  readonly #computed: (Facts | undefined)[] = [];
  #compared: Compared | null = null;

  constructor(input: FactsInput) {
    this.#input = input;
  }

  static read(facts: FactsOnDemand, position: number, name: string): Fact<unknown> | undefined {
    facts.#compared ??= comparedBy(facts.#input, facts as unknown as ChangeFacts);
    const group = (facts.#computed[position] ??= groups[position]!.compute(facts.#compared));
    return group[name];
  }
}

for (const [position, { catalogue }] of groups.entries()) {
  for (const name of Object.keys(catalogue)) {
    Object.defineProperty(FactsOnDemand.prototype, name, {
      enumerable: true,
      get(this: FactsOnDemand) {
        return FactsOnDemand.read(this, position, name);
      },
    });
  }
}

function comparedBy(input: FactsInput, others: ChangeFacts): Compared {
  const { booked, accepted, proposal, now } = input;
  const allPairs = pairsOf(booked, proposal, now);
  const pairs = withoutFlownJourneys(allPairs, now);
  // Before anything was accepted both are the same flights, so nothing has to be compared twice.
  const sinceAccepted = accepted === booked ? pairs : withoutFlownJourneys(pairsOf(accepted, proposal, now), now);
  return { input, allPairs, pairs, sinceAccepted, others };
}
