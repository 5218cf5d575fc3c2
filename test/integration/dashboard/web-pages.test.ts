import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWebPages, type OfferedUser } from "../../../src/dashboard/web-pages.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";

let folder: string;
let server: Server;

beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function serve(offeredUsers: readonly OfferedUser[] = []): Promise<string> {
  const app = express();
  app.use(createWebPages({ folder, offeredUsers }));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function build(): Promise<void> {
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets", "index-abc123.js"), "export {};");
  await writeFile(
    join(folder, "index.html"),
    '<meta name="style-nonce" content="{{styleNonce}}"><meta content="{{demoUsers}}">',
  );
}

describe("the pages", () => {
  test("each address loads the document, with a policy that names its own nonce", async () => {
    await build();
    const url = await serve();

    const nonces = new Set<string>();
    for (const path of ["/", "/cases/1", "/quarantine"]) {
      const response = await fetch(`${url}${path}`);
      const nonce = /content="([^"]+)"/.exec(await response.text())?.[1] ?? "";

      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-security-policy")).toBe(
        `default-src 'none';script-src 'self';style-src 'self' 'nonce-${nonce}';img-src 'self' data:;` +
          "connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
      );
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test("a browser that opens an unknown address gets the document with 404, and a program none", async () => {
    await build();
    const url = await serve();
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    const opened = await fetch(`${url}/no/such/page`, { headers: { accept: browser } });
    expect(opened.status).toBe(404);
    expect(opened.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(opened.headers.get("content-security-policy")).toMatch(/^default-src 'none';script-src 'self';/);
    expect(opened.headers.get("vary")).toMatch(/Accept/);
    expect(await opened.text()).toContain("style-nonce");

    for (const accept of ["*/*", "application/json", "image/avif,image/webp,*/*;q=0.8"]) {
      const asked = await fetch(`${url}/no/such/page`, { headers: { accept } });
      expect(asked.status).toBe(404);
      expect(await asked.text()).not.toContain("style-nonce");
    }
    const posted = await fetch(`${url}/no/such/page`, { method: "POST", headers: { accept: browser } });
    expect(await posted.text()).not.toContain("style-nonce");
  });

  test("what is offered to click is escaped, and nothing is offered outside demo mode", async () => {
    await build();
    const url = await serve([{ username: '"><script>', password: "$&", role: "viewer" }]);

    const page = await (await fetch(`${url}/`)).text();

    expect(page).toContain(
      "{&quot;username&quot;:&quot;\\&quot;&gt;&lt;script&gt;&quot;,&quot;password&quot;:&quot;$&amp;&quot;",
    );
    expect(page).not.toContain("<script>");
  });

  test("files whose name holds their hash are kept for ever", async () => {
    await build();
    const url = await serve();

    const response = await fetch(`${url}/assets/index-abc123.js`);

    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetch(`${url}/assets/index-other.js`)).status).toBe(404);
    expect((await fetch(`${url}/assets/..%2findex.html`)).status).not.toBe(200);
  });

  test("files that the build has compressed are sent so to who can read that", async () => {
    await build();
    await writeFile(join(folder, "assets", "index-abc123.js.br"), brotliCompressSync("export {};"));
    await writeFile(join(folder, "assets", "index-abc123.js.gz"), gzipSync("export {};"));
    const url = await serve();

    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip, deflate", "gzip"],
      ["identity", null],
    ] as const) {
      const response = await fetch(`${url}/assets/index-abc123.js`, { headers: { "accept-encoding": accepted } });

      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(response.headers.get("content-type")).toMatch(/^text\/javascript/);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      expect(await response.text()).toBe("export {};");
    }
  });

  test("without a build the response says what to do", async () => {
    const url = await serve();

    const response = await fetch(`${url}/`);

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: "dashboard.not_built",
      detail: "Run `npm run build` in the installation of Skedchange. Everything else works without it.",
    });
  });
});
