import { describe, expect, test } from "vitest";
import { factWords } from "../../../../src/dashboard/web/case/fact-formats.ts";
import { describeSeverityFacts, groupFacts } from "../../../../src/dashboard/web/case/fact-words.ts";
import { factCatalogue } from "../../../../src/itinerary/fact-catalogue.ts";
import { severityFactNames } from "../../../../src/itinerary/severity.ts";
import { type Fact, known, unknown } from "../../../../src/kernel/fact.ts";
import { factLabels, labelOfFact } from "../../../../src/policy/fact-labels.ts";

function shown(name: string, fact: Fact<unknown>) {
  return groupFacts({ [name]: fact }).flatMap(({ facts }) => facts)[0]!;
}

describe("the words for facts", () => {
  const named = Object.values(factLabels).flatMap((labels) => Object.keys(labels));

  test("name no fact that there is not, and none twice", () => {
    expect(named.filter((name) => !(name in factCatalogue))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect(Object.keys(factWords).filter((name) => !named.includes(name))).toEqual([]);
  });

  test("name every fact that may make a change severe", () => {
    expect(severityFactNames.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("a fact without words is shown under its own name", () => {
    expect(groupFacts({ someNewFact: known(7) })).toEqual([
      { title: "More", facts: [expect.objectContaining({ label: "Some new fact", value: "7", isQuiet: false })] },
    ]);
    expect(labelOfFact("someNewFact")).toBe("Some new fact");
  });

  test.each([
    ["departureLaterMinutes", 95, "1 h 35 min later", false],
    ["departureLaterMinutes", 0, "no", true],
    ["journeyElapsedDeltaMinutes", -20, "−20 min", false],
    ["shortestConnectionMinutes", 1_000_000, "no connection", true],
    ["returnCoherent", true, "yes", true],
    ["returnCoherent", false, "no", false],
    ["ticketed", false, "no", false],
  ])("say %s %p as '%s'", (name, value, printed, isQuiet) => {
    expect(shown(name, known(value))).toMatchObject({ value: printed, isQuiet });
  });

  test("name the currency beside the order value", () => {
    const facts = { orderValue: known("412.5"), currency: known("USD") };

    expect(groupFacts(facts).flatMap((group) => group.facts)).toMatchObject([
      { name: "orderValue", value: "USD 412.50" },
      { name: "currency", isQuiet: true },
    ]);
  });

  test("fold away what is unknown without anything being amiss, and nothing else that is unknown", () => {
    expect(shown("flappingCount", unknown("no-history"))).toMatchObject({
      isQuiet: true,
      unknownBecause: "no earlier changes are stored",
    });
    expect(shown("cancelled", unknown("removed-or-unknown"))).toMatchObject({ isQuiet: false });
  });
});

describe("what made a change severe", () => {
  const severityFacts = ["removedFlightCount", "departureEarlierMinutes", "departureLaterMinutes"];
  const withdrawn = { departureEarlierMinutes: unknown("withdrawn"), departureLaterMinutes: unknown("withdrawn") };

  test("leaves out what is unknown beside what is known, so that no flight departs earlier and later", () => {
    const facts = { removedFlightCount: known(1), ...withdrawn };
    expect(describeSeverityFacts({ severityFacts, facts })).toBe("Flights removed");
  });

  test("names what is unknown if nothing is known", () => {
    expect(describeSeverityFacts({ severityFacts: severityFacts.slice(1), facts: withdrawn })).toBe(
      "not known: Departs earlier, Departs later",
    );
  });

  test("is nothing for a change that is not severe", () => {
    expect(describeSeverityFacts({ severityFacts: [], facts: {} })).toBe("");
  });
});
