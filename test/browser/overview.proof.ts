import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, signInAs } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });
let page: Page;
beforeEach(() => {
  page = app.page;
});

async function openOverview(): Promise<void> {
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.getByText("The policy decided to accept or cancel", { exact: false }).waitFor();
}

test(
  "the overview says how the agency is doing, and a figure opens the queue behind it",
  async () => {
    await signInAs(page, "viewer");
    await page.getByRole("link", { name: "DEMO31AF" }).waitFor();
    await openOverview();

    await page.locator(".picture svg").first().waitFor();
    await page.getByRole("table", { name: "By airline" }).getByRole("link", { name: "LH" }).waitFor();
    await page.getByText("24 h", { exact: true }).click();
    await page.waitForURL(/range=24h/);
    await page.getByText("Show as a table").click();
    await page.getByRole("columnheader", { name: "Reviewed by people" }).waitFor();
    const waiting = page.getByRole("link", { name: "Waiting: Agents" });
    const count = Number((await waiting.locator("strong").innerText()).replaceAll(",", ""));
    await waiting.click();

    await page.waitForURL(/queue=agent/);
    await page.getByText(`${count} case`, { exact: false }).first().waitFor();
    expect(await page.getByRole("row").count()).toBe(count + 1);
  },
  scenarioMs,
);

test(
  "the overview has no accessibility problem in either theme, on a desktop and on a phone",
  async () => {
    await signInAs(page, "supervisor");
    await page.getByRole("link", { name: "DEMO31AF" }).waitFor();
    await openOverview();
    const shot = process.env["SHOT"];
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });

      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      if (shot !== undefined) await page.screenshot({ path: `${shot}-${width}.png`, fullPage: true });
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    }
  },
  scenarioMs,
);
