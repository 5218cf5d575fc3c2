import { describe, expect, test } from "vitest";
import { type ClockedAssessment, type ClockInput, dueByOf } from "../../../src/cases/clocks.ts";
import type { ResponseTarget } from "../../../src/cases/timing.ts";
import type { Itinerary, ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import type { LegalVerdict } from "../../../src/policy/legal/assessment.ts";
import type { ClockName } from "../../../src/policy/legal/clock-catalogue.ts";

const now = new Date("2027-03-01T12:00:00Z");
const hour = 3_600_000;

/** Hours from now. */
const at = (hours: number): Date => new Date(now.getTime() + hours * hour);

const noTargets: readonly ResponseTarget[] = [];

function input(changes: Partial<ClockInput> = {}): ClockInput {
  return { since: now, priority: 5, responseTargets: noTargets, assessment: null, ...changes };
}

interface Seen {
  readonly departureInHours?: number;
  readonly held?: boolean | "unknown";
  readonly paymentTimeLimits?: readonly string[];
  readonly deadlines?: ClockedAssessment["deadlines"];
  readonly marks?: readonly (readonly [name: ClockName, at: Date | null])[];
  readonly booked?: Itinerary;
  readonly evaluatedAt?: Date;
  readonly tripDeparted?: boolean;
}

function assessed(seen: Seen = {}): ClockedAssessment {
  const { departureInHours, held = false, marks = [], booked = flights(), evaluatedAt = now } = seen;
  return {
    booked,
    proposal: { proposed: booked },
    paymentTimeLimits: seen.paymentTimeLimits ?? [],
    deadlines: seen.deadlines ?? [],
    evaluatedAt,
    facts: {
      held: held === "unknown" ? unknown("missing-payment-status") : known(held),
      tripDeparted: known(seen.tripDeparted ?? false),
      minutesToDeparture: departureInHours === undefined ? unknown("unknown-airport") : known(departureInHours * 60),
    },
    legal: { verdicts: marks.map(([name, dueAt]) => verdictWith(name, dueAt)) },
  };
}

function verdictWith(name: ClockName, dueAt: Date | null): LegalVerdict {
  return {
    preset: "eu-261",
    trigger: "cancelled",
    title: "A flight is withdrawn",
    right: "refund-or-rerouting",
    verdict: "cannot-tell",
    journey: "LIS-FRA",
    unknownFact: null,
    because: "",
    paragraph: "",
    citation: "",
    note: null,
    amount: null,
    clocks: [{ name, dueAt: dueAt?.toISOString() ?? null, rule: "the traveller is told" }],
  };
}

function flights(...departures: readonly Partial<ItinerarySegment["departure"]>[]): Itinerary {
  const segments = departures.map(
    (departure, index): ItinerarySegment => ({
      segmentKey: `Segment${index + 1}`,
      departure: { airport: "LIS", date: "2027-03-14", time: "07:10", terminal: null, ...departure },
      arrival: { airport: "FRA", date: "2027-03-14", time: "11:20", terminal: null },
      marketingCarrier: "LH",
      marketingFlightNumber: "1167",
      operatingCarrier: "LH",
      aircraftCode: null,
      stops: null,
      marriageGroup: null,
      brandId: null,
      cabinType: null,
      rbd: null,
    }),
  );
  return { segments, journeys: [] };
}

const ruleAndHours = (given: ClockInput): readonly [string, number] | null => {
  const due = dueByOf(given);
  return due === null ? null : [due.rule, (due.at.getTime() - now.getTime()) / hour];
};

describe("by when a case must be decided", () => {
  test("is no time at all when no clock runs", () => {
    expect(dueByOf(input({ assessment: assessed() }))).toBeNull();
    expect(dueByOf(input())).toBeNull();
  });

  test("is the earliest clock, and all clocks are listed in order", () => {
    const due = dueByOf(
      input({
        responseTargets: [{ priority: 0, hours: 60 }],
        assessment: assessed({ departureInHours: 100, marks: [["traveller-told-7-days", at(50)]] }),
      }),
    );

    expect(due).toMatchObject({ rule: "traveller-told-7-days", at: at(50) });
    expect(due?.all.map(({ rule }) => rule)).toEqual([
      "traveller-told-7-days",
      "departure-48h",
      "response-target",
      "departure-24h",
      "departure",
    ]);
    for (const { text } of due?.all ?? []) expect(text).toMatch(/^.+[.]$/);
  });

  test("comes from what is known when other things are not", () => {
    const assessment = assessed({ held: "unknown", marks: [["traveller-told-14-days", null]] });

    expect(ruleAndHours(input({ assessment, responseTargets: [{ priority: 0, hours: 3 }] }))).toEqual([
      "response-target",
      3,
    ]);
  });
});

describe("the departure", () => {
  test("of the departure do not run once every flight has left", () => {
    expect(dueByOf(input({ assessment: assessed({ departureInHours: -500, tripDeparted: true }) }))).toBeNull();
    expect(dueByOf(input({ assessment: assessed({ departureInHours: -500, tripDeparted: false }) }))).toMatchObject({
      rule: "departure",
    });
  });

  test.each([
    [100, "departure-48h", 52],
    [48.1, "departure-48h", 0.1],
    [48, "departure-24h", 24],
    [24.1, "departure-24h", 0.1],
    [24, "departure", 24],
    [0.1, "departure", 0.1],
  ])("%p h ahead when the change is seen gives %s", (departureInHours, rule, hours) => {
    const found = ruleAndHours(input({ assessment: assessed({ departureInHours }) }));

    expect(found?.[0]).toBe(rule);
    expect(found?.[1]).toBeCloseTo(hours, 1);
  });

  test("that has passed leaves the case overdue at once, by the latest of its marks", () => {
    expect(ruleAndHours(input({ assessment: assessed({ departureInHours: -2 }) }))).toEqual(["departure", -2]);
  });

  test("at an airport that is not known is taken for the earliest that it can mean", () => {
    const booked = flights({ airport: "ZZ9", date: "2027-03-14", time: "07:10" });

    const due = dueByOf(input({ assessment: assessed({ booked }) }));

    // 07:10 at UTC+14 is 17:10 the day before.
    expect(due).toMatchObject({ rule: "departure-48h", at: new Date("2027-03-11T17:10:00Z") });
    expect(due?.text).toContain("the earliest possible one is used");
  });

  test("without a time is the beginning of its day, and without a date nothing", () => {
    const due = dueByOf(input({ assessment: assessed({ booked: flights({ airport: "ZZ9", time: null }) }) }));

    expect(due?.at).toEqual(new Date("2027-03-11T10:00:00Z"));
    expect(dueByOf(input({ assessment: assessed({ booked: flights({ date: null }) }) }))).toBeNull();
  });

  test("is that of a flight that may still leave, when others have left for certain", () => {
    const booked = flights(
      { airport: "ZZ9", date: "2027-02-01", time: "07:10" },
      { airport: "ZZ9", date: "2027-03-14", time: "07:10" },
    );

    expect(dueByOf(input({ assessment: assessed({ booked }) }))?.at).toEqual(new Date("2027-03-11T17:10:00Z"));
  });
});

describe("the payment time limit of a held order", () => {
  const limit = "2027-03-02T18:00:00";

  test("counts where it comes first on earth, and says so", () => {
    const due = dueByOf(input({ assessment: assessed({ held: true, paymentTimeLimits: [limit] }) }));

    expect(due).toMatchObject({ rule: "payment-time-limit", at: new Date("2027-03-02T04:00:00Z") });
    expect(due?.text).toContain("UTC+14");
  });

  test("counts as well when nobody knows whether the order is held", () => {
    const assessment = assessed({ held: "unknown", paymentTimeLimits: [limit] });

    expect(dueByOf(input({ assessment }))?.rule).toBe("payment-time-limit");
  });

  test("does not count for an order that is not held", () => {
    expect(dueByOf(input({ assessment: assessed({ held: false, paymentTimeLimits: [limit] }) }))).toBeNull();
  });

  test("is the first of several, and what is no time is left out", () => {
    const paymentTimeLimits = ["soon", "2027-03-03T18:00:00", limit];

    expect(dueByOf(input({ assessment: assessed({ held: true, paymentTimeLimits }) }))?.at).toEqual(
      new Date("2027-03-02T04:00:00Z"),
    );
  });
});

describe("a deadline of the airline", () => {
  const deadline = (
    at: string,
    changes: Partial<ClockedAssessment["deadlines"][number]> = {},
  ): ClockedAssessment["deadlines"][number] => ({
    purpose: "act",
    at,
    utcOffset: 0,
    consequence: "cancelled",
    ...changes,
  });
  const targets: readonly ResponseTarget[] = [{ priority: 0, hours: 24 }];
  const dueWith = (...deadlines: ClockedAssessment["deadlines"]) =>
    dueByOf(input({ responseTargets: targets, assessment: assessed({ deadlines }) }));

  test.each([
    ["2027-03-02T11:59:00", "airline-deadline", 24 - 1 / 60],
    ["2027-03-02T12:01:00", "response-target", 24],
  ])("that ends at %s, beside an agency SLA of 24 hours, makes %s count", (at, rule, hours) => {
    const due = dueWith(deadline(at));

    expect(due?.rule).toBe(rule);
    expect(((due?.at.getTime() ?? 0) - now.getTime()) / hour).toBeCloseTo(hours, 5);
  });

  test("counts in its own zone, or where it comes first on earth, and says which", () => {
    const zoned = dueWith(deadline("2027-03-02T06:00:00", { utcOffset: 120 }));
    const bare = dueWith(deadline("2027-03-02T18:00:00", { utcOffset: null }));

    expect(zoned?.at).toEqual(new Date("2027-03-02T04:00:00Z"));
    expect(zoned?.text).toBe("The airline's limit to act is 2027-03-02T04:00:00Z. The airline cancels the order then.");
    expect(bare?.at).toEqual(new Date("2027-03-02T04:00:00Z"));
    expect(bare?.text).toBe(
      "The airline's limit to act is 2027-03-02T18:00:00. It states no time zone, so the earliest possible one is used (UTC+14). The airline cancels the order then.",
    );
  });

  test.each<[string, Partial<ClockedAssessment["deadlines"][number]>, string]>([
    ["2027-02-28T09:00:00", {}, "has passed: it was 2027-02-28T09:00:00Z. Ask the airline what applies now."],
    [
      "2027-02-28T09:00:00",
      { utcOffset: null },
      "has passed: it was 2027-02-28T09:00:00. Ask the airline what applies now.",
    ],
    [
      "2027-03-01T18:00:00",
      { utcOffset: null },
      "is 2027-03-01T18:00:00. It states no time zone, and by the earliest possible one (UTC+14) it has passed.",
    ],
    [
      "2027-03-04T00:00:00",
      { utcOffset: null },
      "is 2027-03-04. It states no time zone, so the earliest possible one is used (UTC+14).",
    ],
    [
      "2026-04-03T18:00:00",
      { utcOffset: 0, otherAt: "2027-03-04T18:00:00" },
      "is 2027-03-04T18:00:00, or 2026-04-03T18:00:00Z with day and month the other way round, which has passed. Ask the airline which is meant.",
    ],
    [
      "2027-03-05T18:00:00",
      { utcOffset: 0, otherAt: "2027-05-03T18:00:00" },
      "is 2027-03-05T18:00:00Z or 2027-05-03T18:00:00; the earlier one is used.",
    ],
  ])("stated as %s (%j) is described as it stands at the time of the decision: %s", (at, changes, words) => {
    expect(dueWith(deadline(at, { consequence: "not-stated", ...changes }))?.all).toContainEqual(
      expect.objectContaining({ text: `The airline's limit to act ${words} What happens then is not stated.` }),
    );
  });

  test.each([
    ["accepted", "The airline takes the change as accepted then."],
    ["unknown-code", "What happens then is stated by a code that is not known here: ask the airline."],
    ["not-stated", "What happens then is not stated."],
  ] as const)("says what happens then, as far as it is known: %s", (consequence, words) => {
    expect(dueWith(deadline("2027-03-02T00:00:00", { consequence }))?.text).toContain(words);
  });

  test("is the earliest of several", () => {
    const due = dueWith(deadline("2027-03-02T00:00:00"), deadline("2027-03-01T20:00:00"));

    expect(due?.at).toEqual(new Date("2027-03-01T20:00:00Z"));
  });

  test("that has passed leaves the case overdue at once", () => {
    expect(dueWith(deadline("2027-03-01T11:59:00"))).toMatchObject({
      rule: "airline-deadline",
      at: new Date("2027-03-01T11:59:00Z"),
      firmAt: new Date("2027-03-01T11:59:00Z"),
    });
  });

  test.each([
    [true, "airline-deadline"],
    ["unknown", "airline-deadline"],
    [false, "response-target"],
  ] as const)("to pay counts only for an order that may be unpaid: held %s", (held, rule) => {
    const deadlines = [deadline("2027-03-02T00:00:00", { purpose: "pay" })];

    expect(dueByOf(input({ responseTargets: targets, assessment: assessed({ held, deadlines }) }))?.rule).toBe(rule);
  });
});

describe("legal clocks", () => {
  test.each([
    "traveller-told-14-days",
    "traveller-told-7-days",
    "ca-traveller-told-14-days",
    "br-traveller-told-72-hours",
    "us-refund-card",
  ] as const)("%s counts under its name, with the law in words", (name) => {
    const due = dueByOf(input({ assessment: assessed({ marks: [[name, at(5)]] }) }));

    expect(due).toMatchObject({ rule: name, at: at(5), text: "EU261: the traveller is told." });
  });

  test("what the carrier has to offer after the departure is no deadline of the agency", () => {
    expect(dueByOf(input({ assessment: assessed({ marks: [["ca-rerouting-own-9-hours", at(5)]] }) }))).toBeNull();
  });

  test("a mark that several rights share is listed once", () => {
    const marks = [["traveller-told-7-days", at(5)] as const, ["traveller-told-7-days", at(5)] as const];

    expect(dueByOf(input({ assessment: assessed({ marks }) }))?.all).toHaveLength(1);
  });
});

describe("the agency's response target", () => {
  const responseTargets = [
    { priority: 3, hours: 24 },
    { priority: 1, hours: 4 },
  ];

  test.each([
    [1, 4],
    [2, 4],
    [3, 24],
    [9, 24],
  ])("of priority %p is %p h after the change was seen", (priority, hours) => {
    expect(ruleAndHours(input({ priority, responseTargets }))).toEqual(["response-target", hours]);
  });

  test("does not exist for a priority more urgent than any that has one", () => {
    expect(dueByOf(input({ priority: 0, responseTargets }))).toBeNull();
  });

  test("counts from when the change was seen, not from when it is looked at", () => {
    expect(ruleAndHours(input({ priority: 1, responseTargets, since: at(-3) }))).toEqual(["response-target", 1]);
  });
});

describe("the time beyond which nobody may put a case off", () => {
  test("is that of the first clock but the agency's own target", () => {
    const responseTargets = [{ priority: 0, hours: 3 }];

    const due = dueByOf(
      input({ responseTargets, assessment: assessed({ marks: [["traveller-told-7-days", at(9)]] }) }),
    );

    expect(due).toMatchObject({ rule: "response-target", at: at(3), firmAt: at(9) });
    expect(dueByOf(input({ responseTargets }))).toMatchObject({ at: at(3), firmAt: null });
    expect(dueByOf(input({ assessment: assessed({ departureInHours: 50 }) }))).toMatchObject({
      at: at(2),
      firmAt: at(2),
    });
  });
});

describe("clocks that have run out", () => {
  const marks = [["traveller-told-14-days", at(-1)] as const, ["traveller-told-7-days", at(167)] as const];

  test("before the change was seen give way to the next one", () => {
    expect(dueByOf(input({ assessment: assessed({ marks }) }))?.rule).toBe("traveller-told-7-days");
    expect(dueByOf(input({ since: at(-1), assessment: assessed({ marks }) }))?.rule).toBe("traveller-told-7-days");
  });

  test("since it was seen were missed, and reading the status once more does not put the case off", () => {
    expect(dueByOf(input({ since: at(-2), assessment: assessed({ marks }) }))).toMatchObject({
      rule: "traveller-told-14-days",
      at: at(-1),
    });
  });

  test("all before it was seen leave the latest of them", () => {
    const passed = [["traveller-told-14-days", at(-200)] as const, ["traveller-told-7-days", at(-2)] as const];

    expect(dueByOf(input({ assessment: assessed({ marks: passed }) }))).toMatchObject({
      rule: "traveller-told-7-days",
      at: at(-2),
    });
  });
});
