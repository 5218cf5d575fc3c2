import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  acknowledgementSchema,
  acknowledgeResponse,
  readAcknowledgement,
} from "../../../src/contract/acknowledgement.ts";
import { errorResponse, readErrors } from "../../../src/contract/gateway-errors.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../../../src/contract/operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { anOrderView, bytesOf } from "../../builders/order-view.ts";
import {
  aCancelResponse,
  anAcceptResponse,
  anErrorResponse,
  anOrderRequest,
} from "../../builders/order-view-operations.ts";

const operations: readonly Operation[] = [airReservationStatus, airOrderInvoluntaryAccept, airOrderInvoluntaryCancel];
const envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "",
  contactEmails: ["desk@example.com"],
};
const query = { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1", "LHSKD2"] };

describe("operations on an order", () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s sends what it documents",
    (_, operation) => {
      const body = operation.request(query, envelope);

      expect(operation.requestSchema.safeParse(body).error).toBeUndefined();
      expect((body as Record<string, unknown>)[operation.requestRoot]).toMatchObject({
        Document: { ReferenceVersion: "1.0" },
        Party: { Sender: { TravelAgencySender: { Name: "Example Travel", IATA_Number: "" } } },
        Query: { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1", "LHSKD2"] },
      });
      expect(operation.readRequest(body)).toEqual({ ok: true, query });
    },
  );

  test("accept responses that pass their strict schemas", () => {
    expect(airReservationStatus.responseSchema.safeParse(anOrderView()).error).toBeUndefined();
    expect(airOrderInvoluntaryAccept.responseSchema.safeParse(anAcceptResponse()).error).toBeUndefined();
    expect(airOrderInvoluntaryCancel.responseSchema.safeParse(aCancelResponse()).error).toBeUndefined();
  });

  test("never throw on any response", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(...operations), (json, operation) => {
        const bodies = [
          json,
          { [operation.responseRoot]: json },
          { [operation.responseRoot]: { Result: json, Errors: json } },
        ];
        for (const body of bodies) expect(typeof operation.interpret(body).ok).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a request", () => {
  const root = "OrderStatusRQ";

  test("may leave out Document and Party and spell keys in lower case", () => {
    const body = { orderstatusrq: { query: { orderid: 12345678, gdsbookingreference: "LHSKD1" } } };

    expect(airReservationStatus.readRequest(body)).toEqual({
      ok: true,
      query: { orderId: "12345678", gdsBookingReferences: ["LHSKD1"] },
    });
  });

  test.each([
    [
      "has another root",
      { AirDocRetreiveRQ: {} },
      "request.no_root",
      "/OrderStatusRQ",
      "The request has no root object OrderStatusRQ.",
    ],
    ["is no object", "x", "request.no_root", "/OrderStatusRQ", "The request has no root object OrderStatusRQ."],
    [
      "names no order",
      anOrderRequest(root, { OrderID: "" }),
      "request.no_order_id",
      "/OrderStatusRQ/Query/OrderID",
      "The request names no OrderID.",
    ],
    [
      "names an order with a character that nobody sees",
      anOrderRequest(root, { OrderID: "A\u200b1" }),
      "request.invisible_characters",
      "/OrderStatusRQ/Query/OrderID",
      "Nobody sees its character U+200B, so two ids could look the same. Send it without.",
    ],
    [
      "names no reference",
      anOrderRequest(root, { GdsBookingReference: [] }),
      "request.no_booking_reference",
      "/OrderStatusRQ/Query/GdsBookingReference",
      "The request for order QX7R2M1A names no GdsBookingReference.",
    ],
  ])("is refused when it %s", (_, body, code, path, message) => {
    expect(airReservationStatus.readRequest(body)).toEqual({
      ok: false,
      problem: { code, path, message, businessCode: 29 },
    });
  });
});

describe("a response of AirReservationStatus", () => {
  test("is read as an order view", () => {
    expect(airReservationStatus.interpret(anOrderView())).toMatchObject({
      ok: true,
      result: { orders: [{ orderId: "QX7R2M1A" }] },
    });
  });

  test("is rejected when it states errors, even beside an order", () => {
    const body = anOrderView({ view: { Errors: { Error: { ShortText: "order not found" } } } });

    expect(airReservationStatus.interpret(body)).toEqual({
      ok: false,
      problem: {
        code: "gateway.rejected",
        path: "/OrderViewRS/Errors",
        message: "The gateway responded with errors: order not found",
        errors: [{ code: null, text: "order not found" }],
      },
    });
  });

  test("is unusable when it is no order view", () => {
    expect(airReservationStatus.interpret({ OrderViewRS: {} })).toEqual({
      ok: false,
      problem: {
        code: "gateway.unusable_answer",
        path: "/OrderViewRS/Order",
        message: "The OrderViewRS response cannot be used. The order view has no Order.",
        errors: [],
      },
    });
  });
});

describe("an involuntary result", () => {
  test("keeps results by reference, and a FAILED beside a SUCCESS", () => {
    const response = anAcceptResponse([{}, { GdsBookingReference: "LHSKD2", Status: "failed", ErrorMsg: "too late" }]);

    expect(airOrderInvoluntaryAccept.interpret(response)).toMatchObject({
      ok: true,
      result: [
        {
          gdsBookingReferences: ["LHSKD1"],
          status: "SUCCESS",
          errorMessage: "",
          refundAmount: null,
          refundPaxWiseFare: [],
        },
        { gdsBookingReferences: ["LHSKD2"], status: "FAILED", errorMessage: "too late" },
      ],
    });
  });

  test("counts without Success, as one object, without a root, and with a status nobody knows", () => {
    expect(airOrderInvoluntaryAccept.interpret({ result: { status: "PENDING" } })).toMatchObject({
      ok: true,
      result: [{ orderId: null, gdsBookingReferences: [], status: "PENDING" }],
    });
  });

  test("holds refunds with the digits as sent", () => {
    const body = JSON.stringify(
      aCancelResponse([{ RefundAmount: "REFUND", RefundPaxWiseFare: [{ TicketNumber: 1252100000001, Amount: null }] }]),
    );
    const parsed = parseJson(bytesOf(body.replace('"REFUND"', "1234567890123456.78")));
    const read = airOrderInvoluntaryCancel.interpret(parsed.ok ? parsed.value : null);

    expect(read).toMatchObject({
      ok: true,
      result: [
        {
          refundAmount: "1234567890123456.78",
          refundText: "Refund to the original form of payment",
          refundPaxWiseFare: [{ ticketNumber: "1252100000001", amount: null }],
        },
      ],
    });
  });

  test("is rejected when errors stand in its place", () => {
    const response = anErrorResponse("OrderInvoluntaryCancelRS", { Code: 29, Value: "INVALID_BOOKING_INPUT" });

    expect(airOrderInvoluntaryCancel.interpret(response)).toMatchObject({
      ok: false,
      problem: { code: "gateway.rejected", errors: [{ code: "29", text: "INVALID_BOOKING_INPUT" }] },
    });
  });

  test.each([[null], [{}], [[]], ["OK"], [{ OrderInvoluntaryCancelRS: { Success: {}, Result: [] } }]])(
    "is unusable in %j: it says nothing about what was done",
    (body) => {
      expect(airOrderInvoluntaryCancel.interpret(body)).toMatchObject({
        ok: false,
        problem: {
          code: "gateway.unusable_answer",
          path: "/OrderInvoluntaryCancelRS/Result",
          message: "The OrderInvoluntaryCancelRS response cannot be used. It holds no Result.",
        },
      });
    },
  );
});

describe("errors of a gateway", () => {
  test.each([
    ["one object", { OrderViewRS: { Errors: { Error: { Value: "a", ShortText: "b" } } } }, ["a"]],
    ["a list", { OrderViewRS: { Errors: { Error: [{ ShortText: "b" }, { Value: "c" }] } } }, ["b", "c"]],
    ["without the root", { Errors: { Error: { ShortText: "b" } } }, ["b"]],
    ["without Error", { OrderViewRS: { Errors: [{ Value: "a" }] } }, ["a"]],
    ["as text", { OrderViewRS: { Errors: { Error: "a" } } }, ["a"]],
    [
      "without a text",
      { OrderViewRS: { Errors: { Error: {} } } },
      ["The gateway responded with an error and no text."],
    ],
    ["not at all", { OrderViewRS: {} }, []],
    ["not at all, though an empty Errors is there", { OrderViewRS: { Errors: {} } }, []],
    ["not at all, though a blank Errors is there", { OrderViewRS: { Errors: "" } }, []],
  ])("are read as %s", (_, body, expected) => {
    expect(readErrors(body, "OrderViewRS").map((error) => error.text)).toEqual(expected);
  });

  test("are read as they are served", () => {
    const error = { code: "24", text: "INVAILD_SHOPPPING_RES_ID" };

    expect(readErrors(errorResponse("OrderViewRS", error), "OrderViewRS")).toEqual([error]);
  });
});

describe("an acknowledgement", () => {
  test("is what the interface document shows", () => {
    expect(acknowledgementSchema.safeParse(acknowledgeResponse()).success).toBe(true);
    expect(readAcknowledgement(acknowledgeResponse())).toBe(true);
  });

  test.each([
    [{ acknowledgeresponse: { status: "ok" } }, true],
    [{ AcknowledgeResponse: { Status: "FAILED" } }, false],
    [{ AcknowledgeResponse: { Status: true } }, false],
    [{ AcknowledgeResponse: "OK" }, false],
    [{ Status: "OK" }, false],
    [null, false],
    ["OK", false],
  ])("of %j counts: %j", (response, expected) => {
    expect(readAcknowledgement(response)).toBe(expected);
  });
});
