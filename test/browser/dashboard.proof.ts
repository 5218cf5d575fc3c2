import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import {
  allCases,
  chooseAction,
  findAccessibilityProblems,
  findAccessibilityProblemsInBothThemes,
  openCase,
  scenarioMs,
  signInAs,
  visit,
} from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "agency" });
const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
let page: Page;
beforeEach(() => {
  page = app.page;
});

/** Pushes a body as the demo's gateway would. */
async function push(body: string): Promise<Response> {
  return await fetch(`${app.server.agencyUrl}/ocn`, {
    method: "POST",
    headers: { authorization: `Bearer ${demoCredentials.bearerToken}`, "content-type": "application/json" },
    body,
  });
}

function row(orderId: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
}

function dialog() {
  return page.getByRole("dialog");
}

const nameOfFocused =
  "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? document.activeElement.tagName";

test(
  "the first page of somebody new takes at most 250 KB over the wire, compressed, and reads nothing twice",
  async () => {
    const read: { readonly path: string; readonly bytes: Promise<number>; readonly encoding: Promise<string> }[] = [];
    page.on("requestfinished", (request) => {
      const { pathname, search } = new URL(request.url());
      const bytes = request.sizes().then((sizes) => sizes.responseHeadersSize + sizes.responseBodySize);
      const encoding = request
        .response()
        .then(async (response) => (await response?.headerValue("content-encoding")) ?? "none");
      read.push({ path: `${request.method()} ${pathname}${search}`, bytes, encoding });
    });

    await signInAs(page, "agent");
    await row("DEMO31AF").waitFor();
    await page.waitForLoadState("load");

    const sizes = await Promise.all(
      read.map(async ({ path, bytes, encoding }) => ({ path, bytes: await bytes, encoding: await encoding })),
    );
    // The session is asked for before and after the sign-in.
    const paths = sizes.map(({ path }) => path).filter((path) => path !== "GET /api/v1/session");
    expect(paths.filter((path, index) => paths.indexOf(path) < index)).toEqual([]);
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total > 250_000 ? sizes : []).toEqual([]);
    expect(sizes.filter(({ bytes, encoding }) => bytes > 2_048 && encoding === "none")).toEqual([]);
    // Two scripts, what loads others, and two of styles. What few people open comes later, in files of its own.
    expect(paths.filter((path) => path.startsWith("GET /assets/")).length).toBeLessThanOrEqual(5);
    expect(total).toBeGreaterThan(100_000);
  },
  scenarioMs,
);

