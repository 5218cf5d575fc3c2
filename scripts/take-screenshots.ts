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
} finally {
  await browser.close();
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
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
