import { describe, expect, test } from "vitest";
import { describeSuspicions } from "../../../src/itinerary/suspicion-words.ts";
import { itineraryOf } from "../../builders/fact-values.ts";

describe("what is wrong with flights as sent", () => {
  const current = itineraryOf("LIS 07:10 FRA 11:20");

  test.each([
    ["arrives-before-departure:Segment1", "LH1167 LIS-FRA arrives before it leaves"],
    ["unknown-departure:Segment1", "LH1167 LIS-FRA has no complete departure"],
    ["unknown-departure:Segment9", "a flight has no complete departure"],
    ["incomplete-journey:Segment1", "LH1167 LIS-FRA is part of a journey with a flight that is not listed"],
    ["other-destination:IST VIE", "the journey goes to IST, and its flights end at VIE"],
    ["unlisted-flight:Flight7", "a changed flight is not listed"],
    ["unknown-cancelled-flights:ABC123", "the flights of the cancelled booking ABC123 cannot be told"],
    ["something-new:Segment1", "something new in LH1167 LIS-FRA"],
    ["something-new:Segment9", "something new in the flights"],
  ])("%s is said in words", (suspicion, words) => {
    expect(describeSuspicions([suspicion], current, current)).toEqual([words]);
  });

  test("names a time that contradicts the clock of its airport, and both readings", () => {
    const [flight] = current.segments;
    const contradiction = "11:35 UTC, and FRA is at +2";
    const proposed = {
      ...current,
      segments: [{ ...flight!, arrival: { ...flight!.arrival, time: null, contradiction } }],
    };

    expect(describeSuspicions(["offset-contradicted:Segment1"], current, proposed)).toEqual([
      "LH1167 LIS-FRA states 11:35 UTC, and FRA is at +2",
    ]);
  });

  test("is stated once", () => {
    expect(describeSuspicions(["unlisted-flight:Flight7", "unlisted-flight:Flight8"], current, current)).toHaveLength(
      1,
    );
  });
});
