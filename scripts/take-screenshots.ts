// Takes docs/screenshots: each page of the dashboard in both themes, from a demo of its own and the pages as they are in
// the source. Run it with `npx tsx scripts/take-screenshots.ts` after a change that people can see, and look at them.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { demoCredentials } from "../src/config/demo-credentials.ts";
import { buildPages, openBrowser, openCase, signInAs, visit } from "../test/browser/dashboard-browser.ts";
import { startServerProcess } from "../test/harness/server-process.ts";

const target = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "skedchange-screenshots-"));
await mkdir(target, { recursive: true });
await buildPages(join(folder, "web"));
const server = await startServerProcess({ DATA_DIR: join(folder, "data"), DASHBOARD_WEB_DIR: join(folder, "web") });
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
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, context } = await visit(browser, server.agencyUrl, { colorScheme });
    const take = (name: string): Promise<unknown> => takeScreenshot(page, `${name}-${colorScheme}`);
    await page.goto("/");
    await page.getByRole("heading", { name: "Demo users" }).waitFor();
    await take("sign-in");
    await signInAs(page, "supervisor");
    await page.getByRole("link", { name: "DEMO2XAC" }).waitFor();
    await take("queue");
    await openCase(page, "DEMO2XAC");
    await page.getByRole("region", { name: "Answers of the gateway" }).getByRole("button").first().waitFor();
    await take("case");
    await page.goto("/quarantine");
    await page.getByRole("button", { name: "Replay" }).nth(1).waitFor();
    await take("quarantine");
    await page.goto("/policies");
    await page.getByRole("region", { name: "Source default" }).waitFor();
    await take("policies");
    await context.close();
  }
  if (server.gatewayUrl === null) throw new Error(`no gateway side in:\n${server.output()}`);
  await addFailingRecipient(server.gatewayUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    await takeGatewayScreenshots(server.gatewayUrl, colorScheme);
  }
} finally {
  await browser.close();
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}

/** One that nobody listens for, with something to deliver, so that the pages show how failing looks. */
async function addFailingRecipient(gatewayUrl: string): Promise<void> {
  const control = async (path: string, body: object): Promise<void> => {
    const headers = {
      authorization: `Bearer ${demoCredentials.gatewayControlToken}`,
      "content-type": "application/json",
    };
    const answer = await fetch(`${gatewayUrl}/control${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
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
    const path = join(target, `gateway-${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
  };
  await page.goto("/");
  await page.getByRole("heading", { name: "Demo" }).waitFor();
  await take("sign-in");
  await page.getByRole("button", { name: "Use the demo token" }).click();
  await page.getByRole("link", { name: "Example Travel", exact: true }).waitFor();
  await take("recipients");
  await page.getByRole("button", { name: "Add a recipient" }).click();
  await page.getByRole("dialog").getByLabel("How this side proves itself").selectOption("oauth");
  await take("add");
  await page.goto("/");
  await page.getByRole("link", { name: "Example Travel", exact: true }).click();
  await page.getByRole("region", { name: "Rules" }).waitFor();
  await take("recipient");
  await page.goto("/deliveries");
  await page.getByRole("table", { name: "Deliveries" }).waitFor();
  await take("deliveries");
  await page.getByRole("link", { name: "DEMO20LH" }).first().click();
  await page.getByText("Try 1", { exact: true }).first().waitFor();
  await take("delivery");
  await context.close();
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page
    .getByText(/^(Live|Skedchange)$/)
    .first()
    .waitFor();
  await page.screenshot({
    path: join(target, `${name}.png`),
    fullPage: name.startsWith("case"),
    animations: "disabled",
    caret: "hide",
  });
}
