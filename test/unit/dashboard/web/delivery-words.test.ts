import { expect, test } from "@jest/globals";
import type { Recipient } from "../../../../src/dashboard/web/deliveries/delivery-api.ts";
import {
  currentHold,
  describeHealth,
  describeShare,
  sumTraffic,
} from "../../../../src/dashboard/web/deliveries/delivery-words.ts";

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

test("the reason of a recipient that retries is a plain sentence", () => {
  const trouble = {
    code: "sender.connect_failed",
    message: "connect ECONNREFUSED 10.0.0.1:80",
    at: "2026-11-21T10:00:00.000Z",
  };
  const recipient = { state: "active", stateReason: null, hold: null, failing: null, trouble } as unknown as Recipient;

  expect(describeHealth(recipient, new Date())).toMatchObject({
    label: "Retrying",
    meaning: "No connection can be made.",
  });
});

test("a recipient is on hold until the time that is named, and no longer", () => {
  const hold = { until: "2026-11-21T10:00:00.000Z", because: "throttled" } as const;

  expect(currentHold({ hold }, new Date("2026-11-21T09:59:59.999Z"))).toBe(hold);
  expect(currentHold({ hold }, new Date("2026-11-21T10:00:00.000Z"))).toBeNull();
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
