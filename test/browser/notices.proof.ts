import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, signInAs } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });

/** One of the pages behind "More". */
async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

test(
  "an agent opens a case from the message that announced it",
  async () => {
    const { page } = app;
    await signInAs(page, "agent");
    await openPage(page, "Demo inbox");
    const message = page.getByRole("article").filter({ hasText: "E-mail to desk@agency.example" }).first();
    await message.waitFor({ timeout: scenarioMs });
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    expect(await message.getByRole("heading").innerText()).toMatch(/^\d+ cases? needs? action/);
    const link = message.getByRole("listitem").getByRole("link").first();
    const orderId = (await link.innerText()).split(":")[0]!;
    await link.click();
    await page.locator(".case-title").getByText(orderId).waitFor();
    await page.getByText("Waiting for an agent", { exact: false }).first().waitFor();
  },
  scenarioMs,
);

test(
  "an admin sees on the pages of notices and events that nothing is sent while no sender runs",
  async () => {
    const { page, db } = app;
    await signInAs(page, "admin");
    await openPage(page, "Notices");
    await page.getByRole("button", { name: "Add notice" }).waitFor();
    expect(await page.getByText("No sender runs").count()).toBe(0);
    const { rows } = await db.ownerDatabase.pool.query("select id, roles from skedchange.processes");
    await db.ownerDatabase.pool.query("update skedchange.processes set roles = '{receiver,worker,dashboard}'");
    try {
      await page.reload();
      await page.getByText("No sender runs, so no notice is sent").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("link", { name: "Events", exact: true }).click();
      await page.getByText("No sender runs, so no event is sent").waitFor();
    } finally {
      for (const { id, roles } of rows) {
        await db.ownerDatabase.pool.query("update skedchange.processes set roles = $2 where id = $1", [id, roles]);
      }
    }
  },
  scenarioMs,
);

test(
  "an admin adds a notice, sends a test, pauses it and removes it",
  async () => {
    const { page } = app;
    const dialog = page.getByRole("dialog");
    await signInAs(page, "admin");
    await openPage(page, "Notices");
    await page.getByRole("button", { name: "Add notice" }).click();
    await dialog.waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await dialog.getByLabel("Name").fill("Night desk");
    await dialog.getByLabel("Send by").selectOption("teams");
    await dialog.getByLabel("Webhook URL").fill("https://teams.example/workflows/1");
    await dialog.getByLabel("When").selectOption("digest");
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row").filter({ hasText: "Night desk" });
    await row.getByText("Digest at 08:00, Mon to Fri", { exact: false }).waitFor();
    await row.getByText("teams.example").waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    await row.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The test was sent").waitFor();
    await row.getByRole("button", { name: "Pause" }).click();
    await row.getByText("Paused", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
  },
  scenarioMs,
);
