import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type ChangeFacts, type FactName, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import type { Fact } from "../../../src/kernel/fact.ts";
import { evaluatePolicy, type PolicyVerdict } from "../../../src/policy/evaluate.ts";
import { changeFacts, type FactOverrides, type FactValue } from "./change-facts.ts";
import { policyFrom, shippedPolicy, shippedPolicyText } from "./policies.ts";

const policy = shippedPolicy();

function verdictOf(overrides: FactOverrides): PolicyVerdict {
  return evaluateFacts(changeFacts(overrides));
}

function evaluateFacts(facts: ChangeFacts): PolicyVerdict {
  return evaluatePolicy(policy, { facts, source: "main", orderId: "QX7R2M1A" });
}

/** A rule with facts that it matches, and facts next to them that it lets pass. */
interface RuleCase {
  readonly rule: string;
  readonly reason: string;
  readonly matches: readonly FactOverrides[];
  readonly passes: readonly FactOverrides[];
}

const removed = { retimedOnly: false, departureLaterMinutes: 0, arrivalLaterMinutes: 0 };

const ruleCases: readonly RuleCase[] = [
  { rule: "data-suspect", reason: "data-suspect", matches: [{ dataSuspect: true }], passes: [{}] },
  { rule: "time-ambiguous", reason: "time-ambiguous", matches: [{ timeAmbiguous: true }], passes: [{}] },
  {
    rule: "unaccompanied-minor",
    reason: "unaccompanied-minor",
    matches: [{ unaccompaniedMinor: true }, { unaccompaniedMinor: true, cancelled: true }],
    passes: [{ hasInfant: true }],
  },
  {
    rule: "assistance-requested",
    reason: "assistance-requested",
    matches: [{ assistanceRequested: true }],
    passes: [{ passengerCount: 9 }],
  },
  {
    rule: "partially-cancelled",
    reason: "flights-partially-cancelled",
    matches: [{ ...removed, cancelled: true, partiallyCancelled: true }],
    passes: [{ ...removed, cancelled: true }],
  },
  { rule: "cancelled", reason: "flights-cancelled", matches: [{ ...removed, cancelled: true }], passes: [removed] },
  {
    rule: "connection-broken",
    reason: "connection-broken",
    matches: [{ connectionBroken: true, hasConnection: true, shortestConnectionMinutes: 20 }],
    passes: [{ hasConnection: true, shortestConnectionMinutes: 45 }],
  },
  {
    rule: "connection-added",
    reason: "connection-added",
    matches: [{ connectionsAdded: true, replaced: true, retimedOnly: false, connectingAirports: ["FRA"] }],
    passes: [{ replaced: true, retimedOnly: false, hasConnection: true }],
  },
  {
    rule: "airport-changed",
    reason: "airport-changed",
    matches: [{ airportChanged: true, replaced: true, retimedOnly: false }],
    passes: [{ terminalChanged: true }],
  },
  {
    rule: "carrier-changed",
    reason: "carrier-changed",
    matches: [
      { marketingCarrierChanged: true, replaced: true, retimedOnly: false },
      { operatingCarrierChanged: true, retimedOnly: false },
    ],
    passes: [{ flightNumberChanged: true, replaced: true, retimedOnly: false }],
  },
  {
    rule: "flight-number-only",
    reason: "flight-number-only",
    matches: [{ ...removed, flightNumberOnly: true, flightNumberChanged: true, replaced: true }],
    passes: [{ flightNumberChanged: true, retimedOnly: false }],
  },
  {
    rule: "replaced",
    reason: "flight-replaced",
    matches: [{ replaced: true, retimedOnly: false, flightNumberChanged: true }],
    passes: [{ flightNumberChanged: true, retimedOnly: false }],
  },
  {
    rule: "flight-number-changed",
    reason: "flight-number-changed",
    matches: [{ flightNumberChanged: true, retimedOnly: false }],
    passes: [{}],
  },
  { rule: "stop-added", reason: "stop-added", matches: [{ stopsAdded: true }], passes: [{}] },
  {
    rule: "cabin-or-class-changed",
    reason: "more-than-times-changed",
    matches: [{ retimedOnly: false }],
    passes: [{ retimedOnly: false, changedFlightCount: 0 }],
  },
  { rule: "terminal-changed", reason: "terminal-changed", matches: [{ terminalChanged: true }], passes: [{}] },
  { rule: "aircraft-changed", reason: "aircraft-changed", matches: [{ aircraftChanged: true }], passes: [{}] },
  {
    rule: "nothing-changed",
    reason: "nothing-changed",
    matches: [{ changedFlightCount: 0 }, { changedFlightCount: 0, retimedOnly: false }],
    passes: [{ changedFlightCount: 1 }],
  },
  {
    rule: "date-changed",
    reason: "date-changed",
    matches: [{ dateChanged: true }, { dateChanged: true, departureLaterMinutes: 600 }],
    passes: [{ departureLaterMinutes: 600 }],
  },
  {
    rule: "departure-soon",
    reason: "departure-within-72-hours",
    matches: [{ minutesToDeparture: 4_319 }, { minutesToDeparture: 0 }, { minutesToDeparture: -30 }],
    passes: [{ minutesToDeparture: 4_320 }],
  },
  { rule: "not-ticketed", reason: "not-ticketed", matches: [{ ticketed: false }], passes: [{ ticketed: true }] },
  {
    rule: "several-flights-retimed",
    reason: "several-flights-retimed",
    matches: [{ changedFlightCount: 2 }],
    passes: [{ changedFlightCount: 1 }],
  },
  {
    rule: "small-retiming",
    reason: "small-retiming",
    matches: [
      {},
      { departureLaterMinutes: 30 },
      { arrivalLaterMinutes: 30 },
      { departureLaterMinutes: 0, arrivalLaterMinutes: 0, departureEarlierMinutes: 15, arrivalEarlierMinutes: 15 },
      { departureLaterMinutes: 0 },
      { minutesToDeparture: 4_320 },
      { passengerCount: 9, hasInfant: true },
      { hasConnection: true, shortestConnectionMinutes: 60, connectingAirports: ["FRA"] },
    ],
    passes: [
      { departureLaterMinutes: 31 },
      { arrivalLaterMinutes: 31 },
      { departureEarlierMinutes: 16 },
      { arrivalEarlierMinutes: 16 },
      { minutesToDeparture: 4_319 },
    ],
  },
  {
    rule: "retiming-beyond-limits",
    reason: "retiming-beyond-limits",
    matches: [
      { departureLaterMinutes: 31 },
      { arrivalLaterMinutes: 31 },
      { departureEarlierMinutes: 16 },
      { arrivalEarlierMinutes: 16 },
    ],
    passes: [{ departureLaterMinutes: 30 }, { departureEarlierMinutes: 15 }],
  },
];

