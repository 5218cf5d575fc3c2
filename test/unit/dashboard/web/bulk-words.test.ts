import { describe, expect, test } from "vitest";
import type { BulkCommandView } from "../../../../src/dashboard/web/api/responses.ts";
import { describeBulkCommand, describeSkipped } from "../../../../src/dashboard/web/bulk-actions/bulk-words.ts";

describe("a bulk action", () => {
  test.each<[Omit<BulkCommandView, "note">, string]>([
    [{ action: "accept" }, "Accept the airline's change"],
    [{ action: "cancel", confirm: "12" }, "Cancel the whole order"],
    [{ action: "assign", assignee: "ana" }, "Assign to ana"],
    [{ action: "assign", assignee: null }, "Unassign"],
    [{ action: "snooze", until: "2026-12-24T18:00:00" }, "Snooze until 24 Dec 2026, 18:00:00"],
    [{ action: "close", reasonCode: "no-longer-travelling" }, "Close without action: no longer travelling"],
    [{ action: "close" }, "Close without action"],
    [
      { action: "traveller-asked", channel: "sms", happenedAt: "2026-11-21T08:00:00Z" },
      "Traveller asked (text message)",
    ],
  ])("%j is described in one line, with its parameters", (command, line) => {
    expect(describeBulkCommand({ ...command, note: null })).toBe(line);
  });

  test("names why cases were skipped, and nothing about those that were accepted", () => {
    const counts = { total: 1_300, waiting: 4, accepted: 90, refused: 1_200, conflict: 0, notFound: 6 };

    expect(describeSkipped(counts)).toEqual(["1,200 not possible", "6 not found"]);
    expect(describeSkipped({ ...counts, refused: 0, conflict: 2, notFound: 0 })).toEqual(["2 changed meanwhile"]);
    expect(describeSkipped({ ...counts, refused: 0, notFound: 0 })).toEqual([]);
  });
});
