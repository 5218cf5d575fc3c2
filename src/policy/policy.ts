import type { ConnectionTimes } from "../itinerary/connection-times.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Fact } from "../kernel/fact.ts";
import type { Condition } from "./condition.ts";
import type { InformChoice } from "./inform.ts";
import type { LegalAssessment } from "./legal/assessment.ts";
import type { ThresholdLimits } from "./thresholds.ts";

/**
 * What a policy may decide. `accept` and `cancel` act on the order and can't be undone; `none` closes the case. The
 * others leave it open: with a person, with the traveller, or until a time.
 */
export type PolicyAction = "accept" | "cancel" | "review" | "ask-traveller" | "wait" | "none";

/** Actions that end a case without a person. Each needs all its facts to be known. */
export const automaticActions: readonly PolicyAction[] = ["accept", "cancel", "none"];

/** The queue of cases that no rule sends elsewhere. */
export const defaultReviewQueue = "agent";

/** Queues that evaluation itself uses; policies may use them and any other name. */
export const reviewQueues = {
  agent: defaultReviewQueue,
  /** Only another flight is offered. */
  reschedule: "reschedule",
  legal: "legal",
} as const;

/** The priority of a review if the policy states none: 0 (most urgent) to 9. */
export const defaultReviewPriority = 5;

/** Stands for "no rule matched" in verdicts, so no rule may have this name. */
export const defaultRuleName = "default";

/** Reason codes of evaluation itself. No rule may use them, so that each always means the same. */
export const evaluationReasonCodes = {
  noRuleMatched: "no-rule-matched",
  /** A fact is unknown on which the outcome depends. */
  unknownFact: "unknown-fact",
  /** A condition failed, such as by a division by zero, and the outcome depends on it. */
  ruleError: "rule-error",
  /** An observe-only policy recommends its action to a person. */
  observeOnly: "observe-only",
} as const;

/** A checked policy, which can be evaluated for any facts. */
export interface Policy {
  readonly name: string;
  readonly description: string | null;
  /** SHA-256 (hex) of the policy's content, without comments and layout. It names the version in the store. */
  readonly version: string;
  readonly text: string;
  /** `observe` only recommends and leaves every case to a person. */
  readonly mode: "act" | "observe";
  /** The defaults with the policy's settings in their place. */
  readonly connectionTimes: ConnectionTimes;
  /** Preset id → on or off, for `LegalContext.presets`; missing ones keep their default. */
  readonly legalPresets: Readonly<Record<string, boolean>>;
  /** What no rule of this policy may do automatically. */
  readonly limits: AutomaticLimits;
  /** The limits of each set of thresholds, for the words that explain them; conditions already contain them. */
  readonly thresholds: ReadonlyMap<string, readonly ThresholdLimits[]>;
  /** In the order of the file: the first rule that matches decides. */
  readonly rules: readonly PolicyRule[];
}

/** Passengers whose cases a policy may leave to people. Children who travel alone always are. */
export const protectedPassengerNames = ["assistance", "infant", "child", "group"] as const;

export type ProtectedPassenger = (typeof protectedPassengerNames)[number];

/** Bounds on automatic effects. */
export interface AutomaticLimits {
  readonly protectedPassengers: readonly ProtectedPassenger[];
  /** Currency → largest order value, as a decimal; an order in another currency needs a person. Null means no limit. */
  readonly orderValue: Readonly<Record<string, number>> | null;
}

export interface PolicyRule {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly when: string;
  /** Scope, validity, the end of a wait and the condition, joined by "and". */
  readonly condition: Condition;
  readonly action: PolicyAction;
  /** The queue of the case; null unless the action is `review`. */
  readonly reviewQueue: string | null;
  /** 0 (most urgent) to 9; null unless the action is `review`. */
  readonly priority: number | null;
  /** Null unless the action is `wait`. */
  readonly wait: WaitLimits | null;
  /** Null: as the source says. */
  readonly inform: InformChoice | null;
  readonly reason: string;
  /** `{factName}` stands for a fact, `{within.small}` for the limits that count. Null uses the description. */
  readonly explain: string | null;
}

/** The earlier end counts. A rule whose wait is over does not match, so the next rules decide. */
export interface WaitLimits {
  readonly minutesAfterChange: number;
  readonly minutesBeforeDeparture: number;
}

/** Everything that a decision is based on besides the policy, stored to reevaluate it. */
export interface PolicyInputs {
  readonly facts: ChangeFacts;
  readonly source: string;
  readonly order: OrderInputs;
  readonly now: Date;
  /** Null if the law was not evaluated; then nothing is accepted automatically. */
  readonly legal: LegalAssessment | null;
}

/** What is known of an order besides the facts of its change. */
export interface OrderInputs {
  readonly orderId: string;
  /** `Proposal.gdsBookingReferences`. Only a person can handle an order without one. */
  readonly gdsBookingReferences: readonly string[];
  /** When this change was first seen, from which a wait counts; null if unknown. */
  readonly changeSeenAt: Date | null;
  readonly travellerAnswer: "accept" | "refuse" | "refund" | "reroute" | null;
  /** Whether the customer has agreed in advance that such changes may be accepted. */
  readonly customerAgreement: boolean;
  /** The local date of issue, yyyy-mm-dd. The interface does not state it. */
  readonly ticketIssuedOn: Fact<string>;
}

/** An error that keeps a policy from loading, or a warning to its author. */
export interface PolicyProblem {
  readonly source: string;
  readonly rule?: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
