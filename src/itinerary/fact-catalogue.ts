import { ancillaryFacts } from "./ancillary-facts.ts";
import { connectionFacts } from "./connection-facts.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";
import { flightFacts } from "./flight-facts.ts";
import { journeyFacts } from "./journey-facts.ts";
import { noticeFacts } from "./notice-facts.ts";
import { outcomeFacts } from "./outcome-facts.ts";
import { returnFacts } from "./return-facts.ts";
import { sequenceFacts } from "./sequence-facts.ts";
import { ticketFacts } from "./ticket-facts.ts";
import { timeFacts } from "./time-facts.ts";
import { travellerFacts } from "./traveller-facts.ts";
import { valueFacts } from "./value-facts.ts";

/**
 * Every fact that a policy can read. By default, a fact compares the booked itinerary with the proposed one over all
 * flights of the order. Minutes are between instants, so time zones and daylight saving count. "Earlier" and "later"
 * facts are never negative: 0 means not moved that way.
 */
export const factCatalogue = {
  ...outcomeFacts,
  ...noticeFacts,
  ...timeFacts,
  ...journeyFacts,
  ...flightFacts,
  ...connectionFacts,
  ...returnFacts,
  ...travellerFacts,
  ...ticketFacts,
  ...valueFacts,
  ...ancillaryFacts,
  ...sequenceFacts,
};

export const factGroups: readonly {
  readonly title: string;
  readonly facts: Readonly<Record<string, FactDefinition>>;
}[] = [
  { title: "The change as a whole", facts: outcomeFacts },
  { title: "The status beside the notification", facts: noticeFacts },
  { title: "Times", facts: timeFacts },
  { title: "Origins and destinations", facts: journeyFacts },
  { title: "Flights", facts: flightFacts },
  { title: "Connections", facts: connectionFacts },
  { title: "The trip as a whole", facts: returnFacts },
  { title: "Travellers", facts: travellerFacts },
  { title: "Ticket and booking", facts: ticketFacts },
  { title: "Money", facts: valueFacts },
  { title: "Seats and services", facts: ancillaryFacts },
  { title: "Earlier changes of the order", facts: sequenceFacts },
];

export type FactName = keyof typeof factCatalogue;

/** Plain JSON, stored with every decision. */
export interface ChangeFacts extends FactsOf<typeof factCatalogue> {}
