import { expect, test } from "vitest";
import { filterChips, queryOf, readFilters, selectionOf } from "../../../../src/dashboard/web/queue/queue-filters.ts";

const now = new Date("2026-11-21T10:00:00Z");

function read(address: string) {
  const filters = readFilters(new URLSearchParams(address));
  return { asked: queryOf(filters), chips: filterChips(filters, now).map(({ text }) => text) };
}

test("a time in the address is an instant, or a local time of the browser", () => {
  const { asked, chips } = read("openedFrom=2026-11-21T09:12:00Z&departsBefore=2026-11-22T09:12");

  expect(asked).toMatchObject({
    openedFrom: "2026-11-21T09:12:00.000Z",
    departsBefore: new Date(2026, 10, 22, 9, 12).toISOString(),
  });
  expect(chips).toHaveLength(2);
});

test("a time in the address that is none is no filter", () => {
  const { asked, chips } = read("openedFrom=yesterdayZ&departsBefore=soon");

  expect(asked).not.toHaveProperty("openedFrom");
  expect(asked).not.toHaveProperty("departsBefore");
  expect(chips).toEqual([]);
});

test("a state in the address counts instead of the group of states, and stands above the list", () => {
  const filters = readFilters(new URLSearchParams("show=waiting&state=accept-pending,cancel-pending"));

  expect(selectionOf(filters).states).toEqual(["accept-pending", "cancel-pending"]);
  expect(selectionOf({ ...filters, q: "LH400" }).states).toEqual(["accept-pending", "cancel-pending"]);
  expect(filterChips(filters, now)).toEqual([
    { text: "State: Accept pending or Cancel pending", without: { state: "" } },
  ]);
});

test("a state in the address that is none is no filter", () => {
  expect(selectionOf(readFilters(new URLSearchParams("state=asked"))).states).toEqual([
    "awaiting-agent",
    "ask-traveller",
  ]);
});
