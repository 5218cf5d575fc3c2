import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiReference } from "../../../src/app/api-reference.ts";

const document = { openapi: "3.1.0", info: { title: "An API", version: "1" }, paths: {} };

let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  app.use(createApiReference(() => document));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("the description of an API", () => {
  test("is served as JSON without a sign-in", async () => {
    const response = await fetch(`${url}/openapi.json`);

    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(document);
  });

  test("is compressed for those who can read it, and plain for the others", async () => {
    const compressed = await fetch(`${url}/openapi.json`, { headers: { "Accept-Encoding": "gzip" } });
    const plain = await fetch(`${url}/openapi.json`, { headers: { "Accept-Encoding": "identity" } });

    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("vary")).toBe("Accept-Encoding");
    expect(await compressed.json()).toEqual(document);
    expect(await plain.json()).toEqual(document);
  });

  test("is a page that loads one script, from here", async () => {
    const response = await fetch(`${url}/docs`);
    const page = await response.text();

    expect(page).toContain("<title>An API</title>");
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="docs/viewer.js" defer>']);
    expect(page).not.toMatch(/https?:/);
    const script = await fetch(`${url}/docs/viewer.js`);
    expect(script.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(await script.text()).toContain("rapi-doc");
  });

  test("is found with a slash behind its address as well", async () => {
    const response = await fetch(`${url}/docs/`);

    expect(response.url).toBe(`${url}/docs`);
    expect(await response.text()).toContain("<title>An API</title>");
  });

  test("forbids its page everything that it does not need", async () => {
    const policy = (await fetch(`${url}/docs`)).headers.get("content-security-policy");

    expect(policy?.split(";")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test.each(["/openapi.json", "/docs", "/docs/viewer.js"])("refuses another method at %s", async (path) => {
    const response = await fetch(`${url}${path}`, { method: "POST" });

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect(await response.json()).toMatchObject({ code: "reference.method_not_allowed" });
  });
});
