import type { AmendmentsActions, OrderRecord, OrderView } from "../contract/order-view.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { extend } from "../kernel/extend.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { agreed } from "./fact-logic.ts";
import type { ItinerarySegment } from "./itinerary.ts";
import { type MergedView, mergeView } from "./merge-view.ts";

/** The change that a view proposes for one order, from all `Order` elements with its OrderID. */
export interface Proposal
  extends MergedView,
    Pick<
      OrderRecord,
      "orderId" | "gdsBookingReferences" | "pnrStatus" | "scheduleChangeIndicator" | "scheduleChangeStatus"
    > {
  /** The references whose flag is Y: an action runs for these and no others. */
  readonly referencesAllowing: { readonly accept: readonly string[]; readonly cancel: readonly string[] };
  /** Over all references: unknown if they differ (`differs-by-reference`) or one is missing. */
  readonly flags: AmendmentsActions;
  readonly ticketed: Fact<boolean>;
  /** `2:` (the version; 1 has no prefix) and the SHA-256 (hex) of the normalised flights and flags. */
  readonly digest: string;
}

/**
 * Returns the proposal for an order, or null if the view does not contain it.
 * @param storedDigests of the order's proposals. A fitting one of an earlier version becomes the digest, so that
 * earlier decisions and effects still count.
 */
export function readProposal(view: OrderView, orderId: string, storedDigests: readonly string[] = []): Proposal | null {
  const records = view.orders.filter((record) => record.orderId === orderId);
  if (records.length === 0) return null;
  const change = mergeView(view, records);
  const proposal = {
    orderId,
    gdsBookingReferences: sortedReferences(records),
    referencesAllowing: {
      accept: sortedReferences(records.filter((record) => isFlagSet(record.flags.accept))),
      cancel: sortedReferences(records.filter((record) => isFlagSet(record.flags.cancel))),
    },
    flags: {
      accept: agreed(records.map((record) => record.flags.accept)),
      cancel: agreed(records.map((record) => record.flags.cancel)),
      reSchedule: agreed(records.map((record) => record.flags.reSchedule)),
    },
    pnrStatus: pnrStatusOf(records),
    scheduleChangeIndicator: agreed(records.map((record) => record.scheduleChangeIndicator)),
    scheduleChangeStatus: agreed(records.map((record) => record.scheduleChangeStatus)),
    ticketed: agreed(records.map((record) => isTicketed(record, view, records.length === 1))),
    ...change,
  };
  return extend(proposal, { digest: storedOrNewDigest(proposal, storedDigests) });
}

/** A failed reference outweighs the others. */
function pnrStatusOf(records: readonly OrderRecord[]): Fact<string> {
  const statuses = records.map((record) => record.pnrStatus);
  return statuses.find((status) => status.known && status.value === "FAILED") ?? agreed(statuses);
}

/** Uses TicketStatus, else the order's ticket documents, else NeedToTicket. An unknown status stays unknown. */
function isTicketed(record: OrderRecord, view: OrderView, isOnlyRecord: boolean): Fact<boolean> {
  if (record.ticketStatus.known) {
    const status = record.ticketStatus.value;
    if (status === "TICKETED") return known(true);
    return notTicketed.has(status) ? known(false) : unknown("unknown-ticket-status");
  }
  const ownDocuments = view.ticketDocuments.some(({ gdsBookingReference }) =>
    gdsBookingReference === null ? isOnlyRecord : record.gdsBookingReferences.includes(gdsBookingReference),
  );
  if (ownDocuments) return known(true);
  return record.needToTicket.known ? known(!record.needToTicket.value) : unknown("missing-ticket-status");
}

const notTicketed = new Set(["NOT TICKETED", "UNTICKETED", "NOTTICKETED"]);

function isFlagSet(flag: Fact<"Y" | "N">): boolean {
  return flag.known && flag.value === "Y";
}

function sortedReferences(records: readonly OrderRecord[]): readonly string[] {
  return [...new Set(records.flatMap((record) => record.gdsBookingReferences))].sort();
}

type Identified = Omit<Proposal, "digest">;

function storedOrNewDigest(proposal: Identified, stored: readonly string[]): string {
  const digest = `2:${digestOfProposal(proposal, distinguishing)}`;
  const isStoredOnlyAsBefore = !stored.includes(digest) && stored.some((other) => !other.startsWith("2:"));
  if (!isStoredOnlyAsBefore) return digest;
  const before = digestOfProposal(proposal, distinguishingInVersion1);
  return stored.includes(before) ? before : digest;
}

/**
 * Returns the digest of what an agency would call another proposal: flights, operating carriers, airports, local dates
 * and times, cabins and booking classes, stops, withdrawn flights, and the flags of each reference. Omits names,
 * terminals, aircraft and keys: gateways reword them without a change, which would prevent effects.
 */
function digestOfProposal(proposal: Identified, parts: (segment: ItinerarySegment) => unknown): string {
  const withdrawn = new Set(proposal.withdrawnSegmentKeys);
  return digestOfValue({
    orderId: proposal.orderId,
    references: proposal.gdsBookingReferences,
    referencesAllowing: proposal.referencesAllowing,
    flags: proposal.flags,
    current: proposal.current.segments.map(parts),
    proposed: proposal.proposed.segments.map(parts),
    withdrawn: proposal.current.segments.flatMap((segment, position) =>
      withdrawn.has(segment.segmentKey) ? [position] : [],
    ),
  });
}

function distinguishing(segment: ItinerarySegment) {
  // Names replace codes that are not stated.
  const { unread, stops } = segment;
  return [...distinguishingInVersion1(unread === undefined ? segment : { ...segment, ...unread }), stops];
}

function distinguishingInVersion1(segment: ItinerarySegment) {
  const { marketingCarrier, marketingFlightNumber, operatingCarrier, cabinType, rbd, departure, arrival } = segment;
  return [
    [marketingCarrier, marketingFlightNumber, operatingCarrier, cabinType, rbd],
    [departure.airport, departure.date, departure.time],
    [arrival.airport, arrival.date, arrival.time],
  ];
}
