import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChangeFacts, type FactName, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import type { Fact } from "../../../src/kernel/fact.ts";
import { toConditionInputs } from "../../../src/policy/condition-inputs.ts";
import { evaluatePolicy, type PolicyVerdict, type RuleTrace } from "../../../src/policy/evaluate.ts";
import type { Policy } from "../../../src/policy/policy.ts";
import { sampleSize } from "../../harness/sample-size.ts";
import { changeFacts, type FactOverrides, type FactValue, factsFrom } from "./change-facts.ts";
import { policyOf } from "./policies.ts";
import { inputsOf } from "./policy-inputs.ts";

type TracedVerdict = PolicyVerdict & { trace: readonly RuleTrace[] };

function verdictOf(policy: Policy, overrides: FactOverrides = {}): TracedVerdict {
  return evaluateFacts(policy, changeFacts(overrides));
}

function evaluateFacts(policy: Policy, facts: ChangeFacts): TracedVerdict {
  const trace: RuleTrace[] = [];
  return { ...evaluatePolicy(policy, toConditionInputs(inputsOf(facts)), trace), trace };
}

const notSent = { unknown: "not-sent" };
const toAgent = "review";
const toLegal = "{ review: { queue: legal, priority: 2 } }";

describe("with every fact known", () => {
  test("the first rule that matches decides", () => {
    const policy = policyOf(
      { when: "cancelled", do: "none" },
      { when: "retimedOnly", do: "accept" },
      { when: "true", do: toAgent },
    );

    const verdict = verdictOf(policy);

    expect(verdict).toMatchObject({ action: "accept", reviewQueue: null, priority: null, rule: "r2" });
    expect(verdict.reasons).toEqual([{ code: "reason-2", text: "Rule 'r2' matched." }]);
    expect(verdict.trace).toEqual([
      {
        rule: "r1",
        action: "none",
        outcome: "not-matched",
        reads: { cancelled: { known: true, value: false } },
        checks: [{ check: "cancelled", outcome: "false" }],
      },
      {
        rule: "r2",
        action: "accept",
        outcome: "matched",
        reads: { retimedOnly: { known: true, value: true } },
        checks: [{ check: "retimedOnly", outcome: "true" }],
      },
    ]);
  });

  test("a person decides when no rule matches", () => {
    const verdict = verdictOf(policyOf({ when: "cancelled", do: "accept" }));

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "agent", priority: 5, rule: "default" });
    expect(verdict.reasons).toEqual([
      { code: "no-rule-matched", text: "No rule of the policy 'test' matched, so an agent decides." },
    ]);
  });

  test("a rule that is switched off decides nothing", () => {
    const verdict = verdictOf(
      policyOf({ when: "true", do: "accept", more: "enabled: false" }, { when: "true", do: toLegal }),
    );

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "legal", priority: 2, rule: "r2" });
    expect(verdict.trace[0]).toMatchObject({ rule: "r1", outcome: "disabled", reads: {} });
  });

  test("the reason carries the values that its text asks for", () => {
    const policy = policyOf({
      when: "true",
      do: "accept",
      more: "explain: Later by {departureLaterMinutes}, via {connectingAirports}, infant {hasInfant}, {source}.",
    });

    const verdict = verdictOf(policy, { connectingAirports: ["FRA", "MUC"], hasInfant: notSent });

    expect(verdict.reasons[0]?.text).toBe("Later by 20, via FRA, MUC, infant unknown, main.");
  });

  test.each(["wait", "none"] as const)("a rule may ask for %s", (action) => {
    expect(verdictOf(policyOf({ when: "true", do: action }))).toMatchObject({
      action,
      reviewQueue: null,
      priority: null,
    });
  });
});