describe("the shipped policy", () => {
  test("has a case here for each of its rules, in order", () => {
    expect(ruleCases.map(({ rule }) => rule)).toEqual(policy.rules.map(({ name }) => name));
    expect(policy.name).toBe("cautious");
  });

  const matching = ruleCases.flatMap(({ rule, reason, matches }) => matches.map((facts) => ({ rule, reason, facts })));
  test.each(matching)("rule $rule decides $facts", ({ rule, reason, facts }) => {
    const verdict = verdictOf(facts);

    expect(verdict).toMatchObject({ rule, action: rule === "small-retiming" ? "accept" : "review" });
    expect(verdict.reviewQueue).toBe(rule === "small-retiming" ? null : "agent");
    expect(verdict.reasons[0]?.code).toBe(reason);
    expect(verdict.reasons[0]?.text).not.toContain("{");
  });

  const passing = ruleCases.flatMap(({ rule, passes }) => passes.map((facts) => ({ rule, facts })));
  test.each(passing)("rule $rule lets $facts pass", ({ rule, facts }) => {
    expect(verdictOf(facts).rule).not.toBe(rule);
  });

  test("leaves what fits no rule to a person", () => {
    expect(verdictOf({ changedFlightCount: -1, retimedOnly: false })).toMatchObject({
      action: "review",
      reviewQueue: "agent",
      rule: "default",
      reasons: [{ code: "no-rule-matched" }],
    });
  });

  test("tells a person about the most important change when several things changed", () => {
    const facts = { cancelled: true, replaced: true, airportChanged: true, dateChanged: true, minutesToDeparture: 60 };

    expect(verdictOf(facts).reasons).toEqual([
      {
        code: "flights-cancelled",
        text: "Flights are withdrawn with nothing in their place. Other flights or a refund have to be arranged.",
      },
    ]);
  });

  test("says by how much a flight moved", () => {
    expect(verdictOf({ departureLaterMinutes: 31 }).reasons[0]?.text).toBe(
      "Departure moves by 31 minutes later and 0 earlier, arrival by 20 later and 0 earlier. Up to 30 later and 15 earlier is accepted automatically.",
    );
  });

  test("still accepts nothing more when every rule before the accepting one is switched off", () => {
    const text = shippedPolicyText().replace(
      /- name: (?!small-retiming)(\S+)/g,
      (name) => `${name}\n    enabled: false`,
    );
    const alone = policyFrom(text);
    const accepted = (facts: FactOverrides) =>
      evaluatePolicy(alone, { facts: changeFacts(facts), source: "main", orderId: "A" }).action === "accept";

    expect(alone.rules.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(["small-retiming"]);
    expect(accepted({})).toBe(true);
    for (const { rule, matches } of ruleCases) {
      if (rule === "small-retiming") continue;
      for (const facts of matches) expect({ facts, accepted: accepted(facts) }).toEqual({ facts, accepted: false });
    }
  });
});

describe("the shipped policy with unknown facts", () => {
  const decisive: readonly FactName[] = [
    "minutesToDeparture",
    "ticketed",
    "unaccompaniedMinor",
    "assistanceRequested",
    "changedFlightCount",
    "cancelled",
    "partiallyCancelled",
    "replaced",
    "retimedOnly",
    "departureEarlierMinutes",
    "departureLaterMinutes",
    "arrivalEarlierMinutes",
    "arrivalLaterMinutes",
    "dateChanged",
    "timeAmbiguous",
    "airportChanged",
    "terminalChanged",
    "flightNumberChanged",
    "flightNumberOnly",
    "marketingCarrierChanged",
    "operatingCarrierChanged",
    "aircraftChanged",
    "stopsAdded",
    "connectionsAdded",
    "connectionBroken",
    "dataSuspect",
  ];

  test.each(decisive)("does not accept while %s is unknown, and names it", (name) => {
    const verdict = verdictOf({ [name]: { unknown: "partial-details" } });

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "agent" });
    expect(verdict.reasons[0]).toEqual({
      code: "unknown-fact",
      text: expect.stringContaining(`${name} is unknown (partial-details)`),
    });
  });

  const indifferent = (Object.keys(factCatalogue) as FactName[]).filter((name) => !decisive.includes(name));
  test.each(indifferent)("accepts while %s is unknown, which no rule reads", (name) => {
    expect(verdictOf({ [name]: { unknown: "partial-details" } })).toMatchObject({ action: "accept" });
  });

  test("an unknown arrival does not matter for a cancelled flight", () => {
    const verdict = verdictOf({ cancelled: true, arrivalLaterMinutes: { unknown: "partial-details" } });

    expect(verdict).toMatchObject({ action: "review", rule: "cancelled", reasons: [{ code: "flights-cancelled" }] });
  });

  test("an unknown question about passengers does not hide that a flight is cancelled", () => {
    const verdict = verdictOf({ cancelled: true, unaccompaniedMinor: { unknown: "not-sent" } });

    expect(verdict).toMatchObject({ rule: "cancelled", priority: 2, reasons: [{ code: "flights-cancelled" }] });
  });
});

