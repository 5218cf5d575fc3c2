import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { sql } from "../../src/store/database/sql.ts";
import { inTransaction } from "../../src/store/database/transaction.ts";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, setUpMs, signInAs } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });
const waiting = 10_000;
/** Those on the screen, and some around them. */
const rowsInPageMax = 150;

beforeAll(insertWaitingCases, setUpMs);

test(
  "ten thousand waiting cases are scrolled to the end with few rows in the page, and a change is read with few requests",
  async () => {
    const { page } = app;
    const searches: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/cases/search")) searches.push(request.method());
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await signInAs(page, "supervisor");
    await page.locator("tr[data-case]").first().waitFor();

    const { most, rowCount, indexes } = await scrollToEnd(page);
    expect(rowCount).toBeGreaterThan(waiting);
    expect(most).toBeLessThanOrEqual(rowsInPageMax);
    expect(indexes.length).toBeGreaterThan(10);
    expect(indexes).toEqual(indexes.map((_, at) => rowCount - indexes.length + 1 + at));
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await showTimesOfScrolls(page);

    searches.length = 0;
    await changeCase("DEMO31AF");
    const behind = page.getByText("Cases have changed since this long list was read.");
    await behind.waitFor();
    expect(searches).toEqual([]);
    await page.getByRole("button", { name: "Read again from the top" }).click();
    await behind.waitFor({ state: "detached" });
    await page.locator('tr[aria-rowindex="2"]').waitFor();
    expect(searches.length).toBeGreaterThan(0);
    expect(searches.length).toBeLessThanOrEqual(3);
  },
  3 * scenarioMs,
);

/** Like the case of DEMO31AF, and less urgent. Nobody is told of them. */
async function insertWaitingCases(): Promise<void> {
  await inTransaction(app.db.ownerDatabase, async (transaction) => {
    await sql`alter table skedchange.cases disable trigger cases_tell_of_opening`.execute(transaction);
    await sql`
      insert into skedchange.orders (source, order_id)
      select 'default', 'LONG' || n from generate_series(1, ${waiting}::int) as n
    `.execute(transaction);
    await sql`
      insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at)
      select gen_random_uuid(), 'default', 'LONG' || n, array['R' || n], 'received', now(), now()
      from generate_series(1, ${waiting}::int) as n
    `.execute(transaction);
    await sql`update skedchange.cases set state = 'checking' where order_id like 'LONG%'`.execute(transaction);
    await sql`
      update skedchange.cases c set state = 'awaiting-agent', review_queue = 'agent', decision_id = like_it.decision_id,
        headline = like_it.headline, departure_at = like_it.departure_at, due_by = now() + interval '9 days',
        due_by_rule = 'agency'
      from skedchange.cases like_it where like_it.order_id = 'DEMO31AF' and c.order_id like 'LONG%'
    `.execute(transaction);
    await sql`alter table skedchange.cases enable trigger cases_tell_of_opening`.execute(transaction);
  });
  await sql`analyze`.execute(app.db.ownerDatabase.connection);
}

interface Scrolled {
  /** Of the rows that were in the page at a time. */
  readonly most: number;
  readonly rowCount: number;
  /** Of the rows at the end. */
  readonly indexes: readonly number[];
}

/** In steps, as the list is read, until the last row is there. */
async function scrollToEnd(page: Page): Promise<Scrolled> {
  return await page.evaluate<Scrolled>(`(async () => {
    const rows = () => [...document.querySelectorAll("tr[data-case]")];
    const indexes = () => rows().map((row) => Number(row.getAttribute("aria-rowindex")));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let most = 0;
    for (;;) {
      window.scrollBy(0, 4000);
      await frame();
      await frame();
      most = Math.max(most, rows().length);
      const rowCount = Number(document.querySelector("table.queue").getAttribute("aria-rowcount"));
      if (indexes().at(-1) === rowCount) return { most, rowCount, indexes: indexes() };
    }
  })()`);
}

interface Task {
  /** Milliseconds of the processor. */
  readonly worked: number;
  /** From its begin to its end: what it worked and what it waited for a processor. */
  readonly took: number;
}

/** Not asserted: how long a task takes depends on what else the machine does. */
async function showTimesOfScrolls(page: Page): Promise<void> {
  if (process.env["SHOW_TIMES"] !== "1") return;
  for (const scroll of [0, 1, 2]) {
    const tasks = await tasksDuring(page, () =>
      page.evaluate(`(async () => {
        window.scrollTo(0, ${scroll} * 100_000);
        for (let step = 0; step < 60; step += 1) {
          window.scrollBy(0, 400);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      })()`),
    );
    const worked = Math.round(Math.max(...tasks.map((task) => task.worked)));
    const took = Math.round(Math.max(...tasks.map((task) => task.took)));
    process.stdout.write(`\nScroll ${scroll + 1}: the longest task worked ${worked} ms, and took ${took} ms\n`);
  }
}

/** What a trace of Chromium holds of it: microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Of the main threads of the pages. */
async function tasksDuring(page: Page, run: () => Promise<unknown>): Promise<readonly Task[]> {
  const events: TraceEvent[] = [];
  const devTools = await page.context().newCDPSession(page);
  devTools.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as readonly TraceEvent[])));
  await devTools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"] },
  });
  await run();
  const isComplete = new Promise((resolve) => devTools.once("Tracing.tracingComplete", resolve));
  await devTools.send("Tracing.end");
  await isComplete;
  await devTools.detach();
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf),
  );
  return events
    .filter((event) => event.name === "ThreadControllerImpl::RunTask" && main.has(threadOf(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ took: dur / 1_000, worked: tdur / 1_000 }));
}

async function changeCase(orderId: string): Promise<void> {
  const url = `${app.server.agencyUrl}/api/v1/cases`;
  const headers = { authorization: `Bearer ${demoCredentials.apiToken}`, "content-type": "application/json" };
  const found = (await (await fetch(`${url}?orderId=${orderId}`, { headers })).json()) as {
    readonly items: readonly { readonly id: string }[];
  };
  const response = await fetch(`${url}/${found.items[0]?.id}/actions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ action: "note", note: "They call back." }),
  });
  expect(response.status).toBeLessThan(300);
}
