import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, signInAs, visit } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });
let page: Page;
beforeEach(() => {
  page = app.page;
});

const dialog = () => page.getByRole("dialog");
const phone = { width: 390, height: 844 };

async function openRare(name: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: false }).first().click();
  await page.getByRole("group", { name: "More pages" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** In both themes, and again on a phone, where nothing may scroll sideways. */
async function expectPageIsSound(): Promise<void> {
  expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 860 };
  await page.setViewportSize(phone);
  expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(phone.width);
  await page.setViewportSize({ width, height });
}

describe("the people", () => {
  const userRow = (username: string) => page.getByRole("row").filter({ hasText: username });

  test(
    "are added with a password that is shown once, edited, reset, disabled and enabled by an admin",
    async () => {
      await signInAs(page, "admin");
      await openRare("People");
      await userRow("demo-agent").waitFor();
      await expectPageIsSound();

      await page.getByRole("button", { name: "Add a user" }).click();
      await dialog().getByLabel("User name").fill("mlopez");
      await dialog().getByLabel("Name", { exact: true }).fill("Maria López");
      await dialog().getByLabel("Role").selectOption("agent");
      await dialog().getByRole("checkbox", { name: "Sees all sources" }).uncheck();
      await dialog().getByRole("checkbox", { name: "default" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await dialog().getByRole("button", { name: "Add", exact: true }).click();
      await dialog().getByText("It is not shown again", { exact: false }).waitFor();
      const initial = await dialog().locator("code").innerText();
      await dialog().getByRole("button", { name: "Done" }).click();
      await userRow("mlopez").getByText("Initial password").waitFor();
      expect(await userRow("mlopez").innerText()).toMatch(
        /Maria López[\s\S]*Agent[\s\S]*default[\s\S]*Password[\s\S]*Never/,
      );

      const other = await visit(app.browser, app.server.agencyUrl);
      await signIn(other.page, "mlopez", initial);
      await other.page.getByRole("heading", { name: "Change your password" }).waitFor();

      await page.getByRole("button", { name: "Reset password: mlopez" }).click();
      await dialog().getByRole("button", { name: "Reset password" }).click();
      await dialog().getByText("It is not shown again", { exact: false }).waitFor();
      const second = await dialog().locator("code").innerText();
      expect(second).toMatch(/^(\S{5}-){3}\S{5}$/);
      await dialog().getByRole("button", { name: "Done" }).click();
      await signIn(other.page, "mlopez", initial);
      await other.page.getByText("The user name or the password is wrong.").waitFor();
      await signIn(other.page, "mlopez", second);
      await other.page.getByRole("heading", { name: "Change your password" }).waitFor();

      await page.getByRole("button", { name: "Edit: mlopez" }).click();
      await dialog().getByLabel("Role").selectOption("supervisor");
      await dialog().getByRole("button", { name: "Save" }).click();
      await userRow("mlopez").getByText("Supervisor").waitFor();
      await page.getByRole("button", { name: "End sessions: mlopez" }).click();
      await dialog().getByRole("button", { name: "End sessions" }).click();
      await dialog().waitFor({ state: "detached" });
      await other.page.reload();
      await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.getByRole("button", { name: "Disable: mlopez" }).click();
      await dialog().getByRole("button", { name: "Disable" }).click();
      await userRow("mlopez").getByText("Disabled").waitFor();
      await page.getByRole("button", { name: "Enable: mlopez" }).click();
      await dialog().getByRole("button", { name: "Enable" }).click();
      await userRow("mlopez").getByText("Disabled").waitFor({ state: "detached" });
      await other.context.close();
    },
    scenarioMs,
  );

  test(
    "an admin can neither disable themselves nor lower their role, and revokes the tokens of others",
    async () => {
      const other = await visit(app.browser, app.server.agencyUrl);
      await signInAs(other.page, "agent");
      const made = await other.page.request.post("/api/v1/tokens", {
        data: { name: "Night report" },
        headers: { origin: app.server.agencyUrl },
      });
      expect(made.status()).toBe(201);
      await signInAs(page, "admin");
      await page.goto("/people");
      await userRow("demo-admin").getByText("This is you.").waitFor();
      expect(await userRow("demo-admin").getByRole("button").allInnerTexts()).toEqual(["Edit"]);
      await page.getByRole("button", { name: "Edit: demo-admin" }).click();
      expect(await dialog().getByLabel("Role").count()).toBe(0);
      await page.keyboard.press("Escape");

      await page.getByRole("button", { name: "Revoke token: Night report of demo-agent" }).click();
      await page.getByText("Night report").waitFor({ state: "detached" });
      await other.context.close();
    },
    scenarioMs,
  );
});

async function signIn(on: Page, username: string, secret: string): Promise<void> {
  await on.context().clearCookies();
  await on.goto("/");
  await on.getByLabel("User name").fill(username);
  await on.getByRole("textbox", { name: "Password" }).fill(secret);
  await on.keyboard.press("Enter");
}

test(
  "the audit is verified, is filtered by who and what, shows an entry with its block of the chain, and is exported",
  async () => {
    await signInAs(page, "admin");
    await openRare("Audit");
    await page.getByText(/Chained until/).waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/Blocks 1 to \d+ were recomputed: \d+ entries, none changed/).waitFor();
    await expectPageIsSound();

    await page.getByLabel("What").fill("session.started");
    await page.getByLabel("Who").fill("demo-admin");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Show all" }).waitFor();
    await page.getByRole("row").filter({ hasText: "decision.made" }).first().waitFor({ state: "detached" });
    const rows = page.getByRole("table").locator("tbody tr");
    await rows.first().waitFor();
    for (const text of await rows.allInnerTexts()) expect(text).toMatch(/demo-admin[\s\S]*session\.started/);
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ["actor", "demo-admin"],
      ["kind", "session.started"],
    ]);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as JSON lines" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    expect(lines.length).toBe(await rows.count());
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "session.started", actor: "person:demo-admin" });

    await page
      .getByRole("button", { name: /^Details of entry/ })
      .last()
      .click();
    await dialog().getByText("Block of the chain").waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByLabel("What").fill("No such kind");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("must be a kind, such as decision.made", { exact: false }).waitFor();
  },
  scenarioMs,
);

