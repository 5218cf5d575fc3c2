import { describe, expect, test } from "vitest";
import {
  type BacktestCase,
  countCase,
  createTally,
  defaultBacktestSettings,
  mergeTally,
  reportOf,
} from "../../../src/policy/backtest.ts";

const settings = { ...defaultBacktestSettings, minutesPerReview: 10, examplesMax: 2 };

function aCase(id: string, changes: Partial<BacktestCase> = {}): BacktestCase {
  return {
    id,
    orderId: `ORDER-${id}`,
    airline: "LH",
    severity: "minor",
    kind: "times, up to 30 min",
    value: { amount: "100.10", currency: "EUR" },
    before: { action: "review", queue: "agent", rule: "default", reason: "default" },
    after: { action: "review", queue: "agent", rule: "default", reason: "default" },
    ...changes,
  };
}

const accepted = { action: "accept", queue: null, rule: "small-retiming", reason: "small-retiming" } as const;
const toLegal = { action: "review", queue: "legal", rule: "held", reason: "held" } as const;

function reportFor(...cases: readonly BacktestCase[]) {
  const tally = createTally();
  for (const each of cases) countCase(tally, each, settings);
  return reportOf(tally, settings);
}

describe("a backtest", () => {
  test("counts what differs, from what to what, with the value of these orders and examples", () => {
    const report = reportFor(
      aCase("1"),
      aCase("2", { after: accepted }),
      aCase("3", { after: accepted, value: { amount: "0.905", currency: "EUR" } }),
      aCase("4", { after: toLegal, value: null }),
    );

    expect(report).toMatchObject({ compared: 4, flipped: 3, valueAtStake: [{ currency: "EUR", amount: "101.005" }] });
    expect(report.flips).toEqual([
      {
        from: "review:agent",
        to: "accept",
        count: 2,
        value: [{ currency: "EUR", amount: "101.005" }],
        examples: [
          { id: "2", orderId: "ORDER-2", beforeRule: "default", afterRule: "small-retiming" },
          { id: "3", orderId: "ORDER-3", beforeRule: "default", afterRule: "small-retiming" },
        ],
      },
      {
        from: "review:agent",
        to: "review:legal",
        count: 1,
        value: [],
        examples: [expect.objectContaining({ id: "4" })],
      },
    ]);
  });

  test("does not count another rule with the same action and queue as a difference", () => {
    const after = { action: "review", queue: "agent", rule: "another", reason: "another" } as const;

    expect(reportFor(aCase("1", { after }))).toMatchObject({ flipped: 0, flips: [] });
  });

  test("counts by rule, airline and severity, the most differences first", () => {
    const report = reportFor(
      aCase("1", { after: accepted, airline: null }),
      aCase("2"),
      aCase("3", { severity: "major" }),
    );

    expect(report.byRule).toEqual([
      { name: "small-retiming", compared: 1, flipped: 1 },
      { name: "default", compared: 2, flipped: 0 },
    ]);
    expect(report.byAirline).toEqual([
      { name: "unknown", compared: 1, flipped: 1 },
      { name: "LH", compared: 2, flipped: 0 },
    ]);
    expect(report.bySeverity).toEqual([
      { name: "minor", compared: 2, flipped: 1 },
      { name: "major", compared: 1, flipped: 0 },
    ]);
  });

  test.each([
    ["saves the minutes of a review that it makes unnecessary", { after: accepted }, { before: 1, after: 0 }, 10],
    ["adds the minutes of a review that it asks for", { before: accepted }, { before: 0, after: 1 }, -10],
    ["saves nothing by another queue", { after: toLegal }, { before: 1, after: 1 }, 0],
    [
      "counts asking the traveller as work",
      { after: { action: "ask-traveller", queue: null, rule: "ask", reason: "ask" } } as const,
      { before: 1, after: 1 },
      0,
    ],
  ])("%s", (_, changes, manual, minutesSaved) => {
    expect(reportFor(aCase("1", changes))).toMatchObject({ manual, minutesSaved });
  });

  test("gives the same report however the work was shared", () => {
    const cases = Array.from({ length: 30 }, (_, index) =>
      aCase(String(index).padStart(2, "0"), index % 3 === 0 ? { after: accepted } : {}),
    );
    const shares = [createTally(), createTally(), createTally()];
    cases.forEach((each, index) => countCase(shares[(index * 7) % 3]!, each, settings));
    const merged = createTally();
    for (const share of shares.toReversed()) mergeTally(merged, structuredClone(share), settings);

    expect(reportOf(merged, settings)).toEqual(reportFor(...cases));
  });

  test.each(["constructor", "__proto__"])("counts what is called %s, as every object has such a member", (name) => {
    const after = { action: "accept", queue: null, rule: name, reason: name } as const;
    const each = aCase("1", { airline: name, value: { amount: "100.10", currency: name }, after });

    const counted = [{ name, compared: 1, flipped: 1 }];
    const value = [{ currency: name, amount: "100.10" }];
    expect(reportFor(each)).toMatchObject({ byRule: counted, byAirline: counted, valueAtStake: value });
  });

  test("stays small, however many airlines a body invents", () => {
    const tally = createTally();
    for (let index = 0; index < 5_000; index += 1) countCase(tally, aCase("1", { airline: `X${index}` }), settings);

    expect(tally.byAirline.size).toBe(2_001);
    expect(reportOf(tally, settings).byAirline.find(({ name }) => name === "other")).toMatchObject({ compared: 3_000 });
  });
});
