import { describe, expect, test } from "vitest";
import { readNotification } from "../../../src/contract/notification.ts";
import { readNotifiedOrders } from "../../../src/contract/notified-orders.ts";
import {
  orderIdsOf,
  orderViewsIn,
  readLocatedView,
  readOrderViews,
  viewOfOrder,
} from "../../../src/contract/order-views.ts";
import { readTravellers } from "../../../src/contract/read-travellers.ts";
import { anOrderView, bytesOf } from "../../builders/order-view.ts";

function viewOf(orderId: string, gdsBookingReference: string): { readonly OrderViewRS: object } {
  return anOrderView({ orderId, gdsBookingReference });
}

const [first, second] = [viewOf("A1", "R1"), viewOf("A2", "R2")];

describe("a list of several order views", () => {
  test.each<[string, unknown]>([
    ["as the body", [first, second]],
    ["without their roots", [first.OrderViewRS, second.OrderViewRS]],
    ["with and without a root", [first, second.OrderViewRS]],
    ["under OrderViewRS", { OrderViewRS: [first.OrderViewRS, second.OrderViewRS] }],
    ["each alone in a list", [[first], [second]]],
    ["under OrderViewRS in a list of one", [{ OrderViewRS: [first.OrderViewRS, second.OrderViewRS] }]],
  ])("is read one by one: %s", (_, body) => {
    expect(readNotifiedOrders(bytesOf(body), 2)).toEqual({
      ok: true,
      orders: [
        { orderId: "A1", gdsBookingReferences: ["R1"] },
        { orderId: "A2", gdsBookingReferences: ["R2"] },
      ],
    });
    const read = readOrderViews(bytesOf(body));
    const views = read.ok ? read.views : [];
    expect(orderIdsOf(views)).toEqual(["A1", "A2"]);
    expect({ ok: true, view: viewOfOrder(views, "A2") }).toEqual(readNotification(bytesOf(second)));
    expect(readTravellers(body, "A2")).toEqual(readTravellers(second, "A2"));
  });

  test.each<[string, unknown, string, string, string]>([
    ["null", [first, null], "ocn.not_an_order_view", "/1", "The element at /1 of the list has no OrderViewRS object"],
    ["no order", [first, { OrderViewRS: {} }], "ocn.no_order", "/1/OrderViewRS/Order", "The order view has no Order."],
    ["no id", [{ Order: [{}] }, first], "ocn.no_order_id", "/0/Order/0/OrderID", "No Order has an OrderID"],
    [
      "an envelope",
      [first, { data: second }],
      "ocn.not_an_order_view",
      "/1",
      "Order of its own. An order view was found under data.",
    ],
    [
      "a list",
      { OrderViewRS: [first.OrderViewRS, [1, 2]] },
      "ocn.not_an_order_view",
      "/OrderViewRS/1",
      "The element at /OrderViewRS/1 of the list",
    ],
  ])("is refused as a whole for an element with %s, with its path", (_, body, code, path, message) => {
    const read = readNotifiedOrders(bytesOf(body), 500);

    expect(read).toMatchObject({ ok: false, problem: { code, path } });
    expect(read.ok ? "" : read.problem.message).toContain(message);
    expect(readOrderViews(bytesOf(body))).toEqual(read);
  });

  test.each<[string, unknown]>([
    ["beside the list", { OrderViewRS: [first.OrderViewRS, second.OrderViewRS], Warnings: "Call the airline" }],
    ["in a list of one", [{ Warnings: "Call the airline", OrderViewRS: [first.OrderViewRS, second.OrderViewRS] }]],
    ["beside views with roots of their own", { orderViewRS: [first, second], Warnings: "Call the airline" }],
    ["beside views in lists of their own", { OrderViewRS: [[first], [second]], Warnings: ["Call the airline"] }],
  ])("counts what stands %s for each of its views", (_, body) => {
    const read = readOrderViews(bytesOf(body));

    expect(read.ok && read.views.map(({ unread }) => unread.statements)).toEqual([
      [expect.objectContaining({ path: "Warnings", class: "stop" })],
      [expect.objectContaining({ path: "Warnings", class: "stop" })],
    ]);
    expect(read.ok && orderIdsOf(read.views)).toEqual(["A1", "A2"]);
  });

  test("counts what stands beside one of its views for this view only, also if the list states the same", () => {
    const body = {
      OrderViewRS: [{ ...first, Warnings: "Call the airline", Tour: "Guided" }, second],
      Warnings: "Wait for the new ticket",
    };
    const read = readOrderViews(bytesOf(body));

    const stated = read.ok && read.views.map(({ unread }) => unread.statements.map(({ value }) => value).toSorted());
    expect(stated).toEqual([["Call the airline", "Guided", "Wait for the new ticket"], ["Wait for the new ticket"]]);
  });

  test("states nothing beside its views that stands in another element of the body", () => {
    const list = { OrderViewRS: [first.OrderViewRS, viewOf("A3", "R3").OrderViewRS], Warnings: "Call the airline" };
    const read = readOrderViews(bytesOf([list, second]));

    expect(read.ok && read.views.map(({ unread }) => unread.statements.length)).toEqual([1, 1, 0]);
  });

  test("reads what stands beside it once, however many views it has", () => {
    let reads = 0;
    const tours = {
      get Kind() {
        reads += 1;
        return "Guided";
      },
    };
    const body = { OrderViewRS: Array.from({ length: 40 }, (_, at) => viewOf(`A${at}`, `R${at}`).OrderViewRS), tours };

    const read = orderViewsIn(body).map(readLocatedView);

    const statements = read.map((one) => one.ok && one.view.unread.statements);
    expect(statements).toEqual(Array.from({ length: 40 }, () => [expect.objectContaining({ path: "tours.Kind" })]));
    expect(new Set(statements.flat()).size).toBe(1);
    expect(reads).toBe(1);
  });

  test("names too many orders when all of them together do", () => {
    expect(readNotifiedOrders(bytesOf([first, second]), 1)).toMatchObject({
      ok: false,
      problem: { code: "ocn.too_many_orders", path: "" },
    });
  });

  test("says nothing of an order that two of them state", () => {
    const again = viewOf("A1", "R9");
    const read = readOrderViews(bytesOf([first, second, again]));
    const views = read.ok ? read.views : [];

    expect(viewOfOrder(views, "A1")).toBeNull();
    expect(viewOfOrder(views, "A2")).not.toBeNull();
    expect(readTravellers([first, again], "A1")).toBeNull();
    expect(readNotifiedOrders(bytesOf([first, again]))).toEqual({
      ok: true,
      orders: [{ orderId: "A1", gdsBookingReferences: ["R1", "R9"] }],
    });
  });

  test("is no single view", () => {
    expect(readNotification(bytesOf([first, second]))).toMatchObject({
      ok: false,
      problem: {
        code: "ocn.several_views",
        message: "The body is a list of 2 order views. Read each of them by itself.",
      },
    });
  });
});

test("one order view is read as by readNotification", () => {
  const one = readNotification(bytesOf(first));

  expect(readOrderViews(bytesOf(first))).toEqual({ ok: true, views: [one.ok ? one.view : null] });
  expect(readOrderViews(bytesOf([first]))).toEqual(readOrderViews(bytesOf(first)));
  expect(readOrderViews(bytesOf("<a/>"))).toMatchObject({ ok: false, problem: { code: "ocn.not_json" } });
});
