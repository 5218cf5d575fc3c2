import { noOwnAddresses, type OwnAddresses } from "../contract/addressee.ts";
import type { AirlineDeadline, OrderView } from "../contract/order-view.ts";
import type { ChangeHistory } from "../itinerary/change-history.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { computeFacts } from "../itinerary/facts.ts";
import { type FactsInput, orderPartsOf } from "../itinerary/facts-input.ts";
import { type Itinerary, sameFlights } from "../itinerary/itinerary.ts";
import { journeyChanges } from "../itinerary/journey-changes.ts";
import { unmarkedStatements, unmarkedValues } from "../itinerary/member-marks.ts";
import type { Baseline } from "../itinerary/outcome-facts.ts";
import { type Proposal, readProposal } from "../itinerary/proposal.ts";
import { extend } from "../kernel/extend.ts";
import { unknown } from "../kernel/fact.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import { evaluateLegal } from "../policy/legal/evaluate-legal.ts";
import { defaultLegalContext } from "../policy/legal/legal-input.ts";
import type { OrderInputs, Policy } from "../policy/policy.ts";
import { activeTimeZones } from "../travel/zones.ts";
import type { OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type TravellerState, travellerStateFor } from "./traveller.ts";

/** A view of an order, interpreted: the proposal, the itineraries that it is compared with, and the facts. */
export interface Assessment {
  readonly proposal: Proposal;
  readonly booked: Itinerary;
  /** Where the booked flights were first seen: `stored`, `notification` or `status`. */
  readonly bookedFrom: string;
  readonly accepted: Itinerary;
  /** What the newest notification proposed; null if it is unreadable. */
  readonly notified: Itinerary | null;
  /** False if the notification announces a change without showing it. */
  readonly notifiedShowsChange: boolean;
  readonly facts: ChangeFacts;
  readonly order: OrderInputs;
  /** Values that nobody reads and that have to be marked by themselves: see `unmarkedValues`. */
  readonly unmarkedValues: readonly string[];
  /** Payment time limits that the view states, as yyyy-mm-ddThh:mm:ss without a zone. */
  readonly paymentTimeLimits: readonly string[];
  /** In the view or in the newest notification. */
  readonly deadlines: readonly AirlineDeadline[];
  readonly legal: LegalAssessment;
  readonly evaluatedAt: Date;
  /** The version of the table that local times were read with. */
  readonly timeZones: string;
}

export type AssessedOrder = Pick<
  OrderContext,
  | "orderId"
  | "booked"
  | "bookedFrom"
  | "accepted"
  | "decision"
  | "earlierProposals"
  | "storedDigests"
  | "travellerContacts"
  | "notification"
> & {
  readonly case: Pick<OrderContext["case"], "openedAt"> | null;
};

type AssessmentSettings = Pick<SourceSettings, "gateway" | "customerAgreement" | "marks"> & {
  readonly policy: Pick<Policy, "connectionTimes" | "legalPresets">;
  /** Defaults to none. */
  readonly ownAddresses?: OwnAddresses;
};

/**
 * Assesses one view. The booked flights are the stored ones, else those of the notification, which was sent when the
 * change was new, else those of the status, which may already show what was accepted elsewhere.
 * @returns null if the view does not contain the order.
 */
export function assess(
  view: OrderView,
  order: AssessedOrder,
  settings: AssessmentSettings,
  now: Date,
): Assessment | null {
  const parsed = parseView(view, order, settings, now);
  if (parsed === null) return null;
  const { input, seen } = parsed;
  const facts = computeFacts(input);
  return extend(seen, { facts, legal: legalOf(parsed, facts, settings, now) });
}

function legalOf(
  { input, traveller }: ParsedView,
  facts: ChangeFacts,
  { policy, customerAgreement }: AssessmentSettings,
  now: Date,
): LegalAssessment {
  const context = {
    ...defaultLegalContext,
    presets: policy.legalPresets,
    travellerInformedAt: traveller.informedAt,
    travellerAnswer: traveller.answer,
    refundDueFrom: traveller.refundWantedSince,
    customerAgreement,
  };
  return evaluateLegal({ facts, journeys: journeyChanges(input), context, now });
}

interface ParsedView {
  readonly input: FactsInput;
  readonly traveller: TravellerState;
  readonly seen: Omit<Assessment, "facts" | "legal">;
}

