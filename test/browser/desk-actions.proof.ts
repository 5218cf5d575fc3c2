import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createClockStore } from "../../src/store/cases/clocks.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { eventually } from "../harness/eventually.ts";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import {
  allCases,
  chooseAction,
  findAccessibilityProblems,
  findAccessibilityProblemsInBothThemes,
  openCase,
  scenarioMs,
  signInAs,
} from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({
  side: "agency",
  // Every cancel takes a second person, and what the policy decides can be stopped for as long as the tests run.
  settings: { SECOND_PERSON_ABOVE: "1", UNDO_WINDOW_SECONDS: "1800" },
});
const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
let page: Page;
beforeEach(() => {
  page = app.page;
});

function dialog(): Locator {
  return page.getByRole("dialog");
}

function row(orderId: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
}

async function choose(name: string): Promise<void> {
  await chooseAction(page, name);
}

/** Sends what the dialog holds, and waits until the page has it. */
async function confirm(name: string): Promise<void> {
  await dialog().getByRole("button", { name, exact: true }).click();
  await dialog().waitFor({ state: "detached" });
}

async function waitForState(label: string, timeout = 30_000): Promise<void> {
  await page.locator(".case-title").getByText(label, { exact: true }).waitFor({ timeout });
}

async function signInAnewAs(role: Parameters<typeof signInAs>[1]): Promise<void> {
  await app.visitor.context.clearCookies();
  await signInAs(page, role);
}

describe("an automatic call that can still be stopped", () => {
  test(
    "counts down; stopping it hands the case to a person, and nothing is sent",
    async () => {
      await signInAs(page, "viewer");
      await openCase(page, "DEMO20LH");
      const banner = page.getByRole("region", { name: "Can still be stopped" });
      await banner.getByText("unless an agent stops it", { exact: false }).waitFor();
      expect(await banner.getByRole("button").count()).toBe(0);

      await signInAnewAs("agent");
      await openCase(page, "DEMO20LH");
      expect(await banner.innerText()).toMatch(/Accept is sent in\s+(29|28|27|26|25):\d\d/);
      await banner.getByRole("button", { name: "Stop" }).click();
      await dialog().getByLabel("Note").fill("They want to leave earlier.");
      await confirm("Stop");

      await waitForState("Needs action");
      await banner.waitFor({ state: "detached" });
      expect(await page.getByRole("region", { name: "Accepts and cancels" }).count()).toBe(0);
      await page.getByRole("region", { name: "Timeline" }).getByText("They want to leave earlier.").waitFor();
    },
    scenarioMs,
  );
});

describe("a call that waits for a gateway that cannot be read", () => {
  afterAll(() => gateway.behave());

  test(
    "is shown as waiting, and can be stopped for as long as it waits",
    async () => {
      await bookAndRetime("PUTOFF01", { number: "1650", inDays: 40 });
      await signInAs(page, "agent");
      await openCase(page, "PUTOFF01");
      await waitForState("Needs action");
      await garbleStatusOf("PUTOFF01");
      await choose("Accept");
      await confirm("Accept the change");

      const banner = page.getByRole("region", { name: "Can still be stopped" });
      await banner.getByText("Accept waits for the gateway").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await banner.getByRole("button", { name: "Stop" }).click();
      await confirm("Stop");

      await waitForState("Needs action");
      await banner.waitFor({ state: "detached" });
      expect(await page.getByRole("region", { name: "Accepts and cancels" }).count()).toBe(0);
    },
    scenarioMs,
  );
});

