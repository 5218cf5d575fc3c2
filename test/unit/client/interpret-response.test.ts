import { describe, expect, test } from "vitest";
import { interpretResponse } from "../../../src/client/interpret-response.ts";
import type { TransportResponse } from "../../../src/client/transport.ts";
import { findBusinessCode } from "../../../src/contract/business-codes.ts";
import { GatewayError } from "../../../src/contract/failed-call.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";

const success = {
  OrderInvoluntaryAcceptRS: {
    Success: {},
    Result: [{ OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"], ErrorMsg: "", Status: "SUCCESS" }],
  },
};
const errors = { OrderInvoluntaryAcceptRS: { Errors: { Error: { Code: "26", Value: "INVAILD_OFFER_ID" } } } };
const textOnly = { OrderInvoluntaryAcceptRS: { Errors: { Error: [{ Value: "INVAILD_PAX_COUNT" }] } } };
const serverError = { Errors: { Error: { ShortText: "SERVER_ERROR" } } };

describe("what a response means", () => {
  test.each([200, 201, 299])("is its result when it is one with HTTP %d", (status) => {
    const { result, wire } = interpretResponse(airOrderInvoluntaryAccept, responseOf(status, success), now);

    expect(result).toMatchObject([{ orderId: "QX7R2M1A", status: "SUCCESS" }]);
    expect(wire).toEqual(success);
  });

  test.each([
    ["Errors with HTTP 200", 200, errors, "gateway.refused", "responded", false],
    ["the gateway's own failure with HTTP 200", 200, serverError, "gateway.refused", "unknown", true],
    ["Errors with HTTP 400", 400, errors, "gateway.refused", "responded", false],
    ["HTTP 404 without a body that is understood", 404, "<html>", "gateway.http_status", "responded", false],
    ["HTTP 401", 401, errors, "gateway.unauthorized", "responded", false],
    ["HTTP 403", 403, "", "gateway.unauthorized", "responded", false],
    ["the gateway's own failure with HTTP 400", 400, serverError, "gateway.refused", "unknown", true],
    ["HTTP 400 without a body that is understood", 400, "", "gateway.http_status", "responded", false],
    ["HTTP 408, after which a proxy may have handed the request on", 408, "", "gateway.http_status", "unknown", true],
    ["HTTP 429", 429, "", "gateway.http_status", "responded", true],
    ["HTTP 500 with Errors", 500, errors, "gateway.http_status", "unknown", true],
    ["HTTP 502", 502, "<html>", "gateway.http_status", "unknown", true],
    ["HTTP 500 with what looks like a result", 500, success, "gateway.http_status", "unknown", true],
    ["a redirect", 302, "", "gateway.http_status", "unknown", false],
    ["HTTP 200 that is not JSON", 200, "<html>", "gateway.malformed_answer", "unknown", true],
    [
      "HTTP 200 without a result",
      200,
      { OrderInvoluntaryAcceptRS: { Success: {} } },
      "gateway.malformed_answer",
      "unknown",
      true,
    ],
    ["half a response", 200, '{"OrderInvoluntaryAcceptRS":{', "gateway.malformed_answer", "unknown", true],
  ] as const)("is a typed error: %s", (_, status, body, code, phase, retryable) => {
    const error = errorOf(() => interpretResponse(airOrderInvoluntaryAccept, responseOf(status, body), now));

    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code, phase, retryable, httpStatus: status, operation: "AirOrderInvoluntaryAccept" });
  });

  test("carries the gateway's code and words beside a message that has only the code", () => {
    const error = errorOf(() => interpretResponse(airOrderInvoluntaryAccept, responseOf(200, errors), now));

    expect(error).toMatchObject({
      gatewayCode: "26",
      gatewayText: "INVAILD_OFFER_ID",
      businessCode: findBusinessCode(26),
      message: "The gateway refused AirOrderInvoluntaryAccept (code 26).",
    });
  });

  test("finds the code in the text when the gateway states only that", () => {
    const error = errorOf(() => interpretResponse(airOrderInvoluntaryAccept, responseOf(400, textOnly), now));

    expect(error).toMatchObject({
      gatewayCode: null,
      businessCode: { number: 17, retryable: false },
      message: "AirOrderInvoluntaryAccept failed with HTTP 400 (code INVAILD_PAX_COUNT).",
    });
  });

  test("quotes nothing else of what the gateway says", () => {
    const words = { Errors: { Error: { Value: "SILVA/ANA 1234 is not booked" } } };
    const error = errorOf(() =>
      interpretResponse(airOrderInvoluntaryAccept, responseOf(400, words), now),
    ) as GatewayError;

    expect(error.gatewayText).toBe("SILVA/ANA 1234 is not booked");
    expect(error.businessCode).toBeNull();
    expect(error.message).not.toContain("SILVA");
  });

  test.each(["SILVA ANA", "4111 1111", "A".repeat(41), "A\nB"])("takes %j for no code", (Code) => {
    const response = responseOf(200, { Errors: { Error: { Code, Value: "INVAILD_OFFER_ID" } } });

    expect(errorOf(() => interpretResponse(airOrderInvoluntaryAccept, response, now))).toMatchObject({
      gatewayCode: null,
      businessCode: { number: 26 },
      message: "The gateway refused AirOrderInvoluntaryAccept (code INVAILD_OFFER_ID).",
    });
  });

  test.each([
    ["seconds", "7", 7_000],
    ["a date", "Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["nothing", null, null],
    ["nonsense", "soon", null],
  ])("reports how long the gateway asks to be left alone: %s", (_, retryAfter, retryAfterMs) => {
    const response = { ...responseOf(503, ""), retryAfter };

    expect(errorOf(() => interpretResponse(airOrderInvoluntaryAccept, response, now))).toMatchObject({ retryAfterMs });
  });
});

describe("an operation that a gateway does not have", () => {
  const optional = { ...airOrderInvoluntaryAccept, name: "AirSeatMap", optionalService: true } as const;
  const bare = { Errors: { Error: { Code: "404", Value: "There is no operation." } } };
  const missingOrder = { OrderInvoluntaryAcceptRS: { Errors: { Error: { Code: "404", Value: "No such order." } } } };

  test.each([
    ["404 without a body", 404, ""],
    ["404 with a page", 404, "<html>"],
    ["404 with an error that is not the operation's", 404, bare],
    ["501", 501, ""],
  ])("is reported as not offered: %s", (_, status, body) => {
    expect(errorOf(() => interpretResponse(optional, responseOf(status, body), now))).toMatchObject({
      code: "gateway.not_offered",
      phase: "responded",
      retryable: false,
      operation: "AirSeatMap",
      message: `This gateway does not offer AirSeatMap (HTTP ${status}). It is an optional service.`,
    });
  });

  test("is another thing than an object that it does not find", () => {
    expect(errorOf(() => interpretResponse(optional, responseOf(404, missingOrder), now))).toMatchObject({
      code: "gateway.refused",
      gatewayText: "No such order.",
    });
  });

  test("is an ordinary failure when every gateway has to have it", () => {
    const required = { ...optional, optionalService: false };

    expect(errorOf(() => interpretResponse(required, responseOf(404, ""), now))).toMatchObject({
      code: "gateway.http_status",
      httpStatus: 404,
    });
  });
});

const now = new Date("2026-11-20T12:00:00Z");

function responseOf(status: number, body: unknown): TransportResponse {
  return { status, retryAfter: null, body: bytes(body) };
}

function bytes(body: unknown): Buffer {
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
