// Takes docs/screenshots: each page of the dashboard in both themes, from a demo of its own and the pages as they are in
// the source. Run it with `npx tsx scripts/take-screenshots.ts` after a change that people can see, and look at them. With
// beginnings of names, such as `queue blocked`, only those are written.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { demoCredentials, demoUsers } from "../src/config/demo-credentials.ts";
import { chooseAction, openBrowser, openCase, signInAs, visit } from "../test/browser/dashboard-browser.ts";
import { demoGatewayAt } from "../test/browser/demo-gateway.ts";
import { buildDistIfStale } from "../test/harness/build-dist.ts";
import { startServerProcess } from "../test/harness/server-process.ts";

const target = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const wanted = process.argv.slice(2);
const byToken = { authorization: `Bearer ${demoCredentials.apiToken}` };
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((start) => name.startsWith(start));
const folder = await mkdtemp(join(tmpdir(), "skedchange-screenshots-"));
await mkdir(target, { recursive: true });
buildDistIfStale();
const server = await startServerProcess({
  DATA_DIR: join(folder, "data"),
  // So that the pages show a second person being asked.
  SECOND_PERSON_ABOVE: "1",
});
const browser = await openBrowser();
try {
  await server.waitFor("Stop with Ctrl-C", 60_000);
  for (const body of ['{"OrderViewRS":{"Response":{"Order":[{"OrderStatus":"x"}]}}}', '{"OrderViewRS":']) {
    await fetch(`${server.agencyUrl}/ocn`, {
      method: "POST",
      headers: { authorization: `Bearer ${demoCredentials.bearerToken}`, "content-type": "application/json" },
      body,
    });
  }
  await workOnCases();
  await actOnManyCases();
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
    const take = (name: string): Promise<unknown> => takeScreenshot(page, `${name}-${colorScheme}`);
    await page.goto("/");
    await page.getByRole("heading", { name: "Demo users" }).waitFor();
    await take("sign-in");
    await signInAs(page, "supervisor");
    await page.getByRole("link", { name: "DEMO2XAC" }).waitFor();
    await page.getByRole("checkbox", { name: "Select DEMOMNIB" }).check();
    await page.getByRole("checkbox", { name: "Select DEMOUMDL" }).check();
    await page.getByRole("button", { name: "Dismiss" }).click();
    // As wide as its reasons need; README.md begins with it.
    await page.setViewportSize({ width: 1440, height: 900 });
    await take("queue");
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole("button", { name: "Bulk action" }).click();
    await page.getByRole("dialog").getByLabel("Action").selectOption("recheck");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Nothing has been changed yet", { exact: false }).waitFor();
    await take("bulk");
    await page.goto("/tasks");
    await page.getByRole("table", { name: "Tasks" }).waitFor();
    await take("tasks");
    await page.goto("/bulk-actions");
    await page.getByRole("table", { name: "Bulk actions" }).waitFor();
    await take("bulk-actions");
    await openCase(page, "DEMOCXAI");
    await page.getByRole("region", { name: "Needs approval" }).waitFor();
    await take("approval");
    await openCase(page, "DEMO2XAC");
    for (const name of ["Snooze", "Record answer"]) {
      await chooseAction(page, name);
      await take(name.toLowerCase().replaceAll(" ", "-"));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.getByRole("region", { name: "Gateway responses" }).getByRole("button").first().waitFor();
    await take("case");
    await page.goto("/quarantine");
    await page.getByRole("button", { name: "Reprocess" }).nth(1).waitFor();
    await take("quarantine");
    await page.goto("/policies");
    await page.getByRole("region", { name: "Source default" }).waitFor();
    await take("policies");
    await page.goto("/account");
    await page.getByText("This session").waitFor();
    await take("account");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/");
    await page.getByRole("link", { name: "DEMO2XAC" }).waitFor();
    await take("queue-narrow");
    await page.goto("/tasks");
    await page.getByRole("table", { name: "Tasks" }).waitFor();
    await take("tasks-narrow");
    await page.goto("/bulk-actions");
    await page.getByRole("table", { name: "Bulk actions" }).waitFor();
    await take("bulk-actions-narrow");
    await openCase(page, "DEMO2XAC");
    await page.getByRole("region", { name: "Gateway responses" }).getByRole("button").first().waitFor();
    await take("case-narrow");
    await context.close();
  }
  for (const colorScheme of ["light", "dark"] as const) await takeAdminScreenshots(colorScheme);
  for (const colorScheme of ["light", "dark"] as const) await takeStoppedScreenshots(colorScheme);
  if (server.gatewayUrl === null) throw new Error(`no gateway side in:\n${server.output()}`);
  await stateWhatNobodyReads();
  await contradict(server.gatewayUrl);
  for (const colorScheme of ["light", "dark"] as const) await takeSourceScreenshots(colorScheme);
  await ask("/automation/resume", { source: "default" });
  await blockOrders(server.gatewayUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    await takeBlockedScreenshots(colorScheme);
  }
  await addFailingRecipient(server.gatewayUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    await takeGatewayScreenshots(server.gatewayUrl, colorScheme);
  }
} finally {
  await browser.close();
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}

