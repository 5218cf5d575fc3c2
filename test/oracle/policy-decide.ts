import { type ConditionInputs, toConditionInputs } from "../../src/policy/condition-inputs.ts";
import { evaluatePolicy, type PolicyVerdict, type RuleTrace, type VerdictReason } from "../../src/policy/evaluate.ts";
import type { LegalAssessment } from "../../src/policy/legal/assessment.ts";
import {
  defaultReviewPriority,
  defaultReviewQueue,
  evaluationReasonCodes,
  type Policy,
  type PolicyAction,
  type PolicyInputs,
} from "../../src/policy/policy.ts";
import { findGuardStop, type GuardStop } from "./guards.ts";

/** What is to be done about one change, and all of why. Plain JSON: stored with the decision. */
export interface PolicyDecision {
  readonly action: PolicyAction;
  /** The queue in which a person finds the case; null unless the action is `review`. */
  readonly queue: string | null;
  /** 0 to 9, 0 the most urgent; null unless the action is `review`. */
  readonly priority: number | null;
  /** ISO 8601 in UTC, when to look again; null unless the action is `wait`. */
  readonly until: string | null;
  /** The rule that decided, `default` when none matched, or `guard:` and the guard that stopped it. */
  readonly rule: string;
  /** The code of the first reason. */
  readonly reasonCode: string;
  /** At least one; the first is the one that decided. */
  readonly reasons: readonly VerdictReason[];
  /** Each rule up to the one that decided. */
  readonly trace: readonly RuleTrace[];
  /** Facts that are unknown and on which the outcome depends. */
  readonly unknownFacts: readonly string[];
  readonly legal: LegalAssessment | null;
  /** What a policy that only observes would have done; null otherwise. */
  readonly recommendation: Recommendation | null;
  readonly policy: { readonly name: string; readonly version: string };
}

/** What would be done if the policy were allowed to act. */
export interface Recommendation {
  readonly action: PolicyAction;
  readonly rule: string;
  readonly reasonCode: string;
}

/** What is to be done and why, without what it was worked out from. */
export type PolicyJudgement = Omit<PolicyDecision, "trace" | "legal" | "policy">;

/**
 * The same as {@link decide}, reading no more of the inputs than it needs: facts and legal verdicts that are computed when
 * they are read stay uncomputed when nothing depends on them.
 *
 * @param trace where each rule up to the one that decided is added; null when nobody wants to know.
 */
export function judge(inputs: PolicyInputs, policy: Policy, trace: RuleTrace[] | null): PolicyJudgement {
  const conditions = toConditionInputs(inputs);
  const verdict = evaluatePolicy(policy, conditions, trace);
  const stopped = findGuardStop(verdict.action, inputs, conditions, policy.limits);
  const acting = stopped === null ? follow(verdict, inputs, conditions) : obey(stopped, verdict);
  const decided = policy.mode === "observe" ? observe(acting, policy) : { ...acting, recommendation: null };
  return {
    ...decided,
    reasonCode: decided.reasons[0]?.code ?? evaluationReasonCodes.noRuleMatched,
  };
}

type Acting = Pick<PolicyDecision, "action" | "queue" | "priority" | "until" | "rule" | "reasons" | "unknownFacts">;

function follow(verdict: PolicyVerdict, inputs: PolicyInputs, conditions: ConditionInputs): Acting {
  const { action, reviewQueue, priority, rule, reasons, unknownFacts } = verdict;
  const until = endOfWait(verdict, inputs, conditions);
  return { action, queue: reviewQueue, priority, until, rule, reasons, unknownFacts };
}

/** What the rules say stays among the reasons: a person wants to know it as well. */
function obey(stopped: GuardStop, verdict: PolicyVerdict): Acting {
  return {
    action: "review",
    queue: stopped.queue,
    priority: Math.min(stopped.priority, verdict.priority ?? stopped.priority),
    until: null,
    rule: `guard:${stopped.guard}`,
    reasons: [stopped.reason, ...verdict.reasons],
    unknownFacts: [...new Set([...stopped.unknownFacts, ...verdict.unknownFacts])],
  };
}

function observe(acting: Acting, policy: Policy): Acting & Pick<PolicyDecision, "recommendation"> {
  const { action, rule, reasons } = acting;
  const reasonCode = reasons[0]?.code ?? evaluationReasonCodes.noRuleMatched;
  const text = `The policy '${policy.name}' only observes. It would ${describeAction(action)}.`;
  return {
    ...acting,
    action: "review",
    queue: acting.queue ?? defaultReviewQueue,
    priority: acting.priority ?? defaultReviewPriority,
    until: null,
    reasons: [...reasons, { code: evaluationReasonCodes.observeOnly, text }],
    recommendation: { action, rule, reasonCode },
  };
}

const actionWords: Readonly<Record<PolicyAction, string>> = {
  accept: "accept the change",
  cancel: "cancel the order",
  review: "ask a person too",
  "ask-traveller": "ask the traveller",
  wait: "wait for further changes",
  none: "close the case",
};

function describeAction(action: PolicyAction): string {
  return actionWords[action];
}

/** The earlier of both ends. A rule whose wait has no end ahead does not match, so both can be told here. */
function endOfWait({ wait }: PolicyVerdict, inputs: PolicyInputs, conditions: ConditionInputs): string | null {
  if (wait === null) return null;
  const sinceChange = conditions.read("order.minutesSinceChange");
  const toDeparture = conditions.read("minutesToDeparture");
  const minutes = Math.min(
    wait.minutesAfterChange - (sinceChange.known ? Number(sinceChange.value) : 0),
    (toDeparture.known ? Number(toDeparture.value) : 0) - wait.minutesBeforeDeparture,
  );
  return new Date(inputs.now.getTime() + Math.max(1, minutes) * 60_000).toISOString();
}
