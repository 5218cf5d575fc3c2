import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs } from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "gateway" });
let page: Page;
beforeEach(() => {
  page = app.page;
});

async function signIn(): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Use the demo token" }).click();
  await page.getByRole("heading", { name: "Recipients", level: 1 }).waitFor();
}

/** Adds a recipient through the form, with Basic authorization, and lands on its page. */
async function add(name: string, url = `${app.server.agencyUrl}/nowhere`): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Add a recipient" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await form.getByRole("textbox", { name: "URL", exact: true }).fill(url);
  await form.getByLabel("User name").fill("somebody");
  await form.getByRole("textbox", { name: "Password" }).fill("something");
  await form.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

describe("signing in", () => {
  test(
    "a wrong token is reported; the right one leads to the address that was requested, and the page stores it nowhere",
    async () => {
      await page.goto("/deliveries?state=dead");
      await page.getByRole("textbox", { name: "Control token" }).fill("not the token");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").getByText("This is not the value of GATEWAY_CONTROL_TOKEN.").waitFor();

      await page.getByRole("textbox", { name: "Control token" }).fill(demoCredentials.gatewayControlToken);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
      const cookies = await app.visitor.context.cookies();
      expect(cookies).toMatchObject([{ name: "skedchange_gateway", httpOnly: true, sameSite: "Strict" }]);
      expect(JSON.stringify(cookies)).not.toContain(demoCredentials.gatewayControlToken);
      expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(
        demoCredentials.gatewayControlToken,
      );
    },
    scenarioMs,
  );

  test(
    "the operator's menu is at the end of the bar, and signing out ends the session in this browser",
    async () => {
      await signIn();

      const menu = page.getByRole("button", { name: "Operator" });
      const { x, width } = (await menu.boundingBox()) ?? { x: 0, width: 0 };
      expect(x + width).toBeGreaterThan(desktop.width - 40);
      await menu.click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.reload();

      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await app.visitor.context.cookies()).toEqual([]);
    },
    scenarioMs,
  );
});

