import type { ConditionInputs, ReadValue } from "../../src/policy/condition-inputs.ts";
import type { VariableName } from "../../src/policy/condition-names.ts";
import type { VerdictReason } from "../../src/policy/evaluate.ts";
import {
  type AutomaticLimits,
  automaticActions,
  defaultReviewQueue,
  evaluationReasonCodes,
  type PolicyAction,
  type PolicyInputs,
  type ProtectedPassenger,
  reviewQueues,
} from "../../src/policy/policy.ts";

/** Why the action that the rules ask for does not happen, and who gets the case instead. */
export interface GuardStop {
  /** Stable; the decision names it as its rule, after `guard:`. */
  readonly guard: string;
  readonly queue: string;
  /** The least urgent that the review may be. */
  readonly priority: number;
  readonly reason: VerdictReason;
  readonly unknownFacts: readonly string[];
}

/** What a guard looks at. */
interface Guarded {
  readonly action: PolicyAction;
  readonly inputs: PolicyInputs;
  readonly read: ConditionInputs["read"];
  readonly limits: AutomaticLimits;
}

type Guard = (guarded: Guarded) => GuardStop | null;

/**
 * What no policy can switch off. The first guard that objects names itself: first what no order may pass whatever is
 * asked for, then what an automatic action needs, with every unknown counted as an objection.
 */
export function findGuardStop(
  action: PolicyAction,
  inputs: PolicyInputs,
  conditions: ConditionInputs,
  limits: AutomaticLimits,
): GuardStop | null {
  const guarded: Guarded = { action, inputs, read: conditions.read, limits };
  // Closing the case of a trip that is over sends nothing, and nobody travels any more.
  const isOver = action === "none" && isTrue(conditions.read("tripDeparted"));
  const guards: readonly Guard[] = isOver ? guardsOfDeparted : guardsFor(action);
  for (const guard of guards) {
    const stopped = guard(guarded);
    if (stopped !== null) return stopped;
  }
  return null;
}

function guardsFor(action: PolicyAction): readonly Guard[] {
  return [
    ...guardsOfEveryAction,
    ...(action === "review" ? [] : [guardMinor]),
    ...(automaticActions.includes(action) ? guardsOfAutomaticActions : []),
    ...(action === "accept" ? guardsOfAccept : []),
    ...(action === "cancel" ? guardsOfCancel : []),
  ];
}

const guardPartiallyAccepted: Guard = ({ read }) => {
  const status = read("scheduleChangeStatus");
  if (differsByReference(status)) return stopOnReferences(["scheduleChangeStatus"]);
  // A status that is left out is no doubt of its own: the flags say what is still open.
  if (!status.known || String(status.value).toUpperCase() !== "PARTIALLY-ACCEPTED") return null;
  return stop("partially-accepted", "The change is partially accepted. Accept and cancel act on the whole order.");
};

/** Neither accept nor cancel is offered, so only a person can help: the queue says which one. */
const guardNothingOffered: Guard = ({ read }) => {
  const [accept, cancel, reschedule] = flagNames.map((name) => read(name));
  if (isTrue(accept) || isTrue(cancel)) return null;
  const unread = flagNames.filter((name) => !read(name).known);
  if (unread.some((name) => differsByReference(read(name)))) return stopOnReferences(unread);
  if (isTrue(reschedule)) {
    return stop("flags", "The gateway offers nothing but another flight: rebook, then close the case.", {
      code: "reschedule-only",
      queue: reviewQueues.reschedule,
    });
  }
  if (unread.length > 0) return stopOnFlags(unread);
  return stop("flags", "The gateway offers neither accept nor cancel nor another flight.", {
    code: "no-action-offered",
  });
};

const guardsOfEveryAction: readonly Guard[] = [guardPartiallyAccepted, guardNothingOffered];

const guardMinor: Guard = ({ action, read }) => {
  const minor = read("unaccompaniedMinor");
  if (isTrue(minor)) {
    const text = "Only children travel. Whoever brings and meets them must be told, so a person decides.";
    return stop("unaccompanied-minor", text, { priority: urgentPriority });
  }
  return automaticActions.includes(action) ? stopOnUnknown("unaccompanied-minor", ["unaccompaniedMinor"], read) : null;
};

const guardSuspectData: Guard = ({ read }) => {
  if (isTrue(read("dataSuspect"))) {
    const problems = read("dataProblems");
    const because =
      problems.known && typeof problems.value === "object"
        ? `since ${problems.value.join(", ")}`
        : "since the proposed flights do not fit together in time or place";
    return stop("data-suspect", `Nothing is done automatically, ${because}.`);
  }
  return stopOnUnknown("data-suspect", ["dataSuspect"], read);
};

