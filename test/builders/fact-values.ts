import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { computeFacts } from "../../src/itinerary/facts.ts";
import { type FactsInput, orderPartsOf } from "../../src/itinerary/facts-input.ts";
import type { Itinerary } from "../../src/itinerary/itinerary.ts";
import { aSegment, type Json, type OrderViewOptions } from "./order-view.ts";
import { aProposedChange, plain } from "./proposed-change.ts";

/** What the facts of a view are computed from, besides the view. */
export type FactsOptions = Partial<Omit<FactsInput, "now">> & { readonly now?: string };

/** All facts as plain values, an unknown one as `?reason`. Booked is what the view lists, and now is in January 2027. */
export function factValues(options: OrderViewOptions, { now, ...input }: FactsOptions = {}): Record<string, unknown> {
  const { view, proposal, booked } = aProposedChange(options, input.booked);
  const facts = computeFacts({
    accepted: booked,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order: orderPartsOf(view, proposal.orderId),
    now: new Date(now ?? "2027-01-01T00:00:00Z"),
    ...input,
    booked,
  });
  return plain(facts);
}

/** One flight, LH1167, and what becomes of it. */
export function oneFlight(departure: string, arrival: string, ...becomes: Json[]): OrderViewOptions {
  return {
    segments: [aSegment("Segment1", "LH1167", departure, arrival)],
    changes: becomes.length > 0 ? { Segment1: becomes } : {},
  };
}

/** The flights that a view lists, as booked or accepted ones. */
export function itineraryOf(options: OrderViewOptions): Itinerary {
  return aProposedChange(options).proposal.current;
}