describe("signing in", () => {
  test(
    "a wrong password is reported, and the right one leads to the address that was requested",
    async () => {
      await page.goto("/quarantine");
      await page.getByLabel("User name").fill("demo-agent");
      await page.getByRole("textbox", { name: "Password" }).fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").getByText("The user name or the password is wrong.").waitFor();

      await page.getByRole("textbox", { name: "Password" }).fill("agent-of-the-demo");
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Quarantine", level: 1 }).waitFor();
    },
    scenarioMs,
  );

  test(
    "signing out ends the session in this browser",
    async () => {
      await signInAs(page, "agent");

      await page.getByRole("button", { name: "Demo agent" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.reload();

      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      // It lets nobody in, and the browser is known at the next sign-in.
      expect((await app.visitor.context.cookies()).map(({ name }) => name)).toEqual(["skedchange_browser"]);
    },
    scenarioMs,
  );
});

describe("the queue", () => {
  beforeEach(() => signInAs(page, "agent"));

  test(
    "shows decided and waiting cases with old and new times, and that it is live",
    async () => {
      await page.goto(allCases);
      expect(await row("DEMO20LH").innerText()).toMatch(
        /Accept by the policy[\s\S]*LIS–FRA[\s\S]*07:10[\s\S]*07:30[\s\S]*Done/,
      );
      expect(await row("DEMO31AF").innerText()).toMatch(/CDG–FCO[\s\S]*13:10[\s\S]*13:41[\s\S]*Needs action/);
      expect(await row("DEMOCXAI").innerText()).toMatch(/withdrawn/);
      await page.getByText("Live", { exact: true }).waitFor();
    },
    scenarioMs,
  );

  test(
    "the search and the filters narrow the list, and filters alone stand in the address and survive a reload",
    async () => {
      await row("DEMO31AF").waitFor();
      await page.getByRole("searchbox").fill("demoum");
      await row("DEMO31AF").waitFor({ state: "detached" });
      await row("DEMOUMDL").waitFor();
      expect(new URL(page.url()).search).toBe("");

      await page.getByRole("searchbox").fill("");
      await page.getByText("Finished", { exact: true }).click();
      await row("DEMOUMDL").waitFor({ state: "detached" });
      await row("DEMO20LH").waitFor();
      await page.reload();
      await row("DEMO20LH").waitFor();
      expect(await row("DEMOUMDL").count()).toBe(0);

      await page.getByLabel("Queue", { exact: true }).selectOption("reschedule");
      await page.getByRole("heading", { name: "No cases match these filters" }).waitFor();
      await page.getByRole("button", { name: "Show all cases" }).click();
      await row("DEMOUMDL").waitFor();
    },
    scenarioMs,
  );

  test(
    "Enter in the search opens the only case, Escape keeps the text, and Enter moves to the first of several",
    async () => {
      await page.locator("a[data-row]").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("MOUM");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "DEMOUMDL", level: 1 }).waitFor();

      await page.goBack();
      await page.keyboard.press("/");
      await page.getByRole("searchbox").fill("demo");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("searchbox").inputValue()).toBe("demo");
      await page.locator("input[type=search]:focus").waitFor({ state: "detached" });

      await page.keyboard.press("/");
      await page.keyboard.press("Enter");
      await page.locator("a[data-row]:focus").waitFor();
    },
    scenarioMs,
  );

  test(
    "can be worked by keyboard: search, next, previous, open",
    async () => {
      const links = page.locator("a[data-row]");
      await links.first().waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("k");
      const focused = page.locator("a[data-row]:focus");
      expect(await focused.innerText()).toBe(await links.first().innerText());
      const orderId = await focused.innerText();
      await page.keyboard.press("/");
      await page.locator("input[type=search]:focus").waitFor();
      await page.keyboard.type("jk");
      expect(await page.getByRole("searchbox").inputValue()).toBe("jk");
      await page.getByRole("searchbox").fill("");

      await links.first().waitFor();
      await links.filter({ hasText: orderId }).focus();
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: orderId, level: 1 }).waitFor();
    },
    scenarioMs,
  );

  test(
    "everything on the page is reached with the Tab key, the content first",
    async () => {
      await page.getByRole("link", { name: "DEMO31AF", exact: true }).waitFor();
      await page.reload();
      await page.getByRole("link", { name: "DEMO31AF", exact: true }).waitFor();
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").innerText()).toBe("Skip to content");

      const reached = new Set<string>();
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate<string>(nameOfFocused));
      }
      for (const name of ["Blocked", "Policies", "Assignee", "DEMO31AF", "Copy order id DEMO31AF"]) {
        expect([...reached]).toContain(name);
      }
    },
    scenarioMs,
  );
});

