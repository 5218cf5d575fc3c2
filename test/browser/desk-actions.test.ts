import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-server.ts";
import {
  buildPages,
  findAccessibilityProblems,
  openBrowser,
  openCase,
  patienceMs,
  signInAs,
  type Visitor,
  visit,
} from "./dashboard-browser.ts";

let folder: string;
let server: ServerProcess;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  folder = await makeTestFolder();
  await buildPages(join(folder, "web"));
  const settings = {
    DATA_DIR: join(folder, "data"),
    DASHBOARD_WEB_DIR: join(folder, "web"),
    // Every cancel takes a second person, and what the policy decides can be stopped for as long as the tests run.
    SECOND_PERSON_ABOVE: "1",
    UNDO_WINDOW_SECONDS: "1800",
  };
  [server, browser] = await Promise.all([startServerProcess(settings), openBrowser()]);
  await server.waitFor("Stop with Ctrl-C", 60_000);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}, 60_000);

beforeEach(async () => {
  visitor = await visit(browser, server.agencyUrl);
  page = visitor.page;
});
afterEach(async () => {
  await visitor.context.close();
  expect(visitor.complaints).toEqual([]);
});

const storyMs = 4 * patienceMs;

function dialog(): Locator {
  return page.getByRole("dialog");
}

function row(orderId: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
}

/** Opens the dialog of an action; `name` is the beginning of its button. */
async function choose(name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  await dialog().waitFor();
}

/** Sends what the dialog holds, and waits until the page has it. */
async function confirm(name: string): Promise<void> {
  await dialog().getByRole("button", { name, exact: true }).click();
  await dialog().waitFor({ state: "detached" });
}

async function waitForState(label: string): Promise<void> {
  await page.locator(".case-title").getByText(label, { exact: true }).waitFor();
}

async function signInAnewAs(role: Parameters<typeof signInAs>[1]): Promise<void> {
  await visitor.context.clearCookies();
  await signInAs(page, role);
}

describe("an automatic call that can still be stopped", () => {
  test(
    "counts down; stopping it hands the case to a person, and nothing is sent",
    async () => {
      await signInAs(page, "viewer");
      await openCase(page, "DEMO20LH");
      const banner = page.getByRole("region", { name: "Can still be stopped" });
      await banner.getByText("An agent can.", { exact: false }).waitFor();
      expect(await banner.getByRole("button").count()).toBe(0);

      await signInAnewAs("agent");
      await openCase(page, "DEMO20LH");
      expect(await banner.innerText()).toMatch(/Accept is sent in\s+(29|28|27|26|25):\d\d/);
      await banner.getByRole("button", { name: "Stop" }).click();
      await dialog().getByLabel("Note").fill("They want to leave earlier.");
      await confirm("Stop it");

      await waitForState("Needs a person");
      await banner.waitFor({ state: "detached" });
      expect(await page.getByRole("region", { name: "Gateway calls that change the order" }).count()).toBe(0);
      await page.getByRole("region", { name: "Timeline" }).getByText("They want to leave earlier.").waitFor();
    },
    storyMs,
  );
});

describe("a cancel that takes a second person", () => {
  test(
    "is asked for by one, approved by another, and then carried out",
    async () => {
      await signInAs(page, "supervisor");
      await openCase(page, "DEMOCXAI");
      await choose("Cancel order");
      await dialog().getByLabel("Type the order id").fill("DEMOCXAI");
      await confirm("Cancel the order");

      await page.getByText("A second person must approve", { exact: true }).waitFor();
      const asked = page.getByRole("region", { name: "Waits for a second person" });
      await asked.getByText("Somebody else has to approve it.", { exact: false }).waitFor();
      expect(await asked.getByRole("button", { name: "Approve" }).count()).toBe(0);
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await signInAnewAs("admin");
      await openCase(page, "DEMOCXAI");
      await asked.getByText("demo-supervisor asked for it", { exact: false }).waitFor();
      await asked.getByRole("button", { name: "Approve" }).click();
      await confirm("Approve");

      await waitForState("Done");
      expect(await page.getByRole("region", { name: "Gateway calls that change the order" }).innerText()).toMatch(
        /Cancel for AIB4N7\s+Succeeded[\s\S]*Refund answered/,
      );
    },
    storyMs,
  );
});

