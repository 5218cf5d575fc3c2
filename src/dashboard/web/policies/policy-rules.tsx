import { labelOfFact } from "../../../policy/fact-labels.ts";
import type { PolicyRule } from "../api/responses.ts";
import { describeRuleAction } from "./policy-words.ts";

const tones: Readonly<Record<string, string>> = {
  accept: "good",
  cancel: "bad",
  review: "warn",
  "ask-traveller": "busy",
};

const informWords: Readonly<Record<NonNullable<PolicyRule["inform"]>, string>> = {
  nobody: "The traveller need not be informed",
  task: "A task to inform the traveller",
  event: "An event to a system that informs the traveller",
};

export function PolicyRules({ rules }: { readonly rules: readonly PolicyRule[] }) {
  return (
    <ol className="policy-rules">
      {rules.map((rule, index) => (
        <li key={rule.name} id={`rule-${rule.name}`}>
          <p className="policy-rule-head">
            <span className="quiet">{index + 1}</span> <code>{rule.name}</code>{" "}
            <span className={`badge tone-${rule.enabled ? (tones[rule.action] ?? "plain") : "plain"}`}>
              {rule.enabled ? describeRuleAction(rule) : "Disabled"}
            </span>
            {rule.inform === null ? null : <span className="quiet"> {informWords[rule.inform]}</span>}
          </p>
          <p>{rule.description ?? rule.explain}</p>
          <details>
            <summary>Condition{rule.explain === null ? "" : " and explanation"}</summary>
            <pre className="condition">{rule.when}</pre>
            <p className="quiet">Reads: {rule.reads.map((name) => labelOfFact(name)).join(", ") || "nothing"}</p>
            {rule.explain === null ? null : <p>Agents read: {rule.explain}</p>}
          </details>
        </li>
      ))}
    </ol>
  );
}
