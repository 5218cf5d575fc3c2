import type { EffectSnapshot } from "../../src/cases/effect-snapshot.ts";
import type { OrderContext } from "../../src/cases/order-context.ts";
import type { OrderView } from "../../src/contract/order-view.ts";
import { readOrderView } from "../../src/contract/read-order-view.ts";
import { type Proposal, readProposal } from "../../src/itinerary/proposal.ts";
import {
  datedSample,
  type OrderViewBody,
  type SampleName,
  withDelayTaken,
  withDeparture,
  withFlags,
} from "./sample-notification.ts";

/* An order as a run loads it, for tests of what is done next. The flights of the samples leave ten days from `now` and later. */

export const now = new Date("2027-02-01T00:00:00Z");
const orderId = "ORDER1";

/** So many milliseconds after `now`. */
export function afterMs(ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** A sample for the order. */
export function changeOf(sample: SampleName): OrderViewBody {
  return datedSample(sample, { orderId, reference: "REF1" });
}

/** LH1167 leaves twenty minutes later. */
export const delay = changeOf("minor-delay");

/** A flight from Delhi to Dubai is withdrawn. It may be cancelled, and not accepted. */
export const cancelled = changeOf("cancelled");

/** LIS-FRA leaves at 05:30 and not at 07:10, which EU law takes for a cancellation. */
export const broughtForward = withDeparture(delay, "05:30");

/** The delay under the booking references A and B, or another view for each. */
export function underTwo(viewOf: (reference: string) => OrderViewBody = () => delay): OrderViewBody {
  const Order = ["A", "B"].map((reference) => ({
    ...viewOf(reference).OrderViewRS.Order[0],
    GdsBookingReference: reference,
  }));
  return { OrderViewRS: { ...viewOf("A").OrderViewRS, Order } };
}

/** A copy of which the order has these values besides. */
export function withOrder(body: OrderViewBody, values: Readonly<Record<string, unknown>>): OrderViewBody {
  const copy = structuredClone(body);
  for (const order of copy.OrderViewRS.Order) Object.assign(order, values);
  return copy;
}

/** A copy after the change was settled: no flag is Y any more. */
export function settledAs(body: OrderViewBody, status: "Accepted" | "Rejected"): OrderViewBody {
  const closed = withFlags(body, { Accept: "N", Cancel: "N", ReSchedule: "N" });
  const PnrStatus = status === "Accepted" ? "CONFIRMED" : "CANCELLED";
  return withOrder(closed, { ScheduleChangeStatus: status, PnrStatus });
}

/** The delay is taken. */
export const taken = settledAs(withDelayTaken(delay), "Accepted");

/** Other flights are booked: the airline had put another change in the place of the one decided about. */
export const takenOtherwise = structuredClone(taken);
const [flight] = takenOtherwise.OrderViewRS.DataLists.FlightSegmentList.FlightSegment;
flight!.Departure.Time = "09:55:00";
flight!.Arrival.Time = "14:05:00";

/** Nothing is open, and the flights are those from before the accept. */
export const asBooked = settledAs(delay, "Accepted");
asBooked.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment = [];

export function viewOf(body: OrderViewBody): OrderView {
  const reading = readOrderView(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view;
}

export function proposalOf(body: OrderViewBody): Proposal {
  return readProposal(viewOf(body), orderId)!;
}

const anOpenCase: OrderContext["case"] = {
  id: "case-1",
  state: "checking",
  reviewQueue: null,
  gdsBookingReferences: ["REF1"],
  requeueCount: 1,
  failures: 0,
  failingSince: null,
  proposalDigest: null,
  openedAt: now,
  notifiedAt: now,
  decisionId: null,
  undoLeftMs: null,
  clockRanOutAt: null,
};

type OrderChanges = Partial<Omit<OrderContext, "case">> & { readonly case?: Partial<OrderContext["case"]> };

/** An order that was notified, about which nothing is decided. */
export function anOrder(changes: OrderChanges = {}): OrderContext {
  return {
    source: "default",
    orderId,
    decision: null,
    decisionHasEffect: false,
    reserved: [],
    temporaryRefusals: 0,
    liveEffect: null,
    lastSuccess: null,
    booked: null,
    bookedFrom: null,
    accepted: null,
    earlierProposals: [],
    storedDigests: [],
    travellerContacts: [],
    lastContact: "none",
    isRestated: false,
    isTakenOver: false,
    snoozedUntil: null,
    automationStoppedAt: null,
    notification: null,
    ...changes,
    case: { ...anOpenCase, ...changes.case },
  };
}

type Decision = NonNullable<OrderContext["decision"]>;

/** An accept by a rule, decided about the delay. */
export function anAccept(changes: Partial<Decision> = {}, about: OrderViewBody = delay): Decision {
  const { digest, proposed } = proposalOf(about);
  return {
    id: "decision-1",
    action: "accept",
    decidedBy: "policy",
    rule: "small-retiming",
    question: null,
    reviewQueue: null,
    proposalDigest: digest,
    policyVersion: "v1",
    marksVersion: null,
    onStatus: true,
    proposed,
    facts: null,
    ...changes,
  };
}

/** A question to an agent about the delay, by a rule. */
export function aReview(changes: Partial<Decision> = {}, about: OrderViewBody = delay): Decision {
  return anAccept({ action: "review", rule: "r1", reviewQueue: "agent", ...changes }, about);
}

/** An accept of the delay, sent now, of which nothing is known. */
export function anEffect(changes: Partial<EffectSnapshot> = {}, about: OrderViewBody = delay): EffectSnapshot {
  const { digest, proposed, current } = proposalOf(about);
  return {
    id: "effect-1",
    caseId: "case-1",
    action: "accept",
    state: "unknown",
    proposalDigest: digest,
    gdsBookingReferences: ["REF1"],
    decisionId: "decision-1",
    settleReads: 0,
    unchangedReads: 0,
    sends: 1,
    sentAt: now,
    sentAgoMs: 0,
    finishedAt: null,
    proposed,
    acceptedBefore: current,
    ancillariesAtRisk: [],
    expectedRefund: null,
    refundCheck: null,
    legal: null,
    otherFlightsAskedIn: null,
    notifiedSince: false,
    contradicted: false,
    confirmedByPerson: false,
    ...changes,
  };
}

/** That accept, which has succeeded now. */
export function aSuccess(changes: Partial<EffectSnapshot> = {}, about: OrderViewBody = delay): EffectSnapshot {
  return anEffect({ state: "succeeded", finishedAt: now, ...changes }, about);
}
