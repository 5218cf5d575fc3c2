import type { OrderRecord } from "../contract/order-view.ts";
import type { TicketDocuments } from "../contract/ticket-documents.ts";
import { orderPartsOf } from "../itinerary/facts-input.ts";
import { fitsFlights, type Itinerary, type ItinerarySegment } from "../itinerary/itinerary.ts";
import { readProposal } from "../itinerary/proposal.ts";
import { counted } from "../kernel/counted.ts";
import { type Fact, unknown } from "../kernel/fact.ts";
import type { InformChoice } from "../policy/inform.ts";
import type { NewTask } from "./case-update.ts";
import { informDueBy, ticketTaskDueBy } from "./clocks.ts";
import { doubtsOfConfirmed } from "./confirmed-effect.ts";
import { type EffectAction, isByPerson, type Reason } from "./decision.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { OrderContext } from "./order-context.ts";
import { otherDocumentsCode } from "./outcome-words.ts";
import type { SourceSettings } from "./source-settings.ts";
import type { StatusAfter } from "./step.ts";
import { travellerStateFor } from "./traveller.ts";

/** @param documents or why they could not be read. */
export function tasksAfterAccept(
  { orderId, lastSuccess }: OrderContext,
  after: StatusAfter,
  documents: AcceptedOrder["documents"],
  now: Date,
): readonly NewTask[] {
  const seen = typeof after === "string" ? null : after;
  const flights = lastSuccess?.proposed ?? seen?.proposal?.current ?? null;
  const tasks: readonly Pick<NewTask, "kind" | "reasons">[] = [
    {
      kind: "check-ticket",
      reasons: [
        ...(lastSuccess?.confirmedByPerson === true ? doubtsOfConfirmed(lastSuccess, after) : []),
        ...ticketReasons({
          orderId,
          before: lastSuccess?.acceptedBefore ?? null,
          accepted: lastSuccess?.proposed ?? null,
          ticketed: seen?.proposal?.ticketed ?? unknown("status-not-read"),
          needToTicket: seen !== null && needsToTicket(orderPartsOf(seen.view, orderId).records),
          documents,
        }),
      ],
    },
    { kind: "check-services", reasons: serviceReasons(lastSuccess?.ancillariesAtRisk ?? []) },
  ];
  const dueBy = ticketTaskDueBy(flights, now);
  return tasks.filter(({ reasons }) => reasons.length > 0).map((task) => ({ ...task, dueBy }));
}

/** Asks a person or a system to inform the traveller of what the order's last effect changed, if somebody must and nobody has; else empty. */
export function informTasks(context: OrderContext, settings: SourceSettings, now: Date): readonly NewTask[] {
  const { lastSuccess, travellerContacts } = context;
  if (lastSuccess === null) return [];
  const { action, proposalDigest } = lastSuccess;
  const newest = travellerContacts.at(-1) ?? null;
  const knowsOther = newest !== null && newest.proposalDigest !== proposalDigest;
  const isInformed = travellerStateFor(proposalDigest, travellerContacts).informedAt !== null;
  if (isInformed && !knowsOther) return [];
  const choice = informChoiceFor(context, lastSuccess, settings);
  // A traveller who was informed of another change, or asked about one, expects other flights, however small this change is.
  if (!knowsOther && choice === "nobody") return [];
  const reasons = [knowsOther ? reasonToCorrect(action) : reasonToInform(action)];
  const byEvent = (choice === "nobody" ? settings.inform : choice) === "event";
  return [{ kind: "inform-traveller", reasons, dueBy: informDueBy(lastSuccess, now), byEvent }];
}

/** As the rule says that decided, else the source. No rule decided what a person did. */
function informChoiceFor(
  { decision }: OrderContext,
  { decisionId }: EffectSnapshot,
  { policy, inform }: Pick<SourceSettings, "policy" | "inform">,
): InformChoice {
  if (decision?.id !== decisionId || isByPerson(decision)) return inform;
  return policy.rules.find(({ name }) => name === decision.rule)?.inform ?? inform;
}

const whatHappened: Readonly<Record<EffectAction, string>> = {
  accept: "The change was accepted",
  cancel: "The order was cancelled",
};

function reasonToInform(action: EffectAction): Reason {
  const text = `${whatHappened[action]}. Nobody has recorded that the traveller was informed.`;
  return { code: "traveller-not-informed", text };
}

function reasonToCorrect(action: EffectAction): Reason {
  const text = `${whatHappened[action]}. The last contact with the traveller was not about this change.`;
  return { code: "traveller-knows-otherwise", text };
}

