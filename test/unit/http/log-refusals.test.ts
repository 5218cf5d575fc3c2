import { EventEmitter } from "node:events";
import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { logRefusals } from "../../../src/http/log-refusals.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";

/** What is logged of a response with this status to the user `u1`. */
function linesOf(statusCode: number, originalUrl = "/api/v1/cases?orderId=ABC"): readonly object[] {
  const lines: object[] = [];
  const logger = {
    ...silentLogger,
    warn: (fields: object, message: string) => void lines.push({ ...fields, message }),
  };
  const log = logRefusals({ logger, clock: systemClock, addressOf: () => "192.0.2.7", userIdOf: () => "u1" });
  const response = Object.assign(new EventEmitter(), { statusCode });
  log({ method: "GET", originalUrl } as Request, response as unknown as Response, () => response.emit("finish"));
  return lines;
}

test.each([401, 403, 429])(
  "a refusal with %i is logged with its address, user and path, without the query",
  (status) => {
    expect(linesOf(status)).toEqual([
      {
        message: "request.refused",
        address: "192.0.2.7",
        userId: "u1",
        method: "GET",
        path: "/api/v1/cases",
        status,
        code: null,
      },
    ]);
  },
);

test.each([200, 400, 402, 404, 428, 500])("a response of %i is no refusal", (status) => {
  expect(linesOf(status)).toEqual([]);
});

test("the path of a refusal is logged up to 200 characters", () => {
  expect(linesOf(401, `/${"x".repeat(300)}`)).toMatchObject([{ path: `/${"x".repeat(199)}` }]);
});