/** The flag may be left over; somebody's refusal is not, nor is a booking that failed or may not stand any more. */
const guardOtherOutcome: Guard = ({ read }) => {
  const changeStatus = read("scheduleChangeStatus");
  if (changeStatus.known && String(changeStatus.value).toUpperCase() === "REJECTED") {
    return stop("rejected", "The status says that the change was rejected. Find out by whom before it is accepted.");
  }
  const pnrStatus = read("pnrStatus");
  if (pnrStatus.known && pnrStatus.value === "FAILED") {
    return stop("booking-failed", "The status says that the booking failed: not confirmed, and no ticket issued.");
  }
  const stands = read("bookingStands");
  // Decisions that were kept before this was asked are replayed as they were made.
  if (isTrue(stands) || (!stands.known && stands.reason === "not-computed")) return null;
  const stated = (["pnrStatus", "orderStatus", "paymentStatus"] as const)
    .map((name) => read(name))
    .flatMap((status) => (status.known ? [String(status.value)] : []));
  const text = `The booking may not stand any more: its statuses are ${stated.join(", ")}. Find out what they mean.`;
  return { ...stop("booking-status", text), unknownFacts: stands.known ? [] : ["bookingStands"] };
};

const guardReference: Guard = ({ inputs }) =>
  inputs.order.gdsBookingReferences.length > 0
    ? null
    : stop("booking-reference", "The status names no booking reference for this order, so nothing can be sent.", {
        code: "no-booking-reference",
      });

const protectingFacts: Readonly<Record<ProtectedPassenger, VariableName>> = {
  assistance: "assistanceRequested",
  infant: "hasInfant",
  child: "hasChild",
  group: "groupSize",
};

/** From how many passengers on airlines treat an order as a group. */
const groupSizeMin = 10;

const guardProtectedPassengers: Guard = ({ limits, read }) => {
  for (const protectedPassenger of limits.protectedPassengers) {
    const name = protectingFacts[protectedPassenger];
    const fact = read(name);
    if (!fact.known) return stopOnUnknown("protected-passenger", [name], read);
    const isProtected = typeof fact.value === "number" ? fact.value >= groupSizeMin : fact.value === true;
    if (isProtected) {
      const text = `A passenger needs a person's attention (${protectedPassenger}), so nothing is done automatically.`;
      return stop("protected-passenger", text, { priority: 3 });
    }
  }
  return null;
};

const guardValue: Guard = ({ limits, read }) => {
  if (limits.orderValue === null) return null;
  const currency = read("currency");
  const value = read("orderValue");
  if (!currency.known || !value.known) return stopOnUnknown("order-value", ["orderValue", "currency"], read);
  const limit = Object.hasOwn(limits.orderValue, String(currency.value))
    ? limits.orderValue[String(currency.value)]
    : undefined;
  if (limit === undefined) {
    return stop("order-value", `The policy has no value limit in ${String(currency.value)}.`, {
      code: "no-value-limit",
    });
  }
  if (Number(value.value) <= limit) return null;
  const text = `The order is worth ${String(value.value)} ${String(currency.value)}, over the limit of ${limit}.`;
  return stop("order-value", text, { code: "over-value-limit" });
};

const guardsOfAutomaticActions: readonly Guard[] = [
  guardOtherOutcome,
  guardSuspectData,
  guardProtectedPassengers,
  guardValue,
];

const guardsOfDeparted: readonly Guard[] = [guardPartiallyAccepted, guardOtherOutcome, guardSuspectData];

const guardAcceptFlag: Guard = ({ read }) => guardFlag("acceptAllowed", "accept", read);

const guardTravellersWish: Guard = ({ inputs }) => {
  const answer = inputs.order.travellerAnswer;
  if (answer === null || answer === "accept") return null;
  return stop("traveller-answer", `The traveller has answered ${answer}, so the change is not accepted.`, {
    code: "traveller-declined",
    priority: urgentPriority,
  });
};

const guardLegalHold: Guard = ({ inputs: { legal } }) => {
  if (legal === null) {
    return stop("legal-hold", "Whether accepting gives up a right was not checked.", {
      code: "law-not-checked",
      queue: reviewQueues.legal,
    });
  }
  if (!legal.hold.held) return null;
  const text = ["Accepting could give up a right to a refund or another flight.", ...legal.hold.reasons].join(" ");
  const missing = legal.verdicts.flatMap(({ right, verdict, unknownFact }) =>
    right === "refund-or-rerouting" && verdict === "cannot-tell" && unknownFact !== null ? [unknownFact] : [],
  );
  return {
    ...stop("legal-hold", text, { queue: reviewQueues.legal, priority: 3 }),
    unknownFacts: [...new Set(missing)],
  };
};

