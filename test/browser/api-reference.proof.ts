import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiReference } from "../../src/app/api-reference.ts";
import { describeAgencySide, describeGatewaySide } from "../../src/app/openapi-documents.ts";
import { openBrowser, scenarioMs, setUpMs, visit } from "./dashboard-browser.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
}, setUpMs);
afterAll(async () => {
  await browser?.close();
});

const sides = [
  {
    side: "agency",
    document: describeAgencySide(),
    link: "link-post-/api/v1/cases/-id-/actions",
    shows: ["A person's action on a case", "Accepted. A worker carries it out."],
  },
  {
    side: "gateway",
    document: describeGatewaySide(),
    link: "link-post-/AirOrderInvoluntaryAccept",
    shows: ["Must not be sent again while the outcome of an earlier sending is not known.", "OrderInvoluntaryAcceptRQ"],
  },
];

describe("the page at /docs", () => {
  test.each(sides)(
    "shows the operations of the $side side, loads nothing from elsewhere, and keeps to its policy",
    async ({ document, link, shows }) => {
      const { server, url } = await serve(document);
      const { page, context, complaints } = await visit(browser, url);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      try {
        await page.goto("/docs");
        await page.locator(`[id="${link}"]`).click();
        for (const text of shows) await page.getByText(text).first().waitFor();

        await page.setViewportSize({ width: 500, height: 1000 });
        await page.goto("/docs");
        await page.getByText("Your first request").waitFor();
        expect(await page.locator(".nav-bar").isVisible()).toBe(true);

        expect([...new Set(asked)]).toEqual([
          `${url}/docs`,
          `${url}/docs/page.css`,
          `${url}/docs/viewer.js`,
          `${url}/openapi.json`,
        ]);
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
    scenarioMs,
  );
});

async function serve(document: Readonly<Record<string, unknown>>): Promise<{ server: Server; url: string }> {
  const app = express();
  app.use(createApiReference(() => document));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
