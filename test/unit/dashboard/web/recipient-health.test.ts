import { expect, test } from "vitest";
import type { Recipient } from "../../../../src/dashboard/web/deliveries/delivery-api.ts";
import { currentHold, describeHealth } from "../../../../src/dashboard/web/deliveries/recipient-health.ts";

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
