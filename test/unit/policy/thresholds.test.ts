import { describe, expect, test } from "vitest";
import { applyPolicy } from "../../../src/cases/apply-policy.ts";
import { known } from "../../../src/kernel/fact.ts";
import type { FactOverrides } from "./change-facts.ts";
import { policyFrom } from "./policies.ts";
import { type InputOverrides, policyInputs } from "./policy-inputs.ts";

function actionOf(policy: string, facts: FactOverrides = {}, overrides: InputOverrides = {}): string {
  return applyPolicy(policyInputs(facts, overrides), policyFrom(`version: 1\nname: test\n${policy}`)).action;
}

const still = {
  departureLaterMinutes: 0,
  departureEarlierMinutes: 0,
  arrivalLaterMinutes: 0,
  arrivalEarlierMinutes: 0,
};
const within = (rows: string) =>
  `settings:\n  thresholds:\n    small: ${rows}\nrules:\n  - { name: small, when: within.small, do: accept, reason: small }\n`;

describe("thresholds", () => {
  test.each<[FactOverrides, string]>([
    [{ departureEarlierMinutes: 15 }, "accept"],
    [{ departureEarlierMinutes: 16 }, "review"],
    [{ departureLaterMinutes: 30 }, "accept"],
    [{ departureLaterMinutes: 31 }, "review"],
    [{ arrivalEarlierMinutes: 10_000 }, "accept"],
    [{ arrivalLaterMinutes: 40 }, "accept"],
    [{ arrivalLaterMinutes: 41 }, "review"],
  ])("distinguish earlier from later and departure from arrival: %j is for %s", (facts, action) => {
    const policy = within("{ departureEarlier: 15, departureLater: 30, arrivalEarlier: any, arrivalLater: 40 }");

    expect(actionOf(policy, { ...still, ...facts })).toBe(action);
  });

  const all = (minutes: number) =>
    `departureEarlier: ${minutes}, departureLater: ${minutes}, arrivalEarlier: ${minutes}, arrivalLater: ${minutes}`;

  test.each<[number, number, string]>([
    [30 * 1_440, 60, "accept"],
    [30 * 1_440 - 1, 60, "review"],
    [30 * 1_440 - 1, 20, "accept"],
    [7 * 1_440, 20, "accept"],
    [7 * 1_440 - 1, 1, "review"],
  ])(
    "go by days to departure: %i minutes ahead, %i later is for %s",
    (minutesToDeparture, departureLaterMinutes, action) => {
      const policy = within(
        `[{ daysToDeparture: { from: 30 }, ${all(60)} }, { daysToDeparture: { from: 7, under: 30 }, ${all(20)} }]`,
      );

      expect(actionOf(policy, { ...still, minutesToDeparture, departureLaterMinutes })).toBe(action);
    },
  );

  test.each<[string | null, number, string]>([
    ["2024-10-27", 119, "accept"],
    ["2024-10-27", 120, "review"],
    ["2024-10-28", 179, "accept"],
    ["2024-10-28", 180, "review"],
    [null, 119, "accept"],
    [null, 120, "review"],
  ])("go by the day of issue: tickets of %s, %i later is for %s", (issuedOn, departureLaterMinutes, action) => {
    const policy = within(`[{ ticketIssued: { before: 2024-10-28 }, ${all(119)} }, { ${all(179)} }]`);
    const order = issuedOn === null ? {} : { ticketIssuedOn: known(issuedOn) };

    expect(actionOf(policy, { ...still, departureLaterMinutes }, { order })).toBe(action);
  });

  test("may measure from origin to destination", () => {
    const policy = within(`{ measure: journeys, ${all(10)} }`);
    const journey = { journeyDepartureLaterMinutes: 0, journeyArrivalLaterMinutes: 10 };

    expect(actionOf(policy, { ...journey, departureLaterMinutes: 500 })).toBe("accept");
    expect(actionOf(policy, { ...journey, journeyArrivalLaterMinutes: 11 })).toBe("review");
  });

  test("stand alone in a condition", () => {
    const rule = within(`{ ${all(10)} }`);

    expect(() => actionOf(rule.replace("when: within.small", "when: within.small == true"))).toThrow(
      "Thresholds stand alone",
    );
    expect(actionOf(rule.replace("when: within.small", 'when: "!within.small"'), { departureLaterMinutes: 11 })).toBe(
      "accept",
    );
  });

  test("with a row that always applies before another do not load", () => {
    expect(() => actionOf(within(`[{ ${all(10)} }, { domestic: true, ${all(20)} }]`))).toThrow(
      "This row always applies",
    );
  });
});

