import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { openBrowser, setUpMs, type Visitor, visit } from "./dashboard-browser.ts";

/** What the stories of one file play in. Everything is there once the tests run, and the visitor is new in each. */
export interface AppInBrowser {
  readonly server: ServerProcess;
  /** The app's own: for letting time pass, which nobody can do from outside. */
  readonly db: TestDatabase;
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly page: Page;
}

/**
 * Plays the stories of a file in a demo that runs as a process of its own, and fails a story about which the browser
 * complained. To be called once, at the top of the file.
 */
export function playInDemo(options: {
  readonly side: "agency" | "gateway";
  readonly settings?: Readonly<Record<string, string>>;
}): AppInBrowser {
  let server: ServerProcess;
  let db: TestDatabase;
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    [db, browser] = await Promise.all([createTestDatabase(), openBrowser()]);
    server = await startServerProcess({
      DEMO: "1",
      DATABASE_URL: db.serviceUrl,
      DATABASE_OWNER_URL: db.ownerUrl,
      ...options.settings,
    });
    await server.waitFor("Stop with Ctrl-C", 60_000);
  }, setUpMs);
  afterAll(async () => {
    await browser?.close();
    await server?.end("SIGTERM");
    await db?.drop();
  });

  beforeEach(async () => {
    visitor = await visit(browser, options.side === "agency" ? server.agencyUrl : gatewayUrlOf(server));
  });
  afterEach(async () => {
    await visitor.context.close();
    expect(visitor.complaints).toEqual([]);
  });

  return {
    get server() {
      return server;
    },
    get db() {
      return db;
    },
    get browser() {
      return browser;
    },
    get visitor() {
      return visitor;
    },
    get page() {
      return visitor.page;
    },
  };
}

/** @throws Error when the process runs without the gateway side */
export function gatewayUrlOf(server: ServerProcess): string {
  if (server.gatewayUrl === null) throw new Error(`no gateway side in:\n${server.output()}`);
  return server.gatewayUrl;
}