/** Pages that only need to be opened. */
async function takeAdminScreenshots(colorScheme: "light" | "dark"): Promise<void> {
  const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
  await signInAs(page, "admin");
  for (const [name, path, heading] of [
    ["overview", "/overview", "What happened"],
    ["notices", "/notices", "Notices"],
    ["events", "/events", "Recipients of events"],
    ["health", "/health", "Settings of this process"],
    ["people", "/people", "People"],
    ["audit", "/audit", "Audit"],
    ["help", "/help", "Help"],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(path);
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    await page.getByText("Loading").first().waitFor({ state: "detached" });
    await takeScreenshot(page, `${name}-${colorScheme}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await takeScreenshot(page, `${name}-narrow-${colorScheme}`);
  }
  await context.close();
}

/** The switch for automatic effects: what it asks, and what every page says while it is thrown. */
async function takeStoppedScreenshots(colorScheme: "light" | "dark"): Promise<void> {
  const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
  const dialog = page.getByRole("dialog");
  await signInAs(page, "supervisor");
  await page.goto("/policies");
  await page.getByRole("button", { name: "Stop automation" }).click();
  await dialog
    .getByLabel("Reason")
    .fill("Accepts retimings of two hours since this morning. Ask the duty manager first.");
  await takeScreenshot(page, `stop-${colorScheme}`);
  await dialog.getByRole("button", { name: "Stop automation" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Automation is stopped" }).waitFor();
  await page.getByRole("region", { name: "Source default" }).waitFor();
  await takeScreenshot(page, `stopped-${colorScheme}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("link", { name: "DEMO2XAC" }).waitFor();
  await takeScreenshot(page, `stopped-narrow-${colorScheme}`);
  await page.getByRole("button", { name: "Resume" }).first().click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("region", { name: "Automation is stopped" }).waitFor({ state: "detached" });
  await context.close();
}

/** Takes decisions as people do, so that the pages show work that goes on: a task, a question, an answer. */
async function workOnCases(): Promise<void> {
  // An expensive cancel is asked for by a user, never by API_TOKEN.
  const supervisor = await signIn("demo-supervisor");
  const act = async (orderId: string, action: object): Promise<void> => {
    await ask(`/cases/${(await findCase(orderId)).id}/actions`, action, supervisor);
  };
  const happenedAt = new Date().toISOString();
  await act("DEMOFNBA", { action: "accept", note: "The traveller agreed by phone." });
  await act("DEMOCXAI", { action: "cancel", confirm: "DEMOCXAI", note: "They want the money back." });
  await act("DEMO2XAC", { action: "assign", assignee: "demo-agent" });
  await act("DEMO2XAC", { action: "traveller-informed", channel: "email", happenedAt });
  await act("DEMO31AF", { action: "assign", assignee: "demo-supervisor" });
  await act("DEMO31AF", { action: "traveller-asked", channel: "phone", happenedAt });
  await waitUntil("a task was opened", async () => {
    const { items } = await ask<{ readonly items: readonly unknown[] }>("/tasks");
    return items.length > 0;
  });
}

/** Acts on several cases at once, one of which has moved in between. */
async function actOnManyCases(): Promise<void> {
  const act = async (command: object, orderIds: readonly string[], moved: readonly string[] = []): Promise<void> => {
    const cases = await Promise.all([...orderIds, ...moved].map(findCase));
    const versions = Object.fromEntries(
      cases.map(({ id, orderId, version }) => [id, moved.includes(orderId) ? version + 1 : version]),
    );
    await ask("/bulk-actions", { dryRun: false, command, caseIds: cases.map(({ id }) => id), versions });
    await waitUntil("it was worked off", async () => {
      const { items } = await ask<{ readonly items: readonly unknown[] }>("/bulk-actions?state=running");
      return items.length === 0;
    });
  };
  const note = "Strike in Frankfurt: call them back in the afternoon.";
  await act({ action: "note", note }, ["DEMOMNIB", "DEMOUMDL", "DEMOHBAA"]);
  await act({ action: "assign", assignee: "demo-agent" }, ["DEMOMNIB", "DEMOUMDL"], ["DEMOHBAA"]);
}

/** Notifications of orders of the demo, with members that no version of the interface has. */
async function stateWhatNobodyReads(): Promise<void> {
  const { items } = await ask<{ readonly items: readonly FoundCase[] }>("/cases?state=awaiting-agent&limit=4");
  for (const [index, { orderId }] of items.entries()) {
    const order = {
      OrderID: orderId,
      HandlingUnit: `HU-${1000 + index}`,
      ServiceTier: index % 2 === 0 ? "GOLD" : "BLUE",
      ...(index === 0 ? { AgentAdvice: { FollowUp: "CALL CARRIER BEFORE ACCEPTING" } } : {}),
    };
    await fetch(`${server.agencyUrl}/ocn`, {
      method: "POST",
      headers: { authorization: `Bearer ${demoCredentials.bearerToken}`, "content-type": "application/json" },
      body: JSON.stringify({ OrderViewRS: { Order: [order] } }),
    });
  }
  await waitUntil("what they state is known and counted", async () => {
    const members = await ask<{ readonly items: readonly { readonly orders: number }[] }>("/members/default");
    return members.items.some(({ orders }) => orders === items.length);
  });
}

/** Three accepts of the policy whose outcome nobody knows: then the source is stopped. */
async function contradict(gatewayUrl: string): Promise<void> {
  const gateway = demoGatewayAt(() => gatewayUrl);
  for (const [index, orderId] of ["DEMOBRK1", "DEMOBRK2", "DEMOBRK3"].entries()) {
    await gateway.book(orderId, { number: String(1640 + 2 * index), inDays: 40 });
    await gateway.injectFaults({ mode: "http-500", operation: "AirOrderInvoluntaryAccept", orderId });
    await gateway.change(orderId, { kind: "retime", departureMinutes: 5, arrivalMinutes: 5 });
  }
  await waitUntil("automation of the source is stopped", async () => {
    const { stops } = await ask<{ readonly stops: readonly unknown[] }>("/automation");
    return stops.length > 0;
  });
  await gateway.behave();
}

/** What a source sends that nobody reads, and how it looks when its outcomes have stopped it. */
async function takeSourceScreenshots(colorScheme: "light" | "dark"): Promise<void> {
  const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
  await signInAs(page, "supervisor");
  const scenes = [
    ["sources", "/sources", "Sources"],
    ["members", "/sources/default/members", "What this source sends"],
  ] as const;
  for (const [name, path, heading] of scenes) {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(path);
    await page.getByRole("heading", { name: heading }).waitFor();
    await page.getByText("Loading").first().waitFor({ state: "detached" });
    await takeScreenshot(page, `${name}-${colorScheme}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await takeScreenshot(page, `${name}-narrow-${colorScheme}`);
  }
  await page.goto("/policies");
  await page.getByRole("region", { name: "Automation of source default is stopped" }).waitFor();
  await takeScreenshot(page, `brake-narrow-${colorScheme}`);
  await page.setViewportSize({ width: 1280, height: 860 });
  await takeScreenshot(page, `brake-${colorScheme}`);
  await page.getByRole("button", { name: "Resume" }).first().click();
  await page.getByRole("dialog").waitFor();
  await takeScreenshot(page, `brake-resume-${colorScheme}`);
  await context.close();
}

/** A request to the API; a body makes it a POST. */
async function ask<Body>(path: string, body?: object, caller: object = byToken): Promise<Body> {
  const headers = { ...caller, "content-type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${server.agencyUrl}/api/v1${path}`, request);
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** The headers of a demo user who has signed in. */
async function signIn(username: string): Promise<object> {
  const origin = server.agencyUrl;
  const password = demoUsers.find((user) => user.username === username)?.password;
  const response = await fetch(`${origin}/api/v1/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!response.ok) throw new Error(`${username} cannot sign in: ${await response.text()}`);
  const cookie = response.headers.getSetCookie().map((each) => each.split(";")[0]);
  return { origin, cookie: cookie.join("; ") };
}

interface FoundCase {
  readonly id: string;
  readonly orderId: string;
  readonly version: number;
}

async function findCase(orderId: string): Promise<FoundCase> {
  const { items } = await ask<{ readonly items: readonly FoundCase[] }>(`/cases?orderId=${orderId}`);
  const found = items[0];
  if (found === undefined) throw new Error(`The order ${orderId} has no case.`);
  return found;
}

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Orders on which no work gets done: two whose status cannot be read, and one of which nobody knows what became of a call. */
async function blockOrders(gatewayUrl: string): Promise<void> {
  const gateway = demoGatewayAt(() => gatewayUrl);
  const book = async (orderId: string, number: string): Promise<void> => {
    await gateway.book(orderId, { number, inDays: 26 });
    await gateway.change(orderId, { kind: "retime", departureMinutes: 45 });
  };
  const unreadable = { operation: "AirReservationStatus", times: 10_000 };
  await gateway.injectFaults({ mode: "malformed", orderId: "DEMOHALF", ...unreadable });
  await gateway.injectFaults({ mode: "wrong-content-type", orderId: "DEMOPAGE", ...unreadable });
  await book("DEMOHALF", "1620");
  await book("DEMOPAGE", "1622");
  await book("DEMOLOST", "1624");
  await gateway.injectFaults({ mode: "stale-status", orderId: "DEMOLOST", seconds: 3_600 });
  const accept = { operation: "AirOrderInvoluntaryAccept", orderId: "DEMOLOST" };
  await gateway.injectFaults({ mode: "reset", afterEffect: true, ...accept });
  await waitUntil("DEMOLOST waits for a person", async () => {
    const { items } = await ask<{ readonly items: readonly object[] }>("/cases?orderId=DEMOLOST&state=awaiting-agent");
    return items.length > 0;
  });
  await ask(`/cases/${(await findCase("DEMOLOST")).id}/actions`, { action: "accept" });
  await waitUntil("three orders are blocked", async () => {
    const { items } = await ask<{ readonly items: readonly object[] }>("/blocked-orders");
    return items.length === 3;
  });
}

async function takeBlockedScreenshots(colorScheme: "light" | "dark"): Promise<void> {
  const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
  await signInAs(page, "supervisor");
  await page.goto("/blocked");
  await page.getByRole("link", { name: "DEMOLOST" }).waitFor();
  await takeScreenshot(page, `blocked-${colorScheme}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await takeScreenshot(page, `blocked-narrow-${colorScheme}`);
  await context.close();
}

/** One that nobody listens for, with something to deliver, so that the pages show how failing looks. */
async function addFailingRecipient(gatewayUrl: string): Promise<void> {
  const control = async (path: string, body: object): Promise<void> => {
    const headers = {
      authorization: `Bearer ${demoCredentials.gatewayControlToken}`,
      "content-type": "application/json",
    };
    const response = await fetch(`${gatewayUrl}/control${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  };
  await control("/recipients", {
    name: "Example Travel",
    url: "http://127.0.0.1:1/ocn",
    authorization: { type: "bearer", token: "example-token-of-nobody" },
    airlines: ["LH", "AC"],
  });
  await control("/orders/DEMO20LH/changes", { kind: "retime", departureMinutes: 25 });
}

async function takeGatewayScreenshots(gatewayUrl: string, colorScheme: "light" | "dark"): Promise<void> {
  const { page, context } = await visit(browser, gatewayUrl, { colorScheme });
  const take = async (name: string): Promise<void> => {
    if (!isWanted(`gateway-${name}`)) return;
    const path = join(target, `gateway-${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
  };
  await page.goto("/");
  await page.getByRole("heading", { name: "Demo" }).waitFor();
  await take("sign-in");
  await page.getByRole("button", { name: "Use the demo token" }).click();
  await page.getByRole("link", { name: "Example Travel", exact: true }).waitFor();
  await take("recipients");
  await page.goto("/health");
  await page.getByRole("table", { name: "Health of the recipients" }).waitFor();
  await take("health");
  await page.goto("/");
  await page.getByRole("button", { name: "Add a recipient" }).click();
  await page.getByRole("dialog").getByLabel("Authentication method").selectOption("oauth");
  await take("add");
  await page.goto("/");
  await page.getByRole("link", { name: "Example Travel", exact: true }).click();
  await page.getByRole("region", { name: "Settings" }).waitFor();
  await take("recipient");
  await page.goto("/deliveries");
  await page.getByRole("table", { name: "Deliveries" }).waitFor();
  await take("deliveries");
  await page.getByRole("link", { name: "DEMO20LH" }).first().click();
  await page.getByText("Attempt 1", { exact: true }).first().waitFor();
  await take("delivery");
  await context.close();
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return;
  await page
    .getByText(/^(Live|Skedchange)$/)
    .first()
    .waitFor();
  await page.screenshot({
    path: join(target, `${name}.png`),
    fullPage: /^(case|account)/.test(name),
    animations: "disabled",
    caret: "hide",
  });
}
