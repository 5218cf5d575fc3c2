import type { OrderRecord, OrderView } from "../../src/contract/order-view.ts";
import { readOrderView } from "../../src/contract/read-order-view.ts";
import { alignItineraries, type JourneyPair } from "../../src/itinerary/align.ts";
import type { Itinerary } from "../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../src/itinerary/proposal.ts";
import type { Fact } from "../../src/kernel/fact.ts";
import { aMinorDelay, type OrderViewOptions } from "./order-view.ts";

/** A view as it is read, and what the facts of its order are computed from. */
export interface ProposedChange {
  readonly view: OrderView;
  readonly records: readonly OrderRecord[];
  readonly proposal: Proposal;
  readonly booked: Itinerary;
  /** The booked journeys beside the proposed ones. */
  readonly pairs: readonly JourneyPair[];
}

/** @param booked the flights that were first booked; those that the view lists when it is left out. */
export function aProposedChange(options: OrderViewOptions, booked?: Itinerary): ProposedChange {
  const reading = readOrderView(aMinorDelay(options));
  if (!reading.ok) throw new Error(reading.problem.message);
  const { view } = reading;
  const orderId = options.orderId ?? "QX7R2M1A";
  const proposal = readProposal(view, orderId)!;
  const first = booked ?? proposal.current;
  return {
    view,
    records: view.orders.filter((record) => record.orderId === orderId),
    proposal,
    booked: first,
    pairs: alignItineraries(first, proposal.current, proposal.proposed),
  };
}

/** Facts as plain values; an unknown one as `?reason`. */
export function plain(facts: Readonly<Record<string, Fact<unknown>>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, fact.known ? fact.value : `?${fact.reason}`]),
  );
}