function parseView(view: OrderView, known: AssessedOrder, settings: AssessmentSettings, now: Date): ParsedView | null {
  const { orderId } = known;
  const proposal = readProposal(view, orderId, known.storedDigests);
  if (proposal === null) return null;
  const notice = notifiedView(known);
  const notified = notice === view ? proposal : notice === null ? null : readProposal(notice, orderId);
  const { booked, bookedFrom, baseline } = baselineOf(known, notified, proposal);
  const accepted = known.accepted ?? booked;
  const { gateway, policy, customerAgreement, marks, ownAddresses = noOwnAddresses } = settings;
  const traveller = travellerStateFor(proposal.digest, known.travellerContacts);
  const input = {
    booked,
    accepted,
    proposal,
    passengers: view.passengers,
    gateway,
    now,
    connectionTimes: policy.connectionTimes,
    order: orderPartsOf(view, orderId),
    ...(known.notification === "unreadable"
      ? {}
      : { notified: notified === null ? null : extend(orderPartsOf(notice!, orderId), { flights: notified }) }),
    ...(baseline === null ? {} : { baseline }),
    // Only recorded contacts count: a notification to the agency does not inform the traveller.
    travellerInformedAt: traveller.informedAt,
    history: historyOf(known, notified),
    marks,
    ownAddresses,
  };
  const seen = {
    proposal,
    booked,
    bookedFrom,
    accepted,
    notified: notified?.proposed ?? null,
    notifiedShowsChange: notified?.showsChange ?? false,
    paymentTimeLimits: input.order.records.flatMap(({ paymentTimeLimit: limit }) => (limit.known ? [limit.value] : [])),
    deadlines: [...input.order.records, ...(input.notified?.records ?? [])].flatMap(({ deadlines }) => deadlines),
    order: {
      orderId,
      gdsBookingReferences: proposal.gdsBookingReferences,
      changeSeenAt: seenAt(known, proposal, now),
      travellerAnswer: traveller.answer?.choice ?? null,
      customerAgreement,
      ticketIssuedOn: unknown("not-stated"),
    },
    unmarkedValues: unmarkedValues(
      [view, notice].flatMap((stated) => (stated === null ? [] : unmarkedStatements(stated.unread, marks))),
    ).slice(0, unmarkedValuesMax),
    evaluatedAt: now,
    timeZones: activeTimeZones().version,
  };
  return { input, traveller, seen };
}

/** As many values as the facts name paths. Those behind them follow once some of these are marked. */
const unmarkedValuesMax = 20;

/**
 * Returns when this change was first decided about, not before the case was opened, or now if it is new. Proposals that
 * differ only in flags are one change.
 */
function seenAt({ case: inCase, earlierProposals }: AssessedOrder, { proposed }: Proposal, now: Date): Date {
  const beforeIt = earlierProposals.findLastIndex((earlier) => !sameFlights(earlier.proposed, proposed));
  const first = earlierProposals[beforeIt + 1];
  if (first === undefined) return now;
  return new Date(Math.max(Date.parse(first.decidedAt), inCase?.openedAt.getTime() ?? 0));
}

/** Assesses the newest notification. Returns null on any error, so that a person is still asked. */
export function assessNotification(order: AssessedOrder, settings: AssessmentSettings, now: Date): Assessment | null {
  try {
    const view = notifiedView(order);
    return view === null ? null : assess(view, order, settings, now);
  } catch {
    return null;
  }
}

function notifiedView({ notification }: AssessedOrder): OrderView | null {
  return notification === "unreadable" ? null : notification;
}

function historyOf({ decision, accepted, earlierProposals }: AssessedOrder, notified: Proposal | null): ChangeHistory {
  const isOpen = decision?.action === "review" || decision?.action === "wait" || decision?.action === "ask-traveller";
  return {
    proposals: earlierProposals.filter(({ isBlank }) => isBlank !== true),
    acceptedBefore: accepted !== null,
    awaiting: isOpen ? decision.proposed : null,
    notified: notified === null ? null : { current: notified.current, proposed: notified.proposed },
  };
}

function baselineOf(
  known: AssessedOrder,
  notified: Proposal | null,
  proposal: Proposal,
): { booked: Itinerary; bookedFrom: string; baseline: Baseline | null } {
  if (known.booked !== null && known.booked.segments.length > 0) {
    return { booked: known.booked, bookedFrom: "stored", baseline: baselines[known.bookedFrom ?? ""] ?? null };
  }
  if (notified !== null && notified.current.segments.length > 0) {
    return { booked: notified.current, bookedFrom: "notification", baseline: "notice" };
  }
  return { booked: proposal.current, bookedFrom: "status", baseline: "status" };
}

const baselines: Readonly<Record<string, Baseline | undefined>> = {
  import: "imported",
  notification: "notice",
  status: "status",
};