describe("a case that somebody works on", () => {
  beforeEach(() => signInAs(page, "agent"));

  test(
    "is taken, found among one's own, noted on and put off",
    async () => {
      await openCase(page, "DEMO31AF");
      await choose("Assign");
      await dialog().getByRole("button", { name: "Me" }).click();
      await confirm("Assign");
      await page.getByRole("region", { name: "At a glance" }).getByText("demo-agent").waitFor();

      await choose("Note");
      expect(await dialog().getByRole("button", { name: "Add the note" }).isDisabled()).toBe(true);
      await dialog().getByLabel("Note").fill("Called, no answer.");
      await confirm("Add the note");
      await page.getByRole("region", { name: "Timeline" }).getByText("Called, no answer.").waitFor();

      await choose("Snooze");
      await dialog().getByRole("button", { name: "4 hours" }).click();
      await confirm("Put it off");
      await waitForState("Put off");

      await page.goto("/");
      await page.getByLabel("Assignee").selectOption("me");
      await row("DEMOUMDL").waitFor({ state: "detached" });
      await row("DEMO31AF").waitFor();
      expect(new URL(page.url()).searchParams.get("assignee")).toBe("me");
    },
    storyMs,
  );

  test(
    "records that the traveller was asked and what the answer was, and the policy decides with it",
    async () => {
      await openCase(page, "DEMOHBAA");
      await choose("Asked");
      await dialog().getByLabel("Channel").selectOption("email");
      await confirm("Record it");
      await waitForState("Asked traveller");
      const traveller = page.getByRole("region", { name: "Traveller" });
      await traveller.getByText("Asked (email)", { exact: false }).waitFor();

      await choose("Answered");
      const record = dialog().getByRole("button", { name: "Record the answer" });
      expect(await record.isDisabled()).toBe(true);
      await dialog().getByLabel("Answer").selectOption("wants-rerouting");
      await record.click();

      await traveller.getByText("Answered (phone): wants other flights", { exact: false }).waitFor();
      await waitForState("Needs a person");
    },
    storyMs,
  );

  test(
    "is closed with a reason and opened again as a case of its own",
    async () => {
      await openCase(page, "DEMOUMDL");
      const closed = page.url();
      await choose("Close …");
      await dialog().getByLabel("Reason").selectOption("other");
      expect(await dialog().getByRole("button", { name: "Close the case" }).isDisabled()).toBe(true);
      await dialog().getByLabel("Reason").selectOption("duplicate");
      await confirm("Close the case");
      await waitForState("Closed");

      await choose("Reopen");
      await dialog().getByRole("button", { name: "Open a new case" }).click();

      await page.getByText("Opened again from", { exact: false }).waitFor();
      expect(page.url()).not.toBe(closed);
      await page.getByRole("link", { name: "an earlier case" }).click();
      await waitForState("Closed");
    },
    storyMs,
  );

  test(
    "leaves a ticket to check when the routing changed, which somebody says is done",
    async () => {
      await openCase(page, "DEMO2XAC");
      await choose("Accept");
      await confirm("Accept the change");
      await waitForState("Done");
      await page.getByRole("region", { name: "Tasks" }).getByText("Check the ticket").waitFor();

      await page.getByRole("link", { name: "Tasks" }).click();
      await row("DEMO2XAC").getByRole("button", { name: "Done" }).click();
      await dialog().getByLabel("Note").fill("Reissued.");
      await confirm("It is done");
      await row("DEMO2XAC").waitFor({ state: "detached" });
      await page.getByText("Done", { exact: true }).first().click();

      await row("DEMO2XAC").getByText("Reissued.").waitFor();
    },
    storyMs,
  );
});

