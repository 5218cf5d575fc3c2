import fc from "fast-check";
import { expect, test } from "vitest";
import { type JourneyChange, journeyChangeFactNames } from "../../../../src/itinerary/journey-changes.ts";
import { type Fact, known, unknown } from "../../../../src/kernel/fact.ts";
import type { LegalVerdict } from "../../../../src/policy/legal/assessment.ts";
import { evaluateLegal } from "../../../../src/policy/legal/evaluate-legal.ts";
import type { LegalInput } from "../../../../src/policy/legal/legal-input.ts";
import { legalPresets } from "../../../../src/policy/legal/presets.ts";
import { aJourney, legalInput } from "./legal-cases.ts";

const airports = [
  "LIS",
  "FRA",
  "LHR",
  "JFK",
  "LAX",
  "SJU",
  "YYZ",
  "GRU",
  "GIG",
  "DEL",
  "IST",
  "AYT",
  "AKL",
  "FDF",
  "QQQ",
];
const carriers = ["LH", "BA", "AA", "AC", "TK", "ZZ", null];
const reasons = fc.constantFrom("unknown-arrival", "withdrawn", "ambiguous-time", "removed-or-unknown");

function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> {
  return fc.oneof(
    { weight: 3, arbitrary: value.map(known) },
    { weight: 1, arbitrary: reasons.map((reason) => unknown<T>(reason)) },
  );
}

const minutes = fc.oneof(fc.constantFrom(0, 30, 31, 60, 61, 120, 121, 179, 180, 240, 300, 359, 360, 540), fc.nat(2000));

const factArbitraries = Object.fromEntries(
  journeyChangeFactNames.map((name) => {
    if (name.endsWith("Minutes")) return [name, maybe(minutes)];
    if (name.endsWith("Count")) return [name, maybe(fc.nat(3))];
    return [name, name === "journeyDistanceKm" ? maybe(fc.nat(12_000)) : maybe(fc.boolean())];
  }),
);

const journeys: fc.Arbitrary<JourneyChange> = fc
  .record({
    route: fc.array(fc.constantFrom(...airports), { minLength: 2, maxLength: 4 }),
    carrier: fc.array(fc.constantFrom(...carriers), { minLength: 3, maxLength: 3 }),
    date: fc.constantFrom("2027-03-14", "2027-03-28", "2027-10-31", "2027-11-07", "2028-02-29", null, "no date"),
    time: fc.constantFrom("01:30", "02:30", "12:00", null),
    facts: fc.record(factArbitraries),
  })
  .map(({ route, carrier, date, time, facts }) => ({
    ...aJourney({ route: route.join("-"), carriers: carrier }),
    departure: { airport: route[0] ?? null, date, time },
    facts: facts as unknown as JourneyChange["facts"],
  }));

const instants = fc.date({
  min: new Date("2026-06-01T00:00:00Z"),
  max: new Date("2028-06-01T00:00:00Z"),
  noInvalidDate: true,
});
const maybeInstants = fc.option(instants);

const inputs: fc.Arbitrary<LegalInput> = fc
  .record({
    journeys: fc.array(journeys, { maxLength: 3 }),
    assistance: maybe(fc.boolean()),
    held: maybe(fc.boolean()),
    now: instants,
    presets: fc.subarray(legalPresets.map(({ id }) => id)),
    merchantOfRecord: fc.constantFrom("agency" as const, "carrier" as const, null),
    payment: fc.constantFrom("card" as const, "other" as const, null),
    travellerInformedAt: maybeInstants,
    travellerAnswer: fc.option(
      fc.record({ choice: fc.constantFrom("accept" as const, "refund" as const, "reroute" as const), at: instants }),
    ),
    customerAgreement: fc.boolean(),
    refundDueFrom: maybeInstants,
    timeZone: fc.constantFrom("UTC", "America/New_York", "Pacific/Chatham", "nowhere"),
  })
  .map(({ now, ...rest }) => ({ ...legalInput(rest), now }));

