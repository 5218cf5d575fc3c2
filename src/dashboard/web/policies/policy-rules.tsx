import { labelOfFact } from "../../../policy/fact-labels.ts";
import type { PolicyRule } from "../api/responses.ts";
import { describeRuleAction } from "./policy-words.ts";

const tones: Readonly<Record<string, string>> = {
  accept: "good",
  cancel: "bad",
  review: "warn",
  "ask-traveller": "busy",
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
