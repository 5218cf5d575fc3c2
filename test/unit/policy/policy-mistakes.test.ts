import { describe, expect, test } from "vitest";
import { formatPolicyProblem, loadPolicy } from "../../../src/policy/load-policy.ts";
import { policyJsonSchema } from "../../../src/policy/policy-schema.ts";
import { policyFrom } from "./policies.ts";

/** Every line with a mistake is one that authors of policies make. */
const mistakes = `version: 1
name: Our OrderWorker
settings:
  thresholds:
    small: { departureEarlier: 15, departureLater: 30, arrivalLater: 30 }
  coolDwn: { hours: 24 }
rules:
  - name: late
    when: departureDelayMinutes <= 30
    do: accept
    reason: late
  - name: both
    when: cancelled and replaced
    do: review
    reason: both
  - name: equal
    when: changedFlightCount = 1
    do: review
    reason: equal
  - name: typed
    when: departureLaterMinutes <= "30"
    do: review
    reason: typed
  - name: typed
    when: within.smal
    do: aks-traveller
    reason: asked
  - name: over
    validFrom: 2026-06-01
    validUntil: 2026-05-31
    when: dateChanged
    do: { review: { queue: agent, priority: 12 } }
    reason: unknown-fact
  - name: refund
    when: cancelled
    do: cancel
    reason: refund
`;

function linesOf(text: string, today?: string): readonly string[] {
  const loaded = loadPolicy(text, "policy.yaml", today === undefined ? {} : { today });
  return [...(loaded.ok ? [] : loaded.problems), ...loaded.warnings].map(formatPolicyProblem);
}

test("ten mistakes and more are reported at once, each with its place and its remedy", () => {
  expect(linesOf(mistakes).join("\n")).toMatchInlineSnapshot(`
"policy.yaml:2:7: 'name' must be lower-case words joined by hyphens, such as small-retiming, of at most 64 characters.
policy.yaml:5:12: 'arrivalEarlier' is missing: it must be a whole number of minutes from 0 to 10080, or any when it does not matter.
policy.yaml:6:3: There is no 'coolDwn' here. Did you mean 'coolDown'? There are connectionTimes, thresholds, protectedPassengers, orderValue, coolDown, legalPresets.
policy.yaml:9:11: rule 'late': There is no fact 'departureDelayMinutes'. Did you mean 'departureLaterMinutes'? All facts are listed in docs/facts.md.
policy.yaml:13:21: rule 'both': 'and' is no operator. Write && for and, || for or, ! for not.
policy.yaml:17:30: rule 'equal': A single = is no comparison. Write == to compare.
policy.yaml:21:11: rule 'typed': The types do not fit: no such overload: int <= string. The type of each fact is listed in docs/facts.md.
policy.yaml:24:11: rule 'typed': Another rule has this name already. Choose another.
policy.yaml:25:11: rule 'typed': There are no thresholds 'within.smal'. Did you mean 'within.small'? The policy has within.small.
policy.yaml:26:9: rule 'typed': 'do' must be one of accept, cancel, review, ask-traveller, wait, none, not 'aks-traveller'. Did you mean 'ask-traveller'?
policy.yaml:32:45: rule 'over': 'priority' must be a whole number from 0 (most urgent) to 9.
policy.yaml:33:13: rule 'over': The reasons no-rule-matched, unknown-fact, rule-error, observe-only are given by evaluation itself. Choose another.
policy.yaml:36:9: rule 'refund': Cancelling can't be undone and its refund is not known before, so a rule that cancels must ask for the wish of the traveller (order.travellerAnswer == "refund") or nothing left to fly (cancelled && !partiallyCancelled), a ticket (ticketed), an order of which nothing is flown (departedFlightCount == 0), a value limit (settings: orderValue: { EUR: 500 }). Join them with && in 'when', or write do: review."
`);
});

