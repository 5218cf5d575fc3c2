import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPolicy, type PolicyDecision } from "../../../src/cases/apply-policy.ts";
import { type FactName, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { type Fact, known, unknown } from "../../../src/kernel/fact.ts";
import type { LegalAssessment } from "../../../src/policy/legal/assessment.ts";
import { automaticActions, type OrderInputs, type Policy } from "../../../src/policy/policy.ts";
import { type FactOverrides, type FactValue, factsFrom } from "./change-facts.ts";
import { policyFrom, policyOf, shippedPolicy } from "./policies.ts";
import { heldByLaw, type InputOverrides, inputsOf, noRights, policyInputs } from "./policy-inputs.ts";

const acceptAll = policyOf({ when: "true", do: "accept" });
const notSent = { unknown: "not-sent" };

/** Cancels when all is gone and the rest is as it must be; the guards have the last word. */
const cancelGone = policyFrom(`version: 1
name: test
settings: { orderValue: { EUR: 500 } }
rules:
  - name: gone
    when: cancelled && !partiallyCancelled && ticketed && departedFlightCount == 0
    do: cancel
    reason: gone
  - name: asked
    when: order.travellerAnswer == "refund" && ticketed && departedFlightCount == 0
    do: cancel
    reason: asked
`);

const gone: FactOverrides = {
  cancelled: true,
  partiallyCancelled: false,
  ticketed: true,
  departedFlightCount: 0,
  expectedRefund: "320.00",
  orderValue: "500.00",
  currency: "EUR",
};

function decideOn(policy: Policy, facts: FactOverrides = {}, overrides: InputOverrides = {}): PolicyDecision {
  return applyPolicy(policyInputs(facts, overrides), policy);
}

describe("what no policy can switch off", () => {
  test("nothing stands in the way of a change that may be accepted", () => {
    expect(decideOn(acceptAll)).toMatchObject({
      action: "accept",
      queue: null,
      priority: null,
      until: null,
      rule: "r1",
      reasonCode: "reason-1",
      unknownFacts: [],
      recommendation: null,
    });
  });

  const missing = { unknown: "missing-flag" };

  test.each<[string, FactOverrides, string]>([
    [
      "are missing",
      { acceptAllowed: missing, cancelAllowed: missing, rescheduleAllowed: missing },
      "What the gateway allows is not known: Accept, Cancel and ReSchedule are not stated. A missing flag does not mean no.",
    ],
    [
      "are not Y or N",
      { acceptAllowed: { unknown: "unreadable-flag" } },
      "What the gateway allows is not known: Accept is stated, but neither as Y nor as N.",
    ],
    [
      "are both",
      { acceptAllowed: { unknown: "contradictory-flags" } },
      "What the gateway allows is not known: Accept is stated both as Y and as N.",
    ],
  ])("the reason says what is stated where the flags %s", (_, facts, text) => {
    expect(decideOn(acceptAll, facts).reasons[0]).toEqual({ code: "flag-unknown", text });
  });

  const onlyReschedule = { acceptAllowed: false, cancelAllowed: false, rescheduleAllowed: true };
  const noFlags = { acceptAllowed: notSent, cancelAllowed: notSent, rescheduleAllowed: notSent };
  const mixed = { acceptAllowed: { unknown: "differs-by-reference" } };

  test.each<[string, FactOverrides, string, string]>([
    ["only another flight is offered", onlyReschedule, "reschedule", "reschedule-only"],
    ["the flags are missing", noFlags, "agent", "flag-unknown"],
    ["the flag Accept is missing", { acceptAllowed: notSent }, "agent", "flag-unknown"],
    ["nothing is offered", { ...onlyReschedule, rescheduleAllowed: false }, "agent", "no-action-offered"],
    ["accepting is not offered", { acceptAllowed: false }, "agent", "accept-not-offered"],
    ["the references differ", mixed, "agent", "references-differ"],
    ["the references differ in all", { ...mixed, cancelAllowed: mixed.acceptAllowed }, "agent", "references-differ"],
    [
      "the references are in different states",
      { scheduleChangeStatus: mixed.acceptAllowed },
      "agent",
      "references-differ",
    ],
    ["it is partially accepted", { scheduleChangeStatus: "Partially-Accepted" }, "agent", "partially-accepted"],
    [
      "it is partially accepted, in capitals",
      { scheduleChangeStatus: "PARTIALLY-ACCEPTED" },
      "agent",
      "partially-accepted",
    ],
    ["somebody has rejected it", { scheduleChangeStatus: "Rejected" }, "agent", "rejected"],
    ["the booking failed", { pnrStatus: "FAILED" }, "agent", "booking-failed"],
    ["a status of the booking is not known here", { bookingStands: notSent }, "agent", "booking-status"],
    ["only children travel", { unaccompaniedMinor: true }, "agent", "unaccompanied-minor"],
    ["whether only children travel is unknown", { unaccompaniedMinor: notSent }, "agent", "unknown-fact"],
    ["the flights are impossible", { dataSuspect: true }, "agent", "data-suspect"],
    ["whether the flights are possible is unknown", { dataSuspect: notSent }, "agent", "data-suspect"],
  ])("no accept when %s", (_when, facts, queue, reasonCode) => {
    expect(decideOn(acceptAll, facts)).toMatchObject({ action: "review", queue, reasonCode });
  });

  test.each<[string, InputOverrides, string, string]>([
    ["a right is open", { legal: heldByLaw }, "legal", "legal-hold"],
    ["the law was not checked", { legal: null }, "legal", "law-not-checked"],
    ["there is no booking reference", { order: { gdsBookingReferences: [] } }, "agent", "no-booking-reference"],
    ["the traveller wants a refund", { order: { travellerAnswer: "refund" } }, "agent", "traveller-declined"],
    ["the traveller refuses", { order: { travellerAnswer: "refuse" } }, "agent", "traveller-declined"],
    ["the traveller wants another flight", { order: { travellerAnswer: "reroute" } }, "agent", "traveller-declined"],
  ])("no accept when %s", (_when, overrides, queue, reasonCode) => {
    expect(decideOn(acceptAll, {}, overrides)).toMatchObject({ action: "review", queue, reasonCode });
  });

  test("a hold that the law released does not stop an accept, nor does compensation", () => {
    const released: LegalAssessment = {
      ...noRights,
      hold: { held: false, reasons: ["Released: the traveller accepts."] },
    };

    expect(decideOn(acceptAll, {}, { legal: released, order: { travellerAnswer: "accept" } }).action).toBe("accept");
  });

  test.each(["accept", "none", "ask-traveller", "wait"])(
    "children who travel alone get a person instead of %s",
    (action) => {
      const policy = policyOf({ when: "true", do: action });

      expect(decideOn(policy, { unaccompaniedMinor: true })).toMatchObject({
        action: "review",
        queue: "agent",
        priority: 2,
        rule: "guard:unaccompanied-minor",
      });
    },
  );

  test("a rule may send children who travel alone to a queue of its own", () => {
    const policy = policyOf({ when: "unaccompaniedMinor", do: "{ review: { queue: care, priority: 1 } }" });

    expect(decideOn(policy, { unaccompaniedMinor: true })).toMatchObject({ queue: "care", priority: 1, rule: "r1" });
  });

  test("what the rules say stays among the reasons", () => {
    const decision = decideOn(acceptAll, {}, { legal: heldByLaw });

    expect(decision.rule).toBe("guard:legal-hold");
    expect(decision.reasons.map(({ code }) => code)).toEqual(["legal-hold", "reason-1"]);
    expect(decision.reasons[0]?.text).toContain("eu-261: the traveller has a right to a refund.");
  });
});

describe("what a policy sets for itself", () => {
  const limited = policyFrom(`version: 1
name: test
settings:
  protectedPassengers: [assistance, infant, child, group]
  orderValue: { EUR: 500 }
rules:
  - { name: all, when: true, do: accept, reason: all }
`);
  const plain = {
    assistanceRequested: false,
    hasInfant: false,
    hasChild: false,
    groupSize: 9,
    orderValue: "500.00",
    currency: "EUR",
  };

  test.each<[FactOverrides, string, string]>([
    [{}, "accept", "all"],
    [{ groupSize: 10 }, "review", "protected-passenger"],
    [{ assistanceRequested: true }, "review", "protected-passenger"],
    [{ hasInfant: true }, "review", "protected-passenger"],
    [{ hasChild: true }, "review", "protected-passenger"],
    [{ hasChild: notSent }, "review", "unknown-fact"],
    [{ orderValue: "500.01" }, "review", "over-value-limit"],
    [{ orderValue: notSent }, "review", "unknown-fact"],
    [{ currency: "USD" }, "review", "no-value-limit"],
    [{ currency: "constructor" }, "review", "no-value-limit"],
  ])("with %j the decision is %s (%s)", (facts, action, reasonCode) => {
    expect(decideOn(limited, { ...plain, ...facts })).toMatchObject({ action, reasonCode });
  });
});

describe("cancelling without a person", () => {
  test("happens when all is gone, nothing is flown and the refund is known", () => {
    expect(decideOn(cancelGone, gone)).toMatchObject({ action: "cancel", rule: "gone" });
  });

  test("happens when the traveller has asked for it", () => {
    const asked = { order: { travellerAnswer: "refund" as const } };

    expect(decideOn(cancelGone, { ...gone, cancelled: false }, asked)).toMatchObject({
      action: "cancel",
      rule: "asked",
    });
  });

  test.each<[string, FactOverrides, InputOverrides, string]>([
    ["the flag is N", { cancelAllowed: false }, {}, "cancel-not-offered"],
    ["the flag is missing", { cancelAllowed: notSent }, {}, "flag-unknown"],
    ["the refund is unknown", { expectedRefund: notSent }, {}, "unknown-fact"],
    ["the order is worth too much", { orderValue: "500.01" }, {}, "over-value-limit"],
    ["only children travel", { unaccompaniedMinor: true }, {}, "unaccompanied-minor"],
    ["the traveller wants another flight", {}, { order: { travellerAnswer: "reroute" } }, "traveller-declined"],
    ["there is no booking reference", {}, { order: { gdsBookingReferences: [] } }, "no-booking-reference"],
  ])("does not happen when %s", (_when, facts, overrides, reasonCode) => {
    expect(decideOn(cancelGone, { ...gone, ...facts }, overrides)).toMatchObject({ action: "review", reasonCode });
  });
});

describe("for any facts, any law and any policy", () => {
  const names = Object.keys(factCatalogue) as FactName[];
  const valueOf = (name: FactName): fc.Arbitrary<FactValue> => {
    switch (factCatalogue[name].type) {
      case "int":
        return fc.constantFrom<FactValue>(-30, 0, 1, 15, 16, 30, 31, 200, 4_320, 100_000, Number.MAX_SAFE_INTEGER);
      case "bool":
        return fc.boolean();
      case "list<string>":
        return fc.constantFrom<FactValue>([], ["LH"], ["UA", "DL"], ["PT/LIS-US/JFK"]);
      case "decimal":
        return fc.constantFrom<FactValue>("0", "499.99", "9000");
      case "string":
        return fc.constantFrom<FactValue>("", "EUR", "Initiated", "Partially-Accepted", "Rejected", "FAILED");
    }
  };
  /** Mostly as a small retiming has it, so that automatic actions are reached; the rest is anything or unknown. */
  const factOf = (name: FactName): fc.Arbitrary<Fact<FactValue>> => {
    const usual = policyInputs().facts[name];
    return fc.oneof(
      { weight: 60, arbitrary: fc.constant<Fact<FactValue>>(usual.known ? usual : known(gone[name] as FactValue)) },
      { weight: 2, arbitrary: valueOf(name).map((value) => known(value)) },
      { weight: 1, arbitrary: fc.constantFrom(unknown("hidden"), unknown("differs-by-reference")) },
    );
  };
  const facts = fc
    .tuple(...names.map(factOf))
    .map((drawn) => factsFrom((name) => drawn[names.indexOf(name)] ?? unknown("not-drawn")));
  const order: fc.Arbitrary<Partial<OrderInputs>> = fc.record({
    gdsBookingReferences: fc.constantFrom([], ["ABC123"], ["ABC123", "DEF456"]),
    changeSeenAt: fc.constantFrom(null, new Date("2026-12-30T00:00:00Z"), new Date("2027-01-01T00:30:00Z")),
    travellerAnswer: fc.constantFrom(null, "accept" as const, "refund" as const, "reroute" as const),
    customerAgreement: fc.boolean(),
    ticketIssuedOn: fc.constantFrom<Fact<string>>(unknown("not-stated"), known("2024-10-27"), known("2026-01-01")),
  });
  const legal = fc.constantFrom(noRights, noRights, noRights, heldByLaw, null);
  const policy = fc.constantFrom(
    acceptAll,
    cancelGone,
    policyOf({ when: "true", do: "none" }),
    policyOf({ when: "true", do: "wait" }),
    policyOf(
      { when: "dateChanged", do: "wait" },
      { when: "legal.held || !ticketed", do: "review" },
      { when: "true", do: "accept" },
    ),
    policyOf({ when: "1 / departureLaterMinutes > 1", do: "none" }, { when: "retimedOnly", do: "accept" }),
    ...(["cautious", "balanced", "airline-thresholds", "observe-only"] as const).map((name) => shippedPolicy(name)),
  );
  const inputs = fc
    .record({ facts, order, legal })
    .map((drawn) => inputsOf(drawn.facts, { order: drawn.order, legal: drawn.legal }));
  const settings = { numRuns: 500, seed: 20_261_121 };

  test("nothing automatic happens on an unknown, against a flag, or under a legal hold", () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(inputs, policy, (given, chosen) => {
        const decision = applyPolicy(given, chosen);
        seen[decision.action] = (seen[decision.action] ?? 0) + 1;
        const { facts: read, order: about, legal: law } = given;
        const isKnown = (name: FactName, value: FactValue) => read[name].known && read[name].value === value;
        // Nobody travels any more: such a case is only closed.
        const isOver = decision.action === "none" && isKnown("tripDeparted", true);

        if (automaticActions.includes(decision.action)) {
          expect(decision.unknownFacts).toEqual([]);
          expect(isKnown("dataSuspect", false)).toBe(true);
          expect(isOver || isKnown("unaccompaniedMinor", false)).toBe(true);
          expect(isKnown("scheduleChangeStatus", "Partially-Accepted")).toBe(false);
          expect(isKnown("scheduleChangeStatus", "Rejected") || isKnown("pnrStatus", "FAILED")).toBe(false);
          expect(isOver || isKnown("acceptAllowed", true) || isKnown("cancelAllowed", true)).toBe(true);
        }
        if (decision.action === "accept") {
          expect(isKnown("acceptAllowed", true)).toBe(true);
          expect(law?.hold.held).toBe(false);
          expect(about.gdsBookingReferences).not.toEqual([]);
          expect(["refund", "reroute"]).not.toContain(about.travellerAnswer);
        }
        if (decision.action === "cancel") {
          expect(isKnown("cancelAllowed", true) && isKnown("ticketed", true)).toBe(true);
          expect(isKnown("departedFlightCount", 0) && read.expectedRefund.known).toBe(true);
          expect(about.gdsBookingReferences).not.toEqual([]);
        }
        if (decision.action !== "wait") expect(decision.until).toBeNull();
        else expect(Date.parse(decision.until ?? "")).toBeGreaterThan(given.now.getTime());
        expect(decision.queue === null).toBe(decision.action !== "review");
      }),
      settings,
    );
    expect(Object.keys(seen)).toEqual(expect.arrayContaining(["accept", "cancel", "none", "review", "wait"]));
  });

  test("an automatic action does not depend on what is unknown", () => {
    const filling = fc.tuple(...names.map(valueOf));
    fc.assert(
      fc.property(inputs, policy, filling, (given, chosen, values) => {
        const decision = applyPolicy(given, chosen);
        if (!automaticActions.includes(decision.action)) return;
        const filled = factsFrom((name) => {
          const fact = given.facts[name];
          // A status that is left out is no doubt of its own; the flags decide.
          return fact.known || name === "scheduleChangeStatus" || name === "pnrStatus"
            ? fact
            : known(values[names.indexOf(name)] ?? 0);
        });

        expect(applyPolicy({ ...given, facts: filled }, chosen).action).toBe(decision.action);
      }),
      settings,
    );
  });

  test("deciding is total and gives the same twice, and the decision survives JSON", () => {
    fc.assert(
      fc.property(inputs, policy, (given, chosen) => {
        const decision = applyPolicy(given, chosen);

        expect(applyPolicy(given, chosen)).toEqual(decision);
        expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
      }),
      settings,
    );
  });
});

test("a policy that would need too much work asks a person", () => {
  const many = "marketingCarriers.exists(a, a == 'ZZ') || ".repeat(40);
  const policy = policyOf(...Array.from({ length: 100 }, () => ({ when: `${many}cancelled`, do: "none" })), {
    when: "true",
    do: "accept",
  });

  const decision = decideOn(policy, { marketingCarriers: Array.from({ length: 10_000 }, () => "LH") });

  expect(decision).toMatchObject({ action: "review", reasonCode: "rule-error" });
});
