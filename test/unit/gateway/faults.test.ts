import { describe, expect, test } from "vitest";
import { faultKinds, faultSchema } from "../../../src/gateway/fault-kinds.ts";
import { createFaults } from "../../../src/gateway/faults.ts";
import { gatewayOrder } from "../../builders/gateway-order.ts";

const status = "AirReservationStatus";

describe("faults of transport", () => {
  test("are taken as often as they were set, the oldest first", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: status, mode: "reset", times: 2 }));
    faults.set(faultSchema.parse({ operation: status, mode: "http-500" }));

    const modes = [1, 2, 3, 4].map(() => faults.takeTransport(status, "A")?.mode ?? null);

    expect(modes).toEqual(["reset", "reset", "http-500", null]);
  });

  test("leave other operations and other orders alone", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: status, mode: "reset", orderId: "A" }));

    expect(faults.takeTransport("AirOrderInvoluntaryAccept", "A")).toBeNull();
    expect(faults.takeTransport(status, "B")).toBeNull();
    expect(faults.takeTransport(status, null)).toBeNull();
    expect(faults.takeTransport(status, "A")).toMatchObject({ mode: "reset" });
  });

  test("can be cleared before they occur", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: status, mode: "reset" }));

    faults.clear();

    expect(faults.list()).toEqual([]);
    expect(faults.takeTransport(status, "A")).toBeNull();
  });
});

describe("faults of meaning and of notifications", () => {
  test("are taken by mode, for their order, and only where they fit", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ mode: "replaced-proposal", orderId: "A", at: "accept" }));

    expect(faults.take("mixed-results", "A")).toBeNull();
    expect(faults.take("replaced-proposal", "B")).toBeNull();
    expect(faults.take("replaced-proposal", "A", ({ at }) => at === "read")).toBeNull();
    expect(faults.take("replaced-proposal", "A", ({ at }) => at === "accept")).toMatchObject({
      change: { kind: "retime", departureMinutes: 180 },
    });
    expect(faults.take("replaced-proposal", "A")).toBeNull();
  });

  test("show a stale order until its time is over, and not at that time", () => {
    const faults = createFaults();
    const order = gatewayOrder();
    faults.saveStale(order, new Date(2_000));

    expect(faults.staleOrder(order.orderId, new Date(1_999))).toBe(order);
    expect(faults.staleOrder("OTHER", new Date(1_999))).toBeNull();
    expect(faults.staleOrder(order.orderId, new Date(2_000))).toBeNull();
  });

  test("hold a notification back once", () => {
    const faults = createFaults();
    faults.delayNotification("A");

    expect([faults.releaseNotification("B"), faults.releaseNotification("A"), faults.releaseNotification("A")]).toEqual(
      [false, true, false],
    );
  });
});

test("every kind of fault can be set with its mode, and with an operation when it is one of transport", () => {
  for (const { mode, family, description } of faultKinds) {
    const fault = family === "transport" ? { mode, operation: status } : { mode };
    expect(faultSchema.parse(fault)).toMatchObject({ mode, times: 1 });
    expect(description).toMatch(/\.$/);
  }
});
