import { expect, test } from "vitest";
import { readNotification } from "../../../src/contract/notification.ts";
import { testNotification, testOrderId } from "../../../src/sender/test-notification.ts";

test("a test notification is one that the contract's reader takes, of the reserved order and without a change", () => {
  const read = readNotification(testNotification());

  expect(read).toMatchObject({ ok: true });
  expect(JSON.parse(testNotification().toString()).OrderViewRS.Order).toEqual([
    expect.objectContaining({ OrderID: testOrderId, ScheduleChangeIndicator: false, ScheduleChange: [] }),
  ]);
});
