import { expect, test } from "vitest";
import { failedReads } from "../../../../src/dashboard/web/case/failed-reads.ts";

test("failed readings of the booking come from decisions and postponed attempts, newest first, with what to do", () => {
  const view = {
    decisions: [
      { rule: "cancelled", decidedAt: "2026-11-20T12:00:00.000Z", reasons: [] },
      { rule: "check:status", decidedAt: "2026-11-20T10:00:00.000Z", reasons: [{ code: "x", text: "HTTP 404." }] },
    ],
    timeline: [
      { kind: "case.opened", at: "2026-11-20T09:00:00.000Z", detail: {} },
      { kind: "case.postponed", at: "2026-11-20T11:00:00.000Z", detail: { code: "y", message: "No response." } },
    ],
  } as unknown as Parameters<typeof failedReads>[0];

  expect(failedReads(view)).toEqual([
    { at: "2026-11-20T11:00:00.000Z", text: "No response.", advice: "It is tried again automatically." },
    {
      at: "2026-11-20T10:00:00.000Z",
      text: "HTTP 404.",
      advice: "Look the order up at the gateway or the airline, then re-check.",
    },
  ]);
});
