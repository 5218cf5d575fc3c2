import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BulkCommand } from "../../src/cases/case-command.ts";
import { dialect } from "../../src/connectors/document/dialect.ts";
import { createPeople } from "../../src/dashboard/people/people.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createBulkActions } from "../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../src/store/cases/case-queries.ts";
import { createPeopleStore } from "../../src/store/people.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import { insertCase } from "../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type DashboardServer, startDashboard } from "../integration/dashboard/dashboard-server.ts";
import {
  findAccessibilityProblems,
  openBrowser,
  scenarioMs,
  setUpMs,
  signInAs,
  type Visitor,
  visit,
} from "./dashboard-browser.ts";

const password = "a good password";
const roles = ["viewer", "supervisor"] as const;

let db: TestDatabase;
/** Without a worker, so that an action gets on by as many cases as a story says. */
let server: DashboardServer;
let bulk: ReturnType<typeof createBulkActions>;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [db, browser] = await Promise.all([createTestDatabase(), openBrowser()]);
  bulk = createBulkActions(db.database, systemClock);
  const people = createPeople({ store: createPeopleStore(db.database), clock: systemClock, logger: silentLogger });
  const offeredUsers = roles.map((role) => ({ username: `demo-${role}`, password, role }));
  for (const user of offeredUsers) await people.addUser(user);
  await db.ownerDatabase.pool.query("update skedchange.users set password_change_needed = false");
  server = await startDashboard({
    queries: createCaseQueries(db.database, dialect),
    bulk,
    people,
    offeredUsers,
    clock: systemClock,
  });
}, setUpMs);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await db?.drop();
});

beforeEach(async () => {
  await db.ownerDatabase.pool.query("truncate skedchange.bulk_actions, skedchange.bulk_action_cases");
  visitor = await visit(browser, server.url);
  page = visitor.page;
});
afterEach(async () => {
  await visitor.context.close();
  expect(visitor.complaints).toEqual([]);
});

/** Starts an action on orders whose names begin so; `moved` of them have moved since the dry run. */
async function start(command: BulkCommand, { orders, moved = 0 }: { orders: readonly string[]; moved?: number }) {
  const cases = [];
  for (const [place, orderId] of orders.entries()) {
    const version = place < moved ? 2 : 1;
    cases.push({
      caseId: await insertCase(db.ownerDatabase, { state: "awaiting-agent", orderId, version }),
      version: 1,
    });
  }
  return await bulk.start(command, cases, { actor: "person:ana" });
}

function row(name: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** The cells of a row as people read them. */
async function cellsOf(name: string): Promise<readonly string[]> {
  return (await row(name).getByRole("cell").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
}

describe("bulk actions", () => {
  test(
    "are found by whoever was not there when they were started, with how far they have come",
    async () => {
      await start(
        { action: "assign", assignee: "demo-supervisor", note: "Yours from today on." },
        { orders: ["FOUND01", "FOUND02", "FOUND03"], moved: 1 },
      );
      await bulk.workNext();
      await bulk.workNext();
      await signInAs(page, "viewer");

      await page.getByRole("navigation").getByRole("link", { name: "Bulk actions" }).click();
      await row("Assign to demo-supervisor").waitFor();
      expect(await cellsOf("Assign to demo-supervisor")).toEqual([
        "Running",
        "3",
        "1",
        "1 1 changed meanwhile",
        "1",
        "Yours from today on.",
      ]);

      await row("Assign to demo-supervisor").getByText("by ana", { exact: false }).waitFor();

      await page.getByRole("link", { name: "Assign to demo-supervisor" }).click();
      await page.getByText("1 of 3 done; 1 skipped; 1 to go").waitFor();
      await page.getByText("Yours from today on.").waitFor();
      expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);

      await page.getByRole("main").getByRole("link", { name: "Bulk actions" }).click();
      await bulk.workNext();
      await row("Assign to demo-supervisor").getByText("Finished", { exact: true }).waitFor();
    },
    scenarioMs,
  );

  test(
    "are stopped by another supervisor: what is done stays done, and the rest is left as it was",
    async () => {
      await start({ action: "recheck", note: null }, { orders: ["STOP01", "STOP02", "STOP03"] });
      await bulk.workNext();
      await signInAs(page, "supervisor");
      await page.goto("/bulk-actions");
      await page.getByRole("link", { name: "Re-check the booking" }).click();
      await row("STOP01").getByText("Done", { exact: true }).waitFor();
      await row("STOP02").getByText("Waiting", { exact: true }).waitFor();
      expect(await page.getByRole("blockquote").count()).toBe(0);

      await page.getByRole("button", { name: "Stop" }).click();

      await page.getByText("1 of 3 done; 0 skipped; the other 2 were not changed").waitFor();
      await row("STOP01").getByText("Done", { exact: true }).waitFor();
      await row("STOP02").getByText("Not changed", { exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
      expect(await bulk.workNext()).toBeNull();
      await page.getByRole("main").getByRole("link", { name: "Bulk actions" }).click();
      await row("Re-check the booking").getByText("Stopped", { exact: true }).waitFor();
    },
    scenarioMs,
  );

  test(
    "are listed by state and page by page; where there is none, the page says what it is for",
    async () => {
      await signInAs(page, "viewer");
      await page.goto("/bulk-actions");
      await page.getByRole("heading", { name: "No bulk actions yet" }).waitFor();
      await page.getByText("A supervisor selects cases in the queue", { exact: false }).waitFor();
      for (let made = 0; made < 51; made++) {
        await bulk.start({ action: "note", note: `Number ${made}` }, [], { actor: "person:ana" });
      }

      await page.reload();
      await page.getByText("Number 50", { exact: true }).waitFor();
      expect(await page.getByText("Number 0", { exact: true }).count()).toBe(0);
      await page.getByRole("button", { name: "Load more" }).click();
      await page.getByText("Number 0", { exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);

      await page.getByText("Stopped", { exact: true }).click();
      await page.getByRole("heading", { name: "No bulk action was stopped" }).waitFor();
    },
    scenarioMs,
  );
});

describe.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "light", width: 820 },
  { colorScheme: "dark", width: 390 },
] as const)("in the $colorScheme theme, $width pixels wide", ({ colorScheme, width }) => {
  test(
    "the list has nothing that axe objects to, nor is it wider than the screen",
    async () => {
      await start({ action: "note", note: "Strike. ".repeat(200).trim() }, { orders: [`WIDE${width}`], moved: 1 });
      await bulk.workNext();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 860 });
      await signInAs(page, "viewer");
      await page.goto("/bulk-actions");
      await row("Add a note").waitFor();

      expect(await findAccessibilityProblems(page)).toEqual([]);
      expect(
        await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth"),
      ).toBeLessThanOrEqual(0);
    },
    scenarioMs,
  );
});