describe("with unknown facts", () => {
  test("one that could change the action sends the case to a person and names fact and rule", () => {
    const verdict = verdictOf(policyOf({ when: "dateChanged", do: toAgent }, { when: "retimedOnly", do: "accept" }), {
      dateChanged: notSent,
    });

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "agent", priority: 5, rule: "r1" });
    expect(verdict.reasons).toEqual([
      { code: "unknown-fact", text: "Rule 'r1' (review) cannot be decided: “Date changed” is not known (not sent)." },
    ]);
  });

  test("one in an accepting rule sends the case to a person", () => {
    const verdict = verdictOf(policyOf({ when: "departureLaterMinutes <= 30 && ticketed", do: "accept" }), {
      departureLaterMinutes: { unknown: "partial-details" },
      ticketed: notSent,
    });

    expect(verdict).toMatchObject({ action: "review", rule: "r1" });
    expect(verdict.reasons).toEqual([
      {
        code: "unknown-fact",
        text: "Rule 'r1' (accept) cannot be decided: “Departs later” is not known (the airline states only part of the new flight), “Ticketed” is not known (not sent).",
      },
    ]);
  });

  test("one that cannot change action or queue does not matter", () => {
    const accepted = verdictOf(policyOf({ when: "dateChanged", do: "accept" }, { when: "true", do: "accept" }), {
      dateChanged: notSent,
    });
    const reviewed = verdictOf(policyOf({ when: "dateChanged", do: toLegal }, { when: "true", do: toLegal }), {
      dateChanged: notSent,
    });
    const left = verdictOf(policyOf({ when: "dateChanged", do: toAgent }), { dateChanged: notSent });

    expect(accepted).toMatchObject({ action: "accept", rule: "r2", reasons: [{ code: "reason-2" }] });
    expect(reviewed).toMatchObject({ action: "review", reviewQueue: "legal", rule: "r2" });
    expect(left).toMatchObject({
      action: "review",
      reviewQueue: "agent",
      rule: "default",
      reasons: [{ code: "no-rule-matched" }],
    });
    expect(accepted.trace[0]).toMatchObject({
      outcome: "unknown",
      reads: { dateChanged: { known: false, reason: "not-sent" } },
    });
  });

  test("one after the rule that decides does not matter", () => {
    const verdict = verdictOf(policyOf({ when: "retimedOnly", do: "accept" }, { when: "dateChanged", do: toAgent }), {
      dateChanged: notSent,
    });

    expect(verdict).toMatchObject({ action: "accept", rule: "r1" });
    expect(verdict.trace).toHaveLength(1);
  });

  test("one that decides between two queues sends the case to the agents", () => {
    const verdict = verdictOf(policyOf({ when: "dateChanged", do: toLegal }, { when: "true", do: toAgent }), {
      dateChanged: notSent,
    });

    expect(verdict).toMatchObject({
      action: "review",
      reviewQueue: "agent",
      rule: "r1",
      reasons: [{ code: "unknown-fact" }],
    });
  });

  test("a case that may be urgent is treated as urgent", () => {
    const policy = policyOf(
      { when: "dateChanged", do: "{ review: { priority: 1 } }" },
      { when: "true", do: "{ review: { priority: 7 } }" },
    );

    expect(verdictOf(policy, { dateChanged: notSent })).toMatchObject({ rule: "r2", priority: 1 });
    expect(verdictOf(policy)).toMatchObject({ rule: "r2", priority: 7 });
  });

  test("the rules that would change the outcome are named first", () => {
    const verdict = verdictOf(policyOf({ when: "dateChanged", do: toAgent }, { when: "ticketed", do: "accept" }), {
      dateChanged: notSent,
      ticketed: notSent,
    });

    expect(verdict.rule).toBe("r2");
    expect(verdict.reasons.map(({ text }) => text)).toEqual([
      "Rule 'r2' (accept) cannot be decided: “Ticketed” is not known (not sent).",
      "Rule 'r1' (review) cannot be decided: “Date changed” is not known (not sent).",
    ]);
  });

  test("a check that fails counts as an unknown", () => {
    const verdict = verdictOf(policyOf({ when: "60 / departureEarlierMinutes > 3", do: "accept" }));

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "agent", rule: "r1" });
    expect(verdict.reasons).toEqual([
      {
        code: "rule-error",
        text: "Rule 'r1' (accept) cannot be decided: '(60 / departureEarlierMinutes) > 3' failed: division by zero.",
      },
    ]);
  });
});

