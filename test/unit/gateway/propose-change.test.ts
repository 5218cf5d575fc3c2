import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { type ChangeRequest, changeRequestSchema } from "../../../src/gateway/change-request.ts";
import { notificationBody, statusBody } from "../../../src/gateway/order-view-body.ts";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import { changedOrder, gatewayOrder, inbound, outbound } from "../../builders/gateway-order.ts";

describe("a change by an airline", () => {
  test("moves a flight and shows the whole new segment", () => {
    const view = viewOf(changedOrder());

    expect(view.Order[0]).toMatchObject({
      PnrStatus: "SCHEDULE CHANGED",
      ScheduleChangeIndicator: true,
      ScheduleChangeStatus: "Initiated",
      ScheduleChange: [
        { FlightKey: "Flight1", SegmentRefs: "Segment1" },
        { AmendmentsActions: { Accept: "Y", Cancel: "Y", ReSchedule: "N" } },
      ],
    });
    expect(view.DataLists.ScheduleChangeSegmentList?.ScheduleChangeSegment).toMatchObject([
      {
        SegmentKey: "Segment1",
        SegmentDetails: [{ Departure: { Time: "07:30:00" }, Arrival: { Time: "11:40:00" } }],
      },
    ]);
    expect(view.DataLists.FlightSegmentList.FlightSegment[0]).toMatchObject({ Departure: { Time: "07:10:00" } });
  });

  test("shows no more than departure and length when asked to", () => {
    const change: ChangeRequest = { kind: "retime", departureMinutes: 20, partial: "departure-and-duration" };

    expect(detailsOf(changedOrder(gatewayOrder(), change))).toEqual([
      [
        {
          Departure: { Date: "2027-03-14", Time: "07:30:00", Terminal: { Name: "" } },
          FlightDetail: { FlightDuration: { Value: "3 H 10 M" } },
        },
      ],
    ]);
  });

  test("shows the departure alone when asked to", () => {
    const change: ChangeRequest = { kind: "retime", departureMinutes: -15, partial: "departure-only" };

    expect(detailsOf(changedOrder(gatewayOrder(), change))).toEqual([
      [{ Departure: { Date: "2027-03-14", Time: "06:55:00", Terminal: { Name: "" } } }],
    ]);
  });

  test("changes the length with the arrival", () => {
    const change: ChangeRequest = { kind: "retime", departureMinutes: 0, arrivalMinutes: 25 };

    expect(detailsOf(changedOrder(gatewayOrder(), change))).toMatchObject([
      [{ Arrival: { Time: "11:45:00" }, FlightDetail: { FlightDuration: { Value: "3 H 35 M" } } }],
    ]);
  });

  test("changes a flight number alone", () => {
    expect(detailsOf(changedOrder(gatewayOrder(), { kind: "renumber", flightNumber: "9167" }))).toEqual([
      [
        {
          MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "9167" },
          OperatingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "9167" },
        },
      ],
    ]);
  });

  test("leaves an operating carrier alone that nobody states", () => {
    const order = gatewayOrder({ flights: [{ ...outbound, operatingCarrier: null }] });

    expect(detailsOf(changedOrder(order, { kind: "renumber", flightNumber: "9167" }))).toMatchObject([
      [{ OperatingCarrier: { AirlineID: null, FlightNumber: null } }],
    ]);
  });

  test("puts several flights in the place of one", () => {
    const change: ChangeRequest = {
      kind: "replace",
      with: [
        { from: "LIS", to: "MUC", departure: "2027-03-14T08:00", arrival: "2027-03-14T12:00", flightNumber: "1789" },
        { from: "MUC", to: "FRA", departure: "2027-03-14T13:00", arrival: "2027-03-14T14:00", flightNumber: "97" },
      ],
    };

    expect(detailsOf(changedOrder(gatewayOrder(), change))).toMatchObject([
      [
        { Departure: { AirportCode: "LIS" }, Arrival: { AirportCode: "MUC" } },
        { Departure: { AirportCode: "MUC" }, Arrival: { AirportCode: "FRA" } },
      ],
    ]);
  });

  test("withdraws every flight, so the booking is cancelled and nothing can be accepted", () => {
    const view = viewOf(changedOrder(gatewayOrder(), { kind: "cancel" }));

    expect(view.Order[0]).toMatchObject({
      PnrStatus: "CANCELLED",
      ScheduleChange: [
        { FlightKey: "Flight1", SegmentRefs: "Segment1" },
        { FlightKey: "Flight2", SegmentRefs: "Segment2" },
        { AmendmentsActions: { Accept: "N", Cancel: "Y", ReSchedule: "N" } },
      ],
    });
    expect(view.DataLists.ScheduleChangeSegmentList?.ScheduleChangeSegment).toEqual([]);
  });

  test("withdraws one flight of several without cancelling the booking", () => {
    const view = viewOf(changedOrder(gatewayOrder(), { kind: "cancel", flightIndex: 1 }));

    expect(view.Order[0]).toMatchObject({
      PnrStatus: "SCHEDULE CHANGED",
      ScheduleChange: [{ FlightKey: "Flight2", SegmentRefs: "Segment2" }, expect.anything()],
    });
  });

  test("concerns only the booking references that fly the segment", () => {
    const order = changedOrder(gatewayOrder({ gdsBookingReferences: ["AAA111", "BBB222"] }), {
      kind: "retime",
      flightIndex: 1,
      departureMinutes: 5,
    });

    expect(order.change.references).toEqual(["BBB222"]);
    expect(viewOf(order).Order).toMatchObject([
      { PnrStatus: "CONFIRMED", ScheduleChangeIndicator: false, ScheduleChange: [] },
      { PnrStatus: "SCHEDULE CHANGED", ScheduleChangeIndicator: true },
    ]);
  });

  test("takes flags that differ by reference, and leaves out those that are null", () => {
    const shared = gatewayOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });
    const order = changedOrder(shared, {
      kind: "retime",
      departureMinutes: 5,
      flags: { reSchedule: "Y", cancel: null },
      flagsByReference: { BBB222: { accept: "N" } },
    });

    expect(viewOf(order).Order.map((element) => element.ScheduleChange?.at(-1))).toEqual([
      { AmendmentsActions: { Accept: "Y", ReSchedule: "Y" } },
      { AmendmentsActions: { Accept: "N", ReSchedule: "Y" } },
    ]);
  });

  test("carries along what an earlier change, not answered yet, does to other flights", () => {
    const first = changedOrder();
    const second = changedOrder(first, { kind: "retime", flightIndex: 1, departureMinutes: 60 }, "second");

    expect(second.change).toMatchObject({
      id: "second",
      segments: [{ segmentKey: "Segment1" }, { segmentKey: "Segment2" }],
    });
  });

  test("allows the same answer whether two changes come one after the other or combined", () => {
    const retiming = { kind: "retime", departureMinutes: 60 } as const;
    const withdrawal = { kind: "cancel", flightIndex: 1 } as const;

    const after = changedOrder(changedOrder(gatewayOrder(), retiming), withdrawal);

    expect(after.references).toMatchObject([{ flags: { accept: "Y", cancel: "Y" } }]);
    expect(after.references).toEqual(
      changedOrder(gatewayOrder(), { kind: "combined", parts: [retiming, withdrawal] }).references,
    );
  });

  test("measures from the booked flight when the same flight changes again", () => {
    const again = changedOrder(changedOrder(), { kind: "retime", departureMinutes: 5 });

    expect(detailsOf(again)).toMatchObject([[{ Departure: { Time: "07:15:00" } }]]);
  });

  test.each<[string, ChangeRequest, string, string]>([
    [
      "a segment that the order does not have",
      { kind: "retime", segmentKey: "Segment9", departureMinutes: 5 },
      "gateway.unknown_segment",
      "Order QX7R2M1A has no flight Segment9. It has: Segment1 LH1167 LIS-FRA, Segment2 LH1172 FRA-LIS.",
    ],
    [
      "a position that the order does not have",
      { kind: "cancel", flightIndex: 2 },
      "gateway.unknown_segment",
      "Order QX7R2M1A has no flight 3. It has: 1 LH1167 LIS-FRA, 2 LH1172 FRA-LIS.",
    ],
    [
      "flags of a reference that the order does not have",
      { kind: "retime", departureMinutes: 5, flagsByReference: { XXX999: {} } },
      "gateway.unknown_reference",
      "Order QX7R2M1A has no booking reference XXX999. It has: LHSKD1.",
    ],
    [
      "a flight that would arrive before it leaves",
      { kind: "retime", departureMinutes: 200, arrivalMinutes: 0 },
      "gateway.change_not_expressible",
      "Segment1 would arrive before it leaves. Ask for another change.",
    ],
  ])("refuses %s", (_, change, code, message) => {
    expect(thrownBy(() => changedOrder(gatewayOrder(), change))).toMatchObject({ code, message });
  });

  test("cannot state a length that it does not know", () => {
    const order = gatewayOrder({ flights: [{ ...outbound, to: "XXB" }] });
    const change: ChangeRequest = { kind: "retime", departureMinutes: 5, partial: "departure-and-duration" };

    expect(thrownBy(() => changedOrder(order, change))).toMatchObject({
      code: "gateway.change_not_expressible",
      message: "Segment1 has no length that is known. Ask for another change.",
    });
  });

  test.each<[string, ChangeRequest]>([
    ["retime", { kind: "retime", departureMinutes: 20 }],
    ["retime in part", { kind: "retime", departureMinutes: 20, partial: "departure-and-duration" }],
    ["renumber", { kind: "renumber", flightNumber: "1" }],
    ["replace", { kind: "replace", flightIndex: 1, with: [{ ...inbound, aircraft: "388" }] }],
    ["cancel", { kind: "cancel" }],
  ])("makes a notification that satisfies the strict contract: %s", (_, change) => {
    const body: unknown = JSON.parse(notificationBody(changedOrder(gatewayOrder(), change)).toString());

    expect(orderViewResponseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({ OrderViewRS: { Success: {}, MetaData: {}, threeDsResponse: "" } });
  });

  test("is refused when it cannot be read", () => {
    expect(changeRequestSchema.safeParse({ kind: "swap" }).success).toBe(false);
    expect(changeRequestSchema.safeParse({ kind: "retime" }).success).toBe(false);
    expect(changeRequestSchema.safeParse({ kind: "retime", departureMinutes: 1.5 }).success).toBe(false);
  });
});

function viewOf(order: GatewayOrder) {
  return statusBody(order, undefined).OrderViewRS as unknown as ReturnType<
    typeof orderViewResponseSchema.parse
  >["OrderViewRS"];
}

function detailsOf(order: GatewayOrder) {
  return order.change?.segments.map((segment) => segment.details);
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
