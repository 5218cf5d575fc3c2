import { readFileSync } from "node:fs";
import { formatPolicyProblem, loadPolicy } from "../../../src/policy/load-policy.ts";
import type { Policy } from "../../../src/policy/policy.ts";

/** The policy in `text`; a test whose policy does not load fails with every problem. */
export function policyFrom(text: string): Policy {
  const loaded = loadPolicy(text, "test.yaml");
  if (!loaded.ok) throw new Error(loaded.problems.map(formatPolicyProblem).join("\n"));
  return loaded.policy;
}

export interface RuleDraft {
  readonly name?: string;
  readonly when: string;
  readonly do: string;
  readonly more?: string;
}

/** A policy of these rules, named r1, r2 and so on, with reasons reason-1, reason-2. JSON strings are YAML strings. */
export function policyOf(...rules: readonly RuleDraft[]): Policy {
  const written = rules.map(
    ({ name, when, do: effect, more }, index) => `
  - name: ${name ?? `r${index + 1}`}
    when: ${JSON.stringify(when)}
    do: ${effect}
    reason: reason-${index + 1}
    ${more ?? ""}`,
  );
  return policyFrom(`version: 1\nname: test\nrules:${written.join("")}\n`);
}

export type ShippedName = "cautious" | "balanced" | "airline-thresholds" | "observe-only";

/** A policy that is shipped; the default one unless another is named. */
export function shippedPolicy(name: ShippedName = "cautious"): Policy {
  return policyFrom(shippedPolicyText(name));
}

export function shippedPolicyText(name: ShippedName = "cautious"): string {
  return readFileSync(new URL(`../../../src/policy/shipped/${name}.yaml`, import.meta.url), "utf8");
}
