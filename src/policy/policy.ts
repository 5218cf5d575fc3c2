import type { ConnectionTimes } from "../itinerary/connection-times.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Fact } from "../kernel/fact.ts";
import type { Condition } from "./condition.ts";
import type { LegalAssessment } from "./legal/assessment.ts";
import type { ThresholdLimits } from "./thresholds.ts";

/**
 * What a policy may ask for. `accept` and `cancel` act on the order and cannot be taken back; `none` closes the case. The
 * others leave it open: with a person, with the traveller, or until a moment.
 */
export type PolicyAction = "accept" | "cancel" | "review" | "ask-traveller" | "wait" | "none";

/** What ends a case without a person. Each needs all that it rests on to be known. */
export const automaticActions: readonly PolicyAction[] = ["accept", "cancel", "none"];

/** Where cases go that no rule sends elsewhere. */
export const defaultReviewQueue = "agent";

/** Queues that evaluation itself sends cases to; policies may use them, and any other name. */
export const reviewQueues = {
  agent: defaultReviewQueue,
  /** Nothing but another flight is offered. */
  reschedule: "reschedule",
  /** Accepting could give up a right. */
  legal: "legal",
} as const;

/** Priority of a review for which the policy states none: 0 is the most urgent, 9 the least. */
export const defaultReviewPriority = 5;

/** A name that no rule may have: it stands for "no rule matched" in verdicts. */
export const defaultRuleName = "default";

/** Reason codes that evaluation gives by itself. No rule may use them, so that each always means the same. */
export const evaluationReasonCodes = {
  /** No rule matched, so a person decides. */
  noRuleMatched: "no-rule-matched",
  /** A fact is unknown on which the outcome depends. */
  unknownFact: "unknown-fact",
  /** A condition failed while it was computed, such as a division by zero, and the outcome depends on it. */
  ruleError: "rule-error",
  /** The policy only observes: what it would do is recommended to a person. */
  observeOnly: "observe-only",
} as const;

/** A policy that has been checked: it can be evaluated for any facts. */
export interface Policy {
  readonly name: string;
  readonly description: string | null;
  /** SHA-256 (hex) of what the policy says; comments and layout do not change it. It names the version in the store. */
  readonly version: string;
  /** As it was loaded, for the store and for people. */
  readonly text: string;
  /** `observe` recommends and leaves everything to a person. */
  readonly mode: "act" | "observe";
  /** By which facts about connections are computed: the defaults with the policy's settings in their place. */
  readonly connectionTimes: ConnectionTimes;
  /** Legal preset id → on or off, for `LegalContext.presets`; those left out are as they are shipped. */
  readonly legalPresets: Readonly<Record<string, boolean>>;
  /** What no rule of this policy may do by itself, whatever it says. */
  readonly limits: AutomaticLimits;
  /** The limits of each set of thresholds, for the words that explain them; conditions hold them already. */
  readonly thresholds: ReadonlyMap<string, readonly ThresholdLimits[]>;
  /** In the order of the file: the first rule that matches decides. */
  readonly rules: readonly PolicyRule[];
}

/** Passengers for whom a policy may ask that a person decides. Children who travel alone always are. */
export const protectedPassengerNames = ["assistance", "infant", "child", "group"] as const;

export type ProtectedPassenger = (typeof protectedPassengerNames)[number];

/** Bounds on accepting and cancelling without a person. */
export interface AutomaticLimits {
  readonly protectedPassengers: readonly ProtectedPassenger[];
  /** Currency → largest order value, as a decimal; an order in another currency needs a person. Null: no limit. */
  readonly orderValue: Readonly<Record<string, number>> | null;
}

export interface PolicyRule {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** The condition as written. */
  readonly when: string;
  /** Scope, validity, the end of a wait and the condition, all of which must hold. */
  readonly condition: Condition;
  readonly action: PolicyAction;
  /** The queue in which a person finds the case; null unless the action is `review`. */
  readonly reviewQueue: string | null;
  /** 0 to 9, 0 the most urgent; null unless the action is `review`. */
  readonly priority: number | null;
  /** How long it waits; null unless the action is `wait`. */
  readonly wait: WaitLimits | null;
  /** Stable code of the reason, for statistics and for programs. */
  readonly reason: string;
  /** The reason in words; `{factName}` stands for the value of a fact, `{within.small}` for the limits that count. Null when the description serves. */
  readonly explain: string | null;
}

/** The earlier of both ends a wait. A rule whose wait is over does not match, so the next rules decide. */
export interface WaitLimits {
  /** Minutes from when the change was first seen. */
  readonly minutesAfterChange: number;
  /** Minutes before departure. */
  readonly minutesBeforeDeparture: number;
}

/** All that a decision rests on besides the policy. Kept with it, so that it can be made again. */
export interface PolicyInputs {
  readonly facts: ChangeFacts;
  /** The gateway account that the change came from. */
  readonly source: string;
  readonly order: OrderInputs;
  readonly now: Date;
  /** What the presets say of the change; null when they were not asked, and then nothing is accepted automatically. */
  readonly legal: LegalAssessment | null;
}

/** What is known of an order beside the facts of its change. */
export interface OrderInputs {
  readonly orderId: string;
  /** `Proposal.gdsBookingReferences`: an order without one can only be handled by a person. */
  readonly gdsBookingReferences: readonly string[];
  /** When this change was first seen; null when nobody knows. A wait counts from it. */
  readonly changeSeenAt: Date | null;
  /** What the traveller answered about this change; null when they did not. */
  readonly travellerAnswer: "accept" | "refuse" | "refund" | "reroute" | null;
  /** Whether the customer has agreed beforehand that changes like this may be accepted. */
  readonly customerAgreement: boolean;
  /** Local date on which the tickets were issued, yyyy-mm-dd. The interface does not state it. */
  readonly ticketIssuedOn: Fact<string>;
}

/** Something that keeps a policy from loading, or that its author should know. */
export interface PolicyProblem {
  /** What the policy was called when it was loaded: a file name. */
  readonly source: string;
  /** The rule that it is about, when it has a name. */
  readonly rule?: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** What is wrong and what to do. */
  readonly message: string;
}
