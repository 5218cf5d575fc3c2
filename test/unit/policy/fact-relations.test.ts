import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import type { Itinerary, ItinerarySegment, LocalPoint } from "../../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
import { known } from "../../../src/kernel/fact.ts";
import { conditionOf } from "../../../src/policy/condition.ts";
import { type ConditionInputs, toConditionInputs } from "../../../src/policy/condition-inputs.ts";
import { definitionOf, variableNames } from "../../../src/policy/condition-names.ts";
import { evaluateCondition } from "../../../src/policy/evaluate-condition.ts";
import { anyOrderView, steadyAirports } from "../../builders/arbitrary-order-view.ts";
import { inputsOf } from "./policy-inputs.ts";

const relations = variableNames.flatMap((name) =>
  (definitionOf(name).implies ?? []).map((text) => ({ name, text, condition: conditionOf(text) })),
);

/** What the catalogue says of facts beside their meaning; `policy check` concludes from it which rules can never decide. */
describe("what a fact implies, its least value and its texts", () => {
  test("hold for any change, and each relation is met by one", () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(anyChange(), (inputs) => {
        for (const { name, text, condition } of relations) {
          const fact = inputs.read(name);
          if (!fact.known || fact.value !== true) continue;
          met.add(`${name}: ${text}`);
          expect({ name, text, holds: evaluateCondition(condition, inputs, null) }).toEqual({
            name,
            text,
            holds: true,
          });
        }
        for (const name of variableNames) {
          const { atLeast, values } = definitionOf(name);
          const fact = inputs.read(name);
          if (!fact.known) continue;
          if (atLeast !== undefined)
            expect({ name, value: Number(fact.value) >= atLeast }).toEqual({ name, value: true });
          if (values !== undefined)
            expect({ name, in: values }).toEqual({ name, in: expect.arrayContaining([fact.value]) });
        }
      }),
      { numRuns: 400, seed: 20_261_122 },
    );
    expect(relations.map(({ name, text }) => `${name}: ${text}`).filter((relation) => !met.has(relation))).toEqual([]);
  });
});

/** Flights as booked, some of which are changed in one or a few of their values, withdrawn, or replaced by two. */
function anyChange(): fc.Arbitrary<ConditionInputs> {
  return fc
    .tuple(
      fc.oneof(anyOrderView(), anyOrderView(steadyAirports)),
      fc.array(anyStatus, { minLength: 8, maxLength: 8 }),
      fc.constantFrom("CONFIRMED", "CANCELLED"),
      fc.date({ min: new Date("2025-01-01"), max: new Date("2031-01-01"), noInvalidDate: true }),
    )
    .map(([json, statuses, pnrStatus, now]) => {
      const reading = readOrderView(json);
      if (!reading.ok) throw new Error(reading.problem.message);
      const { view } = reading;
      const shown = readProposal(view, "QX7R2M1A")!;
      const segments = shown.current.segments.map((flight) => ({ ...flight, cabinType: "C", rbd: "D" }));
      const booked = { ...shown.current, segments };
      const proposed = applyStatuses(booked, statuses);
      const proposal: Proposal = { ...shown, proposed, suspicions: [], pnrStatus: known(pnrStatus) };
      const order = orderPartsOf(view, proposal.orderId);
      const passengers = view.passengers;
      const facts = computeFacts({
        booked,
        accepted: booked,
        proposal,
        passengers,
        gateway: interfaceDocument,
        order,
        now,
      });
      return toConditionInputs(inputsOf(facts, { now }));
    });
}

type ServiceStatus = "withdrawn" | "by two" | ((flight: ItinerarySegment) => ItinerarySegment);

const atEnd = (end: "departure" | "arrival", change: Partial<LocalPoint>): ServiceStatus => {
  return (flight) => ({ ...flight, [end]: { ...flight[end], ...change } });
};
const withValue = (change: Partial<ItinerarySegment>): ServiceStatus => {
  return (flight) => ({ ...flight, ...change });
};

const anyChangeOfOne: fc.Arbitrary<ServiceStatus> = fc.oneof(
  fc.constantFrom<ServiceStatus>("withdrawn", "by two"),
  fc.constantFrom(null, "9", "8").map((marketingFlightNumber) => withValue({ marketingFlightNumber })),
  fc.constantFrom(null, "BA", "IB").map((marketingCarrier) => withValue({ marketingCarrier })),
  fc.constantFrom("BA", "IB").map((operatingCarrier) => withValue({ operatingCarrier })),
  fc.constantFrom(null, "320", "388", "AT7").map((aircraftCode) => withValue({ aircraftCode })),
  fc.constantFrom(null, 0, 1, 3).map((stops) => withValue({ stops })),
  fc.constantFrom(null, "F", "C", "Y").map((cabinType) => withValue({ cabinType })),
  fc.constantFrom(null, "Q", "L").map((rbd) => withValue({ rbd })),
  fc.constantFrom(null, "BASIC", "FLEX").map((brandId) => withValue({ brandId })),
  fc.constantFrom("LGW", "EWR", null).map((airport) => atEnd("departure", { airport })),
  fc.constantFrom("LGW", "EWR", "FRA").map((airport) => atEnd("arrival", { airport })),
  fc.constantFrom("1", "2", "3").map((terminal) => atEnd("arrival", { terminal })),
  fc.constantFrom("00:05", "12:00", null).map((time) => atEnd("departure", { time })),
  fc.constantFrom("2025-06-01", "2029-06-01", null).map((date) => atEnd("arrival", { date })),
);

const anyStatus = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly ServiceStatus[]>([]) },
  { weight: 3, arbitrary: fc.array(anyChangeOfOne, { minLength: 1, maxLength: 2 }) },
);

function applyStatuses(booked: Itinerary, statuses: readonly (readonly ServiceStatus[])[]): Itinerary {
  const becomes = booked.segments.map((flight, position) => {
    const changes = statuses[position] ?? [];
    if (changes.includes("withdrawn")) return [];
    const changed = changes.reduce((was, change) => (typeof change === "string" ? was : change(was)), flight);
    if (!changes.includes("by two")) return [changed];
    const stop = { airport: "MAD", date: flight.departure.date, time: flight.departure.time, terminal: null };
    return [
      { ...changed, arrival: stop },
      { ...changed, departure: stop },
    ];
  });
  const starts = becomes.map((_, position) => becomes.slice(0, position).flat().length);
  return {
    segments: becomes.flat(),
    journeys: booked.journeys.map((journey) => ({
      ...journey,
      segments: journey.segments.flatMap((position) => becomes[position]!.map((_, part) => starts[position]! + part)),
    })),
  };
}