test(
  "outgoing events: an admin adds a recipient, sees why an event was not taken and sends it again; a supervisor reads",
  async () => {
    await signInAs(page, "admin");
    await openRare("Events");
    await page.getByRole("heading", { name: "No recipients yet" }).waitFor();
    await page.getByRole("button", { name: "Add a recipient" }).click();
    await dialog().getByRole("textbox", { name: "Name", exact: true }).fill("Mid-office");
    // Refuses what is no sign-in with 422, so the event is dead at once.
    await dialog().getByRole("textbox", { name: "URL", exact: true }).fill(`${app.server.agencyUrl}/api/v1/session`);
    await dialog().getByRole("checkbox", { name: "All events" }).uncheck();
    await dialog().getByRole("checkbox", { name: "case.closed" }).check();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await dialog().getByText("It is not shown again", { exact: false }).waitFor();
    expect(await dialog().locator("code").innerText()).toMatch(/^whsec_/);
    await dialog().getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "Mid-office", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Settings" }).getByText("case.decided, case.closed").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("alert").filter({ hasText: "The test was not acknowledged" }).waitFor();
    await expectPageIsSound();

    const orderId = "DEMOUMDL";
    await closeCase(orderId);
    await page.getByRole("link", { name: "Dead deliveries" }).click();
    const delivery = page.getByRole("row").filter({ hasText: orderId }).filter({ hasText: "case.closed" });
    await delivery.waitFor();
    expect(await delivery.innerText()).toMatch(/Mid-office[\s\S]*Dead[\s\S]*HTTP 422/);
    await expectPageIsSound();
    await delivery.getByRole("button", { name: `Send again: ${orderId}` }).click();
    await page.getByRole("status").getByText(`${orderId} is sent again`).waitFor();
    await page.getByRole("link", { name: orderId }).first().click();
    await page.getByRole("region", { name: "Attempts" }).getByText("HTTP 422", { exact: true }).waitFor();
    await expectPageIsSound();

    const other = await visit(app.browser, app.server.agencyUrl);
    await signInAs(other.page, "supervisor");
    await other.page.goto(page.url());
    await other.page.getByRole("region", { name: "Attempts" }).getByText("HTTP 422", { exact: true }).waitFor();
    await other.page.goto("/events");
    await other.page.getByRole("link", { name: "Mid-office" }).click();
    await other.page.getByRole("region", { name: "Settings" }).waitFor();
    expect(
      await other.page
        .getByRole("main")
        .getByRole("button", { name: /test|Pause|Edit|Remove|Add/ })
        .count(),
    ).toBe(0);
    await other.context.close();

    await page.goto("/events");
    await page.getByRole("link", { name: "Mid-office" }).click();
    await page.getByRole("button", { name: "Remove …" }).click();
    await dialog().getByLabel("Type").fill("Mid-office");
    await dialog().getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("heading", { name: "No recipients yet" }).waitFor();
  },
  scenarioMs,
);