describe("recipients", () => {
  beforeEach(signIn);

  test(
    "a recipient is added, paused with a reason, resumed, and removed once its name is typed",
    async () => {
      await add("Example Travel");
      await page.getByRole("button", { name: "Pause …" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("They move house");
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      await page.getByRole("region", { name: "Health" }).getByText("They move house").waitFor();

      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByText("Healthy", { exact: true }).waitFor();

      await page.getByRole("button", { name: "Remove …" }).click();
      const remove = page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true });
      await page.getByRole("dialog").getByLabel("Type").fill("Example");
      expect(await remove.isDisabled()).toBe(true);
      await page.getByRole("dialog").getByLabel("Type").fill("Example Travel");
      await remove.click();

      await page.getByRole("heading", { name: "Recipients", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Example Travel" }).waitFor({ state: "detached" });
    },
    scenarioMs,
  );

  test(
    "editing keeps the credential unless a new one is given, and shows what the server refuses",
    async () => {
      await add("Other Travel");
      await page.getByRole("button", { name: "Edit" }).click();
      const form = page.getByRole("dialog");
      expect(await form.getByLabel("Authentication method").inputValue()).toBe("keep");
      await form.getByLabel("Airlines").fill("lufthansa");
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByRole("alert").getByText("must be an airline designator such as LH").waitFor();
      await form.getByLabel("Airlines").fill("lh, af");
      await form.getByRole("button", { name: "Save" }).click();

      await page.getByRole("region", { name: "Settings" }).getByText("LH, AF").waitFor();
      await page.getByRole("region", { name: "Settings" }).getByText("Basic").waitFor();
    },
    scenarioMs,
  );
});

describe("deliveries", () => {
  beforeEach(signIn);

  test(
    "the filters stand in the address, and a delivery shows its attempts",
    async () => {
      await page.getByRole("link", { name: "Deliveries" }).click();
      await page.getByRole("link", { name: "DEMO2XAC" }).first().waitFor();
      await page.getByLabel("State").selectOption("delivered");
      await page.getByLabel("Order").fill("demo2x");
      await page.getByRole("link", { name: "DEMO20LH" }).waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("?state=delivered&order=demo2x");

      await page.getByRole("link", { name: "DEMO2XAC" }).first().click();

      await page.getByRole("heading", { name: "DEMO2XAC", level: 1 }).waitFor();
      const attempts = page.getByRole("region", { name: "Attempts" });
      await attempts.getByText("Acknowledged").waitFor();
      await attempts.getByText("HTTP 200", { exact: true }).waitFor();

      await page.goto("/deliveries?since=yesterday");
      await page.getByRole("link", { name: "DEMO2XAC" }).first().waitFor();
    },
    scenarioMs,
  );

  test(
    "keys find a delivery and open it, go to other pages, and are listed",
    async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
      await page.getByRole("link", { name: "DEMO2XAC" }).first().waitFor();
      await page.keyboard.press("k");
      const last = await page.locator(":focus").innerText();
      await demoGatewayAt(() => gatewayUrlOf(app.server)).change("DEMO2RLX", { kind: "retime", departureMinutes: 45 });
      await page.getByRole("link", { name: "DEMO2RLX" }).nth(1).waitFor();
      expect(await page.locator(":focus").innerText()).toBe(last);

      await page.keyboard.press("/");
      await page.keyboard.type("demo2");
      await page.keyboard.press("Escape");
      expect(await page.getByLabel("Order").inputValue()).toBe("demo2");
      await page.getByRole("link", { name: "DEMOCXAI" }).waitFor({ state: "detached" });
      await page.keyboard.press("/");
      await page.keyboard.type("demo20");
      await page.keyboard.press("Enter");
      await page.locator("a:focus").filter({ hasText: "DEMO20LH" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "DEMO20LH", level: 1 }).waitFor();

      await page.keyboard.press("?");
      const keys = page.getByRole("dialog");
      await keys.getByText("Go to the recipients").waitFor();
      expect(await keys.getByText("Accept").count()).toBe(0);
      await expectPageIsSound("keys");
      await page.keyboard.press("Escape");
      await keys.waitFor({ state: "detached" });

      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Commands" });
      await palette.getByRole("combobox").and(page.locator(":focus")).waitFor();
      await page.keyboard.type("health");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    },
    scenarioMs,
  );

  test(
    "a delivery that has ended is sent again",
    async () => {
      await page.goto("/deliveries?order=DEMO20LH");
      await page.getByRole("button", { name: "Send again: DEMO20LH" }).first().click();

      await page.getByRole("status").getByText("DEMO20LH is sent again").waitFor();
      await page.getByText("sent again", { exact: false }).first().waitFor();
    },
    scenarioMs,
  );
});

describe("when deliveries fail", () => {
  beforeEach(signIn);

  test(
    "a test delivery says why, without leaving anything behind",
    async () => {
      await add("Deaf Travel");

      await page.getByRole("button", { name: "Send a test" }).click();

      const alert = page.getByRole("alert").filter({ hasText: "The test was not acknowledged" });
      await alert.waitFor();
      await alert.getByText("Took ", { exact: false }).waitFor();
      await page.getByRole("link", { name: "All deliveries" }).click();
      await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
      await page.getByRole("link", { name: "DEMO20LH" }).waitFor({ state: "detached" });
    },
    scenarioMs,
  );

  test(
    "the health page shows what arrived, and who is paused and why",
    async () => {
      await add("Quiet Travel");
      await page.getByRole("button", { name: "Pause …" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("They move house");
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByText("Paused", { exact: true }).waitFor();

      await page.getByRole("link", { name: "Health" }).click();

      const table = page.getByRole("table", { name: "Health of the recipients" });
      const quiet = table.getByRole("row").filter({ hasText: "Quiet Travel" });
      expect(await quiet.innerText()).toMatch(/Paused\s+They move house\s+0\s+–\s+0\s+0\s+–/);
      const demo = table.getByRole("row").filter({ hasText: "This agency (demo)" });
      expect(await demo.innerText()).toMatch(/Healthy[\s\S]*100 %/);
      await page.getByText("Failing recipients").waitFor();
      const attempts = page.getByRole("region", { name: "Attempts" });
      await attempts.getByText(/^\d+ attempts?, all acknowledged\.$|^\d+ attempts: \d+ acknowledged, /).waitFor();
      await attempts.getByText(/^Half of the responses took at most \d+ ms, 95 % at most /).waitFor();
      await attempts.getByText("Show as a table").last().click();
      await attempts.getByRole("columnheader", { name: "95 % within (p95)" }).waitFor();

      const isShownAllTheTime = await table.elementHandle();
      const isRead = page.waitForResponse((response) => response.url().includes("/control/traffic?"));
      await page.getByText("7 days", { exact: true }).click();
      await isRead;
      expect(await isShownAllTheTime?.evaluate((shown) => shown.isConnected)).toBe(true);
    },
    scenarioMs,
  );

  test(
    "a notification to several recipients is one row, which opens",
    async () => {
      await add("Second Travel");
      await demoGatewayAt(() => gatewayUrlOf(app.server)).change("DEMOHBAA", { kind: "retime", departureMinutes: 45 });
      await page.goto("/deliveries?order=DEMOHBAA");
      const group = page.getByRole("row").filter({ hasText: /\d recipients/ });
      await group.getByText(/1 delivered/).waitFor();
      const inside = page.getByRole("row").filter({ hasText: "Second Travel" });
      expect(await inside.count()).toBe(0);
      await group.getByRole("button", { name: "DEMOHBAA" }).click();

      await inside.getByText("HTTP 404").waitFor();
      await page.getByRole("row").filter({ hasText: "This agency (demo)" }).first().getByText("Delivered").waitFor();
      await expectPageIsSound("deliveries-grouped");
    },
    scenarioMs,
  );

  test(
    "a delivery waits for its paused recipient to be resumed, as the list and its own page say",
    async () => {
      await add("Resting Travel");
      const recipientId = new URL(page.url()).pathname.split("/").at(-1);
      await page.getByRole("button", { name: "Pause …" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
      await gateway.book("RESTING1", { number: "1900", inDays: 20 });
      await gateway.change("RESTING1", { kind: "retime", departureMinutes: 45 });

      await page.goto(`/deliveries?recipient=${recipientId}&state=pending`);
      const row = page.getByRole("row").filter({ hasText: "RESTING1" });
      await row.getByText("when the recipient is resumed").waitFor();
      await row.getByRole("link", { name: "RESTING1" }).click();

      const delivery = page.getByRole("region", { name: "Delivery", exact: true });
      await delivery.getByText("when the recipient is resumed").waitFor();
      await page.getByRole("region", { name: "Other deliveries of this order" }).waitFor();
    },
    scenarioMs,
  );

  test(
    "a superseded delivery leads to the notification that replaced it, and is not sent again",
    async () => {
      await add("Slow Travel");
      const recipientId = new URL(page.url()).pathname.split("/").at(-1);
      const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
      for (const departureMinutes of [35, 40]) {
        await gateway.change("DEMO48TP", { kind: "retime", departureMinutes });
      }
      await page.goto(`/deliveries?recipient=${recipientId}&state=superseded`);
      const row = page.getByRole("row").filter({ hasText: "DEMO48TP" });
      await row.getByText("Replaced by a newer notification").waitFor();
      expect(await page.getByRole("button", { name: "again" }).count()).toBe(0);

      await row.getByRole("link", { name: "DEMO48TP" }).click();
      await page.getByText("The recipient gets that one instead.").waitFor();
      expect(await page.locator(".page-head").getByRole("button").count()).toBe(0);
      const replaced = page.getByRole("region", { name: "Delivery", exact: true });
      await replaced.getByRole("link", { name: "newer notification" }).click();
      await page.getByText("Waiting for its turn, a retry or the recipient.").waitFor();
    },
    scenarioMs,
  );

  test(
    "many deliveries are sent again after their number was shown",
    async () => {
      await page.goto("/deliveries?state=delivered&order=DEMO2XAC");
      await page.getByRole("link", { name: "DEMO2XAC" }).first().waitFor();
      await page.getByRole("button", { name: "Send all" }).click();
      const preview = page.getByRole("dialog");
      await preview.getByText("1 delivery matches the filters.", { exact: false }).waitFor();

      await preview.getByRole("button", { name: "Send again" }).click();
      await preview.waitFor({ state: "detached" });

      await page.goto("/deliveries?order=DEMO2XAC");
      await page.getByText("sent again", { exact: false }).first().waitFor();
    },
    scenarioMs,
  );
});

describe("no page has a problem that axe finds, in either theme, on a desktop and on a phone:", () => {
  let agency: RefusingAgency;
  beforeAll(async () => {
    agency = await startRefusingAgency();
  });
  afterAll(() => agency.close());

  test(
    "signing in and recipients",
    async () => {
      await page.goto("/");
      await page.getByRole("textbox", { name: "Control token" }).fill("not the token");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").waitFor();
      await expectPageIsSound("sign-in");

      await signIn();
      await page.getByRole("table", { name: "Recipients" }).waitFor();
      await expectPageIsSound("recipients");
      await page.getByRole("button", { name: "Operator" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await expectPageIsSound("menu");
      await page.keyboard.press("Escape");

      await page.getByRole("button", { name: "Add a recipient" }).click();
      const form = page.getByRole("dialog");
      for (const kind of ["basic", "bearer", "oauth"]) {
        await form.getByLabel("Authentication method").selectOption(kind);
        await expectPageIsSound(`add-${kind}`);
      }
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });

      await page.getByRole("link", { name: "This agency (demo)" }).click();
      await page.getByRole("region", { name: "Settings" }).waitFor();
      await expectPageIsSound("recipient");
      for (const name of ["Edit", "Pause …", "Remove …"]) {
        await page.getByRole("button", { name }).click();
        await form.waitFor();
        await expectPageIsSound(`recipient-${name.replace(" …", "")}`);
        await page.keyboard.press("Escape");
        await form.waitFor({ state: "detached" });
      }
      await page.goto("/nowhere");
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      await expectPageIsSound("no-such-page");
    },
    2 * scenarioMs,
  );

  test(
    "deliveries that fail",
    async () => {
      await signIn();
      await add("Wrong Travel", agency.url);
      const recipient = page.url();
      await demoGatewayAt(() => gatewayUrlOf(app.server)).change("DEMO31AF", { kind: "retime", departureMinutes: 25 });
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByRole("alert").getByText("The test was not acknowledged").waitFor();
      await expectPageIsSound("recipient-failing");

      await page.goto("/deliveries?state=dead");
      await page.getByRole("link", { name: "DEMO31AF" }).waitFor();
      await expectPageIsSound("deliveries-dead");
      await page.getByRole("button", { name: "Send all of these again" }).click();
      await page.getByRole("dialog").getByText("1 delivery matches the filters.", { exact: false }).waitFor();
      await expectPageIsSound("resend-all");
      await page.keyboard.press("Escape");

      await page.getByRole("link", { name: "DEMO31AF" }).click();
      await page.getByText("Request and response").click();
      await page.getByText("We do not take such orders").waitFor();
      const webhookId = new URL(page.url()).pathname.split("/").at(-1);
      await page.getByText(`webhook-id: ${webhookId}`).waitFor();
      await expectPageIsSound("delivery-dead");
      await page.getByRole("region", { name: "Delivery" }).getByRole("button", { name: "Show" }).click();
      await page.getByRole("dialog").getByText('"OrderViewRS"').first().waitFor();
      await expectPageIsSound("delivery-body");
      await page.keyboard.press("Escape");

      await page.locator(".page-head").getByRole("button", { name: "Send again" }).click();
      await page.getByRole("link", { name: "open the new delivery" }).click();
      await page.getByText("Resend of").waitFor();
      await page.goto("/health");
      const wrong = page.getByRole("row").filter({ hasText: "Wrong Travel" });
      await wrong.getByText(/deliver(y is|ies are) dead\. Open them to see why\./).waitFor();

      await page.goto("/deliveries");
      await page.getByText("Sent again as another delivery").first().waitFor();
      await expectPageIsSound("deliveries");
      await page.goto("/deliveries?state=dead&order=NOBODY");
      await page.getByRole("heading", { name: "No deliveries match these filters" }).waitFor();
      await expectPageIsSound("deliveries-none");

      await page.goto(recipient);
      await page.getByRole("button", { name: "Pause …" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("They move house");
      await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      await expectPageIsSound("recipient-paused");
      await page.getByRole("link", { name: "Health" }).click();
      await page.getByRole("table", { name: "Health of the recipients" }).waitFor();
      await page.locator(".picture svg").nth(1).waitFor();
      await expectPageIsSound("health");
    },
    2 * scenarioMs,
  );
});

/** In both themes, and again on a phone, where nothing may scroll sideways. */
async function expectPageIsSound(name: string): Promise<void> {
  const shots = process.env["SHOTS"];
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    const found = await findAccessibilityProblemsInBothThemes(page);
    expect(found.map((problem) => `${name}, ${viewport.width} px, ${problem}`)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(viewport.width);
    for (const colorScheme of shots === undefined ? [] : (["light", "dark"] as const)) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shots}/${name}-${viewport.width}-${colorScheme}.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: null });
    }
  }
}

const desktop = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

interface RefusingAgency {
  readonly url: string;
  close(): Promise<void>;
}

/** Refuses every notification for good, so that its deliveries are dead at once. */
async function startRefusingAgency(): Promise<RefusingAgency> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(422).end("We do not take such orders."));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ocn`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
