import { describe, expect, test } from "vitest";
import { applyPolicy, type PolicyDecision } from "../../../src/cases/apply-policy.ts";
import { assess } from "../../../src/cases/assess.ts";
import { unseenOrder } from "../../../src/cases/unseen-order.ts";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { noMarks } from "../../../src/itinerary/member-marks.ts";
import { loadPolicy } from "../../../src/policy/load-policy.ts";
import { datedSample, type SampleName } from "../../builders/sample-notification.ts";
import { type ShippedName, shippedPolicy, shippedPolicyText } from "./policies.ts";
import { policyInputs } from "./policy-inputs.ts";
import { airlineCases, balancedCases, type RuleCase } from "./rule-cases.ts";

const names: readonly ShippedName[] = ["cautious", "balanced", "airline-thresholds", "observe-only"];

test.each(names)("%s loads without a warning", (name) => {
  const loaded = loadPolicy(shippedPolicyText(name), name, { today: "2026-11-21" });

  expect(loaded).toMatchObject({ ok: true, warnings: [] });
  expect(shippedPolicy(name).name).toBe(name);
});

test("observe-only has the rules of cautious and never acts", () => {
  const rulesOf = (name: ShippedName) => shippedPolicy(name).rules.map(({ condition: _, ...rule }) => rule);

  expect(rulesOf("observe-only")).toEqual(rulesOf("cautious"));
  expect(applyPolicy(policyInputs(), shippedPolicy("observe-only"))).toMatchObject({
    action: "review",
    queue: "agent",
    rule: "small-retiming",
    recommendation: { action: "accept", rule: "small-retiming", reasonCode: "small-retiming" },
  });
});

describe.each([
  ["balanced", balancedCases],
  ["airline-thresholds", airlineCases],
] as const)("the policy %s", (name, cases: readonly RuleCase[]) => {
  const policy = shippedPolicy(name);

  test("has a case here for each of its rules, in order", () => {
    expect(cases.map(({ rule }) => rule)).toEqual(policy.rules.map((rule) => rule.name));
  });

  const matching = cases.flatMap(({ matches, ...about }) => matches.map((facts) => ({ ...about, facts })));
  test.each(matching)("rule $rule decides $facts", ({ rule, decidedBy, reason, facts, given }) => {
    const decision = applyPolicy(policyInputs(facts, given), policy);

    expect(decision).toMatchObject({ rule: decidedBy ?? rule, reasonCode: reason });
    expect(decision.action).toBe(policy.rules.find((written) => written.name === rule)?.action);
    expect(decision.reasons[0]?.text).not.toContain("{");
  });

  const passing = cases.flatMap(({ passes, ...about }) => passes.map((facts) => ({ ...about, facts })));
  test.each(passing)("rule $rule lets $facts pass", ({ rule, facts, given }) => {
    expect(applyPolicy(policyInputs(facts, given), policy).rule).not.toBe(rule);
  });
});

test("balanced waits for the next change no longer than a day, and no later than two weeks before departure", () => {
  const policy = shippedPolicy("balanced");
  const waitOf = (minutesToDeparture: number) =>
    applyPolicy(policyInputs({ flappingCount: 2, minutesToDeparture }), policy).until;

  // The change was first seen at midnight; it is one o'clock.
  expect(waitOf(40_000)).toBe("2027-01-02T00:00:00.000Z");
  expect(waitOf(20_160 + 90)).toBe("2027-01-01T02:30:00.000Z");
  expect(
    applyPolicy(
      policyInputs({ flappingCount: 2, minutesToDeparture: 40_000 }, { now: new Date("2027-01-02T00:00:00Z") }),
      policy,
    ).rule,
  ).toBe("small-retiming");
});

test("airline-thresholds asks for the date of issue only where it matters", () => {
  const policy = shippedPolicy("airline-thresholds");
  const delta = (journeyArrivalLaterMinutes: number) =>
    applyPolicy(policyInputs({ marketingCarriers: ["DL"], journeyArrivalLaterMinutes }), policy);

  expect(delta(119)).toMatchObject({ action: "accept", rule: "airline-minor" });
  expect(delta(120)).toMatchObject({ action: "review", unknownFacts: ["order.ticketIssuedOn"] });
});

describe("the samples", () => {
  const decideSample = (sample: SampleName, name: ShippedName): PolicyDecision => {
    const reading = readNotification(Buffer.from(JSON.stringify(datedSample(sample))));
    if (!reading.ok) throw new Error("the sample cannot be read");
    const policy = shippedPolicy(name);
    const now = new Date("2027-01-01T00:00:00Z");
    const orderId = reading.view.orders[0]?.orderId ?? "";
    const assessment = assess(
      reading.view,
      unseenOrder(orderId, reading.view),
      { gateway: interfaceDocument, policy, customerAgreement: false, marks: noMarks },
      now,
    );
    if (assessment === null) throw new Error("the sample does not show its order");
    const { facts, order, legal } = assessment;
    return applyPolicy({ facts, source: "main", order, now, legal }, policy);
  };

  test.each<[SampleName, object, string]>([
    [
      "minor-delay",
      { action: "accept", rule: "small-retiming" },
      "LH1167 LIS-FRA departs and arrives 20 min later; limit 30 min. No other difference is known.",
    ],
    [
      "misconnection",
      { action: "review", queue: "agent", priority: 2, rule: "connection-broken" },
      "A connection is too short or missing: ",
    ],
    [
      "replaced-by-two",
      { action: "review", queue: "agent", priority: 2, rule: "connection-broken" },
      "A connection is too short or missing: ",
    ],
    [
      "cancelled",
      { action: "review", queue: "agent", priority: 2, rule: "cancelled" },
      "Cancelled without an alternative: AI995 DEL-DXB",
    ],
    [
      "flight-number-only",
      { action: "review", queue: "agent", priority: 6, rule: "flight-number-only" },
      "Only the flight number changed. Some laws count this as a cancellation",
    ],
  ])("cautious decides %s as one would defend, and says why", (sample, decided, why) => {
    const decision = decideSample(sample, "cautious");

    expect(decision).toMatchObject(decided);
    expect(decision.reasons.map(({ text }) => text).join(" ")).toContain(why);
  });

  test.each<SampleName>(["misconnection", "replaced-by-two", "cancelled", "flight-number-only"])(
    "no shipped policy acts on %s by itself",
    (sample) => {
      for (const name of names) expect(decideSample(sample, name).action).toBe("review");
    },
  );

  test("only a policy that may act accepts the minor delay", () => {
    const actions = names.map((name) => [name, decideSample("minor-delay", name).action]);

    // Lufthansa gives the money back after any change of time, so its own limits ask for a person.
    expect(actions).toEqual([
      ["cautious", "accept"],
      ["balanced", "accept"],
      ["airline-thresholds", "review"],
      ["observe-only", "review"],
    ]);
  });
});
