import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressResponses } from "../../../src/app/compress-responses.ts";

let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  app.use(compressResponses);
  app.get("/list/:length", (request, response) => void response.json("x".repeat(Number(request.params.length) - 2)));
  app.get("/events", (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" }).write("data: first\n\n");
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["br, gzip", 1_024, "br"],
  ["gzip", 1_024, "gzip"],
  ["gzip", 1_023, null],
  ["identity", 1_024, null],
])("a response to who accepts %s, %i bytes long, has the encoding %s", async (accepted, length, encoding) => {
  const response = await fetch(`${url}/list/${length}`, { headers: { "accept-encoding": accepted } });

  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(await response.json()).toHaveLength(length - 2);
});

test("a stream of events is never compressed, and its first event comes at once", async () => {
  const response = await fetch(`${url}/events`, { headers: { "accept-encoding": "br, gzip" } });

  const reader = response.body!.getReader();
  const { value } = await reader.read();
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(Buffer.from(value ?? "").toString()).toBe("data: first\n\n");
  await reader.cancel();
});
