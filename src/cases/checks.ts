import { isChangeHidden } from "../itinerary/hidden-change.ts";
import { fitsOffer, sameFlights } from "../itinerary/itinerary.ts";
import { describeOrdersToStop, isAnyToContact } from "../itinerary/order-to-stop-words.ts";
import { counted } from "../kernel/counted.ts";
import { type Fact, isFalse, isTrue } from "../kernel/fact.ts";
import { listed as listWords } from "../kernel/listed.ts";
import type { ConditionInputs, ReadValue } from "../policy/condition-inputs.ts";
import type { VariableName } from "../policy/condition-names.ts";
import { describeUnknown, describeUnknownFact } from "../policy/fact-labels.ts";
import type { TravellerAnswer } from "../policy/legal/legal-input.ts";
import {
  type AutomaticLimits,
  automaticActions,
  defaultReviewQueue,
  evaluationReasonCodes,
  type PolicyAction,
  type PolicyInputs,
  type ProtectedPassenger,
  reviewQueues,
} from "../policy/policy.ts";
import { showsOtherFlights } from "./accepted-flights.ts";
import type { EffectAction, Reason } from "./decision.ts";
import type { DecisionSubject } from "./new-decision.ts";
import { isNothingOpen, isNothingProposed, isStatus } from "./open-change.ts";
import { acceptedOtherCode } from "./outcome-words.ts";
import { describeChoice, recordedAs } from "./traveller.ts";

/* All checks beside the policy's rules, in order. The first that objects is stored as the decision's rule. */

export interface Objection {
  readonly reason: Reason;
  readonly outcome: "ask-person" | "wait" | "resolved-elsewhere";
  readonly queue: string;
  /** The review is at least this urgent: 0 (most urgent) to 9. */
  readonly priority: number;
  /** Unknown facts on which the objection depends. */
  readonly unknownFacts: readonly string[];
  /** When to look again; only with `wait`. */
  readonly until: Date | null;
}

interface Check<Situation> {
  /** Stable: stored with decisions. */
  readonly id: string;
  readonly when: string;
  readonly check: (situation: Situation) => Objection | null;
}

/** What the rules want. `close-departed` closes the case of a trip that nobody travels any more. */
type Proposed = PolicyAction | "close-departed";

export interface RulesOutcome {
  readonly action: PolicyAction;
  readonly inputs: PolicyInputs;
  readonly read: ConditionInputs["read"];
  readonly limits: AutomaticLimits;
}

interface RulesCheck extends Check<RulesOutcome> {
  readonly for: readonly Proposed[];
}

const allButClosing: readonly Proposed[] = ["accept", "cancel", "review", "ask-traveller", "wait", "none"];
const always: readonly Proposed[] = [...allButClosing, "close-departed"];
const automatic: readonly Proposed[] = automaticActions;
/** Everything that happens to a case without a person, but closing that of a trip that nobody travels any more. */
const unattended: readonly Proposed[] = ["accept", "cancel", "ask-traveller", "wait", "none"];

