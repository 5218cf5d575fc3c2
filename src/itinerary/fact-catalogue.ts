import { ancillaryFactCatalogue } from "./ancillary-facts.ts";
import { connectionFactCatalogue } from "./connection-facts.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";
import { flightFactCatalogue } from "./flight-facts.ts";
import { journeyFactCatalogue } from "./journey-facts.ts";
import { noticeFactCatalogue } from "./notice-facts.ts";
import { outcomeFactCatalogue } from "./outcome-facts.ts";
import { returnFactCatalogue } from "./return-facts.ts";
import { sequenceFactCatalogue } from "./sequence-facts.ts";
import { ticketFactCatalogue } from "./ticket-facts.ts";
import { timeFactCatalogue } from "./time-facts.ts";
import { travellerFactCatalogue } from "./traveller-facts.ts";
import { valueFactCatalogue } from "./value-facts.ts";

/**
 * Every fact that a policy can read. By default, a fact compares the booked itinerary with the proposed one over all
 * flights of the order. Minutes are between instants, so time zones and daylight saving count. "Earlier" and "later"
 * facts are never negative: 0 means not moved that way.
 */
export const factCatalogue = {
  ...outcomeFactCatalogue,
  ...noticeFactCatalogue,
  ...timeFactCatalogue,
  ...journeyFactCatalogue,
  ...flightFactCatalogue,
  ...connectionFactCatalogue,
  ...returnFactCatalogue,
  ...travellerFactCatalogue,
  ...ticketFactCatalogue,
  ...valueFactCatalogue,
  ...ancillaryFactCatalogue,
  ...sequenceFactCatalogue,
} as const satisfies Record<string, FactDefinition>;

export const factGroups: readonly {
  readonly title: string;
  readonly catalogue: Readonly<Record<string, FactDefinition>>;
}[] = [
  { title: "The change as a whole", catalogue: outcomeFactCatalogue },
  { title: "The status beside the notification", catalogue: noticeFactCatalogue },
  { title: "Times", catalogue: timeFactCatalogue },
  { title: "Origins and destinations", catalogue: journeyFactCatalogue },
  { title: "Flights", catalogue: flightFactCatalogue },
  { title: "Connections", catalogue: connectionFactCatalogue },
  { title: "The trip as a whole", catalogue: returnFactCatalogue },
  { title: "Travellers", catalogue: travellerFactCatalogue },
  { title: "Ticket and booking", catalogue: ticketFactCatalogue },
  { title: "Money", catalogue: valueFactCatalogue },
  { title: "Seats and services", catalogue: ancillaryFactCatalogue },
  { title: "Earlier changes of the order", catalogue: sequenceFactCatalogue },
];

export type FactName = keyof typeof factCatalogue;

/** Plain JSON, stored with every decision. */
export interface ChangeFacts extends FactsOf<typeof factCatalogue> {}
