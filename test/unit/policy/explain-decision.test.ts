import { describe, expect, test } from "@jest/globals";
import { decide } from "../../../src/policy/decide.ts";
import { explainDecision } from "../../../src/policy/explain-decision.ts";
import type { Policy } from "../../../src/policy/policy.ts";
import type { FactOverrides } from "./change-facts.ts";
import { policyOf, shippedPolicy } from "./policies.ts";
import { policyInputs } from "./policy-inputs.ts";

function explain(policy: Policy, overrides: FactOverrides = {}): readonly string[] {
  return explainDecision(decide(policyInputs(overrides), policy)).sentences;
}

describe("the explanation of a decision", () => {
  test("says what an accepting rule read and which limits it applied", () => {
    const policy = policyOf({
      when: "retimedOnly && departureLaterMinutes <= 30 && minutesToDeparture >= 4320",
      do: "accept",
    });

    expect(explain(policy)).toEqual([
      "Accept the change: rule 'r1' matched.",
      "Rule 'r1' matched.",
      "Rule 'r1' checked: retimedOnly is true; departureLaterMinutes is 20 (limit: at most 30); minutesToDeparture is 14400 (limit: at least 4320).",
    ]);
  });

  test("says on what the accepting rule failed when a person decides", () => {
    const policy = policyOf(
      { name: "small", when: "retimedOnly && departureLaterMinutes <= 30", do: "accept" },
      { name: "never", when: "cancelled", do: "review" },
    );

    expect(explain(policy, { departureLaterMinutes: 45 })).toEqual([
      "A person decides, in queue 'agent' with priority 5: no rule matched.",
      "No rule of the policy 'test' matched, so a person decides.",
      "Rule 'small' did not match: departureLaterMinutes is 45 (limit: at most 30).",
    ]);
  });

  test("names what is unknown when that decides", () => {
    const policy = policyOf({ when: "dateChanged", do: "review" }, { when: "retimedOnly", do: "accept" });

    expect(explain(policy, { dateChanged: { unknown: "partial-details" } })).toEqual([
      "A person decides, in queue 'agent' with priority 5: the outcome depends on something that is unknown.",
      "Rule 'r1' (review) cannot be decided: dateChanged is unknown (partial-details).",
    ]);
  });

  test("names what is unknown and changes nothing", () => {
    const policy = policyOf(
      { when: "dateChanged || 1 / departureEarlierMinutes > 1", do: "none" },
      { when: "1 / departureEarlierMinutes > 1", do: "none" },
      { when: "true", do: "none" },
    );

    expect(explain(policy, { dateChanged: { unknown: "partial-details" } })).toEqual([
      "Do nothing: rule 'r3' matched.",
      "Rule 'r3' matched.",
      "Rule 'r3' checked: true is true.",
      "Rule 'r1' could not be decided, which changes nothing here: dateChanged is unknown (partial-details).",
      "Rule 'r2' could not be decided, which changes nothing here: a check failed.",
    ]);
  });

  test("shows checks of other shapes as they are written, with their values", () => {
    const policy = policyOf({
      when: "'FRA' in connectingAirports && departureLaterMinutes - departureEarlierMinutes > 10 && source == 'main'",
      do: "wait",
    });

    expect(explain(policy, { connectingAirports: ["FRA", "MUC"] })).toEqual([
      "Wait until 2027-01-02T00:00:00.000Z: rule 'r1' matched.",
      "Rule 'r1' matched.",
      "Rule 'r1' checked: order.minutesSinceChange is 60 (limit: less than 1440); minutesToDeparture is 14400 (limit: more than 10080); 'FRA' in connectingAirports is true (connectingAirports is [FRA, MUC]); (departureLaterMinutes - departureEarlierMinutes) > 10 is true (departureLaterMinutes is 20, departureEarlierMinutes is 0); source == 'main' is true (source is main).",
    ]);
  });

  test("of the shipped policy reads like a sentence to a colleague", () => {
    const retimings = ["LH98 FRA-MUC departs and arrives 45 min later"];

    expect(explain(shippedPolicy(), { departureLaterMinutes: 45, arrivalLaterMinutes: 45, retimings })).toEqual([
      "A person decides, in queue 'agent' with priority 5: rule 'retiming-beyond-limits' matched.",
      "LH98 FRA-MUC departs and arrives 45 min later; limit 30 min.",
      "Rule 'retiming-beyond-limits' checked: retimedOnly is true.",
      "Rule 'small-retiming' did not match: departureLaterMinutes is 45 (limit: at most 30).",
    ]);
  });
});