const guardsOfAccept: readonly Guard[] = [guardReference, guardAcceptFlag, guardTravellersWish, guardLegalHold];

const guardCancelFlag: Guard = ({ read }) => guardFlag("cancelAllowed", "cancel", read);

/** Cancelling is irreversible and its refund is not priced before: it needs a wish or nothing left to fly. */
const guardCancelCause: Guard = ({ inputs, read }) => {
  if (inputs.order.travellerAnswer === "refund") return null;
  if (inputs.order.travellerAnswer !== null) {
    return stop("traveller-answer", `The traveller has answered ${inputs.order.travellerAnswer}, not refund.`, {
      code: "traveller-declined",
    });
  }
  const allGone = isTrue(read("cancelled")) && isFalse(read("partiallyCancelled"));
  if (allGone) return null;
  return (
    stopOnUnknown("cancel-cause", ["cancelled", "partiallyCancelled"], read) ??
    stop("cancel-cause", "Flights remain and the traveller has not asked for a refund.", { code: "cancel-not-asked" })
  );
};

const guardUnflownTicket: Guard = ({ read }) => {
  const missing = stopOnUnknown("cancel-refund", ["ticketed", "departedFlightCount", "expectedRefund"], read);
  if (missing !== null) return missing;
  if (!isTrue(read("ticketed"))) {
    return stop("cancel-refund", "The order has no ticket, so there is nothing to refund.", { code: "not-ticketed" });
  }
  const departed = read("departedFlightCount");
  if (departed.known && departed.value === 0) return null;
  return stop("cancel-refund", "Part of the order is flown, so the refund is not the whole value.", {
    code: "partly-flown",
  });
};

const guardCancelLimit: Guard = ({ limits }) =>
  limits.orderValue === null
    ? stop("order-value", "The policy states no value up to which it may cancel.", { code: "no-value-limit" })
    : null;

const guardsOfCancel: readonly Guard[] = [
  guardReference,
  guardCancelFlag,
  guardCancelCause,
  guardUnflownTicket,
  guardCancelLimit,
];

const flagNames = ["acceptAllowed", "cancelAllowed", "rescheduleAllowed"] as const satisfies readonly VariableName[];

function guardFlag(name: VariableName, action: string, read: ConditionInputs["read"]): GuardStop | null {
  const flag = read(name);
  if (isTrue(flag)) return null;
  if (differsByReference(flag)) return stopOnReferences([name]);
  if (!flag.known) return stopOnFlags([name]);
  return stop("flags", `The gateway does not offer to ${action} this change.`, { code: `${action}-not-offered` });
}

function stopOnReferences(names: readonly string[]): GuardStop {
  const text =
    "The booking references of the order are not in the same state. Accept and cancel act on the whole order.";
  return { ...stop("flags", text, { code: "references-differ" }), unknownFacts: names };
}

function stopOnFlags(names: readonly string[]): GuardStop {
  const text = `What the gateway allows is unknown (${names.join(", ")}); a missing flag does not mean no.`;
  return { ...stop("flags", text, { code: "flag-unknown" }), unknownFacts: names };
}

/** Null when all of them are known. */
function stopOnUnknown(guard: string, names: readonly VariableName[], read: ConditionInputs["read"]): GuardStop | null {
  const missing = names.filter((name) => !read(name).known);
  if (missing.length === 0) return null;
  const facts = missing.map((name) => {
    const fact = read(name);
    return `${name} is unknown (${fact.known ? "known" : fact.reason})`;
  });
  const text = `Nothing is done automatically while ${facts.join(", ")}.`;
  return { ...stop(guard, text, { code: evaluationReasonCodes.unknownFact }), unknownFacts: missing };
}

/** More urgent than an ordinary review. */
const urgentPriority = 2;

function stop(
  guard: string,
  text: string,
  { code = guard, queue = defaultReviewQueue, priority = 5 }: { code?: string; queue?: string; priority?: number } = {},
): GuardStop {
  return { guard, queue, priority, reason: { code, text }, unknownFacts: [] };
}

type ReadFact = { readonly known: boolean; readonly value?: ReadValue; readonly reason?: string } | undefined;

function isTrue(fact: ReadFact): boolean {
  return fact?.known === true && fact.value === true;
}

function isFalse(fact: ReadFact): boolean {
  return fact?.known === true && fact.value === false;
}

function differsByReference(fact: ReadFact): boolean {
  return fact?.known === false && fact.reason === "differs-by-reference";
}
