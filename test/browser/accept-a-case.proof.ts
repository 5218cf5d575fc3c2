import { expect, test } from "vitest";
import { playInDemo } from "./app-in-browser.ts";
import { openCase, scenarioMs, signInAs } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });

/** The one story that every run of `npm test` plays in a real browser; `npm run test:proof` plays all of them. */
test(
  "an agent accepts a case with a note and sees the gateway's result without reloading the page",
  async () => {
    const { page } = app;
    const dialog = page.getByRole("dialog");
    await signInAs(page, "agent");
    await openCase(page, "DEMOFNBA");

    await page.getByRole("button", { name: "Accept" }).click();
    await dialog.getByLabel("I have checked this with the traveller").check();
    await dialog.getByLabel("Note").fill("The traveller agreed by phone.");
    await dialog.getByRole("button", { name: "Accept the change" }).click();

    await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
    await page.getByText("The traveller agreed by phone.").first().waitFor();
    expect(await page.getByRole("region", { name: "Accepts and cancels" }).innerText()).toMatch(
      /Accept for BAZ8C3\s+Succeeded[\s\S]*SUCCESS/,
    );
    expect(await page.getByRole("button", { name: "Accept" }).count()).toBe(0);
  },
  scenarioMs,
);
