import { describe, expect, test } from "@jest/globals";
import type { CaseItem } from "../../../src/dashboard/ports.ts";
import { severityOf } from "../../../src/dashboard/severity.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { aCaseItem } from "../../builders/case-answer.ts";

const now = new Date("2026-11-20T12:00:00Z");
const hours = (count: number): Date => new Date(now.getTime() + count * 60 * 60_000);

type Facts = NonNullable<NonNullable<CaseItem["change"]>["facts"]>;

/** A flight that leaves and arrives 20 minutes later, a week from now. */
function aChange(facts: Partial<Facts> = {}): CaseItem["change"] {
  return {
    booked: null,
    proposed: null,
    facts: {
      cancelled: known(false),
      partiallyCancelled: known(false),
      replaced: known(false),
      connectionBroken: known(false),
      retimedOnly: known(true),
      flightNumberOnly: known(false),
      dateChanged: known(false),
      dataSuspect: known(false),
      changedFlightCount: known(1),
      departureEarlierMinutes: known(0),
      departureLaterMinutes: known(20),
      arrivalEarlierMinutes: known(0),
      arrivalLaterMinutes: known(20),
      ...facts,
    },
  };
}

function judge(facts: Partial<Facts>, overrides: Partial<CaseItem> = {}) {
  const decision = { ...aCaseItem().decision!, action: "wait" };
  return severityOf(aCaseItem({ change: aChange(facts), departureAt: hours(24 * 7), decision, ...overrides }), now);
}

describe("the severity of a change", () => {
  test.each(["cancelled", "partiallyCancelled", "replaced", "connectionBroken"] as const)("is high for %s", (name) => {
    expect(judge({ [name]: known(true) })).toBe("high");
  });

  test.each(["cancelled", "partiallyCancelled", "replaced", "connectionBroken", "dataSuspect"] as const)(
    "is not low while %s is unknown",
    (name) => {
      expect(judge({ [name]: unknown("removed-or-unknown") })).toBe("medium");
    },
  );

  test("is high when the departure is less than 72 hours away, and not at 72 hours", () => {
    expect(judge({}, { departureAt: new Date(hours(72).getTime() - 1) })).toBe("high");
    expect(judge({}, { departureAt: hours(72) })).toBe("low");
    expect(judge({}, { departureAt: null })).toBe("low");
  });

  test("of a closed case is that of when it was closed", () => {
    expect(judge({}, { departureAt: hours(-1), closedAt: hours(-200) })).toBe("low");
    expect(judge({}, { departureAt: hours(-1), closedAt: hours(-10) })).toBe("high");
  });

  test.each([
    "departureEarlierMinutes",
    "departureLaterMinutes",
    "arrivalEarlierMinutes",
    "arrivalLaterMinutes",
  ] as const)("is low when %s is at most 30, medium above and when unknown", (name) => {
    expect(judge({ [name]: known(30) })).toBe("low");
    expect(judge({ [name]: known(31) })).toBe("medium");
    expect(judge({ [name]: unknown("unknown-departure") })).toBe("medium");
  });

  test("is medium when more than times changes, or the date", () => {
    expect(judge({ retimedOnly: known(false) })).toBe("medium");
    expect(judge({ dateChanged: known(true) })).toBe("medium");
  });

  test("is medium when a flight has another number only, which counts as replaced", () => {
    expect(judge({ replaced: known(true), retimedOnly: known(false), flightNumberOnly: known(true) })).toBe("medium");
  });

  test("is low when no flight changes", () => {
    expect(judge({ retimedOnly: known(false), changedFlightCount: known(0) })).toBe("low");
  });

  test("is never low while a person must decide, however small it is", () => {
    const decision = { ...aCaseItem().decision!, action: "review" };

    expect(judge({}, { decision })).toBe("medium");
    expect(judge({ changedFlightCount: known(0) }, { decision })).toBe("medium");
  });

  test("is low once it was decided to accept it or to do nothing, whatever changes", () => {
    const decision = aCaseItem().decision!;

    expect(judge({ replaced: known(true) }, { decision: { ...decision, action: "accept" } })).toBe("low");
    expect(judge({ replaced: known(true) }, { decision: { ...decision, action: "none" } })).toBe("low");
    expect(judge({ replaced: known(true) }, { decision: { ...decision, action: "cancel" } })).toBe("high");
  });

  test("is not known before facts are", () => {
    expect(severityOf(aCaseItem({ change: null }), now)).toBeNull();
    expect(severityOf(aCaseItem({ change: { facts: null, booked: null, proposed: null } }), now)).toBeNull();
  });

  test("does not call a fact small that a decision of an earlier version lacks", () => {
    const { dataSuspect: _left, ...facts } = aChange()!.facts!;

    expect(judge({}, { change: { facts: facts as Facts, booked: null, proposed: null } })).toBe("medium");
  });
});
