import { expect, test } from "vitest";
import { describeShare, sumTraffic } from "../../../../src/dashboard/web/gateway/traffic-words.ts";

test.each([
  [0, 0, 0, "–"],
  [10, 0, 0, "100 %"],
  [0, 3, 0, "0 %"],
  [199, 1, 0, "99.5 %"],
  [99_999, 1, 0, "99.9 %"],
  [10, 0, 990, "1 %"],
])("of %p delivered, %p dead and %p late, %p arrived", (delivered, dead, late, shown) => {
  expect(describeShare({ delivered, dead, late })).toBe(shown);
});

test("the oldest of all recipients counts as the oldest", () => {
  const none = { pending: 0, oldestPendingAt: null, late: 5, delivered: 1, superseded: 2, dead: 3 };
  const some = { ...none, pending: 4 };
  const older = "2026-11-21T10:00:00.000Z";
  const newer = "2026-11-21T11:00:00.000Z";

  expect(
    sumTraffic([
      { ...none, recipientId: "a" },
      { ...some, recipientId: "b", oldestPendingAt: newer },
      { ...some, recipientId: "c", oldestPendingAt: older },
    ]),
  ).toEqual({ pending: 8, oldestPendingAt: older, late: 15, delivered: 3, superseded: 6, dead: 9 });
  expect(sumTraffic([])).toEqual({ pending: 0, oldestPendingAt: null, late: 0, delivered: 0, superseded: 0, dead: 0 });
});