describe("for any facts", () => {
  const numbersNear: Readonly<Record<string, readonly number[]>> = {
    minutesToDeparture: [-1, 0, 4_319, 4_320, 20_000],
    changedFlightCount: [0, 1, 2],
  };
  const valueOf = (name: FactName): fc.Arbitrary<FactValue> => {
    switch (factCatalogue[name].type) {
      case "int":
        return fc.constantFrom<FactValue>(...(numbersNear[name] ?? [0, 14, 15, 16, 30, 31]));
      case "bool":
        return fc.boolean();
      case "list<string>":
        return fc.constantFrom<FactValue>([], ["FRA"]);
      case "decimal":
        return fc.constantFrom<FactValue>("0", "12.50");
      case "string":
        return fc.constantFrom<FactValue>("", "FRA");
    }
  };
  const overrides = fc
    .subarray(Object.keys(factCatalogue) as FactName[], { maxLength: 6 })
    .chain((names) =>
      fc
        .tuple(
          ...names.map((name) => fc.oneof({ weight: 9, arbitrary: valueOf(name) }, fc.constant({ unknown: "hidden" }))),
        )
        .map((values): FactOverrides => Object.fromEntries(names.map((name, index) => [name, values[index]]))),
    );

  /** The promise of the policy, written down a second time. */
  function isSmallRetiming(facts: ChangeFacts): boolean {
    const is = <T>(fact: Fact<T>, holds: (value: T) => boolean): boolean => fact.known && holds(fact.value);
    const mustBeFalse = [
      ...(["dataSuspect", "timeAmbiguous", "unaccompaniedMinor", "assistanceRequested", "cancelled"] as const),
      ...(["partiallyCancelled", "replaced", "connectionBroken", "connectionsAdded", "stopsAdded"] as const),
      ...(["airportChanged", "terminalChanged", "aircraftChanged", "marketingCarrierChanged"] as const),
      ...(["operatingCarrierChanged", "flightNumberChanged", "flightNumberOnly", "dateChanged"] as const),
    ];
    return (
      is(facts.changedFlightCount, (count) => count === 1) &&
      is(facts.minutesToDeparture, (minutes) => minutes >= 4_320) &&
      is(facts.departureLaterMinutes, (minutes) => minutes <= 30) &&
      is(facts.arrivalLaterMinutes, (minutes) => minutes <= 30) &&
      is(facts.departureEarlierMinutes, (minutes) => minutes <= 15) &&
      is(facts.arrivalEarlierMinutes, (minutes) => minutes <= 15) &&
      is(facts.retimedOnly, (holds) => holds) &&
      is(facts.ticketed, (holds) => holds) &&
      mustBeFalse.every((name) => is(facts[name], (holds) => !holds))
    );
  }

  test("accepts exactly the small retiming that it promises, and leaves everything else to the agents", () => {
    let accepted = 0;
    fc.assert(
      fc.property(overrides, (drawn) => {
        const facts = changeFacts(drawn);
        const verdict = evaluateFacts(facts);

        if (verdict.action === "accept") accepted += 1;
        const promised = isSmallRetiming(facts) ? ["accept", null] : ["review", "agent"];
        expect([verdict.action, verdict.reviewQueue]).toEqual(promised);
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(accepted).toBeLessThan(950);
  });
});