describe("a cancel that takes a second person", () => {
  test(
    "is requested by one person, approved by another, and then carried out",
    async () => {
      await signInAs(page, "supervisor");
      await openCase(page, "DEMOCXAI");
      await choose("Cancel order");
      await dialog().getByLabel("Type the order id").fill("DEMOCXAI");
      await confirm("Cancel the order");

      await page.getByText("A second person must approve", { exact: true }).waitFor();
      const asked = page.getByRole("region", { name: "Needs approval" });
      await asked.getByText("Someone else must approve it.", { exact: false }).waitFor();
      expect(await asked.getByRole("button", { name: "Approve" }).count()).toBe(0);
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await signInAnewAs("admin");
      await openCase(page, "DEMOCXAI");
      await asked.getByText("Requested by demo-supervisor", { exact: false }).waitFor();
      await asked.getByRole("button", { name: "Approve" }).click();
      await confirm("Approve");

      await waitForState("Done");
      expect(await page.getByRole("region", { name: "Accepts and cancels" }).innerText()).toMatch(
        /Cancel for AIB4N7\s+Succeeded[\s\S]*Actual refund/,
      );
    },
    scenarioMs,
  );
});

describe("a connection that cannot be made", () => {
  test(
    "is left out of a bulk accept until somebody says that it was checked with the traveller",
    async () => {
      await signInAs(page, "supervisor");
      await page.goto(allCases);
      await row("DEMO2XAC").getByRole("checkbox").check();
      await row("DEMO31AF").getByRole("checkbox").check();
      await page.keyboard.press("a");

      await dialog().getByText("1 × A connection cannot be made.").waitFor();
      await dialog().getByRole("button", { name: "Run on 1 case" }).waitFor();
      await dialog().getByLabel("I have checked it with the traveller", { exact: false }).check();
      await dialog().getByRole("button", { name: "Run on 2 cases" }).waitFor();
    },
    scenarioMs,
  );
});