/** Checks of the status, before any rule: is a change open? */
export const statusChecks: readonly Check<DecisionSubject>[] = [
  {
    id: "check:already-accepted",
    when: "this change was accepted, and the status still shows it as open",
    check: (subject) => checkCarriedOut("accept", subject),
  },
  {
    id: "check:already-cancelled",
    when: "the order was cancelled for this change, and the status still shows it as open",
    check: (subject) => checkCarriedOut("cancel", subject),
  },
  {
    id: "check:not-shown-yet",
    when: "nothing is open, and the status may be older than the notification that tells of other flights",
    check: (subject) => {
      const { proposal, notified } = subject;
      if (!isNothingOpen(proposal) || notified === null || sameFlights(proposal.current, notified)) return null;
      return checkLag(subject);
    },
  },
  {
    // The airline replaced the decided flights right before our accept.
    id: "check:accepted-other-flights",
    when: "nothing is open, and shortly after our accept other flights are accepted than it was decided about",
    check: ({ proposal, lastSuccess, now }) => {
      const decided = lastSuccess?.decidedFlights ?? null;
      if (!isNothingOpen(proposal) || decided === null || !showsOtherFlights(proposal, decided, now)) return null;
      return askPerson(acceptedOtherFlights);
    },
  },
  {
    id: "check:booking-status",
    when: "nothing is open, and it is not certain that the booking stands",
    check: ({ proposal, facts: { bookingStands } }) => {
      if (!isNothingOpen(proposal) || (bookingStands.known && bookingStands.value)) return null;
      const text =
        "The gateway shows no open change, but a status that may mean that the booking is no longer valid. Find out what it means.";
      return askPerson({ code: "booking-status", text });
    },
  },
  {
    id: "check:order-to-stop",
    when: "nothing is open, and the status or the notification states something that a person must look at",
    check: ({ proposal, facts: { ordersToStop } }) => {
      if (!isNothingOpen(proposal) || !ordersToStop.known || ordersToStop.value.length === 0) return null;
      return askPerson(reasonToStop(ordersToStop.value), { priority: stopPriority });
    },
  },
  {
    // PnrStatus CANCELLED alone settles nothing: a cancelled flight may still have a refund to claim. Accepted alone
    // settles nothing while flights are shown that could be answered: it may be left over from an earlier change.
    id: "check:resolved-elsewhere",
    when: "nothing is open: the airline has taken it back, or somebody else has answered it",
    check: ({ proposal, awaited, notified }) => {
      if (!isNothingOpen(proposal)) return null;
      const isAccepted =
        isStatus(proposal.scheduleChangeStatus, "Accepted") &&
        [awaited, notified].some((flights) => flights !== null && sameFlights(proposal.current, flights));
      return isAccepted
        ? resolved("accepted-elsewhere", "The gateway shows the proposed flights as accepted.")
        : resolved("nothing-open", "The gateway shows no open change for this order.");
    },
  },
];

