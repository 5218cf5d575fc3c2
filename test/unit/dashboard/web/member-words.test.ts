import { describe, expect, test } from "vitest";
import { describePreview, describeSightings } from "../../../../src/dashboard/web/sources/member-words.ts";

const last = "That is by the statuses that were read last. Each is read again first.";

describe("what a mark does", () => {
  test.each([
    [{ waiting: 0, tried: 0, released: 0, actions: {} }, ["No case waits for it."]],
    [
      { waiting: 1, tried: 1, released: 0, actions: {} },
      ["1 case is decided anew.", "It goes on waiting for another member or order to stop.", last],
    ],
    [
      { waiting: 3, tried: 2, released: 0, actions: {} },
      [
        "3 cases are decided anew.",
        "Of these, the 2 most urgent were tried:",
        "All of them go on waiting for another member or order to stop.",
        last,
      ],
    ],
    [
      { waiting: 2, tried: 2, released: 1, actions: { accept: 1 } },
      ["2 cases are decided anew.", "1 case no longer waits for a member: 1 × accept.", last],
    ],
  ])("is said of one case and of several: %j", (preview, sentences) => {
    expect(describePreview({ number: 1, ...preview })).toEqual(sentences);
  });
});

test.each([
  [1, 0, 1, "1 order, with a change, in 1 view"],
  [1, 1, 3, "1 order, without a change, in 3 views"],
  [4, 0, 4, "4 orders, all with a change, in 4 views"],
  [4, 1, 4, "4 orders, 1 of them without a change, in 4 views"],
  [4, 4, 9, "4 orders, all without a change, in 9 views"],
])(
  "orders that state a member are counted by whether they have a change: %i, %i",
  (orders, unchangedOrders, views, words) => {
    expect(describeSightings({ orders, unchangedOrders, views })).toBe(words);
  },
);
