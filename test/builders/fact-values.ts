import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { computeFacts } from "../../src/itinerary/facts.ts";
import { type FactsInput, orderPartsOf } from "../../src/itinerary/facts-input.ts";
import type { Itinerary } from "../../src/itinerary/itinerary.ts";
import { flights } from "./flights.ts";
import type { OrderViewOptions } from "./order-view.ts";
import { aProposedChange, plain } from "./proposed-change.ts";

/** What the facts of a view are computed from, besides the view. */
export type FactsOptions = Partial<Omit<FactsInput, "now">> & { readonly now?: string };

/** All facts as plain values, an unknown one as `?reason`. Booked is what the view lists, and now is in January 2027. */
export function factValues(
  change: OrderViewOptions | string,
  { now, ...input }: FactsOptions = {},
): Record<string, unknown> {
  const { view, proposal, booked } = aProposedChange(viewOf(change), input.booked);
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

/** The flights that a view lists, as booked or accepted ones. */
export function itineraryOf(change: OrderViewOptions | string): Itinerary {
  return aProposedChange(viewOf(change)).proposal.current;
}

/** A single flight may be given as its line; see `flights`. */
function viewOf(change: OrderViewOptions | string): OrderViewOptions {
  return typeof change === "string" ? flights(change) : change;
}
