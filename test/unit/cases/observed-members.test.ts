import { describe, expect, test } from "vitest";
import { exampleOf, observedIn } from "../../../src/cases/observed-members.ts";
import { memberMarksOf, noMarks, valueDigestOf } from "../../../src/itinerary/member-marks.ts";

const code = (path: string, value: string | null) => ({ path, class: "code" as const, value, word: null });
const other = (path: string, value: string) => ({ path, class: "other" as const, value, word: null });

describe("what is kept of a statement", () => {
  test("is the path, and for a code its value by digest", () => {
    const statements = [code("Order.TourKind", "Guided"), other("Order.TourId", "TOUR-123456789")];

    expect(observedIn({ statements, values: [] }, noMarks)).toEqual([
      { path: "Order.TourKind", valueDigest: null, class: "code", word: null, example: "Guided" },
      {
        path: "Order.TourKind",
        valueDigest: valueDigestOf("Guided"),
        class: "code",
        word: null,
        example: "Guided",
      },
      { path: "Order.TourId", valueDigest: null, class: "other", word: null, example: "XXXX-999999999" },
    ]);
  });

  test("is nothing if it is marked", () => {
    const marks = memberMarksOf([{ path: "Order.Tours", valueDigest: null, reason: "ids of tours" }]);

    expect(observedIn({ statements: [other("Order.Tours.Id", "1234567890123456")], values: [] }, marks)).toEqual([]);
  });

  test("is each path once, as one that can be marked itself if any of its values can", () => {
    const statements = [code("Order.Tour", "Guided"), other("Order.Tour", "1234567890123456")];

    const [whole, ...values] = observedIn({ statements, values: [] }, noMarks);

    expect(whole).toMatchObject({ path: "Order.Tour", valueDigest: null, class: "other" });
    expect(values).toHaveLength(1);
  });

  test("has no value that cannot be said", () => {
    expect(observedIn({ statements: [code("Order.Tour", null)], values: [] }, noMarks)).toMatchObject([
      { valueDigest: null, example: null },
    ]);
  });
});

describe("an example", () => {
  test.each([
    ["a short code", code("Order.TourKind", "GUIDED-2"), "GUIDED-2"],
    ["a text of several words", code("Order.Hint", "Call Anna Müller"), "Xxxx Xxxx Xxxxxx"],
    ["a word in an element about a person", code("DataLists.PassengerList.Passengers.Nick", "Anna"), "Xxxx"],
    ["a long number", code("Order.Hint", "123456"), "999999"],
    ["an id", other("Order.Locator", "X7K2PQ"), "X9X9XX"],
  ])("of %s shows no more than it may", (_, statement, example) => {
    expect(exampleOf(statement)).toBe(example);
  });

  test("is cut", () => {
    expect(exampleOf(other("Order.Hint", "a".repeat(200)))).toBe(`${"x".repeat(60)}…`);
  });
});
