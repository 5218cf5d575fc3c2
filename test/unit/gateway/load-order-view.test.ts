import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { loadOrderView } from "../../../src/gateway/load-order-view.ts";
import { statusBody } from "../../../src/gateway/order-view-body.ts";
import { settleChange } from "../../../src/gateway/settle-change.ts";

const at = new Date("2027-01-06T10:00:00Z");
const changeId = "01890000-0000-7000-8000-000000000001";
const folder = new URL("../../../samples/", import.meta.url);
const samples = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("loading an order view", () => {
  test.each(samples)("serves %s as it came in", (name) => {
    const sample = readSample(name);

    const { order } = loadOrderView(sample, changeId, at);

    const served: unknown = JSON.parse(JSON.stringify(statusBody(order, undefined)));
    expect(readOrderView(served)).toEqual(readOrderView(sample));
    expect(Object.keys((served as Sample).OrderViewRS).sort()).toEqual(
      Object.keys(sample.OrderViewRS)
        .filter((key) => key !== "threeDsResponse")
        .sort(),
    );
    expect((served as Sample).OrderViewRS.Payments).toEqual(sample.OrderViewRS.Payments);
  });

  test("accepts a view without its root", () => {
    const { order } = loadOrderView(readSample("ocn-minor-delay.json").OrderViewRS, changeId, at);

    expect(order.orderId).toBe("QX7R2M1A");
  });

  test("completes an arrival that follows from departure and length", () => {
    const { order, change } = loadOrderView(readSample("ocn-minor-delay.json"), changeId, at);

    expect(change).toMatchObject({ kind: "loaded", announcement: "not-announced", references: ["LHSKD1"] });
    const accepted = settleChange(order, "accepted", ["LHSKD1"], at);
    expect(accepted.results[0]?.status).toBe("SUCCESS");
    expect(accepted.order.content.DataLists.FlightSegmentList.FlightSegment[0]).toMatchObject({
      Departure: { AirportCode: "LIS", Time: "07:30:00", AirportName: "Humberto Delgado" },
      Arrival: { AirportCode: "FRA", Time: "11:40:00" },
    });
  });

  test("accepts a replacement by two flights", () => {
    const { order } = loadOrderView(readSample("ocn-replaced-by-two.json"), changeId, at);

    const accepted = settleChange(order, "accepted", ["ACSKD3"], at).order;

    expect(accepted.content.DataLists.FlightSegmentList.FlightSegment).toMatchObject([
      { SegmentKey: "Segment1", Arrival: { AirportCode: "FRA" } },
      { SegmentKey: "Segment2", Arrival: { AirportCode: "YYZ" } },
    ]);
  });

  test("knows a flight that is named without new values as withdrawn", () => {
    const { order } = loadOrderView(readSample("ocn-cancelled.json"), changeId, at);

    expect(order.change?.segments).toEqual([{ segmentKey: "Segment1", details: [], becomes: [] }]);
    expect(settleChange(order, "accepted", ["AISKD4"], at).results[0]?.status).toBe("FAILED");
    expect(settleChange(order, "rejected", ["AISKD4"], at).results[0]).toMatchObject({
      status: "SUCCESS",
      refund: { amount: 215.4 },
    });
  });

  test("has nothing pending when the view states no change", () => {
    const sample = readSample("ocn-minor-delay.json");
    const [order] = sample.OrderViewRS.Order;
    const { ScheduleChangeSegmentList: _, ...DataLists } = sample.OrderViewRS["DataLists"] as Record<string, unknown>;
    const Order = [{ ...order, ScheduleChange: [], ScheduleChangeIndicator: false }];
    const calm = { ...sample.OrderViewRS, Order, DataLists };

    expect(loadOrderView(calm, changeId, at)).toMatchObject({ order: { change: null }, change: null });
  });

  test.each([
    ["no flags", [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }]],
    ["only new values", []],
  ])("has a change pending that states %s, with unknown flags", (_, ScheduleChange) => {
    const sample = readSample("ocn-minor-delay.json");
    const Order = [{ ...sample.OrderViewRS.Order[0], ScheduleChange, ScheduleChangeStatus: "" }];

    const { order } = loadOrderView({ ...sample.OrderViewRS, Order }, changeId, at);

    expect(order.change).toMatchObject({ segments: [{ becomes: [{ Departure: { Time: "07:30:00" } }] }] });
    expect(order.references).toMatchObject([{ flags: null }]);
  });

  test.each<[string, (view: Sample["OrderViewRS"]) => unknown, string]>([
    ["no order", (view) => ({ ...view, Order: [] }), "The order view cannot be loaded"],
    ["no segments", (view) => ({ ...view, DataLists: {} }), "The order view cannot be loaded"],
    [
      "two orders",
      (view) => ({ ...view, Order: [view.Order[0], { ...view.Order[0], OrderID: "OTHER" }] }),
      "/orderView/Order holds the orders QX7R2M1A, OTHER. Load them one by one.",
    ],
    [
      "one reference twice",
      (view) => ({ ...view, Order: [view.Order[0], view.Order[0]] }),
      "/orderView/Order/1/GdsBookingReference is that of another element of Order. Give each its own.",
    ],
    [
      "a segment key twice",
      (view) => withSegments(view, ([segment]) => [segment, segment]),
      "/orderView/DataLists/FlightSegmentList/FlightSegment/1/SegmentKey is that of another segment. Give each its own.",
    ],
    [
      "a time that no clock shows",
      (view) => withSegments(view, ([segment]) => [{ ...segment, Departure: { Time: "25:99:00" } }]),
      "must be a time, such as 07:10:00",
    ],
    [
      "a day that is not in the calendar",
      (view) => withSegments(view, ([segment]) => [{ ...segment, Departure: { Date: "2027-02-30" } }]),
      "must be a date, such as 2027-03-14",
    ],
    [
      "a status that does not exist",
      (view) => ({ ...view, Order: [{ ...view.Order[0], PnrStatus: "LOST" }] }),
      "/orderView/Order/0/PnrStatus is 'LOST'. It must be one of: CONFIRMED, PENDING",
    ],
    [
      "new values of a flight that it does not list",
      (view) => withNewValues(view, ([entry]) => [entry, { ...entry, SegmentKey: "Segment9" }]),
      "/orderView/DataLists/ScheduleChangeSegmentList/ScheduleChangeSegment/1/SegmentKey is Segment9, which is no FlightSegment. Add the flight as it was booked.",
    ],
    [
      "two entries of new values for one flight",
      (view) => withNewValues(view, ([entry]) => [entry, entry]),
      "/orderView/DataLists/ScheduleChangeSegmentList/ScheduleChangeSegment/1/SegmentKey is that of another entry. Give each flight one, with all its new values.",
    ],
  ])("refuses a view with %s", (_, spoil, message) => {
    const spoiled = spoil(readSample("ocn-minor-delay.json").OrderViewRS);

    const act = () => loadOrderView(spoiled, changeId, at);

    expect(act).toThrow(expect.objectContaining({ code: "gateway.unusable_order_view" }));
    expect(act).toThrow(message);
  });
});

interface Sample {
  readonly OrderViewRS: { readonly Order: readonly Record<string, unknown>[]; readonly [name: string]: unknown };
}

function withSegments(
  view: Sample["OrderViewRS"],
  change: (segments: readonly object[]) => readonly unknown[],
): Sample["OrderViewRS"] {
  const lists = view["DataLists"] as { FlightSegmentList: { FlightSegment: readonly object[] } };
  const FlightSegment = change(lists.FlightSegmentList.FlightSegment);
  return { ...view, DataLists: { ...lists, FlightSegmentList: { FlightSegment } } };
}

function withNewValues(
  view: Sample["OrderViewRS"],
  change: (entries: readonly object[]) => readonly unknown[],
): Sample["OrderViewRS"] {
  const lists = view["DataLists"] as { ScheduleChangeSegmentList: { ScheduleChangeSegment: readonly object[] } };
  const ScheduleChangeSegment = change(lists.ScheduleChangeSegmentList.ScheduleChangeSegment);
  return { ...view, DataLists: { ...lists, ScheduleChangeSegmentList: { ScheduleChangeSegment } } };
}

function readSample(name: string): Sample {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Sample;
}