describe("for any policy and any facts", () => {
  const booleans = ["cancelled", "replaced", "ticketed", "dateChanged"] as const;
  const numbers = ["departureLaterMinutes", "departureEarlierMinutes"] as const;

  const check = fc.oneof(
    fc.constantFrom<string>(...booleans),
    fc
      .tuple(fc.constantFrom(...numbers), fc.constantFrom("<=", ">=", "=="), fc.integer({ min: 0, max: 3 }))
      .map((parts) => parts.join(" ")),
    fc.constantFrom("6 / departureEarlierMinutes > 2", "connectingAirports[0] == 'LHR'", "true"),
  );
  const { when } = fc.letrec<{ when: string }>((tie) => ({
    when: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      check,
      fc.tuple(tie("when"), fc.constantFrom("&&", "||"), tie("when")).map(([a, op, b]) => `(${a}) ${op} (${b})`),
      tie("when").map((operand) => `!(${operand})`),
      fc.tuple(tie("when"), tie("when"), tie("when")).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    ),
  }));
  const effect = fc.constantFrom("accept", "none", "wait", "review", "{ review: { queue: legal, priority: 1 } }");
  const policies = fc
    .array(fc.record({ when, do: effect }), { minLength: 1, maxLength: 5 })
    .map((rules) => policyOf(...rules));

  const valueOf = (name: FactName): fc.Arbitrary<FactValue> => {
    const limit = (numbers as readonly string[]).includes(name) ? 4 : 5_000;
    switch (factCatalogue[name].type) {
      case "int":
        return fc.integer({ min: 0, max: limit });
      case "bool":
        return fc.boolean();
      case "list<string>":
        return fc.constantFrom<FactValue>([], ["LHR"], ["FRA", "LHR"]);
      case "decimal":
        return fc.constantFrom<FactValue>("0", "12.50");
      case "string":
        return fc.constantFrom<FactValue>("", "FRA");
    }
  };
  const names = Object.keys(changeFacts()) as FactName[];
  const complete: fc.Arbitrary<ChangeFacts> = fc
    .tuple(...names.map(valueOf))
    .map((values) => factsFrom((name) => ({ known: true, value: values[names.indexOf(name)] ?? false })));
  const hidden = fc.subarray([...booleans, ...numbers, "connectingAirports"] as FactName[]);

  function hide(facts: ChangeFacts, some: readonly FactName[]): ChangeFacts {
    return factsFrom(
      (name): Fact<FactValue> => (some.includes(name) ? { known: false, reason: "hidden" } : facts[name]),
    );
  }

  function fill(partial: ChangeFacts, whole: ChangeFacts): ChangeFacts {
    return factsFrom((name): Fact<FactValue> => (partial[name].known ? partial[name] : whole[name]));
  }

  test("evaluation never throws, gives the same verdict twice, and that verdict survives JSON", () => {
    fc.assert(
      fc.property(policies, complete, hidden, (policy, facts, some) => {
        const verdict = evaluateFacts(policy, hide(facts, some));

        expect(evaluateFacts(policy, hide(facts, some))).toEqual(verdict);
        expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
        expect(verdict.action === "review").toBe(verdict.reviewQueue !== null);
        expect(verdict.action === "review").toBe(verdict.priority !== null);
        expect(verdict.reasons.length).toBeGreaterThan(0);
      }),
      { numRuns: sampleSize({ quick: 60, proof: 300 }) },
    );
  });

  test("hiding a fact never turns a review into an automatic action, nor one such action into another", () => {
    fc.assert(
      fc.property(policies, complete, hidden, (policy, facts, some) => {
        const before = evaluateFacts(policy, facts);
        const after = evaluateFacts(policy, hide(facts, some));

        expect(["review", before.action]).toContain(after.action);
      }),
      { numRuns: sampleSize({ quick: 60, proof: 500 }) },
    );
  });

  test("an automatic action on partly unknown facts is the one that any values of them would give", () => {
    fc.assert(
      fc.property(policies, complete, hidden, complete, (policy, facts, some, others) => {
        const partial = hide(facts, some);
        const verdict = evaluateFacts(policy, partial);
        const filled = evaluateFacts(policy, fill(partial, others));

        expect(["review", filled.action]).toContain(verdict.action);
      }),
      { numRuns: sampleSize({ quick: 60, proof: 500 }) },
    );
  });
});