describe("a case that somebody works on", () => {
  beforeEach(() => signInAs(page, "agent"));

  test(
    "is assigned, noted on, changed by the airline while it is open, snoozed, and found among one's own",
    async () => {
      await openCase(page, "DEMO31AF");
      await choose("Assign");
      await dialog().getByRole("option", { name: "(me)" }).click();
      await confirm("Assign");
      await page.getByRole("region", { name: "At a glance" }).getByText("demo-agent").waitFor();
      const head = page.locator(".case-head");
      await head.getByText("Assigned to you.", { exact: false }).waitFor();

      await choose("Add note");
      expect(await dialog().getByRole("button", { name: "Add note" }).isDisabled()).toBe(true);
      await dialog().getByLabel("Note").fill("Called, no answer.");
      await confirm("Add note");
      await page.getByRole("region", { name: "Timeline" }).getByText("Called, no answer.").waitFor();
      await head.getByText("Called, no answer.", { exact: false }).waitFor();

      await gateway.change("DEMO31AF", { kind: "retime", departureMinutes: 45 });
      const changed = page.getByRole("status").filter({ hasText: "The airline has changed it again" });
      await changed.getByText("Before: AF1204 CDG-FCO", { exact: false }).waitFor();
      await head.getByText("leaves 45 min later", { exact: false }).waitFor();
      await changed.getByRole("button", { name: "Dismiss" }).click();
      await changed.waitFor({ state: "detached" });

      await choose("Snooze");
      await dialog().getByRole("button", { name: "4 h", exact: true }).click();
      await confirm("Snooze");
      await waitForState("Snoozed");
      await head.getByText(/^Snoozed until (today|tomorrow) \d\d:\d\d\./).waitFor();

      await page.goto(allCases);
      await page.getByLabel("Assignee").selectOption("me");
      await row("DEMOUMDL").waitFor({ state: "detached" });
      await row("DEMO31AF").waitFor();
      expect(new URL(page.url()).searchParams.get("assignee")).toBe("me");
    },
    scenarioMs,
  );

  test(
    "records that the traveller was asked and what the answer was, and the policy decides with it",
    async () => {
      await openCase(page, "DEMOHBAA");
      await choose("Ask traveller");
      await dialog().getByLabel("Channel").selectOption("email");
      await confirm("Record as asked");
      await waitForState("Traveller asked");
      const traveller = page.getByRole("region", { name: "Travellers" });
      await traveller.getByText("Asked (email)", { exact: false }).waitFor();

      await choose("Record answer");
      const record = dialog().getByRole("button", { name: "Record answer" });
      expect(await record.isDisabled()).toBe(true);
      await dialog().getByLabel("Answer").selectOption("wants-rerouting");
      await record.click();

      await traveller.getByText("Answered (phone): wants other flights", { exact: false }).waitFor();
      await waitForState("Needs action");
    },
    scenarioMs,
  );

  test(
    "has a text for the travellers in their language, to edit, to copy and to open in the mail program",
    async () => {
      await app.visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await gateway.book("TEXT0001", { number: "1818", inDays: 40 });
      await gateway.change("TEXT0001", { kind: "retime", departureMinutes: 45, arrivalMinutes: 45 });
      await openCase(page, "TEXT0001");
      await page.getByRole("button", { name: "Write to travellers" }).click();
      await dialog().getByLabel("Subject").and(page.locator("[lang=en]")).waitFor();

      await dialog().getByLabel("Language").selectOption({ label: "Deutsch" });
      await dialog().getByLabel("Subject").and(page.locator("[lang=de]")).waitFor();
      const text = dialog().getByLabel("Text");
      const written = `${await text.inputValue()}\nIhr Reisebüro`;
      expect(written).toContain("LH1818");
      await text.fill(written);
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await dialog().getByRole("button", { name: "Copy", exact: true }).click();
      await dialog().getByRole("button", { name: "Copied" }).waitFor();

      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(written);
      const mail = new URL((await dialog().getByRole("link", { name: "Open email" }).getAttribute("href"))!);
      expect(mail.protocol + decodeURIComponent(mail.pathname)).toBe("mailto:traveller@example.com");
      expect(mail.searchParams.get("body")).toBe(written.replaceAll("\n", "\r\n"));
    },
    scenarioMs,
  );

  test(
    "says that the outcome is unknown if the response to an action is lost, and shows what has become of the case",
    async () => {
      await openCase(page, "DEMOUMDL");
      await page.route("**/actions", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await choose("Add note");
      await dialog().getByLabel("Note").fill("Called the airline.");
      await dialog().getByRole("button", { name: "Add note" }).click();

      await dialog().getByRole("alert").getByText("The outcome is unknown").waitFor();
      await dialog().getByText("it may or may not have been done", { exact: false }).waitFor();
      await dialog().getByRole("button", { name: "Back" }).click();
      await page.getByRole("region", { name: "Timeline" }).getByText("Called the airline.").waitFor();
    },
    scenarioMs,
  );

  test(
    "is closed with a reason and opened again as a case of its own",
    async () => {
      await openCase(page, "DEMOUMDL");
      const closed = page.url();
      await choose("Close …");
      await dialog().getByLabel("Reason").selectOption("other");
      expect(await dialog().getByRole("button", { name: "Close case" }).isDisabled()).toBe(true);
      await dialog().getByLabel("Reason").selectOption("duplicate");
      await confirm("Close case");
      await waitForState("Closed");

      await choose("Reopen");
      await dialog().getByRole("button", { name: "Open new case" }).click();

      await page.getByText("Reopened from", { exact: false }).waitFor();
      expect(page.url()).not.toBe(closed);
      await page.getByRole("link", { name: "an earlier case" }).click();
      await waitForState("Closed");
    },
    scenarioMs,
  );

  test(
    "leaves a ticket to check when the routing changed, which somebody marks as done",
    async () => {
      await openCase(page, "DEMO2XAC");
      await choose("Accept");
      const danger = dialog().getByRole("group", { name: "Danger" });
      await danger.getByText("1 h 30 min at FRA, minimum 1 h 45 min", { exact: false }).waitFor();
      expect(await dialog().getByRole("button", { name: "Accept the change" }).isDisabled()).toBe(true);
      await danger.getByLabel("I have checked this with the traveller").check();
      await confirm("Accept the change");
      await waitForState("Done");
      await page.getByRole("region", { name: "Tasks" }).getByText("Check the ticket").waitFor();

      await page.getByRole("link", { name: "Tasks" }).click();
      await page.getByLabel("Kind").selectOption("check-ticket");
      const ticketRow = row("DEMO2XAC").filter({ hasText: "Check the ticket" });
      await ticketRow.getByText("24 h before departure").waitFor();
      await ticketRow.getByRole("button", { name: "Mark done" }).click();
      await dialog().getByLabel("Note").fill("Reissued.");
      await confirm("Mark as done");
      await ticketRow.waitFor({ state: "detached" });
      await page.getByText("Done", { exact: true }).first().click();

      await ticketRow.getByText("Reissued.").waitFor();
    },
    scenarioMs,
  );
});

/** An order whose flight the airline moves by more than the policy accepts, so that a person has to decide. */
async function bookAndRetime(orderId: string, flight = { number: "1500", inDays: 20 }): Promise<void> {
  await gateway.book(orderId, flight);
  await gateway.change(orderId, { kind: "retime", departureMinutes: 45 });
}

describe("several cases at once", () => {
  test(
    "of the same flight are found from each other, and acted on together",
    async () => {
      await bookAndRetime("COHORT01");
      await bookAndRetime("COHORT02");
      await gateway.book("COHORT03", { number: "1500", inDays: 20 });
      await gateway.change("COHORT03", { kind: "retime", departureMinutes: 5, arrivalMinutes: 5 });
      await signInAs(page, "supervisor");
      await page.goto(allCases);
      await row("COHORT02").getByText("Needs action").waitFor();
      await row("COHORT03").getByText("Accept pending").waitFor();
      await openCase(page, "COHORT01");
      await page.getByRole("link", { name: "2 others on LH1500" }).click();

      await row("COHORT02").waitFor();
      await row("COHORT03").waitFor();
      await row("DEMO31AF").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Bulk action on all of LH1500" }).click();
      await dialog().getByLabel("Action").selectOption("cancel");
      await dialog().getByRole("button", { name: "Preview" }).click();
      await dialog().getByText("Possible for 2 of 3 cases", { exact: false }).waitFor();
      const run = dialog().getByRole("button", { name: "Run on 2 cases" });
      expect(await run.isDisabled()).toBe(true);
      await dialog().getByLabel("the number of orders to cancel").fill("2");
      expect(await run.isDisabled()).toBe(false);
      await dialog().getByRole("button", { name: "Back" }).click();
      await dialog().getByLabel("Action").waitFor();
      await dialog().getByRole("button", { name: "Cancel" }).click();
      await dialog().waitFor({ state: "detached" });
    },
    scenarioMs,
  );

  test(
    "an agent cannot select any case",
    async () => {
      await signInAs(page, "agent");
      await page.goto(allCases);
      await row("DEMO31AF").waitFor();

      expect(await page.getByRole("checkbox", { name: "Select" }).count()).toBe(0);
    },
    scenarioMs,
  );

  test(
    "are chosen by keyboard, tried first, and then worked off one by one",
    async () => {
      await signInAs(page, "supervisor");
      await page.goto(allCases);
      // A search that is typed while the list is read shows the rows of no search for a moment, and they take no keys.
      await row("DEMO31AF").waitFor();
      await page.getByRole("searchbox").fill("DEMOMNIB");
      await row("DEMO31AF").waitFor({ state: "detached" });
      await page.getByRole("searchbox").fill("");
      await row("DEMO31AF").waitFor();
      await page.getByRole("link", { name: "DEMOMNIB", exact: true }).focus();
      await page.keyboard.press("x");
      await row("DEMOFNBA").getByRole("checkbox").check();
      await page.getByRole("region", { name: "Bulk actions" }).getByText("2 cases selected").waitFor();
      await page.getByRole("button", { name: "Bulk action" }).click();
      await dialog().getByLabel("Action").selectOption("assign");
      await dialog().getByRole("option", { name: "Demo agent" }).click();
      await dialog().getByLabel("Note").fill("Yours from today on.");
      await dialog().getByRole("button", { name: "Preview" }).click();
      await dialog().getByText("Possible for 2 of 2 cases. Nothing has been changed yet.").waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await dialog().getByRole("button", { name: "Run on 2 cases" }).click();

      await page.getByText("2 of 2 done; 0 skipped").waitFor();
      await page.getByText("Finished", { exact: true }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.getByRole("link", { name: "DEMOMNIB" }).click();
      await page.getByRole("region", { name: "At a glance" }).getByText("demo-agent").waitFor();
    },
    scenarioMs,
  );
});

describe("a case that nobody decided in time", () => {
  test(
    "rises above what was more urgent, says by how much it is late and by which clock, and is found by the filter",
    async () => {
      // The more urgent one departs within seven days and is booked last: urgency puts it first, and never its arrival.
      await bookAndRetime("CLOCKFAR", { number: "1601", inDays: 60 });
      await bookAndRetime("CLOCKNEAR", { number: "1600", inDays: 5 });
      await signInAs(page, "agent");
      await page.goto("/?route=FRA-MUC&order=due");
      await row("CLOCKNEAR").getByText("Needs action").waitFor();
      await row("CLOCKFAR").getByText("Needs action").waitFor();
      const isAbove = async (one: string, other: string) => {
        const ids = await page.locator("tbody .order").allInnerTexts();
        return ids.indexOf(one) < ids.indexOf(other);
      };
      expect(await isAbove("CLOCKNEAR", "CLOCKFAR")).toBe(true);

      await letClockRunOut("CLOCKFAR");

      await row("CLOCKFAR").getByText("overdue").waitFor();
      expect(await isAbove("CLOCKFAR", "CLOCKNEAR")).toBe(true);
      expect(await row("CLOCKFAR").innerText()).toMatch(/2 h \d+ min overdue\s+agency SLA/);
      await page.getByRole("switch", { name: "Overdue" }).check();
      await row("CLOCKNEAR").waitFor({ state: "detached" });
      await row("CLOCKFAR").waitFor();
      expect(new URL(page.url()).searchParams.get("overdue")).toBe("1");
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      await page.getByRole("link", { name: "CLOCKFAR", exact: true }).click();

      await page
        .locator(".case-title")
        .getByText(/2 h \d+ min overdue/)
        .waitFor();
      await page.getByRole("region", { name: "Timeline" }).getByText("Overdue").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    },
    scenarioMs,
  );
});

/** The clock of a case ran out two and a half hours ago, and a process has noticed, as each does every minute. */
async function letClockRunOut(orderId: string): Promise<void> {
  await app.db.ownerDatabase.pool.query(
    "update skedchange.cases set due_by = now() - interval '150 minutes' where order_id = $1",
    [orderId],
  );
  await createClockStore(app.db.database, systemClock).markOverdue(100);
}

/** The gateway responds to each question about the order's status with half of a response. */
async function garbleStatusOf(orderId: string): Promise<void> {
  await gateway.injectFaults({ mode: "malformed", operation: "AirReservationStatus", orderId, times: 1_000 });
}

describe("an order that is blocked", () => {
  afterAll(() => gateway.behave());

  test(
    "because its status cannot be read is listed with the reason, and retried at once on request",
    async () => {
      await garbleStatusOf("MUTE01");
      await bookAndRetime("MUTE01", { number: "1610", inDays: 30 });
      await signInAs(page, "viewer");
      await page.getByRole("link", { name: "Blocked" }).click();
      await row("MUTE01").getByText("Keeps failing").waitFor();
      await row("MUTE01")
        .getByText("attempts failed, the latest with gateway.malformed_answer", { exact: false })
        .waitFor();
      expect(await row("MUTE01").getByRole("button").count()).toBe(0);

      await signInAnewAs("agent");
      await page.getByRole("link", { name: "Blocked" }).click();
      await row("MUTE01").getByRole("button", { name: "Retry now" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await gateway.behave();
      await row("MUTE01").getByRole("button", { name: "Retry now" }).click();

      await page.getByRole("heading", { name: "No order is blocked" }).waitFor();
      await openCase(page, "MUTE01");
      // After so many failures the circuit may be open, and the gateway is left alone for half a minute.
      await waitForState("Needs action", 75_000);
      await page.getByRole("region", { name: "Timeline" }).getByText("demo-agent").waitFor();
    },
    scenarioMs,
  );

  test(
    "because the outcome of a cancel is unknown is released by the person who found it out",
    async () => {
      const agency = openAgencyApi(app.server.agencyUrl, demoCredentials.apiToken);
      await bookAndRetime("LOST01", { number: "1620", inDays: 40 });
      await agency.caseIn("LOST01", ["awaiting-agent"]);
      await signInAs(page, "supervisor");
      await openCase(page, "LOST01");
      await choose("Cancel order");
      await dialog().getByLabel("Type the order id").fill("LOST01");
      await confirm("Cancel the order");
      await page.getByText("A second person must approve", { exact: true }).waitFor();
      await gateway.injectFaults({ mode: "stale-status", orderId: "LOST01", seconds: 3_600 });
      const operation = "AirOrderInvoluntaryCancel";
      await gateway.injectFaults({ mode: "reset", operation, orderId: "LOST01", afterEffect: true });
      await signInAnewAs("admin");
      await openCase(page, "LOST01");
      await page.getByRole("button", { name: "Approve" }).click();
      await confirm("Approve");

      await page.getByRole("link", { name: "Blocked" }).click();
      await row("LOST01").getByText("Outcome unknown").waitFor();
      await row("LOST01").getByText("then mark it as carried out or not", { exact: false }).waitFor();
      await letSettleReadsPass("LOST01");
      await row("LOST01").getByText("waits for an agent").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await gateway.behave();
      await row("LOST01").getByRole("link", { name: "Open case" }).click();
      await page.getByRole("button", { name: "Mark carried out" }).waitFor();
      await choose("Mark carried out");
      await dialog().getByLabel("Note").fill("The airline shows it as cancelled.");
      await confirm("Confirm");

      await waitForState("Done");
      await page.getByRole("region", { name: "Tasks" }).getByText("Check the refund").waitFor();
      await page.getByRole("link", { name: "Blocked" }).click();
      await page.getByRole("heading", { name: "No order is blocked" }).waitFor();
    },
    scenarioMs,
  );
});

/** The status is read as often as it may be before a person must say what became of a call, without the waits between. */
async function letSettleReadsPass(orderId: string): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await app.db.ownerDatabase.pool.query<{ state: string }>(
        "update skedchange.cases set due_at = now() where order_id = $1 and due_at > now() returning state",
        [orderId],
      );
      expect(rows).toEqual([]);
      const asked = await app.db.ownerDatabase.pool.query(
        "select 1 from skedchange.cases where order_id = $1 and state = 'awaiting-agent' and due_at is null",
        [orderId],
      );
      expect(asked.rows).toHaveLength(1);
    },
    { timeoutMs: 30_000, everyMs: 500 },
  );
}

/**
 * The places that make the page wider than the screen, and the tables that would have to be scrolled sideways; none when
 * everything fits. Anything else that scrolls by itself may be wider.
 */
const widerThanTheScreen = `(() => {
  const tables = [...document.querySelectorAll("main .table-box")]
    .filter((box) => box.scrollWidth > box.clientWidth || box.getBoundingClientRect().right > window.innerWidth)
    .map((box) => "scrolls sideways: " + box.outerHTML.slice(0, 120));
  if (document.documentElement.scrollWidth <= window.innerWidth) return tables;
  const scrolls = (element) => element !== null &&
    (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > window.innerWidth && !scrolls(element.parentElement))
    .map((element) => "wider than the screen: " + element.outerHTML.slice(0, 120))
    .concat(tables, "the page: " + document.documentElement.scrollWidth);
})()`;

describe.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const)("in the $colorScheme theme, $width pixels wide", ({ colorScheme, width }) => {
  const blocked = `MUTE${width}`;
  const leavesTask = `TASK${width}`;
  beforeAll(async () => {
    await garbleStatusOf(blocked);
    await bookAndRetime(blocked, { number: "1630", inDays: 30 });
    await gateway.book(leavesTask, { number: "1640", inDays: 30 });
    await gateway.change(leavesTask, { kind: "renumber", flightNumber: "1641" });
    const agency = openAgencyApi(app.server.agencyUrl, demoCredentials.apiToken);
    const { id } = await agency.caseIn(leavesTask, ["awaiting-agent"]);
    await agency.act(id, "accept");
  }, scenarioMs);
  afterAll(() => gateway.behave());

  test(
    "no page of the desk has anything that axe objects to, nor is wider than the screen",
    async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 860 });
      const problems: Record<string, readonly string[]> = {};
      const look = async (name: string): Promise<void> => {
        const wide = await page.evaluate<readonly string[]>(widerThanTheScreen);
        problems[name] = [...(await findAccessibilityProblems(page)), ...wide];
      };

      await signInAs(page, "supervisor");
      await page.locator("tbody").getByRole("checkbox").first().check();
      await look("queue");
      await openCase(page, "DEMO30KL");
      await page.getByRole("region", { name: "Can still be stopped" }).waitFor();
      await look("case");
      await openCase(page, "DEMOMNIB");
      for (const name of ["Snooze", "Assign", "Close …", "Record answer"]) {
        await choose(name);
        await look(name);
        await page.keyboard.press("Escape");
        await dialog().waitFor({ state: "detached" });
      }
      await page.goto("/tasks");
      await row(leavesTask).first().waitFor();
      await look("tasks");
      await page.goto("/blocked");
      await row(blocked).waitFor();
      await look("blocked");

      expect(Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0))).toEqual({});
    },
    scenarioMs,
  );
});

