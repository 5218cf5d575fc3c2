import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { createErrorHandler } from "../../../src/dashboard/api/error-response.ts";
import { AppError } from "../../../src/kernel/app-error.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";

async function responseTo(error: Error): Promise<{ status: number; code: string; retryAfter: string | null }> {
  const app = express();
  app.get("/", () => {
    throw error;
  });
  app.use(createErrorHandler(silentLogger));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { code } = (await response.json()) as { code: string };
    return { status: response.status, code, retryAfter: response.headers.get("retry-after") };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test.each([
  ["a connection that ended under a query", new Error("Connection terminated unexpectedly")],
  ["a connection that had ended before", new Error("Client has encountered a connection error and is not queryable")],
  ["a pool without a free connection", new Error("timeout exceeded when trying to connect")],
  ["a server that shuts down", Object.assign(new Error("terminating connection"), { code: "57P01" })],
  ["a server that is not there", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
])("%s is reported as an outage that passes", async (_, error) => {
  expect(await responseTo(error)).toEqual({ status: 503, code: "api.unavailable", retryAfter: "5" });
});

test.each([
  ["a mistake in the code", new TypeError("x is not a function")],
  ["an error that no further try can change", new AppError("desk.unknown_source", "no such source")],
])("%s is returned as what it is, without its words", async (_, error) => {
  expect(await responseTo(error)).toEqual({ status: 500, code: "api.unexpected", retryAfter: null });
});

test.each(["store.cannot_open", "store.body_changed", "store.body_misplaced"])(
  "stored bytes that cannot be read are returned as %s, which is no bug and does not pass",
  async (code) => {
    expect(await responseTo(new AppError(code, "words for the log"))).toEqual({ status: 500, code, retryAfter: null });
  },
);