/** Checks of what the rules want, which no policy can switch off. For automatic actions every unknown objects. */
export const rulesChecks: readonly RulesCheck[] = [
  {
    id: "check:partially-accepted",
    when: "the change is accepted for a part",
    for: always,
    check: ({ read }) => {
      // A missing status is no obstacle: the flags say what is open.
      if (!isStatus(read("scheduleChangeStatus"), "Partially-Accepted")) return null;
      const text = "The gateway shows the change as partially accepted. Accept and cancel apply to the whole order.";
      return askPerson({ code: "partially-accepted", text });
    },
  },
  {
    id: "check:sanity",
    when: "the new flights are impossible or incomplete as they were sent",
    for: always,
    check: ({ read }) => {
      const isSuspect = read("dataSuspect");
      if (isFalse(isSuspect)) return null;
      const problems = read("dataProblems");
      const list = problems.known && Array.isArray(problems.value) ? problems.value.join("; ") : "";
      const text =
        list === "" && !isSuspect.known
          ? "It is not known whether the new flights are possible and complete."
          : `The new flights are impossible or incomplete as sent${list === "" ? "" : `: ${list}`}.`;
      return askPerson({ code: "data-suspect", text }, { unknownFacts: isSuspect.known ? [] : ["dataSuspect"] });
    },
  },
  {
    id: "guard:order-to-stop",
    when: "the status or the notification tells to follow up, warns, refuses, cancels, waits or names a need",
    for: allButClosing,
    check: checkOrdersToStop,
  },
  {
    id: "guard:flags",
    when: "the booking references are not in the same state",
    for: always,
    check: ({ read }) =>
      differsByReference(read("scheduleChangeStatus")) ? referencesDiffer(["scheduleChangeStatus"]) : null,
  },
  {
    id: "guard:flags",
    when: "the gateway offers neither to accept nor to cancel, so only a person can help",
    for: allButClosing,
    check: checkOffers,
  },
  {
    id: "guard:unknown-member",
    when: "the status or the notification states something that nobody reads and nobody has marked as harmless",
    for: unattended,
    check: ({ read }) => {
      const isUnread = read("unreadMember");
      if (isFalse(isUnread)) return null;
      if (!isUnread.known) return checkKnown(["unreadMember"], read);
      const text = `Skedchange does not know what this means: ${listed(read("unreadMembers"))}. Check whether the change is about it.`;
      return askPerson({ code: "unknown-member", text }, { priority: 4 });
    },
  },
  {
    id: "guard:unaccompanied-minor",
    when: "only children travel, or a passenger is typed as an unaccompanied minor",
    for: unattended,
    check: ({ action, read }) => {
      if (isTrue(read("unaccompaniedMinor"))) {
        const text = "Unaccompanied minors travel. An agent must inform the adults who bring and meet them.";
        return askPerson({ code: "unaccompanied-minor", text }, { priority: urgentPriority });
      }
      return automatic.includes(action) ? checkKnown(["unaccompaniedMinor"], read) : null;
    },
  },
  {
    // The flag may be left over. A rejection, a failed booking or an uncertain one is not.
    id: "guard:rejected",
    when: "the status says that the change was rejected",
    for: [...automatic, "close-departed"],
    check: ({ read }) => {
      if (!isStatus(read("scheduleChangeStatus"), "Rejected")) return null;
      const text = "The status shows the change as rejected. Find out who rejected it before accepting.";
      return askPerson({ code: "rejected", text });
    },
  },
  {
    id: "guard:booking-failed",
    when: "the status says that the booking failed",
    for: [...automatic, "close-departed"],
    check: ({ read }) => {
      const status = read("pnrStatus");
      if (!status.known || status.value !== "FAILED") return null;
      const text = "The status shows that the booking failed: it is not confirmed and no ticket is issued.";
      return askPerson({ code: "booking-failed", text });
    },
  },
  {
    id: "guard:booking-status",
    when: "it is not certain that the booking stands",
    for: [...automatic, "close-departed"],
    check: ({ read }) => {
      const stands = read("bookingStands");
      if (isTrue(stands)) return null;
      const stated = (["pnrStatus", "orderStatus", "paymentStatus"] as const)
        .map((name) => read(name))
        .flatMap((status) => (status.known ? [String(status.value)] : []));
      const text = `The booking may no longer be valid: its statuses are ${stated.join(", ")}. Find out what they mean.`;
      return askPerson({ code: "booking-status", text }, { unknownFacts: stands.known ? [] : ["bookingStands"] });
    },
  },
  {
    id: "guard:protected-passenger",
    when: "a passenger is protected by the policy, such as an infant or who needs assistance",
    for: automatic,
    check: checkPassengers,
  },
  {
    id: "guard:order-value",
    when: "the order is worth more than the policy allows, or its worth is not known",
    for: automatic,
    check: checkOrderValue,
  },
  {
    id: "guard:booking-reference",
    when: "there is no booking reference to accept or cancel for",
    for: ["accept", "cancel"],
    check: ({ inputs: { order } }) => {
      if (order.gdsBookingReferences.length > 0) return null;
      const text = "The status names no booking reference for this order, so nothing can be sent.";
      return askPerson({ code: "no-booking-reference", text });
    },
  },
  {
    id: "guard:flags",
    when: "the gateway does not offer to accept for every booking reference",
    for: ["accept"],
    check: ({ read }) => checkFlag("acceptAllowed", "accept", read),
  },
  {
    id: "guard:flags",
    when: "the gateway does not offer to cancel for every booking reference",
    for: ["cancel"],
    check: ({ read }) => checkFlag("cancelAllowed", "cancel", read),
  },
  {
    id: "guard:traveller-answer",
    when: "the traveller has answered something else",
    for: ["accept"],
    check: ({ inputs: { order } }) => {
      const { travellerAnswer } = order;
      if (travellerAnswer === null || travellerAnswer === "accept") return null;
      return askPerson(declined(travellerAnswer), { priority: urgentPriority });
    },
  },
  {
    id: "guard:legal-hold",
    when: "accepting could give up a right to a refund or another flight",
    for: ["accept"],
    check: checkLaws,
  },
  {
    id: "guard:traveller-answer",
    when: "the traveller has answered something else",
    for: ["cancel"],
    check: ({ inputs: { order } }) => {
      const { travellerAnswer } = order;
      if (travellerAnswer === null || travellerAnswer === "refund") return null;
      const text = `The traveller answered '${travellerAnswer}', not 'refund'.`;
      return askPerson({ code: "traveller-declined", text });
    },
  },
  {
    id: "guard:cancel-cause",
    when: "flights remain, and the traveller has not asked for a refund",
    for: ["cancel"],
    // A cancel can't be undone and its refund is not known before. So it needs the traveller's wish, or no flight left.
    check: ({ inputs: { order }, read }) => {
      if (order.travellerAnswer === "refund") return null;
      if (isTrue(read("cancelled")) && isFalse(read("partiallyCancelled"))) return null;
      const text = "Flights remain and the traveller has not asked for a refund.";
      return checkKnown(["cancelled", "partiallyCancelled"], read) ?? askPerson({ code: "cancel-not-asked", text });
    },
  },
  {
    id: "guard:cancel-refund",
    when: "the refund would not be the whole value, or is not known",
    for: ["cancel"],
    check: checkRefund,
  },
  {
    id: "guard:order-value",
    when: "the policy states no value up to which it may cancel",
    for: ["cancel"],
    check: ({ limits }) => {
      if (limits.orderValue !== null) return null;
      return askPerson({ code: "no-value-limit", text: "The policy has no value limit for cancels." });
    },
  },
];

