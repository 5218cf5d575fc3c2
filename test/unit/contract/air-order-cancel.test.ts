import { describe, expect, test } from "vitest";
import { airOrderCancel } from "../../../src/contract/operations/air-order-cancel.ts";
import { anEnvelope, type Json } from "../../builders/order-view.ts";
import { anErrorResponse, anOrderRequest } from "../../builders/order-view-operations.ts";

const root = "OrderCancelRQ";
const query = { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] };
const envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "",
  contactEmails: [],
};

const result = {
  Status: "SUCCESS",
  Msg: "Booking cancelled",
  BookingStatus: "CANCELED",
  OrderID: "QX7R2M1A",
  GdsBookingReference: "LHSKD1",
};
const read = {
  orderId: "QX7R2M1A",
  gdsBookingReferences: ["LHSKD1"],
  status: "SUCCESS",
  message: "Booking cancelled",
  bookingStatus: "CANCELLED",
};

function aResponse(results: unknown, content: Json = {}): Json {
  return { OrderViewRS: { ...anEnvelope("1.2"), Success: {}, Response: results, ...content } };
}

describe("AirOrderCancel", () => {
  test("is named as in the interface document and is never sent again on its own account", () => {
    expect(airOrderCancel).toMatchObject({
      name: "AirOrderCancel",
      path: "/AirOrderCancel",
      requestRoot: "OrderCancelRQ",
      responseRoot: "OrderViewRS",
      readOnly: false,
      resendable: false,
      optionalService: false,
      host: "base",
    });
  });

  test("sends the booking reference as one text", () => {
    const body = airOrderCancel.request(query, envelope);

    expect(airOrderCancel.requestSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ OrderCancelRQ: { Query: { OrderID: "QX7R2M1A", GdsBookingReference: "LHSKD1" } } });
    expect(airOrderCancel.readRequest(body)).toEqual({ ok: true, query });
  });

  test("sends several booking references so that they are read back one by one", () => {
    const several = { ...query, gdsBookingReferences: ["LHSKD1", "LHSKD2"] };
    const body = airOrderCancel.request(several, envelope);

    expect(airOrderCancel.requestSchema.safeParse(body).error).toBeUndefined();
    expect(airOrderCancel.readRequest(body)).toEqual({ ok: true, query: several });
  });

  test.each<[string, Json]>([
    ["a list, as the reference pages show", anOrderRequest(root, { GdsBookingReference: ["LHSKD1"] })],
    ["a text, as the user guide shows", anOrderRequest(root, { GdsBookingReference: "LHSKD1" })],
    [
      "in lower case and without an envelope",
      { ordercancelrq: { query: { orderid: "QX7R2M1A", gdsbookingreference: "LHSKD1" } } },
    ],
  ])("reads a request with the booking reference %s", (_, body) => {
    expect(airOrderCancel.readRequest(body)).toEqual({ ok: true, query });
  });

  test.each<[string, unknown, string, string]>([
    ["is no object", "cancel", "request.no_root", "/OrderCancelRQ"],
    ["has the root of another operation", anOrderRequest("OrderStatusRQ"), "request.no_root", "/OrderCancelRQ"],
    ["names no order", anOrderRequest(root, { OrderID: " " }), "request.no_order_id", "/OrderCancelRQ/Query/OrderID"],
    [
      "names no booking",
      anOrderRequest(root, { GdsBookingReference: "" }),
      "request.no_booking_reference",
      "/OrderCancelRQ/Query/GdsBookingReference",
    ],
  ])("refuses a request that %s", (_, body, code, path) => {
    expect(airOrderCancel.readRequest(body)).toMatchObject({ ok: false, problem: { code, path, businessCode: 29 } });
  });
});

describe("a response of AirOrderCancel", () => {
  test.each<[string, unknown]>([
    ["as documented", aResponse([result])],
    ["without an envelope", { Response: [result] }],
    ["as one object instead of a list", aResponse(result)],
    ["without Success", aResponse([result], { Success: undefined })],
    ["with CANCELLED", aResponse([{ ...result, BookingStatus: "CANCELLED" }])],
    ["with a status in lower case", aResponse([{ ...result, Status: "success", BookingStatus: "canceled" }])],
    ["with a list of references", aResponse([{ ...result, GdsBookingReference: ["LHSKD1"] }])],
    ["with keys in lower case", { orderviewrs: { response: [lowerCase(result)] } }],
  ])("is read %s", (_, body) => {
    expect(airOrderCancel.interpret(body)).toEqual({ ok: true, result: [read] });
  });

  test("keeps a failed booking beside a cancelled one", () => {
    const failed = {
      Status: "FAILED",
      Msg: "Already flown",
      BookingStatus: "",
      OrderID: "QX7R2M1A",
      GdsBookingReference: "LHSKD2",
    };

    expect(airOrderCancel.responseSchema.safeParse(aResponse([result, failed])).error).toBeUndefined();
    expect(airOrderCancel.interpret(aResponse([result, failed]))).toEqual({
      ok: true,
      result: [
        read,
        {
          orderId: "QX7R2M1A",
          gdsBookingReferences: ["LHSKD2"],
          status: "FAILED",
          message: "Already flown",
          bookingStatus: null,
        },
      ],
    });
  });

  test("that states what was done counts although it also states an error", () => {
    const body = aResponse([result], { Errors: { Error: { Value: "MAIL_NOT_SENT" } } });

    expect(airOrderCancel.interpret(body)).toEqual({ ok: true, result: [read] });
  });

  test("is rejected when errors stand in place of the result", () => {
    const body = anErrorResponse("OrderViewRS", { Code: "29", Value: "INVALID_BOOKING_INPUT" });

    expect(airOrderCancel.interpret(body)).toMatchObject({
      ok: false,
      problem: { code: "gateway.rejected", errors: [{ code: "29", text: "INVALID_BOOKING_INPUT" }] },
    });
  });

  test.each([
    [null],
    [[]],
    ["SUCCESS"],
    [{}],
    [aResponse([])],
    [aResponse([{}])],
    [aResponse([{ OrderID: "QX7R2M1A" }])],
    [aResponse("SUCCESS")],
  ])("is unusable in %j: it says nothing about what was done", (body) => {
    expect(airOrderCancel.interpret(body)).toMatchObject({
      ok: false,
      problem: { code: "gateway.unusable_answer", path: "/OrderViewRS/Response" },
    });
  });
});

function lowerCase(json: Json): Json {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key.toLowerCase(), value]));
}
