import { describe, expect, test } from "vitest";
import { cancelBooking } from "../../../src/gateway/cancel-booking.ts";
import { settleChange } from "../../../src/gateway/settle-change.ts";
import { flySegments } from "../../../src/gateway/tickets.ts";
import { changedOrder, gatewayOrder, outbound } from "../../builders/gateway-order.ts";

const at = new Date("2027-01-06T10:00:00Z");
const shared = () => gatewayOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });

describe("cancelling a booking at the traveller's request", () => {
  test("responds with CANCELED with one L, leaves PnrStatus CANCELLED, and keeps the tickets open", () => {
    const { order, results, settlements } = cancelBooking(gatewayOrder(), ["LHSKD1"], at);

    expect(results).toEqual([
      { gdsBookingReference: "LHSKD1", status: "SUCCESS", message: "Booking cancelled", bookingStatus: "CANCELED" },
    ]);
    expect(order.references).toMatchObject([{ pnrStatus: "CANCELLED", scheduleChangeStatus: "", flags: null }]);
    expect(order.tickets.map((ticket) => ticket.state)).toEqual(["open"]);
    expect(settlements).toEqual([]);
  });

  test("closes the change that waits for it, without a refund", () => {
    const { order, settlements } = cancelBooking(changedOrder(), ["LHSKD1"], at);

    expect(order).toMatchObject({
      change: null,
      references: [{ pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected", flags: { accept: "N", cancel: "N" } }],
    });
    expect(settlements).toMatchObject([{ gdsBookingReference: "LHSKD1", outcome: "cancelled", settledAt: at }]);
    expect(settleChange(order, "accepted", ["LHSKD1"], at).results[0]).toMatchObject({ status: "FAILED" });
  });

  test("completes the acceptance of another reference on the same flight", () => {
    const half = settleChange(changedOrder(shared()), "accepted", ["AAA111"], at).order;

    const { order } = cancelBooking(half, ["BBB222"], at);

    expect(order.references).toMatchObject([
      { pnrStatus: "CONFIRMED", scheduleChangeStatus: "Accepted" },
      { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" },
    ]);
    expect(order.change).toBeNull();
  });

  test("takes an acceptance in part back, without a second answer to the change", () => {
    const half = settleChange(changedOrder(shared()), "accepted", ["AAA111"], at).order;

    const { order, settlements } = cancelBooking(half, ["AAA111"], at);

    expect(order.references).toMatchObject([
      { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" },
      { pnrStatus: "SCHEDULE CHANGED", scheduleChangeStatus: "Initiated" },
    ]);
    expect(settlements).toEqual([]);
  });

  test("is each for itself: one succeeds beside another that cannot be cancelled", () => {
    const { results } = cancelBooking(gatewayOrder(), ["LHSKD1", "XXX999", "LHSKD1"], at);

    expect(results).toMatchObject([
      { gdsBookingReference: "LHSKD1", status: "SUCCESS" },
      {
        gdsBookingReference: "XXX999",
        status: "FAILED",
        message: "Booking reference XXX999 does not belong to order QX7R2M1A.",
        bookingStatus: "",
      },
    ]);
  });

  test("is refused a second time, also after a cancel because of a change", () => {
    const once = cancelBooking(gatewayOrder(), ["LHSKD1"], at).order;
    const rejected = settleChange(changedOrder(), "rejected", ["LHSKD1"], at).order;

    for (const order of [once, rejected]) {
      expect(cancelBooking(order, ["LHSKD1"], at)).toMatchObject({
        order,
        results: [{ status: "FAILED", message: "Booking LHSKD1 is cancelled already.", bookingStatus: "CANCELED" }],
      });
    }
  });

  test("is possible while the withdrawal of every flight waits for an answer", () => {
    const withdrawn = changedOrder(gatewayOrder(), { kind: "cancel" });

    expect(cancelBooking(withdrawn, ["LHSKD1"], at)).toMatchObject({
      order: { references: [{ pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" }] },
      results: [{ status: "SUCCESS" }],
    });
  });

  test("is refused once a flight was flown, and for a booking that was never confirmed", () => {
    const flown = flySegments(gatewayOrder(), ["Segment1"]);
    const held = gatewayOrder({ ticketed: false });
    const failed = { ...held, references: held.references.map((one) => ({ ...one, pnrStatus: "FAILED" as const })) };

    expect(cancelBooking(flown, ["LHSKD1"], at).results).toMatchObject([
      { status: "FAILED", message: "Booking LHSKD1 was flown in part (Segment1).", bookingStatus: "CONFIRMED" },
    ]);
    expect(cancelBooking(failed, ["LHSKD1"], at).results).toMatchObject([
      { status: "FAILED", message: "Booking LHSKD1 was never confirmed: nothing to cancel.", bookingStatus: "FAILED" },
    ]);
  });
});
