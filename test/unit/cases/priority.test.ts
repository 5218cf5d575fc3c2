import { describe, expect, test } from "vitest";
import { priorityOf } from "../../../src/cases/priority.ts";
import type { ClockName } from "../../../src/policy/legal/clock-catalogue.ts";
import { changeFacts, type FactOverrides } from "../policy/change-facts.ts";
import { noRights } from "../policy/policy-inputs.ts";

const now = new Date("2027-03-01T12:00:00Z");
const hoursFromNow = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();

function priority(facts: FactOverrides, mark?: readonly [ClockName, string | null]): number {
  const verdicts =
    mark === undefined
      ? []
      : [
          {
            preset: "eu-261",
            trigger: "cancelled",
            title: "",
            right: "refund-or-rerouting" as const,
            verdict: "entitled" as const,
            journey: "LIS-FRA",
            unknownFact: null,
            because: "",
            paragraph: "",
            citation: "",
            note: null,
            amount: null,
            clocks: [{ name: mark[0], dueAt: mark[1], rule: "" }],
          },
        ];
  // All that severity is judged by is known here, so that the small retiming is minor.
  const known: FactOverrides = {
    removedFlightCount: 0,
    addedFlightCount: 0,
    flightsReordered: false,
    marriageBroken: false,
    cabinDowngraded: false,
    sinceAcceptedArrivalLaterMinutes: 20,
    improvement: false,
  };
  return priorityOf({ facts: changeFacts({ ...known, ...facts }), legal: { ...noRights, verdicts }, now });
}

const days = (count: number): number => count * 24 * 60;

describe("the priority of a change", () => {
  test.each([
    [0, -10],
    [0, days(1) - 1],
    [1, days(1)],
    [1, days(3) - 1],
    [3, days(3)],
    [3, days(7) - 1],
    [5, days(7)],
  ])("is %p when the first flight leaves in %p minutes", (expected, minutesToDeparture) => {
    expect(priority({ minutesToDeparture })).toBe(expected);
  });

  test("is the least urgent once every flight has left", () => {
    expect(priority({ minutesToDeparture: -10, tripDeparted: true })).toBe(5);
    expect(priority({ minutesToDeparture: -10, tripDeparted: { unknown: "between-departures" } })).toBe(0);
    expect(priority({ minutesToDeparture: -10, tripDeparted: true, cancelled: true })).toBe(5);
  });

  test("is 2 when nobody knows when the first flight leaves", () => {
    expect(priority({ minutesToDeparture: { unknown: "unknown-airport" } })).toBe(2);
  });

  test.each([
    ["critical", { cancelled: true }, 2],
    ["critical", { connectionBroken: true }, 2],
    ["major", { departureLaterMinutes: 90 }, 4],
    ["minor", { departureLaterMinutes: 89 }, 5],
  ])("of a %s change %j far from departure is %p", (_, facts, expected) => {
    expect(priority({ minutesToDeparture: days(30), ...facts })).toBe(expected);
  });

  test.each([
    [1, 23.9],
    [3, 24],
    [3, 71.9],
    [5, 72],
    [5, -1],
  ])("is %p when the traveller must be informed within %p hours", (expected, hours) => {
    expect(priority({ minutesToDeparture: days(30) }, ["traveller-told-14-days", hoursFromNow(hours)])).toBe(expected);
  });

  test("does not rise for a refund that is owed, nor for a mark of which the time is not known", () => {
    expect(priority({ minutesToDeparture: days(30) }, ["us-refund-card", hoursFromNow(1)])).toBe(5);
    expect(priority({ minutesToDeparture: days(30) }, ["traveller-told-14-days", null])).toBe(5);
  });
});
