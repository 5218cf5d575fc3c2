import { describe, expect, test } from "vitest";
import { ticketTaskDueBy } from "../../../src/cases/clocks.ts";
import { refundTaskDueBy } from "../../../src/cases/refund-task.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { type ClockName, clockCatalogue, isRefundClock } from "../../../src/policy/legal/clock-catalogue.ts";
import { flightsLeaving, lawWith } from "../../builders/task-clocks.ts";

/** A Friday. */
const cancelledAt = new Date("2027-03-05T10:00:00Z");

const usRefund: readonly ClockName[] = [
  "us-refund-card",
  "us-refund-other",
  "us-agency-refund-card",
  "us-agency-refund-other",
];

describe("a refund that has to be looked into is due", () => {
  test.each<[string, readonly ClockName[], string, string]>([
    ["7 days after the cancel by EU law", ["eu-refund"], "eu-refund", "2027-03-13"],
    ["7 business days after it by US law", usRefund, "us-refund-card", "2027-03-17"],
    ["14 working days after it by Indian law", ["in-agent-refund"], "in-agent-refund", "2027-03-26"],
    ["by the earliest of several laws", [...usRefund, "eu-refund"], "eu-refund", "2027-03-13"],
    ["by the agency's own 20 days when no law names a term", [], "agency-refund", "2027-03-26"],
    [
      "by them too when a law only says when to tell the traveller",
      ["traveller-told-14-days", "ca-rerouting-own-9-hours"],
      "agency-refund",
      "2027-03-26",
    ],
  ])("%s", (_, clocks, rule, dayAfter) => {
    expect(refundTaskDueBy(lawWith(clocks), cancelledAt)).toEqual({ rule, at: new Date(`${dayAfter}T00:00:00Z`) });
  });

  test("by the agency's own 20 days when the law was not asked", () => {
    expect(refundTaskDueBy(null, cancelledAt)).toEqual({
      rule: "agency-refund",
      at: new Date("2027-03-26T00:00:00Z"),
    });
  });

  test.each([
    ["2027-03-05T23:59:59.999Z", "2027-03-13T00:00:00.000Z"],
    ["2027-03-06T00:00:00.000Z", "2027-03-14T00:00:00.000Z"],
  ])("at the end of a day that is counted from the one after the cancel: %s gives %s", (cancelled, due) => {
    expect(refundTaskDueBy(lawWith(["eu-refund"]), new Date(cancelled))?.at.toISOString()).toBe(due);
  });

  test("by the law's own time when the traveller asked for the refund before the cancel", () => {
    const { verdicts } = lawWith(["eu-refund", "in-agent-refund"]);
    const askedFor = verdicts.map((verdict) => ({
      ...verdict,
      clocks: verdict.clocks.map((clock) =>
        clock.name === "eu-refund" ? { ...clock, dueAt: "2027-03-09T00:00:00.000Z" } : clock,
      ),
    }));

    expect(refundTaskDueBy({ verdicts: askedFor }, cancelledAt)).toEqual({
      rule: "eu-refund",
      at: new Date("2027-03-09T00:00:00Z"),
    });
  });

  test("by the agency's own term never sooner than by a law", () => {
    const byAgency = (day: Date) => refundTaskDueBy(null, day)?.at.getTime() ?? 0;
    const refundClocks = Object.keys(clockCatalogue).filter(isRefundClock);
    for (let day = 0; day < 730; day++) {
      const cancelled = new Date(Date.UTC(2026, 0, 1 + day));
      for (const clock of refundClocks) {
        const byLaw = refundTaskDueBy(lawWith([clock]), cancelled)?.at.getTime();
        expect(byLaw).toBeLessThanOrEqual(byAgency(cancelled));
      }
    }
  });

  test("at no time when nobody knows when it was cancelled", () => {
    expect(refundTaskDueBy(lawWith(["eu-refund"]), new Date(Number.NaN))).toBeNull();
  });
});

describe("a ticket that has to be checked is due", () => {
  /** Lisbon is at UTC then. */
  const now = new Date("2027-03-01T12:00:00Z");
  const due = (flights: Itinerary | null) => {
    const found = ticketTaskDueBy(flights, now);
    return found === null ? null : [found.rule, found.at.toISOString().slice(0, 16)];
  };

  test.each([
    ["a minute more than a day ahead, a day before it", "2027-03-02 12:01", "departure-24h", "2027-03-01T12:01"],
    ["a day ahead, at the departure itself", "2027-03-02 12:00", "departure", "2027-03-02T12:00"],
    ["leaving this minute, now", "2027-03-01 12:00", "departure", "2027-03-01T12:00"],
  ])("with the first flight %s", (_, departure, rule, at) => {
    expect(due(flightsLeaving("LIS", departure))).toEqual([rule, at]);
  });

  test("before the first flight that is not flown", () => {
    expect(due(flightsLeaving("LIS", "2027-03-01 11:59", "2027-03-08 12:00"))).toEqual([
      "departure-24h",
      "2027-03-07T12:00",
    ]);
  });

  test("before the earliest departure, in whatever order the flights are listed", () => {
    expect(due(flightsLeaving("LIS", "2027-03-08 12:00", "2027-03-05 12:00"))?.[1]).toBe("2027-03-04T12:00");
  });

  test("before the earliest that a local time can mean when the airport is not known", () => {
    expect(due(flightsLeaving("QQQ", "2027-03-08 12:00"))).toEqual(["departure-24h", "2027-03-06T22:00"]);
  });

  test.each<[string, Itinerary | null]>([
    ["every flight is flown", flightsLeaving("LIS", "2027-02-20 12:00", "2027-03-01 11:59")],
    ["there is no flight", flightsLeaving("LIS")],
    ["nobody knows the flights", null],
  ])("at no time when %s", (_, flights) => {
    expect(due(flights)).toBeNull();
  });
});
