import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChangeFacts, type FactName, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import type { Fact } from "../../../src/kernel/fact.ts";
import { toConditionInputs } from "../../../src/policy/condition-inputs.ts";
import { evaluatePolicy, type PolicyVerdict } from "../../../src/policy/evaluate.ts";
import { labelOfFact } from "../../../src/policy/fact-labels.ts";
import { changeFacts, type FactOverrides, type FactValue } from "./change-facts.ts";
import { policyFrom, shippedPolicy, shippedPolicyText } from "./policies.ts";
import { inputsOf } from "./policy-inputs.ts";
import { cautiousCases } from "./rule-cases.ts";

const policy = shippedPolicy();

function verdictOf(overrides: FactOverrides): PolicyVerdict {
  return evaluateFacts(changeFacts(overrides));
}

function evaluateFacts(facts: ChangeFacts): PolicyVerdict {
  return evaluatePolicy(policy, toConditionInputs(inputsOf(facts)), null);
}

describe("the policy cautious", () => {
  test("has a case here for each of its rules, in order", () => {
    expect(cautiousCases.map(({ rule }) => rule)).toEqual(policy.rules.map(({ name }) => name));
    expect(policy.name).toBe("cautious");
  });

  const matching = cautiousCases.flatMap(({ rule, reason, matches }) =>
    matches.map((facts) => ({ rule, reason, facts })),
  );
  test.each(matching)("rule $rule decides $facts", ({ rule, reason, facts }) => {
    const verdict = verdictOf(facts);

    const action = rule === "small-retiming" ? "accept" : rule === "departed" ? "none" : "review";
    expect(verdict).toMatchObject({ rule, action });
    expect(verdict.reviewQueue).toBe(action === "review" ? "agent" : null);
    expect(verdict.reasons[0]?.code).toBe(reason);
    expect(verdict.reasons[0]?.text).not.toContain("{");
  });

  const passing = cautiousCases.flatMap(({ rule, passes }) => passes.map((facts) => ({ rule, facts })));
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

  test("names the most important change when several things changed", () => {
    const facts = {
      cancelled: true,
      removedFlights: ["LH1137 BCN-FRA"],
      replaced: true,
      airportChanged: true,
      dateChanged: true,
      minutesToDeparture: 60,
    };

    expect(verdictOf(facts).reasons).toEqual([
      {
        code: "flights-cancelled",
        text: "Cancelled without an alternative: LH1137 BCN-FRA. Arrange other flights or a refund.",
      },
    ]);
  });

  test("says by how much a flight moved", () => {
    const retimings = ["LH98 FRA-MUC departs 31 min later and arrives 20 min later"];

    expect(verdictOf({ departureLaterMinutes: 31, retimings }).reasons[0]?.text).toBe(
      "LH98 FRA-MUC departs 31 min later and arrives 20 min later; limit 30 min.",
    );
  });

  test("still accepts nothing more when every rule before the accepting one is switched off", () => {
    const text = shippedPolicyText().replace(
      /- name: (?!small-retiming)(\S+)/g,
      (name) => `${name}\n    enabled: false`,
    );
    const alone = policyFrom(text);
    const accepted = (facts: FactOverrides) =>
      evaluatePolicy(alone, toConditionInputs(inputsOf(changeFacts(facts))), null).action === "accept";

    expect(alone.rules.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(["small-retiming"]);
    expect(accepted({})).toBe(true);
    for (const { rule, matches } of cautiousCases) {
      if (rule === "small-retiming") continue;
      for (const facts of matches) expect({ facts, accepted: accepted(facts) }).toEqual({ facts, accepted: false });
    }
  });
});

describe("the policy cautious with unknown facts", () => {
  const decisive: readonly FactName[] = [
    "minutesToDeparture",
    "ticketed",
    "unaccompaniedMinor",
    "assistanceRequested",
    "changedFlightCount",
    "cancelled",
    "partiallyCancelled",
    "removedFlightCount",
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
    "connectionTight",
    "selfTransferShorter",
    "returnCoherent",
    "connectionTooLong",
    "overnightAdded",
    "changedJourneyBegun",
    "tripDeparted",
    "unreadMember",
    "passengersDiffer",
    "referencesDiffer",
    "priceDiffers",
    "unrecognisedChangeStatus",
    "durationContradicted",
    "marriageRegrouped",
    "aircraftClassLowered",
  ];

  test.each(decisive)("does not accept while %s is unknown, and names it", (name) => {
    const verdict = verdictOf({ [name]: { unknown: "partial-details" } });

    expect(verdict).toMatchObject({ action: "review", reviewQueue: "agent" });
    expect(verdict.reasons[0]).toEqual({
      code: "unknown-fact",
      text: expect.stringContaining(
        `“${labelOfFact(name)}” is not known (the airline states only part of the new flight)`,
      ),
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
    passengerCount: [9, 10],
    groupSize: [9, 10],
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

  const isMerelyRetimed = ({
    retimedOnly,
    aircraftOrTerminalOnly,
    changedFlightCount,
  }: Partial<ChangeFacts>): boolean =>
    (retimedOnly?.known === true && retimedOnly.value) ||
    (aircraftOrTerminalOnly?.known === true && aircraftOrTerminalOnly.value) ||
    (changedFlightCount?.known === true && changedFlightCount.value === 0);
  const readAsBooked = ["unreadMember", "passengersDiffer", "referencesDiffer", "priceDiffers"] as const;

  /** The promise of the policy, written down a second time. */
  function isSmallRetiming(facts: ChangeFacts): boolean {
    const is = <T>(fact: Fact<T>, holds: (value: T) => boolean): boolean => fact.known && holds(fact.value);
    const mustBeFalse = [
      ...([
        "aircraftClassLowered",
        "dataSuspect",
        "timeAmbiguous",
        "unaccompaniedMinor",
        "assistanceRequested",
        "cancelled",
      ] as const),
      ...(["partiallyCancelled", "replaced", "connectionBroken", "connectionsAdded", "stopsAdded"] as const),
      ...(["airportChanged", "terminalChanged", "aircraftChanged", "marketingCarrierChanged"] as const),
      ...(["operatingCarrierChanged", "flightNumberChanged", "flightNumberOnly", "dateChanged"] as const),
      ...([
        "connectionTight",
        "selfTransferShorter",
        "connectionTooLong",
        "overnightAdded",
        "changedJourneyBegun",
      ] as const),
      "tripDeparted" as const,
      ...readAsBooked,
      ...(["unrecognisedChangeStatus", "durationContradicted", "marriageRegrouped"] as const),
    ];
    return (
      is(facts.changedFlightCount, (count) => count === 1) &&
      is(facts.removedFlightCount, (count) => count === 0) &&
      is(facts.minutesToDeparture, (minutes) => minutes >= 4_320) &&
      is(facts.departureLaterMinutes, (minutes) => minutes <= 30) &&
      is(facts.arrivalLaterMinutes, (minutes) => minutes <= 30) &&
      is(facts.departureEarlierMinutes, (minutes) => minutes <= 15) &&
      is(facts.arrivalEarlierMinutes, (minutes) => minutes <= 15) &&
      is(facts.retimedOnly, (holds) => holds) &&
      is(facts.ticketed, (holds) => holds) &&
      is(facts.returnCoherent, (holds) => holds) &&
      [facts.passengerCount, facts.groupSize].some((count) => is(count, (travellers) => travellers < 10)) &&
      mustBeFalse.every((name) => is(facts[name], (holds) => !holds))
    );
  }

  /** No right is held in these tests, and the traveller has not answered. */
  function isOver({
    tripDeparted,
    cancelled,
    replaced,
    connectionBroken,
    dataSuspect,
    timeAmbiguous,
    ...facts
  }: ChangeFacts): boolean {
    const isFalse = (fact: Fact<boolean>) => fact.known && !fact.value;
    return (
      tripDeparted.known &&
      tripDeparted.value &&
      [cancelled, replaced, connectionBroken, dataSuspect, timeAmbiguous].every(isFalse) &&
      isFalse(facts.flightsDiffer) &&
      isFalse(facts.aircraftClassLowered) &&
      [facts.departureLaterMinutes, facts.arrivalLaterMinutes].every((late) => late.known && late.value < 180) &&
      isMerelyRetimed(facts) &&
      readAsBooked.every((name) => isFalse(facts[name]))
    );
  }

  test("accepts exactly the small retiming that it promises, closes what is over, and leaves everything else to the agents", () => {
    let accepted = 0;
    fc.assert(
      fc.property(overrides, (drawn) => {
        const facts = changeFacts(drawn);
        const verdict = evaluateFacts(facts);

        if (verdict.action === "accept") accepted += 1;
        const promised = isSmallRetiming(facts)
          ? ["accept", null]
          : [isOver(facts) ? "none" : "review", isOver(facts) ? null : "agent"];
        expect([verdict.action, verdict.reviewQueue]).toEqual(promised);
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(accepted).toBeLessThan(950);
  });
});