export interface ProposedEffect {
  readonly subject: DecisionSubject;
  readonly action: EffectAction;
}

/** Checks before a rule's effect, which acts on whatever is pending: the status must show it and be up to date. */
export const sendingChecks: readonly Check<ProposedEffect>[] = [
  {
    // Does not apply if an earlier status showed the flights of the notification: the airline has changed them again.
    id: "check:not-shown-yet",
    when: "the status shows other new flights than the newest notification, and may be older",
    check: ({ subject }) => {
      if (isHidden(subject) || !showsAnother(subject)) return null;
      return checkLag(subject);
    },
  },
  {
    id: "check:change-not-shown",
    when: "the status shows no change of any flight, or not the one that the notification tells of",
    check: ({ subject, action }) => {
      if (!isHidden(subject) && !showsAnother(subject) && !isChangeHidden(subject.facts)) return null;
      const text = describeUnshown(subject, action);
      return askPerson({ code: "change-not-shown", text });
    },
  },
  {
    id: "check:learning",
    when: "the source still learns: it has observed fewer orders than it should before anything is sent",
    check: ({ subject: { learning } }) => {
      if (learning === undefined) return null;
      const { observed, wanted } = learning;
      const text = `This source is still learning: ${observed} of ${counted(wanted, "order")} observed.`;
      return askPerson({ code: "learning", text });
    },
  },
  {
    // Must be last, so that it asks only about what would otherwise be sent.
    id: "check:automation-stopped",
    when: "automatic effects are stopped",
    check: ({ subject: { automationStoppedAt }, action }) => {
      if (automationStoppedAt === null) return null;
      const text = `Automation has been stopped since ${automationStoppedAt.toISOString()}. The policy would ${action} this change.`;
      return askPerson({ code: "automation-stopped", text });
    },
  },
];