test("any input gets an assessment, always the same one, which survives being stored", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const assessment = evaluateLegal(input);

      expect(evaluateLegal(structuredClone(input))).toEqual(assessment);
      expect(JSON.parse(JSON.stringify(assessment))).toEqual(assessment);
    }),
    { numRuns: 100 },
  );
});

test("facts that were stored before they were computed count as unknown", () => {
  fc.assert(
    fc.property(inputs, fc.subarray([...journeyChangeFactNames]), (input, stored) => {
      const older = input.journeys.map((journey) => ({
        ...journey,
        facts: Object.fromEntries(
          stored.map((name) => [name, journey.facts[name]]),
        ) as unknown as JourneyChange["facts"],
      }));
      const facts = {} as LegalInput["facts"];

      expect(() => evaluateLegal({ ...input, facts, journeys: older })).not.toThrow();
    }),
  );
});

test("every verdict that is unknown names a fact, and no other does", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const wrong = evaluateLegal(input).verdicts.filter(
        ({ verdict, unknownFact, journey, because }) =>
          (unknownFact !== null) !== (verdict === "cannot-tell") ||
          (journey !== null) !== (verdict !== "not-entitled") ||
          because === "",
      );

      expect(wrong).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("nothing is unheld while a refund or another flight is open, but by an answer or an agreement", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { verdicts, hold, presets } = evaluateLegal(input);
      const isOpen = verdicts.some(
        ({ right, verdict }) => right === "refund-or-rerouting" && verdict !== "not-entitled",
      );
      const isBlind = input.journeys.length === 0 && presets.length > 0;
      const { travellerAnswer, customerAgreement } = input.context;
      const isReleased = travellerAnswer === null ? customerAgreement : travellerAnswer.choice === "accept";

      expect(hold.held).toBe((isOpen || isBlind) && !isReleased);
    }),
    { numRuns: 100 },
  );
});

test("a larger move never takes a right away", () => {
  const moves = journeyChangeFactNames.filter((name) => name.endsWith("Minutes"));
  fc.assert(
    fc.property(inputs, fc.constantFrom(...moves), fc.nat(1000), fc.nat(2), (input, move, more, at) => {
      const position = at % Math.max(1, input.journeys.length);
      const fact = input.journeys[position]?.facts[move] as Fact<number> | undefined;
      fc.pre(fact?.known === true);
      const larger = input.journeys.map((journey, index) =>
        index === position ? { ...journey, facts: { ...journey.facts, [move]: known(fact.value + more) } } : journey,
      );

      const before = strengths(evaluateLegal(input).verdicts);
      const after = strengths(evaluateLegal({ ...input, journeys: larger }).verdicts);

      expect([...before].filter(([name, strength]) => (after.get(name) ?? 0) < strength)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("learning a fact never turns a settled verdict around", () => {
  fc.assert(
    fc.property(journeys, fc.constantFrom(...journeyChangeFactNames), reasons, (journey, name, reason) => {
      const blurred = { ...journey, facts: { ...journey.facts, [name]: unknown(reason) } };
      const input = legalInput({ journeys: [journey], presets: legalPresets.map(({ id }) => id) });

      const clear = strengths(evaluateLegal(input).verdicts);
      const unclear = strengths(evaluateLegal({ ...input, journeys: [blurred] }).verdicts);

      const settled = [...unclear].filter(([, strength]) => strength !== undetermined);
      expect(settled.filter(([trigger, strength]) => clear.get(trigger) !== strength)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

const undetermined = 1;

/** By preset and trigger, of all journeys: 0 not entitled, 1 cannot tell, 2 entitled. */
function strengths(verdicts: readonly LegalVerdict[]): ReadonlyMap<string, number> {
  const order = ["not-entitled", "cannot-tell", "entitled"];
  const strongest = new Map<string, number>();
  for (const { preset, trigger, verdict } of verdicts) {
    const name = `${preset} ${trigger}`;
    strongest.set(name, Math.max(strongest.get(name) ?? 0, order.indexOf(verdict)));
  }
  return strongest;
}
