import { describe, expect, test } from "vitest";
import { type Fact, known, unknown } from "../../../src/kernel/fact.ts";
import {
  type AutomationOutcome,
  automationReportOf,
  type ChangeKind,
  changeKinds,
  countAutomation,
  createAutomationTally,
  kindOfChange,
  mergeAutomation,
} from "../../../src/policy/automation-report.ts";

const small = "times, up to 30 min";
const accepted: AutomationOutcome = { action: "accept", rule: "small-retiming", reason: "small-retiming" };
const asked: AutomationOutcome = { action: "ask-traveller", rule: "ask", reason: "ask" };
const waiting: AutomationOutcome = { action: "wait", rule: "flapping", reason: "flapping" };

function reviewed(rule: string, reason = rule): AutomationOutcome {
  return { action: "review", rule, reason };
}

function tallyOf(cases: readonly (readonly [ChangeKind, AutomationOutcome])[]) {
  const tally = createAutomationTally();
  for (const [kind, outcome] of cases) countAutomation(tally, kind, outcome);
  return tally;
}

describe("an automation report", () => {
  test("counts what was accepted, asked about, waited for and reviewed, in all and by kind", () => {
    const report = automationReportOf(
      tallyOf([
        ["withdrawn", reviewed("cancelled")],
        [small, accepted],
        [small, asked],
        [small, waiting],
        [small, { action: "none", rule: "check", reason: "check" }],
        ["withdrawn", { action: "cancel", rule: "cancel", reason: "cancel" }],
      ]),
    );

    expect(report).toMatchObject({
      decided: 6,
      accepted: 1,
      asked: 1,
      waited: 1,
      reviewed: 1,
      closed: 1,
      cancelled: 1,
      byKind: [
        { kind: small, decided: 4, accepted: 1, asked: 1, waited: 1, reviewed: 0, closed: 1, cancelled: 0 },
        { kind: "withdrawn", decided: 2, accepted: 0, reviewed: 1, cancelled: 1 },
      ],
    });
  });

  test("names the reasons that cost most reviews, with their share of all changes", () => {
    const report = automationReportOf(
      tallyOf([
        [small, reviewed("departure-soon")],
        [small, reviewed("guard:legal-hold", "legal-hold")],
        ["another flight", reviewed("guard:legal-hold", "legal-hold")],
        [small, accepted],
      ]),
    );

    expect(report.reasons).toEqual([
      { rule: "guard:legal-hold", reason: "legal-hold", count: 2, share: 0.5 },
      { rule: "departure-soon", reason: "departure-soon", count: 1, share: 0.25 },
    ]);
    expect(report.otherReviews).toBe(0);
  });

  test("keeps the reasons of one rule apart: matched is not the same as undecided", () => {
    const { reasons } = automationReportOf(
      tallyOf([
        [small, reviewed("connection-tight")],
        [small, reviewed("connection-tight", "unknown-fact")],
      ]),
    );

    expect(reasons.map(({ reason }) => reason)).toEqual(["connection-tight", "unknown-fact"]);
  });

  test("names ten reasons and counts the others together", () => {
    const rules = Array.from({ length: 12 }, (_, index) => `rule-${String(index).padStart(2, "0")}`);
    const { reasons, otherReviews } = automationReportOf(tallyOf(rules.map((rule) => [small, reviewed(rule)])));

    expect(reasons.map(({ rule }) => rule)).toEqual(rules.slice(0, 10));
    expect(otherReviews).toBe(2);
  });

  test("counts the reviews of a rule whose name is a member of every object", () => {
    const cases = [
      [small, reviewed("constructor")],
      [small, reviewed("constructor")],
    ] as const;
    const merged = createAutomationTally();
    mergeAutomation(merged, tallyOf(cases));

    for (const tally of [tallyOf(cases), merged]) {
      expect(automationReportOf(tally)).toMatchObject({
        reasons: [{ rule: "constructor", reason: "constructor", count: 2, share: 1 }],
        otherReviews: 0,
      });
    }
  });

  test("of shares is the report of the whole, as threads send them", () => {
    const cases = [
      [small, accepted],
      ["withdrawn", reviewed("cancelled")],
      [small, reviewed("cancelled", "unknown-fact")],
      [small, asked],
    ] as const;
    const whole = tallyOf(cases);
    const merged = createAutomationTally();
    for (const each of cases) mergeAutomation(merged, structuredClone(tallyOf([each])));

    expect(automationReportOf(merged)).toEqual(automationReportOf(whole));
  });

  test("of nothing has no shares", () => {
    expect(automationReportOf(createAutomationTally())).toMatchObject({ decided: 0, byKind: [], reasons: [] });
  });
});

describe("the kind of a change", () => {
  const retimed = { changedFlightCount: known(1), cumulativeShiftMinutes: known(20) };
  const still = { changedFlightCount: known(1), cumulativeShiftMinutes: known(0) };
  const yes = known(true);

  test.each<readonly [ChangeKind, Record<string, Fact<unknown>>]>([
    ["withdrawn", { ...retimed, cancelled: yes }],
    ["withdrawn", { ...retimed, partiallyCancelled: yes, replaced: yes }],
    ["withdrawn", { ...still, removedFlightCount: known(1), cancelled: unknown("withdrawn-or-missing") }],
    ["more stops or connections", { ...retimed, stopsAdded: yes }],
    ["more stops or connections", { ...retimed, connectionsAdded: yes, replaced: yes }],
    ["flight number only", { ...still, flightNumberOnly: yes, replaced: yes }],
    ["another flight", { ...retimed, replaced: yes }],
    ["nothing", { changedFlightCount: known(0), cumulativeShiftMinutes: known(0) }],
    ["other", { ...retimed, cabinDowngraded: yes }],
    ["other", { ...still, rbdChanged: yes, aircraftChanged: yes }],
    ["times of several flights", { ...retimed, changedFlightCount: known(2), aircraftChanged: yes }],
    ["times and aircraft", { ...retimed, aircraftChanged: yes }],
    [small, { ...retimed, cumulativeShiftMinutes: known(30), terminalChanged: yes }],
    ["times, 31 to 60 min", { ...retimed, cumulativeShiftMinutes: known(31) }],
    ["times, 31 to 60 min", { ...retimed, cumulativeShiftMinutes: known(60) }],
    ["times, 61 to 180 min", { ...retimed, cumulativeShiftMinutes: known(61) }],
    ["times, 61 to 180 min", { ...retimed, cumulativeShiftMinutes: known(180) }],
    ["times, over 180 min", { ...retimed, cumulativeShiftMinutes: known(181) }],
    ["aircraft only", { ...still, aircraftChanged: yes, terminalChanged: yes }],
    ["terminal only", { ...still, terminalChanged: yes }],
    ["other", still],
    ["other", { changedFlightCount: known(1), cumulativeShiftMinutes: unknown("unknown-zone") }],
    ["other", {}],
  ])("is %s by %p", (kind, facts) => {
    expect(kindOfChange(facts)).toBe(kind);
    expect(changeKinds).toContain(kind);
  });
});