describe("a case", () => {
  test(
    "says what changed, shows the flights beside each other, the facts, the rules and the timeline",
    async () => {
      await signInAs(page, "agent");

      await openCase(page, "DEMO31AF");

      await page.getByText("AF1204 CDG-FCO on ", { exact: false }).first().waitFor();
      const flights = page.getByRole("region", { name: "Flights" });
      expect(await flights.locator("del").allInnerTexts()).toEqual(["13:10", "15:15"]);
      expect(await flights.locator("ins").allInnerTexts()).toEqual(["13:41", "15:46"]);
      expect(await page.getByRole("region", { name: "Facts" }).innerText()).toMatch(/Departs later\s+31 min later/);
      expect(await page.getByRole("region", { name: "Rules evaluated" }).innerText()).toContain(
        "retiming-beyond-limits",
      );
      expect(await page.getByRole("region", { name: "Timeline" }).innerText()).toContain("Notification received");
      const travellers = page.getByRole("region", { name: "Travellers" });
      expect(await travellers.getByRole("link", { name: "traveller@example.com" }).getAttribute("href")).toBe(
        "mailto:traveller@example.com",
      );
      expect(await travellers.innerText()).toMatch(/Traveller1 Example[\s\S]*Ticket\s+\d{13}/);
    },
    scenarioMs,
  );

  test(
    "an agent reads the notification and the gateway's response as received",
    async () => {
      await signInAs(page, "agent");
      await openCase(page, "DEMO31AF");

      for (const [region, content] of [
        ["Notifications", "DEMO31AF"],
        ["Gateway responses", "AmendmentsActions"],
      ] as const) {
        await page.getByRole("region", { name: region }).getByRole("button", { name: "Show raw" }).first().click();
        await dialog().locator("pre").waitFor();
        expect(await dialog().locator("pre").innerText()).toContain(content);
        await page.keyboard.press("Escape");
        await dialog().waitFor({ state: "detached" });
      }
    },
    scenarioMs,
  );

  test(
    "cancelling takes a supervisor and the order id typed out, and shows the refund",
    async () => {
      await signInAs(page, "agent");
      await openCase(page, "DEMOCXAI");
      await page.getByRole("region", { name: "Actions" }).getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Close" }).waitFor();
      expect(await page.getByText("Cancel order").count()).toBe(0);
      await app.visitor.context.clearCookies();

      await signInAs(page, "supervisor");
      await openCase(page, "DEMOCXAI");
      await page.getByText("The gateway does not allow accepting this change.").waitFor();
      expect(await page.getByRole("button", { name: "Accept" }).count()).toBe(0);
      await chooseAction(page, "Cancel order");
      const confirm = dialog().getByRole("button", { name: "Cancel the order" });
      await dialog().getByLabel("Type the order id").fill("DEMOCXA");
      expect(await confirm.isDisabled()).toBe(true);
      await dialog().getByLabel("Type the order id").fill("DEMOCXAI");
      await confirm.click();

      await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
      expect(await page.getByRole("region", { name: "Accepts and cancels" }).innerText()).toMatch(/refund \d/);
    },
    scenarioMs,
  );

  test(
    "a change that is announced while the case is being read is shown, whether it is read first or again",
    async () => {
      await signInAs(page, "agent");
      const agency = openAgencyApi(app.server.agencyUrl, demoCredentials.apiToken);
      const { id } = await agency.caseIn("DEMOUMDL", ["awaiting-agent"]);
      const timeline = page.getByRole("region", { name: "Timeline" });
      const noteDuringRead = async (note: string, open: () => Promise<unknown>, leave: () => Promise<unknown>) => {
        let release = (): void => {};
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route(
          `**/api/v1/cases/${id}`,
          async (route) => {
            const response = await route.fetch();
            await held;
            await route.fulfill({ response });
          },
          { times: 1 },
        );
        const isReading = page.waitForRequest(`**/api/v1/cases/${id}`);
        await open();
        await isReading;
        await leave();
        const isAnnounced = page.waitForRequest("**/counts");
        await agency.act(id, "note", { note });
        await isAnnounced;
        const isRead = page.waitForResponse(`**/api/v1/cases/${id}`);
        release();
        await isRead;
      };

      await noteDuringRead(
        "While it was read first.",
        () => page.getByRole("link", { name: "DEMOUMDL", exact: true }).click(),
        async () => {},
      );
      await timeline.getByText("While it was read first.").waitFor();

      await noteDuringRead(
        "While it was read again.",
        () => agency.act(id, "note", { note: "To have it read again." }),
        () => page.getByRole("link", { name: "Queue", exact: true }).first().click(),
      );
      await page.getByRole("link", { name: "DEMOUMDL", exact: true }).click();
      await timeline.getByText("While it was read again.").waitFor();
    },
    scenarioMs,
  );

  test(
    "acting on a case that moved meanwhile does nothing and shows what it has become",
    async () => {
      await signInAs(page, "agent");
      await openCase(page, "DEMOMNIB");
      const { pathname } = new URL(page.url());
      await page.getByRole("button", { name: "Accept" }).click();
      await dialog().getByRole("button", { name: "Accept the change" }).waitFor();

      const closed = await fetch(`${app.server.agencyUrl}/api/v1${pathname}/actions`, {
        method: "POST",
        headers: { authorization: `Bearer ${demoCredentials.apiToken}`, "content-type": "application/json" },
        body: JSON.stringify({ action: "close" }),
      });
      expect(closed.status).toBe(202);
      await page.locator(".case-title").getByText("Closed", { exact: true }).waitFor();
      await dialog().getByRole("button", { name: "Accept the change" }).click();

      await dialog().getByText("Nothing was done: the case has changed").waitFor();
      await dialog().getByText("It is now “Closed”.", { exact: false }).waitFor();
      expect(await dialog().getByRole("button", { name: "Accept the change" }).count()).toBe(0);
      await dialog().getByRole("button", { name: "Show current case" }).click();

      await dialog().waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Reopen" }).waitFor();
    },
    scenarioMs,
  );

  test(
    "a viewer sees everything but actions and raw bodies",
    async () => {
      await signInAs(page, "viewer");

      await openCase(page, "DEMO31AF");

      await page.getByText("Only agents and above can see them.", { exact: false }).waitFor();
      await page.getByText("Agents and above can read them.", { exact: false }).waitFor();
      for (const name of ["Accept", "Cancel order", "Close", "More", "Show raw"]) {
        expect(await page.getByRole("main").getByRole("button", { name }).count()).toBe(0);
      }
    },
    scenarioMs,
  );

  test(
    "an unknown case is reported, with a link back to the queue",
    async () => {
      await signInAs(page, "viewer");

      await page.goto("/cases/00000000-0000-7000-8000-000000000000");

      await page.getByRole("alert").getByText("Case not found").waitFor();
      await page.locator("main").getByRole("link", { name: "Queue" }).click();
      await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    },
    scenarioMs,
  );
});