export function findFirst<Situation, Row extends Check<Situation>>(
  checks: readonly Row[],
  situation: Situation,
): { readonly rule: string; readonly objection: Objection } | null {
  for (const { id, check } of checks) {
    const objection = check(situation);
    if (objection !== null) return { rule: id, objection };
  }
  return null;
}

export function checkRulesOutcome(outcome: RulesOutcome): ReturnType<typeof findFirst> {
  const isOver = outcome.action === "none" && isTrue(outcome.read("tripDeparted"));
  const proposed: Proposed = isOver ? "close-departed" : outcome.action;
  const asked = rulesChecks.filter((check) => check.for.includes(proposed));
  return findFirst(asked, outcome);
}

export const acceptedOtherFlights: Reason = {
  code: acceptedOtherCode,
  text: "The gateway accepted, but now shows other flights than those in the decision. Nothing is left to accept. Check the booking with the airline, then inform the travellers.",
};

/** What the traveller wants instead of the change. */
export function declined(answer: TravellerAnswer["choice"]): Reason {
  return { code: "traveller-declined", text: describeChoice(recordedAs(answer)) };
}

const urgentPriority = 2;
const stopPriority = 3;

function askPerson(
  reason: Reason,
  {
    queue = defaultReviewQueue,
    priority = 5,
    unknownFacts = [],
  }: Partial<Pick<Objection, "queue" | "priority" | "unknownFacts">> = {},
): Objection {
  return { reason, outcome: "ask-person", queue, priority, unknownFacts, until: null };
}

function waitUntil(until: Date, reason: Reason): Objection {
  return { ...askPerson(reason), outcome: "wait", until };
}

function resolved(code: string, text: string): Objection {
  return { ...askPerson({ code, text }), outcome: "resolved-elsewhere" };
}

function checkLag({ caseOpenedAt, notifiedAt, notified, statusLagMs, now }: DecisionSubject): Objection | null {
  const lagEnds = new Date(Math.max(caseOpenedAt.getTime(), notifiedAt?.getTime() ?? 0) + statusLagMs);
  if (now >= lagEnds) return null;
  const isNamed = notified !== null && notified.segments.length > 0;
  const text = isNamed
    ? "The booking does not show the change from the notification yet. It is checked once more."
    : "The booking shows no proposed change. It may be older than the notification, so it is checked once more.";
  return waitUntil(lagEnds, { code: "status-lags-behind", text });
}

/** Says what the status shows instead of the change that was notified. */
function describeUnshown(subject: DecisionSubject, action: EffectAction): string {
  if (!isHidden(subject) && !isChangeHidden(subject.facts)) {
    return `The status shows other new flights than the newest notification. Ask the airline which are right before you ${action} them.`;
  }
  const shown =
    subject.proposal.showsChange && subject.notified !== null
      ? "its status does not show the one in the notification"
      : "its status has no changed flight";
  return `The gateway allows to ${action} a change without showing it: ${shown}.`;
}

/** Whether no changed flight is shown although one is offered or was notified. */
function isHidden({ proposal, notified }: DecisionSubject): boolean {
  const isAsNotified = notified === null || sameFlights(proposal.proposed, notified);
  return !proposal.showsChange || (isNothingProposed(proposal) && !isAsNotified);
}

/** Whether other flights are proposed than the notification's, which no earlier status has shown either. */
function showsAnother({ proposal, notified, notifiedUnseen }: DecisionSubject): boolean {
  return notifiedUnseen && notified !== null && !fitsOffer(proposal.proposed, notified);
}

/** Finds a last successful effect, on any case of the order, whose change is still shown as open. */
function checkCarriedOut(
  action: EffectAction,
  { lastSuccess: last, proposal, now, statusLagMs }: DecisionSubject,
): Objection | null {
  if (last === null || last.action !== action || last.proposalDigest !== proposal.digest) return null;
  const done = action === "accept" ? "accepted" : "cancelled";
  const finishedAt = last.finishedAt ?? now;
  const lagEnds = new Date(finishedAt.getTime() + statusLagMs);
  if (now < lagEnds) {
    const text = `This change was ${done} at ${finishedAt.toISOString()}; the status may not show it yet.`;
    return waitUntil(lagEnds, { code: `already-${done}`, text });
  }
  const text = `This change was ${done}, but the gateway still shows it as open. Ask the airline before sending anything again.`;
  return askPerson({ code: `${done}-but-still-open`, text });
}

