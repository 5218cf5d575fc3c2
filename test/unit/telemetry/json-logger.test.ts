import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/kernel/app-error.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createLogger } from "../../../src/telemetry/json-logger.ts";

function capture(level: "debug" | "info" | "silent" = "info") {
  const lines: string[] = [];
  const logger = createLogger({ level, destination: { write: (line: string) => void lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

describe("the logger", () => {
  test("writes one JSON line with level, time, event and fields", () => {
    const { logger, lines, last } = capture();

    logger.info({ caseId: "c1", receipts: 2 }, "notification.received");

    expect(lines).toHaveLength(1);
    expect(last()).toMatchObject({ level: "info", msg: "notification.received", caseId: "c1", receipts: 2 });
    expect(last()["time"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test("escapes every character that a terminal obeys or nobody sees", () => {
    const { logger, lines, last } = capture();
    const hostile = "a\u001b]52;c;eA==\u0007\u009b\u007f\r\nb\u202ec\u200b\u{e0041}\u2028";

    logger.warn({ orderId: hostile, [hostile]: 1 }, "order.refused");

    expect(lines.join("")).toMatch(/^[^\p{C}]+\n$/u);
    expect(last()).toMatchObject({ orderId: hostile, [hostile]: 1 });
  });

  test("leaves out what is below its level", () => {
    const { logger, lines } = capture("info");

    logger.debug({}, "too.much");
    expect(lines).toHaveLength(0);

    const silent = capture("silent");
    silent.logger.error({}, "nothing");
    expect(silent.lines).toHaveLength(0);
  });

  test.each([
    ["authorization", { headers: { Authorization: "Basic dTpw" } }],
    ["x-api-key", { headers: { "x-api-key": "dTpw" } }],
    ["cookies", { headers: { "set-cookie": ["dTpw"] } }],
    ["tokens of any kind", { gatewayAccessToken: "dTpw", OCN_BEARER_TOKENS: "dTpw", client_secret: "dTpw" }],
    ["passwords", { config: [{ basicPassword: "dTpw" }] }],
    ["names of passengers", { DataLists: { PassengerList: [{ FirstName: "dTpw", LastName: "dTpw" }] } }],
    ["contacts and documents", { EmailContact: { Address: "dTpw" }, TravelDocument: "dTpw", CardNumber: 1234 }],
    ["secrets", { value: new Secret("dTpw") }],
    ["URLs with credentials", { url: new URL("postgres://u:dTpw@host/db"), text: "at redis://:dTpw@host:6379/0 now" }],
    ["Authorization values in texts", { text: "sent Bearer dTpwdTpw to it" }],
    ["buffers", { bytes: Buffer.from("dTpw") }],
    [
      "messages and causes of errors",
      { error: new Error("postgres://u:dTpw@h", { cause: new Error("Basic dTpwdTpw") }) },
    ],
  ])("never writes %s", (_, fields) => {
    const { logger, lines } = capture();

    logger.info(fields, "some.event");

    expect(lines[0]).not.toContain("dTpw");
    expect(lines[0]).not.toContain("1234");
    expect(lines[0]).not.toContain(Buffer.from("dTpw").toString("base64"));
  });

  test("keeps what reveals nothing: counts, flags and absent values", () => {
    const { logger, last } = capture();

    logger.info({ passengerCount: 3, token: null, cookie: false, tokensIssued: 2 }, "some.event");

    expect(last()).toMatchObject({ passengerCount: 3, token: null, cookie: false, tokensIssued: 2 });
  });

  test("writes errors with code, message and stack", () => {
    const { logger, last } = capture();

    logger.error({ error: new AppError("store.unavailable", "The database is away.") }, "commit.failed");

    expect(last()["error"]).toMatchObject({
      code: "store.unavailable",
      message: "The database is away.",
      stack: expect.stringContaining("AppError"),
    });
  });

  test("survives cycles and values that JSON does not know", () => {
    const { logger, lines } = capture();
    const cycle: Record<string, unknown> = { big: 12n, never: undefined, at: new Date(Number.NaN) };
    cycle["self"] = cycle;

    logger.info(cycle, "some.event");

    expect(JSON.parse(lines[0]!)).toMatchObject({ big: "12", at: "invalid date" });
  });
});