describe("the scope of a rule", () => {
  const scoped = (scope: string) => `rules:\n  - { name: all, scope: ${scope}, when: true, do: accept, reason: all }\n`;

  test.each<[string, FactOverrides, string]>([
    ["{ airlines: [LH, TP] }", { marketingCarriers: ["TP", "LH"] }, "accept"],
    ["{ airlines: [LH] }", { marketingCarriers: ["TP", "LH"] }, "review"],
    ["{ airlines: [LH] }", { marketingCarriers: [] }, "review"],
    ["{ sources: [main] }", {}, "accept"],
    ["{ sources: [other] }", {}, "review"],
    ["{ routes: [LIS-FRA] }", {}, "accept"],
    ["{ routes: [FRA-LIS] }", {}, "accept"],
    ["{ routes: [LIS-FRA] }", { routes: ["PT/LIS-DE/FRA", "DE/FRA-PT/LIS"] }, "accept"],
    ["{ routes: [LIS-FRA] }", { routes: ["PT/LIS-DE/FRA", "DE/FRA-US/JFK"] }, "review"],
    ["{ routes: [PT-DE] }", {}, "accept"],
    ["{ routes: [PT-FRA] }", {}, "accept"],
    ["{ routes: [PT-US] }", {}, "review"],
    ['{ routes: ["*-FRA"] }', {}, "accept"],
    ['{ routes: ["US-*"] }', {}, "review"],
    ["{ routes: [LIS-FRA] }", { routes: { unknown: "unknown-airport" } }, "review"],
    ["{ ticketed: true }", {}, "accept"],
    ["{ ticketed: false }", {}, "review"],
    ["{ pointsOfSale: [DE] }", { pointOfSale: "DE" }, "accept"],
    ["{ customerClasses: [vip] }", { customerClass: "vip" }, "accept"],
    ["{ pointsOfSale: [DE] }", {}, "review"],
  ])("%s on %j is for %s", (scope, facts, action) => {
    expect(actionOf(scoped(scope), facts)).toBe(action);
  });

  test.each([
    ["2026-12-31T23:59:59Z", "review"],
    ["2027-01-01T00:00:00Z", "accept"],
    ["2027-01-31T23:59:59Z", "accept"],
    ["2027-02-01T00:00:00Z", "review"],
  ])("and its days are whole days in UTC: at %s it is for %s", (now, action) => {
    const policy =
      "rules:\n  - { name: all, validFrom: 2027-01-01, validUntil: 2027-01-31, when: true, do: accept, reason: all }\n";

    expect(actionOf(policy, {}, { now: new Date(now) })).toBe(action);
  });
});

describe("the limits in the words of a reason", () => {
  const rule = `rules:\n  - { name: all, when: "true", do: review, reason: all, explain: "{within.small}" }\n`;
  const words = (rows: string, facts: FactOverrides) => {
    const policy = policyFrom(`version: 1\nname: test\nsettings:\n  thresholds:\n    small: ${rows}\n${rule}`);
    return applyPolicy(policyInputs({ ...still, ...facts }), policy).reasons[0]?.text;
  };
  const row = "departureEarlier: 15, departureLater: 30, arrivalEarlier: any, arrivalLater: 30";

  test.each<[FactOverrides, string]>([
    [{ departureLaterMinutes: 31, arrivalLaterMinutes: 31 }, "limit 30 min"],
    [{ departureEarlierMinutes: 5 }, "limit 15 min"],
    [{ arrivalEarlierMinutes: 5 }, "no limit"],
    [{ departureEarlierMinutes: 5, arrivalLaterMinutes: 5 }, "limits departure 15 min earlier, arrival 30 min later"],
    [{ departureLaterMinutes: 5, arrivalEarlierMinutes: 5 }, "limits departure 30 min later, arrival any time earlier"],
    [{ departureLaterMinutes: { unknown: "unknown-departure" } }, "limit 30 min"],
  ])("are those of the ways in which it moves: %j", (facts, expected) => {
    expect(words(`{ ${row} }`, facts)).toBe(expected);
  });

  test.each<[FactOverrides, string]>([
    [{ minutesToDeparture: 43_200 }, "limit 60 min"],
    [{ minutesToDeparture: 43_199 }, "limit 30 min"],
    [{ minutesToDeparture: { unknown: "unknown-airport" } }, "limit unknown"],
  ])("are those of the row that counts: %j", (facts, expected) => {
    const far = `{ daysToDeparture: { from: 30 }, ${row.replaceAll("30", "60")} }`;

    expect(words(`[${far}, { ${row} }]`, { departureLaterMinutes: 5, ...facts })).toBe(expected);
  });

  test("are none where no row counts, and a set that is not there is a mistake", () => {
    const dated = `[{ daysToDeparture: { from: 30 }, ${row} }]`;

    expect(words(dated, { minutesToDeparture: 43_199 })).toBe("no limit applies");
    expect(() => policyFrom(`version: 1\nname: test\n${rule}`)).toThrow("{within.small} names no fact");
  });
});