const flagNames = ["acceptAllowed", "cancelAllowed", "rescheduleAllowed"] as const satisfies readonly VariableName[];

function checkOffers({ read }: RulesOutcome): Objection | null {
  const [accept, cancel, reschedule] = flagNames.map((name) => read(name));
  if (isTrue(accept) || isTrue(cancel)) return null;
  const unread = flagNames.filter((name) => !read(name).known);
  if (unread.some((name) => differsByReference(read(name)))) return referencesDiffer(unread);
  if (isTrue(reschedule)) {
    const text = "The gateway only allows another flight. Rebook, then close the case.";
    return askPerson({ code: "reschedule-only", text }, { queue: reviewQueues.reschedule });
  }
  if (unread.length > 0) return flagsUnknown(unread, read);
  const text = "The gateway allows neither accept, cancel nor reschedule.";
  return askPerson({ code: "no-action-offered", text });
}

function checkFlag(name: VariableName, action: EffectAction, read: ConditionInputs["read"]): Objection | null {
  const flag = read(name);
  if (isTrue(flag)) return null;
  if (differsByReference(flag)) return referencesDiffer([name]);
  if (!flag.known) return flagsUnknown([name], read);
  return askPerson({ code: `${action}-not-offered`, text: `The gateway does not allow to ${action} this change.` });
}

function referencesDiffer(names: readonly string[]): Objection {
  const text =
    "The booking references of the order are in different states. An accept or a cancel acts only on those that still allow it.";
  return askPerson({ code: "references-differ", text }, { unknownFacts: names });
}

const statedAs: Readonly<Record<string, string | undefined>> = {
  "missing-flag": "not stated",
  "unreadable-flag": "stated, but neither as Y nor as N",
  "contradictory-flags": "stated both as Y and as N",
};

/** As the gateway spells it. */
const flagSpellings: Readonly<Partial<Record<VariableName, string>>> = {
  acceptAllowed: "Accept",
  cancelAllowed: "Cancel",
  rescheduleAllowed: "ReSchedule",
};

function flagsUnknown(names: readonly VariableName[], read: ConditionInputs["read"]): Objection {
  const flags = names.map((name) => ({ name, fact: read(name) }));
  const causes = new Set(flags.map(({ fact }) => (fact.known ? "" : fact.reason)));
  const clauses = [...causes].map((cause) => {
    const stated = flags.filter(({ fact }) => !fact.known && fact.reason === cause).map(({ name }) => name);
    const flagged = listWords(stated.map((name) => flagSpellings[name] ?? name));
    return `${flagged} ${stated.length === 1 ? "is" : "are"} ${statedAs[cause] ?? `not clear (${describeUnknown(cause)})`}`;
  });
  const missing = causes.has("missing-flag") ? " A missing flag does not mean no." : "";
  const text = `What the gateway allows is not known: ${listWords(clauses)}.${missing}`;
  return askPerson({ code: "flag-unknown", text }, { unknownFacts: names });
}

function checkOrdersToStop({ read }: Pick<RulesOutcome, "read">): Objection | null {
  const orders = read("ordersToStop");
  if (!orders.known) return checkKnown(["ordersToStop"], read);
  if (!Array.isArray(orders.value) || orders.value.length === 0) return null;
  return askPerson(reasonToStop(orders.value), { priority: stopPriority });
}

