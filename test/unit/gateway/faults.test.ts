import { describe, expect, test } from "@jest/globals";
import { createFaults, faultSchema } from "../../../src/gateway/faults.ts";

describe("faults", () => {
  test("are taken as often as they were set, the oldest first", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: "AirReservationStatus", mode: "reset", times: 2 }));
    faults.set(faultSchema.parse({ operation: "AirReservationStatus", mode: "http-500" }));

    const modes = [1, 2, 3, 4].map(() => faults.take("AirReservationStatus", "A")?.mode ?? null);

    expect(modes).toEqual(["reset", "reset", "http-500", null]);
  });

  test("leave other operations and other orders alone", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: "AirReservationStatus", mode: "reset", orderId: "A" }));

    expect(faults.take("AirOrderInvoluntaryAccept", "A")).toBeNull();
    expect(faults.take("AirReservationStatus", "B")).toBeNull();
    expect(faults.take("AirReservationStatus", "A")).toMatchObject({ mode: "reset" });
  });

  test("can be cleared", () => {
    const faults = createFaults();
    faults.set(faultSchema.parse({ operation: "AirReservationStatus", mode: "reset" }));

    faults.clear();

    expect(faults.list()).toEqual([]);
    expect(faults.take("AirReservationStatus", "A")).toBeNull();
  });
});
