import { describe, expect, test } from "vitest";
import { readZoneTable } from "../../../src/travel/read-zone-table.ts";

const table = {
  release: "2026f",
  published: "2026-10-29",
  source: "a test",
  zones: { "Europe/Berlin": { start: 60, changes: [] } },
  links: { "Europe/Vienna": "Europe/Berlin" },
};

describe("a table of time zones", () => {
  test("is read with its links", () => {
    expect(readZoneTable(table)).toEqual(table);
  });

  test("is refused if a name is a zone and a link, because two offsets are stated for it", () => {
    const links = { "Europe/Berlin": "Europe/Berlin" };

    expect(() => readZoneTable({ ...table, links })).toThrow(
      "This is no table of time zones: Europe/Berlin is a zone and a link to Europe/Berlin, and can be only one.",
    );
  });

  test("is refused if a link leads to no zone", () => {
    expect(() => readZoneTable({ ...table, links: { "Europe/Vienna": "Europe/Wien" } })).toThrow(
      "Europe/Vienna is linked to Europe/Wien, which the table lacks",
    );
  });
});