describe("a rule that can never decide", () => {
  const policy = (...rules: readonly string[]) =>
    `version: 1\nname: test\nrules:\n${rules
      .map((rule, index) => `  - { name: r${index + 1}, reason: x${index}, ${rule} }\n`)
      .join("")}`;

  test.each<[string, readonly string[], string | null]>([
    [
      "after one that always matches",
      ["when: true, do: review", "when: cancelled, do: none"],
      "the rule 'r1' before it always matches",
    ],
    [
      "after its double",
      ["when: cancelled, do: review", "when: cancelled, do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "after a wider one",
      ["when: minutesToDeparture < 4320, do: review", "when: minutesToDeparture < 60 && cancelled, do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "after one of which it is a part",
      ["when: cancelled || replaced, do: review", "when: replaced, do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "that contradicts itself",
      ['when: "ticketed && !ticketed", do: review'],
      "it asks for 'ticketed' and for '!ticketed'",
    ],
    [
      "with limits that exclude each other",
      ["when: changedFlightCount > 3 && changedFlightCount < 4, do: review"],
      "it asks for 'changedFlightCount > 3' and for 'changedFlightCount < 4'",
    ],
    [
      "after one that a fact of it implies",
      ["when: replaced, do: review", "when: flightNumberChanged, do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "after one that a fact of it implies by way of another",
      ["when: changedFlightCount > 0, do: review", "when: airportChangedInCity && ticketed, do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "after several that leave nothing of it",
      ["when: cancelled, do: review", "when: replaced, do: review", "when: cancelled || flightNumberChanged, do: none"],
      "one of the rules 'r1', 'r2'",
    ],
    [
      "after one that is written the other way round",
      ["when: '!(ticketed && cancelled)', do: review", "when: '!cancelled', do: none"],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "after one that leaves every other text",
      [
        "when: 'order.travellerAnswer != \"none\"', do: review",
        "when: 'order.travellerAnswer == \"refund\"', do: none",
      ],
      "whenever it matches, the rule 'r1'",
    ],
    [
      "with facts that exclude each other",
      ["when: flightNumberOnly && retimedOnly, do: review"],
      "it asks for 'flightNumberOnly' and for 'retimedOnly' at once",
    ],
    [
      "with two texts at once",
      ['when: \'order.travellerAnswer == "refund" && order.travellerAnswer == "accept"\', do: review'],
      "at once",
    ],
    [
      "with a text that it never is",
      ["when: 'order.travellerAnswer == \"yes\"', do: review"],
      "it asks for 'order.travellerAnswer == \"yes\"', which is never so",
    ],
    [
      "below the least value",
      ["when: departureLaterMinutes < 0, do: review"],
      "it asks for 'departureLaterMinutes < 0', which is never so",
    ],
    ["with a comparison that is false", ["when: 2 < 1, do: review"], "it asks for '2 < 1', which is never so"],
    [
      "when each way to match is impossible",
      ["when: (cancelled && !cancelled) || changedFlightCount < 0, do: review"],
      "never matches",
    ],
    ["with one way that is possible", ["when: changedFlightCount < 0 || cancelled, do: review"], null],
    ["at the least value", ["when: departureLaterMinutes <= 0, do: review"], null],
    [
      "after one that covers only a part of it",
      ["when: replaced, do: review", "when: flightNumberChanged || cancelled, do: none"],
      null,
    ],
    [
      "after one that a fact of it does not imply when that is unknown",
      ["when: '!flightNumberChanged', do: review", "when: '!replaced', do: none"],
      null,
    ],
    ["against its own scope", ['scope: { ticketed: true }, when: "!ticketed", do: review'], "it asks for 'ticketed'"],
    ["after one that is switched off", ["enabled: false, when: true, do: review", "when: cancelled, do: none"], null],
    [
      "after a stricter one",
      ["when: minutesToDeparture < 60, do: review", "when: minutesToDeparture < 61, do: none"],
      null,
    ],
    ["with limits that leave one number", ["when: changedFlightCount > 2 && changedFlightCount < 4, do: review"], null],
    ["with limits of money", ["when: orderValue > 1.5 && orderValue < 2.5, do: review"], null],
    ["after one in another scope", ["scope: { airlines: [LH] }, when: true, do: review", "when: true, do: none"], null],
  ])("%s", (_when, rules, message) => {
    const warnings = linesOf(policy(...rules));

    if (message === null) expect(warnings).toEqual([]);
    else expect(warnings).toEqual([expect.stringContaining(message)]);
  });

  test("is a mistake in a new policy, and a warning in one that is in use", () => {
    const text = policy("when: replaced, do: review", "when: flightNumberChanged, do: none");
    const message = expect.stringContaining("The rule never decides: whenever it matches, the rule 'r1'");

    expect(loadPolicy(text, "policy.yaml")).toMatchObject({ ok: true, warnings: [{ rule: "r2", message }] });
    expect(loadPolicy(text, "policy.yaml", { isNew: true })).toMatchObject({
      ok: false,
      problems: [{ rule: "r2", line: 5, message }],
      warnings: [],
    });
  });

  test("once its days are over, and never when they end before they begin", () => {
    const until = (days: string) => policy(`${days}, when: cancelled, do: review`);

    expect(linesOf(until("validUntil: 2026-12-31"), "2026-12-31")).toEqual([]);
    expect(linesOf(until("validUntil: 2026-12-31"), "2027-01-01")).toEqual([
      expect.stringContaining("The rule ended on 2026-12-31"),
    ]);
    expect(linesOf(until("validFrom: 2026-12-31, validUntil: 2026-12-31"))).toEqual([]);
    expect(linesOf(until("validFrom: 2027-01-01, validUntil: 2026-12-31"))).toEqual([
      expect.stringContaining("it ends on 2026-12-31, before it begins on 2027-01-01"),
    ]);
  });

  test("other warnings are reported as well", () => {
    expect(linesOf(policy("when: 'customerClass == \"vip\"', do: review"))).toEqual([
      expect.stringContaining("The gateway never states customerClass"),
    ]);
    const shared = policy("when: cancelled, do: review", "when: replaced, do: none").replaceAll("x1", "x0");
    expect(linesOf(shared)).toEqual([
      expect.stringContaining("The reason 'x0' stands for review in 'r1' and for none here"),
    ]);
    const alike = policy("when: cancelled, do: review", "when: replaced, do: none")
      .replace("r1", "date-changed")
      .replace("r2", "datechanged");
    expect(linesOf(alike)).toEqual([expect.stringContaining("differ in hyphens only")]);
    expect(linesOf(policy("when: cancelled, do: review, inform: nobody"))).toEqual([
      expect.stringContaining("'inform' counts only where the rule accepts or cancels, and this one does 'review'."),
    ]);
    expect(linesOf(policy("when: retimedOnly, do: accept, inform: nobody"))).toEqual([]);
  });
});

describe("a rule that cancels", () => {
  const cancelling = (when: string, settings = "settings: { orderValue: { EUR: 500 } }\n") =>
    `version: 1\nname: test\n${settings}rules:\n  - name: gone\n    when: ${JSON.stringify(when)}\n    do: cancel\n    reason: gone\n`;
  const safe = "cancelled && !partiallyCancelled && ticketed && departedFlightCount == 0";

  test("loads with everything that a cancel needs", () => {
    expect(policyFrom(cancelling(safe)).rules[0]?.action).toBe("cancel");
    const asked = "order.travellerAnswer == 'refund' && ticketed && departedFlightCount == 0";
    expect(policyFrom(cancelling(asked)).rules[0]?.action).toBe("cancel");
  });

  test.each([
    [safe.replace("!partiallyCancelled && ", ""), "nothing left to fly"],
    [safe.replace("ticketed && ", ""), "a ticket"],
    [safe.replace("departedFlightCount == 0", "true"), "nothing is flown"],
    [safe.replace("departedFlightCount == 0", "(departedFlightCount == 0 || ticketed)"), "nothing is flown"],
  ])("does not load with %s", (when, missing) => {
    expect(linesOf(cancelling(when))).toEqual([expect.stringContaining(missing)]);
  });

  test("does not load without a value limit", () => {
    expect(linesOf(cancelling(safe, ""))).toEqual([expect.stringContaining("a value limit")]);
  });
});

test("the JSON Schema for editors describes every key and every action", () => {
  const schema = JSON.stringify(policyJsonSchema());

  for (const key of [
    "thresholds",
    "coolDown",
    "protectedPassengers",
    "validUntil",
    "scope",
    "ask-traveller",
    "untilHoursBeforeDeparture",
  ]) {
    expect(schema).toContain(`"${key}"`);
  }
});