/** Books an order on LH1500 at the gateway, and has the airline move the flight by more than the policy accepts. */
async function bookAndRetime(orderId: string): Promise<void> {
  const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const control = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${server.gatewayUrl ?? ""}/control${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${demoCredentials.gatewayControlToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const times = { departure: `${date}T09:00`, arrival: `${date}T10:10` };
  const flight = { from: "FRA", to: "MUC", carrier: "LH", flightNumber: "1500", ...times };
  await control("/orders", {
    orderId,
    owner: "LH",
    gdsBookingReferences: [`R${orderId.slice(-5)}`],
    flights: [flight],
  });
  await control(`/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 45 });
}

describe("several cases at once", () => {
  test(
    "of the same flight are found from each of them, and acted on together",
    async () => {
      await bookAndRetime("COHORT01");
      await bookAndRetime("COHORT02");
      await signInAs(page, "supervisor");
      await row("COHORT02").getByText("Needs a person").waitFor();
      await openCase(page, "COHORT01");
      await page.getByRole("link", { name: "1 other on LH1500" }).click();

      await row("COHORT02").waitFor();
      await row("DEMO31AF").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Act on all of LH1500" }).click();
      await dialog().getByLabel("What to do").selectOption("cancel");
      await dialog().getByRole("button", { name: "Check first" }).click();
      await dialog().getByText("Possible on 2 of 2", { exact: false }).waitFor();
      const run = dialog().getByRole("button", { name: "Run on 2 cases" });
      expect(await run.isDisabled()).toBe(true);
      await dialog().getByLabel("Type the number of orders").fill("2");
      expect(await run.isDisabled()).toBe(false);
      await dialog().getByRole("button", { name: "Back" }).click();
      await dialog().getByLabel("What to do").waitFor();
    },
    storyMs,
  );

  test(
    "an agent cannot choose any",
    async () => {
      await signInAs(page, "agent");
      await row("DEMO31AF").waitFor();

      expect(await page.getByRole("checkbox", { name: "Choose" }).count()).toBe(0);
    },
    storyMs,
  );

  test(
    "are chosen by keyboard, tried first, and then worked off one by one",
    async () => {
      await signInAs(page, "supervisor");
      await page.getByRole("searchbox").fill("DEMOMNIB");
      await row("DEMO31AF").waitFor({ state: "detached" });
      await page.getByRole("searchbox").fill("");
      await row("DEMO31AF").waitFor();
      await page.getByRole("link", { name: "DEMOMNIB", exact: true }).focus();
      await page.keyboard.press("x");
      await row("DEMOFNBA").getByRole("checkbox").check();
      await page.getByRole("region", { name: "Act on several cases" }).getByText("2 cases chosen").waitFor();
      await page.getByRole("button", { name: "Act on them" }).click();
      await dialog().getByLabel("What to do").selectOption("assign");
      await dialog().getByLabel("User name").fill("demo-agent");
      await dialog().getByLabel("Note").fill("Yours from today on.");
      await dialog().getByRole("button", { name: "Check first" }).click();
      await dialog().getByText("Possible on 2 of 2. Nothing has been done yet.").waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await dialog().getByRole("button", { name: "Run on 2 cases" }).click();

      await page.getByText("2 of 2 done: 2 taken on, 0 not.").waitFor();
      await page.getByText("Finished", { exact: true }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.getByRole("link", { name: "DEMOMNIB" }).click();
      await page.getByRole("region", { name: "At a glance" }).getByText("demo-agent").waitFor();
    },
    storyMs,
  );
});

/** The places that make the page wider than the screen; none when it is not. What scrolls by itself may be wider. */
const widerThanTheScreen = `(() => {
  if (document.documentElement.scrollWidth <= window.innerWidth) return [];
  const scrolls = (element) => element !== null &&
    (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > window.innerWidth && !scrolls(element.parentElement))
    .map((element) => "wider than the screen: " + element.outerHTML.slice(0, 120));
})()`;

describe.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const)("in the $colorScheme theme, $width pixels wide", ({ colorScheme, width }) => {
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
      await row("DEMO31AF").getByRole("checkbox").check();
      await look("queue");
      await openCase(page, "DEMO30KL");
      await page.getByRole("region", { name: "Can still be stopped" }).waitFor();
      await look("case");
      await openCase(page, "DEMOMNIB");
      for (const name of ["Snooze", "Assign", "Close …", "Answered"]) {
        await choose(name);
        await look(name);
        await page.keyboard.press("Escape");
        await dialog().waitFor({ state: "detached" });
      }
      await page.goto("/tasks");
      await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
      await look("tasks");
      await page.goto("/blocked");
      await page.getByRole("heading", { name: "No order is blocked" }).waitFor();
      await look("blocked");

      expect(Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0))).toEqual({});
    },
    storyMs,
  );
});
