import { describe, expect, test } from "vitest";
import { type Fact, known, unknown } from "../../../src/kernel/fact.ts";
import { decisiveChecks, describeCheck } from "../../../src/policy/check-words.ts";

const words = {
  label: (name: string) => name.toUpperCase(),
  value: (_name: string, value: unknown) => (typeof value === "number" ? `${value} min` : String(value)),
};

describe("what a check of a rule found", () => {
  test.each<[string, string, Record<string, Fact<unknown>>, string]>([
    ["retimedOnly", "true", { retimedOnly: known(true) }, "RETIMEDONLY: true"],
    ["moved <= 45", "false", { moved: known(75) }, "MOVED: 75 min; the limit is 45 min"],
    ["moved < 45", "false", { moved: known(45) }, "MOVED: 45 min; the rule asks for less than 45 min"],
    ["left >= 2880", "false", { left: known(90) }, "LEFT: 90 min; the rule asks for at least 2880 min"],
    ["count > 0", "true", { count: known(1) }, "COUNT: 1 min; the rule asks for more than 0 min"],
    [
      'order.answer == "refund"',
      "false",
      { "order.answer": known("none") },
      "ORDER.ANSWER: none; the rule asks for refund",
    ],
    ['kind != "x"', "true", { kind: known("y") }, "KIND: y; the rule asks for anything but x"],
    ["moved <= 45", "unknown", { moved: unknown("unknown-arrival") }, "MOVED: unknown; the limit is 45 min"],
    [
      "size(countries) == 1",
      "false",
      { countries: known(["US", "FR"]), other: known(1) },
      "size(countries) == 1 is false (COUNTRIES: US,FR)",
    ],
    ["true", "true", {}, "true is true"],
  ])("is said in words: %s is %s", (check, outcome, reads, sentence) => {
    expect(describeCheck({ check, outcome, reads }, words)).toBe(sentence);
  });
});

describe("the checks that say why", () => {
  const reads = { retimedOnly: known(true), cancelled: known(false), moved: known(0), contactable: known(true) };
  const checks = [
    { check: "retimedOnly", outcome: "true" },
    { check: "cancelled", outcome: "false" },
    { check: "moved <= 45", outcome: "true" },
    { check: "contactable", outcome: "true" },
  ];

  test("of a rule that matched are those that found something", () => {
    expect(decisiveChecks(checks, reads, "matched").map(({ check }) => check)).toEqual(["retimedOnly", "contactable"]);
  });

  test("of a rule that matched on nothing is the last", () => {
    expect(decisiveChecks(checks.slice(1, 3), reads, "matched").map(({ check }) => check)).toEqual(["moved <= 45"]);
  });

  test("of a rule that did not match is the one that settled it", () => {
    expect(decisiveChecks(checks, reads, "not-matched").map(({ check }) => check)).toEqual(["contactable"]);
  });

  test("of a rule that cannot be decided are those that cannot", () => {
    const unsettled = [{ check: "arrival <= 45", outcome: "unknown" }, ...checks];

    expect(decisiveChecks(unsettled, reads, "unknown").map(({ check }) => check)).toEqual(["arrival <= 45"]);
  });
});
