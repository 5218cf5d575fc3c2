import { interfaceDocument } from "../contract/gateway-capabilities.ts";
import type { OrderView } from "../contract/order-view.ts";
import { describeChange } from "../itinerary/describe.ts";
import { differenceBetween, type ItineraryDifference } from "../itinerary/difference.ts";
import { type FactName, factCatalogue } from "../itinerary/fact-catalogue.ts";
import type { FactDefinition } from "../itinerary/fact-definition.ts";
import { computeFacts } from "../itinerary/facts.ts";
import { orderPartsOf } from "../itinerary/facts-input.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { MemberMarks } from "../itinerary/member-marks.ts";
import { readProposal } from "../itinerary/proposal.ts";
import { type SeverityName, severityOf } from "../itinerary/severity.ts";

/** What a notification changes in one order, from it and the status alone. */
export interface OrderFacts {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly itineraries: { readonly booked: Itinerary; readonly accepted: Itinerary; readonly proposed: Itinerary };
  /** The flights of both side by side. */
  readonly difference: ItineraryDifference;
  readonly facts: Readonly<Record<string, OrderFact>>;
  readonly severity: SeverityName;
  /** Those that the severity follows from. */
  readonly severityFacts: readonly FactName[];
  readonly summary: string;
}

export type OrderFact = (
  | { readonly known: true; readonly value: unknown }
  | { readonly known: false; readonly reason: string }
) & {
  readonly unit: string | null;
};

/**
 * Like the worker for an unknown order: what the notification lists counts as booked, because a status may be newer.
 * Null if the status does not show the order.
 */
export function computeOrderFacts(
  orderId: string,
  notified: OrderView,
  status: OrderView,
  { now, marks }: { readonly now: Date; readonly marks: MemberMarks },
): OrderFacts | null {
  const proposal = readProposal(status, orderId);
  if (proposal === null) return null;
  const parsed = readProposal(notified, orderId);
  const isListed = parsed !== null && parsed.current.segments.length > 0;
  const booked = isListed ? parsed.current : proposal.current;
  const facts = computeFacts({
    booked,
    accepted: booked,
    proposal,
    passengers: status.passengers,
    gateway: interfaceDocument,
    order: orderPartsOf(status, orderId),
    notified: parsed === null ? null : { ...orderPartsOf(notified, orderId), flights: parsed },
    baseline: isListed ? "notice" : "status",
    now,
    marks,
  });
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const severity = severityOf(facts);
  return {
    orderId,
    gdsBookingReferences: proposal.gdsBookingReferences,
    itineraries: { booked, accepted: booked, proposed },
    difference: differenceBetween(booked, proposed, { current }),
    facts: Object.fromEntries(
      (Object.keys(factCatalogue) as FactName[]).map((name) => [name, { ...facts[name], unit: unitOf(name) }]),
    ),
    severity: severity.name,
    severityFacts: severity.because,
    summary: describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys }),
  };
}

function unitOf(name: FactName): string | null {
  const definition: FactDefinition = factCatalogue[name];
  return definition.unit ?? null;
}
