import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { statusBody } from "../../../src/gateway/order-view-body.ts";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import { settleChange } from "../../../src/gateway/settle-change.ts";
import { changedOrder, gatewayOrder, outbound } from "../../builders/gateway-order.ts";

const at = new Date("2027-01-06T10:00:00Z");
const shared = () => gatewayOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });

describe("accepting a change", () => {
  test("makes the new flight the booked one and closes the change", () => {
    const { order, results, settlements } = settleChange(changedOrder(), "accepted", ["LHSKD1"], at);

    expect(results).toEqual([{ gdsBookingReference: "LHSKD1", status: "SUCCESS", errorMessage: "", refund: null }]);
    expect(settlements).toMatchObject([{ gdsBookingReference: "LHSKD1", outcome: "accepted", settledAt: at }]);
    expect(order.change).toBeNull();
    expect(segmentsOf(order)[0]).toMatchObject({ Departure: { Time: "07:30:00" }, Arrival: { Time: "11:40:00" } });
  });

  test("leaves an order view that says Accepted, with the indicator up, flags down and nothing pending", () => {
    const { order } = settleChange(changedOrder(), "accepted", ["LHSKD1"], at);
    const body = statusBody(order, undefined);

    expect(orderViewResponseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body.OrderViewRS.Order[0]).toMatchObject({
      PnrStatus: "CONFIRMED",
      ScheduleChangeIndicator: true,
      ScheduleChangeStatus: "Accepted",
      ScheduleChange: [{ AmendmentsActions: { Accept: "N", Cancel: "N", ReSchedule: "N" } }],
    });
    expect(body.OrderViewRS.DataLists.ScheduleChangeSegmentList).toEqual({ ScheduleChangeSegment: [] });
  });

  test("leaves an order without tickets PENDING", () => {
    const { order } = settleChange(changedOrder(gatewayOrder({ ticketed: false })), "accepted", ["LHSKD1"], at);

    expect(order.references[0]?.pnrStatus).toBe("PENDING");
  });

  test("takes effect in full when only a part was shown", () => {
    const changed = changedOrder(gatewayOrder(), {
      kind: "retime",
      departureMinutes: 20,
      arrivalMinutes: 40,
      partial: "departure-only",
    });

    expect(segmentsOf(settleChange(changed, "accepted", ["LHSKD1"], at).order)[0]).toMatchObject({
      Departure: { Time: "07:30:00" },
      Arrival: { Time: "12:00:00" },
    });
  });

  test("gives flights that replace one keys of their own, wherever the order refers to it", () => {
    const changed = changedOrder(gatewayOrder(), {
      kind: "replace",
      with: [
        { ...outbound, to: "MUC", arrival: "2027-03-14T11:00" },
        { ...outbound, from: "MUC", departure: "2027-03-14T12:00", arrival: "2027-03-14T13:00" },
      ],
    });

    const { content } = settleChange(changed, "accepted", ["LHSKD1"], at).order;

    expect(content.DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey)).toEqual([
      "Segment1",
      "Segment3",
      "Segment2",
    ]);
    expect(content.DataLists.FlightList.Flight[0]).toMatchObject({
      SegmentReferences: "Segment1 Segment3",
      Journey: { Stops: 1 },
    });
    expect(content.DataLists.OriginDestinationList.OriginDestination[0]).toMatchObject({
      DepartureCode: "LIS",
      ArrivalCode: "FRA",
    });
    expect(content.Order[0]?.OfferItem[0]?.FareComponent?.[0]).toMatchObject({
      SegmentRefs: "Segment1 Segment3 Segment2",
      FareBasis: { RBD: "Q Q Q", FareBasisCode: { Code: "QNR7AV QNR7AV QNR7AV" } },
    });
    expect(content.Order[0]?.BaggageAllowance).toMatchObject([{ SegmentRefs: "Segment1 Segment3 Segment2" }]);
  });

  test("removes a withdrawn flight with everything that referred to it", () => {
    const changed = changedOrder(gatewayOrder(), { kind: "cancel", flightIndex: 1, flags: { accept: "Y" } });

    const { order } = settleChange(changed, "accepted", ["LHSKD1"], at);

    expect(order.references[0]).toMatchObject({ pnrStatus: "CONFIRMED", scheduleChangeStatus: "Accepted" });
    expect(segmentsOf(order)).toHaveLength(1);
    expect(order.content.DataLists.FlightList.Flight).toHaveLength(1);
    expect(order.content.DataLists.OriginDestinationList.OriginDestination).toHaveLength(1);
    expect(order.content.Order[0]?.OfferItem[0]?.Service).toMatchObject([{ FlightRefs: "Flight1" }]);
  });

  test("of the withdrawal of every flight leaves the booking CANCELLED", () => {
    const changed = changedOrder(gatewayOrder(), { kind: "cancel", flags: { accept: "Y" } });

    const { order } = settleChange(changed, "accepted", ["LHSKD1"], at);

    expect(order.references[0]).toMatchObject({ pnrStatus: "CANCELLED", scheduleChangeStatus: "Accepted" });
    expect(segmentsOf(order)).toEqual([]);
  });

  test("fails a second time, and says that it was accepted", () => {
    const once = settleChange(changedOrder(), "accepted", ["LHSKD1"], at).order;

    const { order, results, settlements } = settleChange(once, "accepted", ["LHSKD1"], at);

    expect(results[0]).toMatchObject({
      status: "FAILED",
      errorMessage: "No schedule change is pending for LHSKD1 (Accepted): nothing to accept.",
    });
    expect(settlements).toEqual([]);
    expect(order).toBe(once);
  });

  test.each(["N", null] as const)("fails while its flag is %p", (accept) => {
    const changed = changedOrder(gatewayOrder(), { kind: "retime", departureMinutes: 5, flags: { accept } });

    expect(settleChange(changed, "accepted", ["LHSKD1"], at).results[0]).toMatchObject({
      status: "FAILED",
      errorMessage: "The airline does not allow to accept this change for LHSKD1.",
    });
  });

  test("fails for a reference of another order and succeeds for its own, in one response", () => {
    const { results } = settleChange(changedOrder(), "accepted", ["LHSKD1", "XXX999", "LHSKD1"], at);

    expect(results).toMatchObject([
      { gdsBookingReference: "LHSKD1", status: "SUCCESS" },
      { status: "FAILED", errorMessage: "Booking reference XXX999 does not belong to order QX7R2M1A." },
    ]);
  });

  test("is partial until every reference on the flight has answered, and only then moves it", () => {
    const half = settleChange(changedOrder(shared()), "accepted", ["AAA111"], at).order;

    expect(half.references).toMatchObject([
      { scheduleChangeStatus: "Partially-Accepted", pnrStatus: "SCHEDULE CHANGED" },
      { scheduleChangeStatus: "Initiated", flags: { accept: "Y" } },
    ]);
    expect(segmentsOf(half)[0]).toMatchObject({ Departure: { Time: "07:10:00" } });

    const whole = settleChange(half, "accepted", ["BBB222"], at).order;

    expect(whole.references).toMatchObject([
      { scheduleChangeStatus: "Accepted", pnrStatus: "CONFIRMED" },
      { scheduleChangeStatus: "Accepted", pnrStatus: "CONFIRMED" },
    ]);
    expect(segmentsOf(whole)[0]).toMatchObject({ Departure: { Time: "07:30:00" } });
    expect(whole.change).toBeNull();
  });

  test("completes for one reference when the other gives up its booking", () => {
    const half = settleChange(changedOrder(shared()), "accepted", ["AAA111"], at).order;

    const whole = settleChange(half, "rejected", ["BBB222"], at).order;

    expect(whole.references).toMatchObject([
      { scheduleChangeStatus: "Accepted", pnrStatus: "CONFIRMED" },
      { scheduleChangeStatus: "Rejected", pnrStatus: "CANCELLED" },
    ]);
    expect(segmentsOf(whole)[0]).toMatchObject({ Departure: { Time: "07:30:00" } });
  });
});

