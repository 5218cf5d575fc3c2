import { describe, expect, test } from "vitest";
import { isChangeable, isKnownMove, setReferenceState, stateTransitions } from "../../../src/gateway/order-states.ts";
import { type BookingReference, pnrStatuses, scheduleChangeStatuses } from "../../../src/gateway/ports.ts";

const confirmed: BookingReference = {
  gdsBookingReference: "LHSKD1",
  pnrStatus: "CONFIRMED",
  scheduleChangeIndicator: false,
  scheduleChangeStatus: "",
  flags: null,
};

describe("the states of a booking reference", () => {
  test("move along the table", () => {
    const to = { pnrStatus: "SCHEDULE CHANGED", scheduleChangeStatus: "Initiated" } as const;

    expect(setReferenceState(confirmed, "change", to)).toEqual({ ...confirmed, ...to });
  });

  test("do not leave it, and say what was tried", () => {
    const cancelled: BookingReference = { ...confirmed, pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" };
    const to = { pnrStatus: "CONFIRMED", scheduleChangeStatus: "Accepted" } as const;

    expect(() => setReferenceState(cancelled, "accept", to)).toThrow(
      expect.objectContaining({
        code: "gateway.unknown_transition",
        message: "accept cannot move LHSKD1 from CANCELLED (Rejected) to CONFIRMED (Accepted).",
      }),
    );
  });

  test("that are rejected or failed are final, whatever happens, except that a loaded booking may lose its tickets", () => {
    const states = pnrStatuses.flatMap((pnrStatus) =>
      scheduleChangeStatuses.map((scheduleChangeStatus) => ({ pnrStatus, scheduleChangeStatus })),
    );
    const triggers = [...new Set(stateTransitions.map((row) => row.trigger))];
    const from = [
      { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" } as const,
      { pnrStatus: "FAILED", scheduleChangeStatus: "Rejected" } as const,
    ];

    for (const state of from) {
      expect(triggers.flatMap((trigger) => states.filter((to) => isKnownMove(trigger, state, to)))).toEqual([]);
    }
  });

  test.each([
    ["CONFIRMED", "", true],
    ["CANCELLED", "Initiated", true],
    ["CANCELLED", "Partially-Accepted", true],
    ["CANCELLED", "", false],
    ["CANCELLED", "Accepted", false],
    ["CANCELLED", "Rejected", false],
    ["CONFIRMED", "Rejected", false],
    ["FAILED", "", false],
  ] as const)("of %s with '%s' can still be changed by an airline: %p", (pnrStatus, scheduleChangeStatus, expected) => {
    expect(isChangeable({ pnrStatus, scheduleChangeStatus })).toBe(expected);
  });

  test("use every value of both statuses", () => {
    const targets = stateTransitions.map((row) => row.to);

    expect(new Set(targets.map((to) => to.scheduleChangeStatus))).toEqual(
      new Set(["same", "Initiated", "Accepted", "Rejected", "Partially-Accepted"]),
    );
    expect(new Set(targets.map((to) => to.pnrStatus))).toEqual(
      new Set(["same", ...pnrStatuses.filter((status) => status !== "")]),
    );
  });
});
