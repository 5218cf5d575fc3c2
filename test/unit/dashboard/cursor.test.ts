import { describe, expect, test } from "vitest";
import { readCursor, writeCursor } from "../../../src/dashboard/api/cursor.ts";

const position = { at: "2026-11-20T10:00:00.123456Z", id: "019aa000-0000-7000-8000-000000000000" };

describe("a cursor", () => {
  test("is safe in a URL and comes back as it was", () => {
    const cursor = writeCursor("cases", position);

    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readCursor("cases", cursor)).toEqual(position);
  });

  test("means nothing in another list", () => {
    expect(readCursor("notifications", writeCursor("cases", position))).toBeNull();
  });

  test("of a list by urgency holds the priority, and one without it is refused", () => {
    const urgent = { ...position, priority: 2 };

    expect(readCursor("cases-urgency", writeCursor("cases-urgency", urgent))).toEqual(urgent);
    expect(readCursor("cases", writeCursor("cases-urgency", urgent))).toBeNull();
    expect(readCursor("cases-urgency", writeCursor("cases-urgency", position))).toBeNull();
    expect(readCursor("cases-urgency", writeCursor("cases-urgency", { ...position, priority: 10 }))).toBeNull();
  });

  test.each([
    "2026-02-29T10:00:00.000000Z",
    "2026-13-01T10:00:00.000000Z",
    "2026-11-20T24:00:01.000000Z",
    "2026-11-20T10:00:00.123Z",
    "0000-01-01T00:00:00.000000Z",
  ])("with the instant %s is refused before PostgreSQL sees it", (at) => {
    expect(readCursor("cases", writeCursor("cases", { ...position, at }))).toBeNull();
  });

  test("of a leap day is read", () => {
    const at = "2028-02-29T10:00:00.000000Z";

    expect(readCursor("cases", writeCursor("cases", { ...position, at }))).toEqual({ ...position, at });
  });
});
