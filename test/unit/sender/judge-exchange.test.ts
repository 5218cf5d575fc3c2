import { describe, expect, test } from "vitest";
import type { HttpExchange } from "../../../src/sender/http-transport.ts";
import { judgeExchange } from "../../../src/sender/judge-exchange.ts";

const acknowledgement = `{"AcknowledgeResponse":{"Status":"OK","Message":"received"}}`;

function exchange(overrides: Omit<Partial<HttpExchange>, "body"> & { body?: string } = {}): HttpExchange {
  return {
    status: 200,
    retryAfter: null,
    failure: null,
    durationMs: 12,
    timings: { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    ...overrides,
    body: Buffer.from(overrides.body ?? acknowledgement),
  };
}

describe("a delivery", () => {
  test.each([200, 201, 202, 299])("is an acknowledgement with status %d", (status) => {
    expect(judgeExchange(exchange({ status }))).toEqual({ outcome: "delivered", errorCode: null });
  });

  test("may begin with a byte order mark", () => {
    expect(judgeExchange(exchange({ body: `\uFEFF${acknowledgement}` })).outcome).toBe("delivered");
  });

  test.each([
    ["nothing", ""],
    ["a page", "<html>Welcome</html>"],
    ["a bare OK", "OK"],
    ["another Status", `{"AcknowledgeResponse":{"Status":"FAILED","Message":"no"}}`],
    ["no Status", `{"AcknowledgeResponse":{"Message":"received"}}`],
    ["a Status outside the root", `{"Status":"OK"}`],
    ["half an acknowledgement", acknowledgement.slice(0, -1)],
    ["null", "null"],
    ["a list", `[${acknowledgement}]`],
  ])("is not a 200 with %s", (_what, body) => {
    expect(judgeExchange(exchange({ body }))).toEqual({ outcome: "refused", errorCode: "sender.not_acknowledged" });
  });

  test.each([
    [199, "sender.refused"],
    [300, "sender.redirected"],
    [307, "sender.redirected"],
    [399, "sender.redirected"],
    [400, "sender.rejected"],
    [402, "sender.refused"],
    [412, "sender.refused"],
    [413, "sender.rejected"],
    [415, "sender.rejected"],
    [422, "sender.rejected"],
    [423, "sender.refused"],
    [401, "sender.refused"],
    [409, "sender.refused"],
    [410, "sender.recipient_gone"],
    [429, "sender.refused"],
    [500, "sender.refused"],
    [503, "sender.refused"],
  ])("is not a %d, whatever its body says", (status, errorCode) => {
    expect(judgeExchange(exchange({ status }))).toEqual({ outcome: "refused", errorCode });
  });

  test("is not a 200 that was not read to its end, even when what was read looks like one", () => {
    const cut = exchange({ failure: { code: "sender.timeout", message: "late" } });

    expect(judgeExchange(cut)).toEqual({ outcome: "failed", errorCode: "sender.timeout" });
  });

  test("is not a 200 with a response beyond the limit", () => {
    const huge = exchange({ failure: { code: "sender.answer_too_large", message: "long" } });

    expect(judgeExchange(huge)).toEqual({ outcome: "refused", errorCode: "sender.answer_too_large" });
  });

  test("is not an exchange without a response", () => {
    const refused = exchange({ status: null, body: "", failure: { code: "sender.connect_failed", message: "closed" } });

    expect(judgeExchange(refused)).toEqual({ outcome: "failed", errorCode: "sender.connect_failed" });
  });
});

test("a 410 counts although its page never ended", () => {
  const gone = exchange({ status: 410, failure: { code: "sender.timeout", message: "late" } });

  expect(judgeExchange(gone)).toEqual({ outcome: "refused", errorCode: "sender.recipient_gone" });
});
