import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readNotification } from "../../../src/contract/notification.ts";
import { readNotifiedOrders } from "../../../src/contract/notified-orders.ts";
import { anOrderView, bytesOf } from "../../builders/order-view.ts";

const samples = new URL("../../../samples/", import.meta.url);

describe("readNotifiedOrders", () => {
  test.each(readdirSync(samples))("names the orders of %s", (file) => {
    const body = readFileSync(new URL(file, samples));
    const sample = JSON.parse(body.toString()) as {
      OrderViewRS: { Order: { OrderID: string; GdsBookingReference: string }[] };
    };

    expect(readNotifiedOrders(body)).toEqual({
      ok: true,
      orders: sample.OrderViewRS.Order.map(({ OrderID, GdsBookingReference }) => ({
        orderId: OrderID,
        gdsBookingReferences: [GdsBookingReference],
      })),
    });
  });

  test("names an order once, with the references of all its elements", () => {
    const body = anOrderView({
      orderId: "A1",
      gdsBookingReference: "R1",
      otherOrders: [
        { OrderID: "A2", GdsBookingReference: ["R2", "R3", "R2"] },
        { OrderID: "A1", GdsBookingReference: "R4 R1" },
        { OrderID: "A3" },
      ],
    });

    expect(readNotifiedOrders(bytesOf(body))).toEqual({
      ok: true,
      orders: [
        { orderId: "A1", gdsBookingReferences: ["R1", "R4"] },
        { orderId: "A2", gdsBookingReferences: ["R2", "R3"] },
        { orderId: "A3", gdsBookingReferences: [] },
      ],
    });
  });

  test("keeps every digit of ids that are numbers", () => {
    const body = '{"OrderViewRS":{"Order":[{"OrderID":1724067361311310318,"GdsBookingReference":9007199254740993}]}}';

    expect(readNotifiedOrders(bytesOf(body))).toEqual({
      ok: true,
      orders: [{ orderId: "1724067361311310318", gdsBookingReferences: ["9007199254740993"] }],
    });
  });

  test.each([
    ["no JSON", "<OrderViewRS/>", "ocn.not_json", ""],
    ["no order view", '{"OrderChangeNotif":{}}', "ocn.not_an_order_view", ""],
    ["a view that is text", '{"OrderViewRS":"x"}', "ocn.not_an_order_view", "/OrderViewRS"],
    ["no order", '{"OrderViewRS":{"Order":[]}}', "ocn.no_order", "/OrderViewRS/Order"],
    ["an order without an id", '{"Order":[1,{}]}', "ocn.no_order_id", "/Order/1/OrderID"],
    ["an id of 129 digits", `{"Order":{"OrderID":${"1".repeat(129)}}}`, "ocn.no_order_id", "/Order/OrderID"],
  ])("refuses %s as readNotification does", (_, body, code, path) => {
    const reading = readNotifiedOrders(bytesOf(body));

    expect(reading).toMatchObject({ ok: false, problem: { code, path } });
    expect(reading).toEqual(readNotification(bytesOf(body)));
  });

  test("takes as many orders as it may name, and refuses one more with what to do", () => {
    const body = anOrderView({ orderId: "A1", otherOrders: [{ OrderID: "A2" }, { OrderID: "A3" }] });

    expect(readNotifiedOrders(bytesOf(body), 3)).toMatchObject({ ok: true });
    expect(readNotifiedOrders(bytesOf(body), 2)).toEqual({
      ok: false,
      problem: {
        code: "ocn.too_many_orders",
        path: "/OrderViewRS/Order",
        message:
          "It names 3 orders, and one notification may name 2. Have the gateway send fewer in each, or raise OCN_ORDER_LIMIT, restart and reprocess it.",
      },
    });
    expect(readNotifiedOrders(bytesOf(body.OrderViewRS), 2)).toMatchObject({ problem: { path: "/Order" } });
  });

  test("refuses a long body that is nested too deep or has too many values, unless it was acknowledged before", () => {
    const withMember = (json: string) => bytesOf(`{"Order":{"OrderID":"A1"},"X":${json}}`);
    const deep = (depth: number) => withMember(`[${"1,".repeat(40_000)}${"[".repeat(depth)}${"]".repeat(depth)}]`);
    const many = (values: number) => withMember(`[${"1,".repeat(values)}1]`);
    const complexity = (body: Uint8Array) => readNotifiedOrders(body, 500);

    expect(complexity(deep(98))).toMatchObject({ ok: true });
    expect(complexity(deep(99))).toEqual({
      ok: false,
      problem: {
        code: "ocn.too_complex",
        path: "",
        message: "The JSON is nested deeper than 100 or has more than 500000 values and names of members.",
      },
    });
    expect(complexity(many(499_000))).toMatchObject({ ok: true });
    expect(complexity(many(500_000))).toMatchObject({ ok: false, problem: { code: "ocn.too_complex" } });
    expect(readNotifiedOrders(deep(99))).toMatchObject({ ok: true });
  });

  test("refuses an id with NUL or a lone surrogate in it, since it would be stored as another order's", () => {
    for (const [orderId, code] of [
      ["NULX\\u0000123", "ocn.invisible_characters"],
      ["NULX\\ud800123", "ocn.no_order_id"],
      ["NULX\\u202e123", "ocn.invisible_characters"],
    ]) {
      const body = bytesOf(`{"Order":{"OrderID":"${orderId}"}}`);

      expect(readNotifiedOrders(body)).toMatchObject({ ok: false, problem: { code } });
      expect(readNotifiedOrders(body)).toEqual(readNotification(body));
    }
  });

  test("counts an order once that has several elements", () => {
    const body = anOrderView({ orderId: "A1", otherOrders: [{ OrderID: "A1" }, { OrderID: "A2" }, {}] });

    expect(readNotifiedOrders(bytesOf(body), 2)).toMatchObject({ ok: true });
  });

  test("takes an id of 128 digits", () => {
    const orderId = "1".repeat(128);

    expect(readNotifiedOrders(bytesOf(`{"Order":{"OrderID":${orderId}}}`))).toEqual({
      ok: true,
      orders: [{ orderId, gdsBookingReferences: [] }],
    });
  });
});