/** Whoever is told to contact the airline has to phone, so that is a reason of its own. */
function reasonToStop(orders: readonly string[]): Reason {
  return { code: isAnyToContact(orders) ? "contact-airline" : "order-to-stop", text: describeOrdersToStop(orders) };
}

function listed(fact: Fact<ReadValue>): string {
  return fact.known && Array.isArray(fact.value) ? fact.value.join(", ") : "";
}

const protectingFacts: Readonly<Record<ProtectedPassenger, VariableName>> = {
  assistance: "assistanceRequested",
  infant: "hasInfant",
  child: "hasChild",
  group: "groupSize",
};

/** The number of passengers from which airlines treat an order as a group. */
const groupSizeMin = 10;

function checkPassengers({ limits, read }: RulesOutcome): Objection | null {
  for (const protectedPassenger of limits.protectedPassengers) {
    const name = protectingFacts[protectedPassenger];
    const fact = read(name);
    if (!fact.known) return checkKnown([name], read);
    const isProtected = typeof fact.value === "number" ? fact.value >= groupSizeMin : fact.value === true;
    if (isProtected) {
      const text = `A traveller is protected by the policy (${protectedPassenger}), so an agent decides.`;
      return askPerson({ code: "protected-passenger", text }, { priority: 3 });
    }
  }
  return null;
}

function checkOrderValue({ limits, read }: RulesOutcome): Objection | null {
  if (limits.orderValue === null) return null;
  const currency = read("currency");
  const value = read("orderValue");
  if (!currency.known || !value.known) return checkKnown(["orderValue", "currency"], read);
  const code = String(currency.value);
  const limit = Object.hasOwn(limits.orderValue, code) ? limits.orderValue[code] : undefined;
  if (limit === undefined) {
    return askPerson({ code: "no-value-limit", text: `The policy has no value limit in ${code}.` });
  }
  if (Number(value.value) <= limit) return null;
  const text = `The order is worth ${String(value.value)} ${code}, over the limit of ${limit}.`;
  return askPerson({ code: "over-value-limit", text });
}

function checkLaws({ inputs: { legal } }: RulesOutcome): Objection | null {
  if (legal === null) {
    const text = "Whether accepting waives a right was not checked.";
    return askPerson({ code: "law-not-checked", text }, { queue: reviewQueues.legal });
  }
  if (!legal.hold.held) return null;
  const text = ["Accepting may waive the right to a refund or another flight.", ...legal.hold.reasons].join(" ");
  const missing = legal.verdicts.flatMap(({ right, verdict, unknownFact }) =>
    right === "refund-or-rerouting" && verdict === "cannot-tell" && unknownFact !== null ? [unknownFact] : [],
  );
  return askPerson(
    { code: "legal-hold", text },
    { queue: reviewQueues.legal, priority: 3, unknownFacts: [...new Set(missing)] },
  );
}

function checkRefund({ read }: RulesOutcome): Objection | null {
  const missing = checkKnown(["ticketed", "departedFlightCount", "expectedRefund"], read);
  if (missing !== null) return missing;
  if (!isTrue(read("ticketed"))) {
    return askPerson({ code: "not-ticketed", text: "The order has no ticket, so there is nothing to refund." });
  }
  const departed = read("departedFlightCount");
  if (departed.known && departed.value === 0) return null;
  const text = "Part of the order is flown, so the refund is not the full value.";
  return askPerson({ code: "partly-flown", text });
}

function checkKnown(names: readonly VariableName[], read: ConditionInputs["read"]): Objection | null {
  const missing = names.filter((name) => !read(name).known);
  if (missing.length === 0) return null;
  const facts = missing.map((name) => describeUnknownFact(name, read(name)));
  const text = `Nothing is done automatically while ${facts.join(", ")}.`;
  return askPerson({ code: evaluationReasonCodes.unknownFact, text }, { unknownFacts: missing });
}

function differsByReference(fact: Fact<ReadValue>): boolean {
  return !fact.known && fact.reason === "differs-by-reference";
}
