import { extend } from "../kernel/extend.ts";
import { type ConditionInputs, toConditionInputs } from "../policy/condition-inputs.ts";
import { evaluatePolicy, type PolicyVerdict, type RuleTrace, type VerdictReason } from "../policy/evaluate.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import {
  defaultReviewPriority,
  defaultReviewQueue,
  evaluationReasonCodes,
  type Policy,
  type PolicyAction,
  type PolicyInputs,
} from "../policy/policy.ts";
import { checkRulesOutcome } from "./checks.ts";

/** The rule may be the check that objected. */
export interface PolicyDecision
  extends Pick<PolicyVerdict, "action" | "priority" | "rule" | "reasons" | "unknownFacts"> {
  /** The queue of the case; null unless the action is `review`. */
  readonly queue: string | null;
  /** When to look again, ISO 8601 in UTC; null unless the action is `wait`. */
  readonly until: string | null;
  readonly reasonCode: string;
  readonly trace: readonly RuleTrace[];
  readonly legal: LegalAssessment | null;
  /** What an observe-only policy would have done; null for other policies. */
  readonly recommendation: Pick<PolicyDecision, "action" | "rule" | "reasonCode"> | null;
  readonly policy: { readonly name: string; readonly version: string };
}

/**
 * Decides what to do about one change: the rules of the policy, then the checks that no policy can switch off. Pure and
 * total: never throws and reads no clock.
 * Returns an automatic action only if all its facts are known, its flag is `Y` on every booking reference, and
 * accepting gives up no right to a refund or another flight.
 */
export function applyPolicy(inputs: PolicyInputs, policy: Policy): PolicyDecision {
  const trace: RuleTrace[] = [];
  const conditions = toConditionInputs(inputs);
  const verdict = evaluatePolicy(policy, conditions, trace);
  const policyOutcome = applyRulesChecks(verdict, inputs, conditions, policy) ?? applyRule(verdict, inputs, conditions);
  const decided =
    policy.mode === "observe"
      ? applyObserveMode(policyOutcome, policy)
      : extend(policyOutcome, { recommendation: null });
  return extend(decided, {
    reasonCode: codeOfFirst(decided.reasons),
    trace,
    legal: inputs.legal,
    policy: { name: policy.name, version: policy.version },
  });
}

type PolicyOutcome = Pick<
  PolicyDecision,
  "action" | "queue" | "priority" | "until" | "rule" | "reasons" | "unknownFacts"
>;

function applyRule(verdict: PolicyVerdict, inputs: PolicyInputs, conditions: ConditionInputs): PolicyOutcome {
  const { action, reviewQueue, priority, rule, reasons, unknownFacts } = verdict;
  const until = endOfWait(verdict, inputs, conditions);
  return { action, queue: reviewQueue, priority, until, rule, reasons, unknownFacts };
}

/** Turns the verdict into a review if a check objects, and keeps the rules' reasons; null if none objects. */
function applyRulesChecks(
  verdict: PolicyVerdict,
  inputs: PolicyInputs,
  { read }: ConditionInputs,
  { limits }: Policy,
): PolicyOutcome | null {
  const found = checkRulesOutcome({ action: verdict.action, inputs, read, limits });
  if (found === null) return null;
  const { rule, objection } = found;
  return {
    action: "review",
    queue: objection.queue,
    priority: Math.min(objection.priority, verdict.priority ?? objection.priority),
    until: null,
    rule,
    reasons: [objection.reason, ...verdict.reasons],
    unknownFacts: [...new Set([...objection.unknownFacts, ...verdict.unknownFacts])],
  };
}

function applyObserveMode(
  policyOutcome: PolicyOutcome,
  policy: Policy,
): PolicyOutcome & Pick<PolicyDecision, "recommendation"> {
  const { action, rule, reasons } = policyOutcome;
  const text = `The policy '${policy.name}' only observes. It would ${actionWords[action]}.`;
  return {
    ...policyOutcome,
    action: "review",
    queue: policyOutcome.queue ?? defaultReviewQueue,
    priority: policyOutcome.priority ?? defaultReviewPriority,
    until: null,
    reasons: [...reasons, { code: evaluationReasonCodes.observeOnly, text }],
    recommendation: { action, rule, reasonCode: codeOfFirst(reasons) },
  };
}

function codeOfFirst(reasons: readonly VerdictReason[]): string {
  return reasons[0]?.code ?? evaluationReasonCodes.noRuleMatched;
}

const actionWords: Readonly<Record<PolicyAction, string>> = {
  accept: "accept the change",
  cancel: "cancel the order",
  review: "ask a person too",
  "ask-traveller": "ask the traveller",
  wait: "wait for further changes",
  none: "close the case",
};

/** Returns the earlier end of the wait. A rule matches only if its wait ends in the future, so both ends are known. */
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