describe("cancelling because of a change", () => {
  test("cancels the booking, keeps its flights, and refunds every ticket to the cent", () => {
    const family = gatewayOrder({ passengers: [{}, {}, { ptc: "CHD" }], baseFare: "123.45" });

    const { order, results } = settleChange(changedOrder(family), "rejected", ["LHSKD1"], at);

    expect(order.references).toMatchObject([
      { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected", flags: { accept: "N", cancel: "N" } },
    ]);
    expect(order.change).toBeNull();
    expect(segmentsOf(order)[0]).toMatchObject({ Departure: { Time: "07:10:00" } });
    const refund = results[0]?.refund;
    expect(refund?.amount).toBe(family.content.Order[0]?.TotalPrice?.BookingCurrencyPrice);
    expect(refund?.tickets.map((ticket) => ticket.amount)).toEqual([308.63, 308.63, 231.48]);
    expect(refund?.tickets[0]?.ticketNumber).toMatch(/^220\d{10}$/);
  });

  test("refunds nothing when nothing was ticketed", () => {
    const changed = changedOrder(gatewayOrder({ ticketed: false }));

    expect(settleChange(changed, "rejected", ["LHSKD1"], at).results[0]?.refund).toEqual({
      amount: 0,
      currency: "USD",
      text: "No ticket was issued, so nothing is refunded.",
      tickets: [],
    });
  });

  test("fails after an accept, and an accept after it", () => {
    const accepted = settleChange(changedOrder(), "accepted", ["LHSKD1"], at).order;
    const cancelled = settleChange(changedOrder(), "rejected", ["LHSKD1"], at).order;

    expect(settleChange(accepted, "rejected", ["LHSKD1"], at).results[0]).toMatchObject({
      status: "FAILED",
      errorMessage: "No schedule change is pending for LHSKD1 (Accepted): nothing to cancel.",
    });
    expect(settleChange(cancelled, "accepted", ["LHSKD1"], at).results[0]).toMatchObject({
      status: "FAILED",
      errorMessage: "No schedule change is pending for LHSKD1 (Rejected): nothing to accept.",
    });
  });

  test("fails when no change is pending at all", () => {
    expect(settleChange(gatewayOrder(), "rejected", ["LHSKD1"], at).results[0]).toMatchObject({
      status: "FAILED",
      errorMessage: "No schedule change is pending for LHSKD1: nothing to cancel.",
    });
  });

  test("leaves nothing that could change later", () => {
    const cancelled = settleChange(changedOrder(), "rejected", ["LHSKD1"], at).order;

    expect(() => changedOrder(cancelled)).toThrow("No booking reference of order QX7R2M1A still flies that segment.");
  });
});

function segmentsOf(order: GatewayOrder) {
  return order.content.DataLists.FlightSegmentList.FlightSegment;
}
