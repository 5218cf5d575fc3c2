import { describe, expect, test } from "vitest";
import { cabins } from "../../../../src/gateway/supply/offer.ts";
import { cabinLayouts, columnNames } from "../../../../src/gateway/supply/simulated/cabin-layouts.ts";

const aircraft = ["E90", "320", "321", "333", "77W", "388", "an aircraft that nobody knows"];
const everyLayout = aircraft.flatMap((code) =>
  cabins.flatMap((cabin) =>
    cabinLayouts(code, cabin).map((layout) => [`${code} ${cabin} ${layout.deck}`, layout] as const),
  ),
);

describe.each(everyLayout)("the cabin %s", (_, layout) => {
  const isRow = (row: number) => row >= layout.firstRow && row <= layout.lastRow && !layout.missingRows.includes(row);

  test("has exits and leg room only in rows that exist", () => {
    expect(layout.firstRow).toBeLessThan(layout.lastRow);
    expect([...layout.exitRows, ...layout.legRoomRows].filter((row) => !isRow(row))).toEqual([]);
    expect(layout.legRoomRows).toEqual(expect.arrayContaining([...layout.exitRows]));
  });

  test("misses seats only where it has a row and a column", () => {
    for (const [row, columns] of Object.entries(layout.missingSeats)) {
      expect(isRow(Number(row))).toBe(true);
      expect(columnNames(layout)).toEqual(expect.arrayContaining([...columns]));
    }
  });

  test("names each column once, with seats at both ends and on both sides of an aisle", () => {
    expect(new Set(columnNames(layout)).size).toBe(columnNames(layout).length);
    expect(layout.columns).toMatch(/^[A-K]+( [A-K]+)+$/);
  });
});

test("a cabin that an aircraft lacks is sold as its economy cabin", () => {
  expect(cabinLayouts("E90", "F")).toEqual(cabinLayouts("E90", "Y"));
  expect(cabinLayouts("77W", "F")).not.toEqual(cabinLayouts("77W", "Y"));
});

test("an aircraft with two decks has economy on both", () => {
  expect(cabinLayouts("388", "Y").map(({ deck }) => deck)).toEqual(["Main", "Upper"]);
});