describe("the refund of a cancelled order", () => {
  test(
    "that is lower than expected becomes a task, which somebody closes with a note",
    async () => {
      const booked = await gateway.book("REFUND01", { number: "1700", inDays: 60 }, { passengers: [{}, {}] });
      await gateway.voidTicket(booked, booked.tickets[0]?.ticketNumber ?? "");
      await gateway.change("REFUND01", { kind: "cancel" });
      await signInAs(page, "supervisor");
      await row("REFUND01").getByText("Needs action").waitFor();

      await openCase(page, "REFUND01");
      await chooseAction(page, "Cancel order");
      await dialog().getByLabel("Type the order id").fill("REFUND01");
      await dialog().getByRole("button", { name: "Cancel the order" }).click();

      await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
      const calls = page.getByRole("region", { name: "Accepts and cancels" });
      await calls.getByText("Less than expected").waitFor();
      const tasks = page.getByRole("region", { name: "Tasks" });
      const refund = tasks.getByRole("listitem").filter({ hasText: "Check the refund" });
      await refund.getByText("Open", { exact: true }).waitFor();
      await tasks.getByRole("listitem").filter({ hasText: "Inform the traveller" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      await page.getByRole("link", { name: "Tasks" }).click();
      await page.getByLabel("Kind").selectOption("check-refund");
      await row("REFUND01").getByText("Claim the rest from the airline", { exact: false }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await row("REFUND01").getByRole("button", { name: "Mark done" }).click();
      await dialog().getByLabel("Note").fill("Claimed; the airline pays the rest in May.");
      await dialog().getByRole("button", { name: "Mark as done" }).click();
      await row("REFUND01").waitFor({ state: "detached" });

      await openCase(page, "REFUND01");
      await refund.getByText("Done", { exact: true }).waitFor();
      await refund.getByText("Claimed; the airline pays the rest in May.").waitFor();
      await refund.getByText("by demo-supervisor", { exact: false }).waitFor();
    },
    scenarioMs,
  );
});

describe("the policies", () => {
  test(
    "show the active version; a supervisor starts a shadow version with a note, a viewer can only look",
    async () => {
      await signInAs(page, "supervisor");
      await page.getByRole("link", { name: "Policies" }).click();
      const source = page.getByRole("region", { name: "Source default" });
      await source.getByText("cautious", { exact: true }).waitFor();
      const version = source.getByLabel("Shadow version");
      const observing = version.locator("option", { hasText: "observe-only" });
      await version.selectOption((await observing.getAttribute("value")) ?? "");
      const tryIt = source.getByRole("button", { name: "Start shadow" });
      expect(await tryIt.isDisabled()).toBe(true);

      await source.getByLabel("Reason").fill("before it decides");
      await tryIt.click();

      await source.getByText("differs in 0 of 0 decisions").waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      const other = await visit(app.browser, app.server.agencyUrl);
      await signInAs(other.page, "viewer");
      await other.page.goto("/policies");
      await other.page.getByText("observe-only", { exact: true }).first().waitFor();
      expect(await other.page.getByLabel("Reason").count()).toBe(0);
      await other.context.close();
    },
    scenarioMs,
  );
});

describe("the switch for automatic effects", () => {
  test(
    "is thrown by a supervisor with a reason, which everybody sees on every page until somebody resumes",
    async () => {
      await signInAs(page, "supervisor");
      await page.getByRole("link", { name: "Policies" }).click();
      const panel = page.getByRole("region", { name: "Automation", exact: true });
      const banner = page.getByRole("region", { name: "Automation is stopped" });
      await panel.getByRole("button", { name: "Stop automation" }).click();
      const confirm = dialog().getByRole("button", { name: "Stop automation" });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog().getByLabel("Reason").fill("Two hours late is too much.");
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await confirm.click();
      await banner.waitFor();
      await panel.getByText("Off.", { exact: true }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      const other = await visit(app.browser, app.server.agencyUrl);
      await signInAs(other.page, "viewer");
      const seen = other.page.getByRole("region", { name: "Automation is stopped" });
      for (const path of ["/", "/tasks", "/quarantine"]) {
        await other.page.goto(path);
        await seen.waitFor();
        expect(await seen.innerText()).toMatch(/Stopped by demo-supervisor, [\s\S]*Two hours late is too much\./);
        expect(await seen.getByRole("button").count()).toBe(0);
      }

      await banner.getByRole("button", { name: "Resume" }).click();
      await dialog().getByRole("button", { name: "Resume" }).click();
      await banner.waitFor({ state: "detached" });
      await panel.getByText("On.", { exact: true }).waitFor();
      await seen.waitFor({ state: "detached" });
      await other.context.close();
    },
    scenarioMs,
  );
});

describe("the quarantine", () => {
  test(
    "shows where a broken notification fails; reprocessing it reports that it still cannot be processed",
    async () => {
      expect((await push('{"OrderViewRS":{"Response":{"Order":[{"OrderStatus":"x"}]}}}')).status).toBe(422);
      await signInAs(page, "supervisor");
      await page.getByRole("link", { name: "Quarantine" }).click();
      const entry = page.getByRole("row").filter({ hasText: "ocn.no_order" });
      expect(await entry.innerText()).toContain("/OrderViewRS/Order");

      await entry.getByRole("button", { name: "Show raw" }).click();
      await dialog().locator("pre").waitFor();
      expect(await dialog().locator("pre").innerText()).toContain('"OrderStatus": "x"');
      await page.keyboard.press("Escape");
      await entry.getByRole("button", { name: "Reprocess" }).click();

      const alert = page.getByRole("alert").filter({ hasText: "The notification still can't be processed" });
      await alert.waitFor();
      expect(await alert.innerText()).toContain("/OrderViewRS/Order");
    },
    scenarioMs,
  );

  test(
    "two clicks reprocess all of them",
    async () => {
      await push('{"OrderViewRS":{"Response":{"Order":[{"OrderStatus":"all"}]}}}');
      await signInAs(page, "supervisor");

      await page.getByRole("link", { name: "Quarantine" }).click();
      await page.getByRole("button", { name: "Reprocess all" }).click();

      await page.getByRole("alert").filter({ hasText: "still can't be processed" }).waitFor();
    },
    scenarioMs,
  );

  test(
    "an agent can read notifications but not reprocess them",
    async () => {
      await push('{"OrderViewRS":{"Response":{"Order":[{"OrderStatus":"y"}]}}}');
      await signInAs(page, "agent");

      await page.getByRole("link", { name: "Quarantine" }).click();

      await page.getByRole("button", { name: "Show raw" }).first().waitFor();
      expect(await page.getByRole("button", { name: "Reprocess" }).count()).toBe(0);
    },
    scenarioMs,
  );
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  beforeEach(() => page.emulateMedia({ colorScheme }));

  test(
    "no page has anything that axe objects to",
    async () => {
      const problems: Record<string, readonly string[]> = {};
      const look = async (name: string): Promise<void> => {
        problems[name] = await findAccessibilityProblems(page);
      };

      await page.goto("/");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await look("sign-in");
      await signInAs(page, "supervisor");
      await row("DEMO31AF").waitFor();
      await look("queue");
      await openCase(page, "DEMO31AF");
      await page.getByRole("region", { name: "Gateway responses" }).getByRole("button").first().waitFor();
      await look("case");
      await chooseAction(page, "Cancel order");
      await dialog().getByLabel("Note").waitFor();
      await look("dialog");
      await page.keyboard.press("Escape");
      await page.goto("/quarantine");
      await page.getByRole("button", { name: "Reprocess" }).first().waitFor();
      await look("quarantine");
      await page.getByRole("button", { name: "Demo supervisor" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await look("user menu");

      expect(problems).toEqual({ "sign-in": [], queue: [], case: [], dialog: [], quarantine: [], "user menu": [] });
    },
    scenarioMs,
  );

  test(
    "the theme follows the system until somebody chooses one",
    async () => {
      const other = colorScheme === "light" ? "dark" : "light";
      const shown = () => page.locator("html").getAttribute("data-mantine-color-scheme");
      await signInAs(page, "viewer");
      expect(await shown()).toBe(colorScheme);

      await page.getByRole("button", { name: "Demo viewer" }).click();
      await page.getByText(other === "dark" ? "Dark" : "Light", { exact: true }).click();
      await page.locator(`html[data-mantine-color-scheme=${other}]`).waitFor();
      await page.reload();

      await page.locator(`html[data-mantine-color-scheme=${other}]`).waitFor();
    },
    scenarioMs,
  );
});