describe("on a phone", () => {
  beforeEach(() => page.setViewportSize({ width: 390, height: 844 }));

  test(
    "a short list is in the page as a whole, so that the browser's own search finds the last case",
    async () => {
      await signInAs(page, "agent");
      await page.goto(allCases);
      await page.locator("tr[data-case]").first().waitFor();

      const rowCount = await page.getByRole("table").getAttribute("aria-rowcount");
      expect(Number(rowCount)).toBeGreaterThan(15);
      expect(await page.locator("tr[data-case]").count()).toBe(Number(rowCount) - 1);
    },
    scenarioMs,
  );

  test(
    "each case of the queue is a card within the screen, chosen and opened by keyboard as at a desk",
    async () => {
      await bookAndRetime("PHONE01", { number: "1650", inDays: 30 });
      await signInAs(page, "supervisor");
      await page.goto("/?order=newest");
      const card = row("PHONE01");
      await card.getByText("Needs action").waitFor();
      expect(await card.innerText()).toMatch(
        /(Minor|Major)[\s\S]*PHONE01[\s\S]*FRA–MUC[\s\S]*LH1650[\s\S]*09:45[\s\S]*Needs action/,
      );
      for (const cell of await card.locator("td, th").all()) {
        const box = await cell.boundingBox();
        expect(box === null || (box.x >= 0 && box.x + box.width <= 390)).toBe(true);
      }

      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByRole("region", { name: "Bulk actions" }).getByText("1 case selected").waitFor();
      const focused = page.locator("a[data-row]:focus");
      const orderId = await focused.innerText();
      expect(await row(orderId).getByRole("checkbox").isChecked()).toBe(true);
      await page.getByRole("checkbox", { name: "Select all cases shown" }).check();
      await page.getByRole("link", { name: orderId, exact: true }).focus();
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: orderId, level: 1 }).waitFor();
    },
    scenarioMs,
  );
});