export interface AcceptedOrder {
  readonly orderId: string;
  /** The flights that the tickets were valid for before the accept; null if unknown. */
  readonly before: Itinerary | null;
  /** The accepted flights; null if unknown. */
  readonly accepted: Itinerary | null;
  readonly ticketed: Fact<boolean>;
  readonly needToTicket: boolean;
  /** As read after the accept, or why they were not, as the second half of a sentence. */
  readonly documents: TicketDocuments | string;
}

/**
 * Returns why the tickets of an accepted change must be checked; empty if they fit as far as known. Accepting does not
 * reissue tickets. Unreadable documents alone are no reason.
 */
export function ticketReasons(order: AcceptedOrder): readonly Reason[] {
  const { orderId, before, accepted, documents } = order;
  const reasons: Reason[] = [];
  if (before !== null && accepted !== null && isOtherTicket(before, accepted)) {
    const text = "The flight number, date or routing changed. Accepting does not reissue tickets.";
    reasons.push({ code: "flights-changed", text });
  }
  const orders = typeof documents === "string" ? [] : documents.view.orders;
  const records = orders.filter((record) => record.orderId === orderId);
  if (order.needToTicket || needsToTicket(records)) {
    const text = "The gateway states that tickets must still be issued (NeedToTicket Y).";
    reasons.push({ code: "need-to-ticket", text });
  }
  if (typeof documents !== "string") return [...reasons, ...documentReasons(order, documents)];
  const notRead = { code: "documents-not-read", text: `The ticket documents could not be checked: ${documents}` };
  return reasons.length === 0 ? [] : [...reasons, notRead];
}

export function needsToTicket(records: readonly OrderRecord[]): boolean {
  return records.some(({ needToTicket }) => needToTicket.known && needToTicket.value);
}

function isOtherTicket(before: Itinerary, accepted: Itinerary): boolean {
  return (
    before.segments.length !== accepted.segments.length ||
    before.segments.some((segment, position) => coupon(segment) !== coupon(accepted.segments[position]!))
  );
}

function coupon({ marketingCarrier, marketingFlightNumber, departure, arrival }: ItinerarySegment): string {
  return [marketingCarrier, marketingFlightNumber, departure.airport, departure.date, arrival.airport].join("/");
}

function documentReasons(
  { orderId, accepted, ticketed }: AcceptedOrder,
  { view, documents }: TicketDocuments,
): Reason[] {
  const reasons: Reason[] = [];
  const shown = readProposal(view, orderId)?.current ?? null;
  if (accepted !== null && shown !== null && !fitsFlights(accepted, shown)) {
    const text = "The ticket documents list other flights than those that were accepted.";
    reasons.push({ code: otherDocumentsCode, text });
  }
  // An unpaid order has no tickets yet.
  if (!ticketed.known || !ticketed.value) return reasons;
  const tickets = documents.filter(({ type }) => type === null || type.toUpperCase() === "TKT");
  const named = new Set(tickets.map(({ passengerReference }) => passengerReference));
  const without = named.has(null)
    ? Math.max(0, view.passengers.length - tickets.length)
    : view.passengers.filter(({ passengerId }) => !named.has(passengerId)).length;
  if (tickets.length === 0) {
    reasons.push({ code: "no-tickets-shown", text: "The order is ticketed, but the gateway shows no ticket for it." });
  } else if (without > 0) {
    const text = `The gateway shows no ticket for ${without} of ${counted(view.passengers.length, "passenger")}.`;
    reasons.push({ code: "passengers-without-ticket", text });
  }
  return reasons;
}

/**
 * Returns why somebody must check the services bought for the old flights; empty if none is at risk.
 * @param atRisk as in the fact `ancillariesAtRisk`: `SEAT LIS-FRA`, or without airports if any flight may be meant.
 */
export function serviceReasons(atRisk: readonly string[]): readonly Reason[] {
  const byCode = new Map<string, readonly string[]>();
  for (const item of atRisk) {
    const code = codeOf(item);
    byCode.set(code, [...(byCode.get(code) ?? []), item]);
  }
  return [...byCode].map(([code, items]) => ({
    code,
    text: `Bought for the earlier flights: ${withCounts(items).join(", ")}. Rebook what is missing on the new flights, or claim a refund.`,
  }));
}

function codeOf(item: string): string {
  const [what = ""] = item.toUpperCase().split(" ");
  if (what === "SEAT" || /^(?:NSS|SMS|EXST)/.test(what)) return "seats-at-risk";
  if (/BAG|^(?:BIKE|SPEQ)/.test(what)) return "bags-at-risk";
  if (/MEAL|^[A-Z]{2}ML$/.test(what)) return "meals-at-risk";
  return "services-at-risk";
}

function withCounts(items: readonly string[]): readonly string[] {
  return [...new Set(items)].map((item) => {
    const count = items.filter((other) => other === item).length;
    return count === 1 ? item : `${item} (${count})`;
  });
}
