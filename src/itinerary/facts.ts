import { interfaceDocument } from "../contract/gateway-capabilities.ts";
import { extend } from "../kernel/extend.ts";
import { unknown } from "../kernel/fact.ts";
import { ancillaryFactCatalogue, ancillaryFacts } from "./ancillary-facts.ts";
import { connectionFactCatalogue, connectionFacts } from "./connection-facts.ts";
import { defaultConnectionTimes } from "./connection-times.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import { unknownFacts } from "./fact-definition.ts";
import { type FactsInput, type OrderParts, pairsOf } from "./facts-input.ts";
import { flightFacts } from "./flight-facts.ts";
import { withoutFlownJourneys } from "./flown.ts";
import { journeyFacts } from "./journey-facts.ts";
import { shippedMarks } from "./member-marks.ts";
import { judgeUnread, type UnreadJudgement } from "./member-uses.ts";
import { noticeFactCatalogue, noticeFacts } from "./notice-facts.ts";
import { contradictedFlights } from "./other-booking.ts";
import { outcomeFacts } from "./outcome-facts.ts";
import { returnFacts } from "./return-facts.ts";
import { sequenceFacts } from "./sequence-facts.ts";
import { ticketFacts } from "./ticket-facts.ts";
import { timeFacts } from "./time-facts.ts";
import { travellerFacts } from "./traveller-facts.ts";
import { valueFacts } from "./value-facts.ts";

/** Computes every fact for one proposal. Never throws: a fact may be unknown, with its reason. */
export function computeFacts(input: FactsInput): ChangeFacts {
  const { booked, accepted, proposal, passengers, now, order, notified, history } = input;
  const allPairs = pairsOf(booked, proposal, now);
  const pairs = withoutFlownJourneys(allPairs, now);
  // Before the first accept both are the same flights and need one comparison.
  const sinceAccepted = accepted === booked ? pairs : withoutFlownJourneys(pairsOf(accepted, proposal, now), now);
  const flights = pairs.flatMap((pair) => pair.counterparts);
  const acceptedFlights = sinceAccepted === pairs ? flights : sinceAccepted.flatMap((pair) => pair.counterparts);

  const journey = journeyFacts(pairs, sinceAccepted);
  const flight = flightFacts(pairs);
  const connection = connectionFactsOf(input, pairs);
  const ticket = ticketFacts(proposal, order?.records ?? [], order?.priceClasses ?? [], now, notified?.records);
  const time = timeFacts(flights, acceptedFlights, now);
  const trip = returnFacts(allPairs, now, input.connectionTimes);
  const unread = unreadIn(input);
  const earlier = history?.proposals.map(({ proposed }) => proposed) ?? [];
  const outcome = outcomeFacts({
    pairs,
    booked,
    between: [accepted, proposal.current, ...earlier],
    proposal,
    contradictions: notified
      ? contradictedFlights(proposal.current, notified.flights.current, [
          ...[notified.flights.proposed, booked, accepted],
          ...earlier,
        ])
      : [],
    baseline: input.baseline ?? null,
    unread,
    now,
    details: merged(time, journey, flight, connection),
  });
  const traveller = travellerFacts({
    passengers,
    statesAssistance: (input.gateway ?? interfaceDocument).statesAssistance,
    contactable: order?.contactable ?? false,
    ...bookedServices(order),
    notified: notified ? { passengers: notified.passengers, ...bookedServices(notified) } : null,
    travelDate: booked.segments[0]?.departure.date ?? null,
  });
  const contactable = order === undefined ? unknown<boolean>(notGiven) : traveller.contactable;
  const value = valueFacts(order?.records ?? [], { departedFlightCount: trip.departedFlightCount, held: ticket.held });
  const ancillary =
    order === undefined
      ? unknownFacts(ancillaryFactCatalogue, notGiven)
      : ancillaryFacts(order.records, order.serviceDefinitions, proposal);
  const sequence = sequenceFacts({
    booked,
    accepted,
    proposal,
    pairs,
    travellerInformedAt: input.travellerInformedAt ?? null,
    history: history ?? null,
    now,
  });
  const notice = noticeFactsOf(input);
  const facts: ChangeFacts = merged(
    ...([outcome, notice, time, journey, flight, connection, trip, traveller, { contactable }] as const),
    ...([ticket, value, ancillary, sequence] as const),
  );
  return unread === null || unread.facts.size === 0 ? facts : withoutUnread(facts, unread);
}

/** What is not understood may be just what a fact depends on. */
function withoutUnread(facts: ChangeFacts, unread: UnreadJudgement): ChangeFacts {
  const doubtful = [...unread.facts].filter((name) => {
    const fact = facts[name];
    const isCertain = fact.known && (fact.value === true || (Array.isArray(fact.value) && fact.value.length > 0));
    return fact.known && !isCertain;
  });
  return merged(facts, Object.fromEntries(doubtful.map((name) => [name, unknown("not-understood")])));
}

/** Merges objects. Spreading some 150 members takes a hundred times as long. */
function merged<Parts extends readonly object[]>(...parts: Parts): Merged<Parts> {
  return Object.assign({}, ...parts) as Merged<Parts>;
}

type Merged<Parts> = Parts extends readonly [infer First, ...infer Rest] ? First & Merged<Rest> : unknown;

const notGiven = "order-not-given";

function unreadIn({ order, notified, marks = shippedMarks }: FactsInput): UnreadJudgement | null {
  return order === undefined ? null : judgeUnread([order.unread, ...(notified ? [notified.unread] : [])], marks);
}

function noticeFactsOf({ order, proposal, notified }: FactsInput) {
  if (order === undefined) return unknownFacts(noticeFactCatalogue, notGiven);
  if (notified === undefined) return unknownFacts(noticeFactCatalogue, "notification-not-given");
  return noticeFacts(extend(order, { flights: proposal }), notified);
}

function connectionFactsOf({ order, proposal, connectionTimes }: FactsInput, pairs: ReturnType<typeof pairsOf>) {
  // The flights of one booking reference have no self-transfer, whatever the order says.
  const isReadable = order !== undefined || proposal.gdsBookingReferences.length < 2;
  if (!isReadable) return unknownFacts(connectionFactCatalogue, notGiven);
  return connectionFacts(pairs, order?.records ?? [], connectionTimes ?? defaultConnectionTimes);
}

function bookedServices(order: OrderParts | undefined) {
  return {
    services: order?.records.flatMap((record) => record.services) ?? [],
    serviceDefinitions: order?.serviceDefinitions ?? [],
    soldTo: order?.records.flatMap((record) => (record.soldTo === undefined ? [] : [record.soldTo])) ?? [],
  };
}
