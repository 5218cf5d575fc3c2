import { describe, expect, test } from "@jest/globals";
import { interpretAnswer } from "../../../src/client/gateway-client.ts";
import { GatewayError } from "../../../src/client/gateway-error.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";

const success = {
  OrderInvoluntaryAcceptRS: {
    Success: {},
    Result: [{ OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"], ErrorMsg: "", Status: "SUCCESS" }],
  },
};
const errors = { OrderInvoluntaryAcceptRS: { Errors: { Error: { Code: "26", Value: "INVAILD_OFFER_ID" } } } };
const serverError = { Errors: { Error: { ShortText: "SERVER_ERROR" } } };

describe("what an answer means", () => {
  test.each([200, 201, 299])("is its result when it is one with HTTP %d", (status) => {
    const results = interpretAnswer(airOrderInvoluntaryAccept, { status, body: bytes(success) });

    expect(results).toMatchObject([{ orderId: "QX7R2M1A", status: "SUCCESS" }]);
  });

  test.each([
    ["Errors with HTTP 200", 200, errors, "gateway.refused", "answered", false],
    ["the gateway's own failure with HTTP 200", 200, serverError, "gateway.refused", "unknown", true],
    ["Errors with HTTP 400", 400, errors, "gateway.refused", "answered", false],
    ["HTTP 404 without a body that is understood", 404, "<html>", "gateway.http_status", "answered", false],
    ["HTTP 401", 401, errors, "gateway.unauthorized", "answered", false],
    ["HTTP 403", 403, "", "gateway.unauthorized", "answered", false],
    ["HTTP 429", 429, "", "gateway.http_status", "answered", true],
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
    ["half an answer", 200, '{"OrderInvoluntaryAcceptRS":{', "gateway.malformed_answer", "unknown", true],
  ] as const)("is a typed error: %s", (_, status, body, code, phase, retryable) => {
    const error = errorOf(() => interpretAnswer(airOrderInvoluntaryAccept, { status, body: bytes(body) }));

    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code, phase, retryable, httpStatus: status, operation: "AirOrderInvoluntaryAccept" });
  });

  test("carries the gateway's code and words beside a message that has only the code", () => {
    const error = errorOf(() => interpretAnswer(airOrderInvoluntaryAccept, { status: 200, body: bytes(errors) }));

    expect(error).toMatchObject({
      gatewayCode: "26",
      gatewayText: "INVAILD_OFFER_ID",
      message: "The gateway refused AirOrderInvoluntaryAccept (code 26).",
    });
  });
});

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
