import type { ConnectionTimes } from "../itinerary/connection-times.ts";
import type { Condition } from "./condition.ts";

/** What a verdict may ask for. `cancel` is only ever chosen by a person: a policy that asks for it does not load. */
export type PolicyAction = "accept" | "cancel" | "review" | "wait" | "none";

/** What a rule may ask for. */
export type RuleAction = Exclude<PolicyAction, "cancel">;

/** Where cases go that no rule sends elsewhere. */
export const defaultReviewQueue = "agent";

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
} as const;

/** A policy that has been checked: it can be evaluated for any facts. */
export interface Policy {
  readonly name: string;
  /** SHA-256 (hex) of what the policy says; comments and layout do not change it. */
  readonly version: string;
  /** By which facts about connections are computed: the defaults with the policy's settings in their place. */
  readonly connectionTimes: ConnectionTimes;
  /** In the order of the file: the first rule that matches decides. */
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** The condition as written. */
  readonly when: string;
  readonly condition: Condition;
  readonly action: RuleAction;
  /** The queue in which a person finds the case; null unless the action is `review`. */
  readonly reviewQueue: string | null;
  /** 0 to 9, 0 the most urgent; null unless the action is `review`. */
  readonly priority: number | null;
  /** Stable code of the reason, for statistics and for programs. */
  readonly reason: string;
  /** The reason in words; `{factName}` stands for the value of a fact. Null when the description serves. */
  readonly explain: string | null;
}

/** Something that keeps a policy from loading. */
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