test(
  "a supervisor sees what runs, how it is and with which settings, and no secret",
  async () => {
    await signInAs(page, "supervisor");
    await openRare("Health");
    const health = page.getByRole("table", { name: "Health" });
    const found = (subject: string) => health.getByRole("row").filter({ hasText: subject });
    await found("Processes").getByText("1 process runs: receiver, worker, sender, dashboard, gateway").waitFor();
    await found("This process").getByText("Ready for work.").waitFor();
    await found("Notifications of default").getByText("today", { exact: false }).waitFor();
    await page.getByRole("heading", { name: /^Health 1 warning/ }).waitFor();
    await expectPageIsSound();

    const setting = (name: string) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
    expect(await setting("API_TOKEN").innerText()).toMatch(/Set/);
    expect(await page.getByRole("main").innerText()).not.toContain(demoCredentials.apiToken);
    expect(await setting("LOG_LEVEL").count()).toBe(0);
    await page.getByText("All", { exact: true }).click();
    expect(await setting("WORKER_CONCURRENCY").innerText()).toMatch(/8 default/);
    expect(await setting("SMTP_URL").innerText()).toMatch(/Not set/);
    await expectPageIsSound();

    await page.route("**/api/v1/health", (route) => route.fulfill({ status: 500, json: { code: "api.unexpected" } }));
    await page.getByRole("button", { name: "Examine again" }).click();
    await page.getByRole("alert").getByText("api.unexpected").waitFor();
    await page.unroute("**/api/v1/health");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
  },
  scenarioMs,
);

/** As a program would, with the session of the page. */
async function closeCase(orderId: string): Promise<void> {
  const found = await page.request.get(`/api/v1/cases?q=${orderId}`);
  const { items } = (await found.json()) as {
    readonly items: readonly { readonly id: string; readonly version: number }[];
  };
  const [{ id, version }] = items as [{ id: string; version: number }];
  const closed = await page.request.post(`/api/v1/cases/${id}/actions`, {
    data: { action: "close", reasonCode: "duplicate", version },
    headers: { origin: app.server.agencyUrl },
  });
  expect(closed.ok()).toBe(true);
}

test(
  "who may not see a page reads which role it takes, and has no link to it",
  async () => {
    await signInAs(page, "agent");
    for (const path of ["/people", "/audit"]) {
      await page.goto(path);
      await page.getByText("It takes the role admin; yours is agent.", { exact: false }).waitFor();
    }
    for (const path of ["/events/deliveries", "/health"]) {
      await page.goto(path);
      await page.getByText("It takes the role supervisor; yours is agent.", { exact: false }).waitFor();
    }
    await expectPageIsSound();
    await page.getByRole("button", { name: "More", exact: false }).first().click();
    expect(await page.getByRole("group", { name: "More pages" }).getByRole("link").allInnerTexts()).toEqual([
      "Sources",
      "Demo inbox",
      "Help",
    ]);
  },
  scenarioMs,
);

test(
  "somebody new is led from the queue to the help, and dismisses the hint for good",
  async () => {
    await signInAs(page, "agent");
    const hint = page.getByRole("status").filter({ hasText: "New here?" });
    await hint.getByRole("link", { name: "Help" }).click();
    await page.getByRole("heading", { name: "Help", level: 1 }).waitFor();
    expect(await page.getByRole("region", { name: "States" }).innerText()).toMatch(
      /Needs action\s+Waiting for an agent\./,
    );
    await expectPageIsSound();
    await page.goto("/");
    await hint.getByRole("button", { name: "Dismiss" }).click();
    await hint.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    await page.getByRole("link", { name: "DEMO31AF", exact: true }).waitFor();
    expect(await hint.count()).toBe(0);
  },
  scenarioMs,
);

test(
  "on a phone every page is behind one button, and the bar is not wider than the screen",
  async () => {
    await page.setViewportSize(phone);
    await signInAs(page, "admin");
    await page.getByRole("link", { name: "DEMO31AF", exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(phone.width);
    await page.getByRole("button", { name: "Pages" }).click();
    const pages = dialog().getByRole("navigation", { name: "Pages" });
    await pages.getByRole("link", { name: "Audit" }).waitFor();
    expect((await pages.getByRole("link").allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(
      expect.arrayContaining(["Tasks", "Policies", "People", "Audit", "Help"]),
    );
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    await pages.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await dialog().waitFor({ state: "detached" });
  },
  scenarioMs,
);
