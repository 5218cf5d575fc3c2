import { expect, test } from "vitest";
import { toggleRange } from "../../../../src/dashboard/web/components/toggle-range.ts";

const ids = ["a", "b", "c", "d", "e"];

test.each([
  ["selects one row without another to begin at", [], null, "c", ["c"]],
  ["deselects one row", ["c"], null, "c", []],
  ["selects all rows down to the second", ["b"], "b", "d", ["b", "c", "d"]],
  ["selects all rows up to the second", ["d"], "d", "b", ["b", "c", "d"]],
  ["deselects all rows from the first", ["a", "b", "c", "d"], "b", "d", ["a"]],
  ["keeps what is selected elsewhere", ["a", "e"], "c", "d", ["a", "c", "d", "e"]],
  ["selects one row if the first has left the list", [], "x", "c", ["c"]],
])("a range of rows: %s", (_, selected, from, to, expected) => {
  expect([...toggleRange(ids, new Set(selected), from, to)].toSorted()).toEqual(expected);
});
