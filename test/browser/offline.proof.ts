import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, openCase, scenarioMs, signInAs } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });
let page: Page;
beforeEach(() => {
  page = app.page;
});

const banner = () => page.getByRole("region", { name: "Offline" });

test(
  "without a network the page says from when its data is and lets nobody act, and it goes on by itself afterwards",
  async () => {
    await signInAs(page, "agent");
    await openCase(page, "DEMO31AF");
    await page.getByRole("button", { name: "Accept" }).click();
    const accept = page.getByRole("dialog").getByRole("button", { name: "Accept the change" });
    await accept.waitFor();

    await app.visitor.context.setOffline(true);
    await banner().waitFor();
    expect(await banner().innerText()).toMatch(/What you see is from today \d\d:\d\d\./);
    expect(await accept.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Accept" }).isDisabled()).toBe(true);
    await page.getByRole("banner").getByText("Offline", { exact: true }).waitFor();
    expect(await page.getByText("Live", { exact: true }).count()).toBe(0);
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    // Neither the code of this page nor its data is here yet.
    await page.getByRole("link", { name: "Quarantine" }).click();
    await page.getByRole("alert").getByText("The page could not be loaded").waitFor();
    expect(await page.getByText("Loading …").count()).toBe(0);

    await app.visitor.context.setOffline(false);
    await banner().waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Quarantine", level: 1 }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  },
  scenarioMs,
);

test(
  "a server that does not answer counts as offline, although the browser is online",
  async () => {
    await signInAs(page, "agent");
    await page.route(/\/(api|healthz)/, (route) => route.fulfill({ status: 502, body: "Bad gateway" }));
    await page.getByRole("link", { name: "Tasks" }).click();

    await banner().waitFor();
    await page.getByRole("alert").getByText("Loading failed").waitFor();
    expect(await page.evaluate("navigator.onLine")).toBe(true);

    await page.unrouteAll();
    await banner().waitFor({ state: "detached" });
    await page
      .getByText("No open tasks")
      .or(page.getByRole("table", { name: "Tasks" }))
      .first()
      .waitFor();
  },
  scenarioMs,
);

test(
  "an unknown address shows a page of the app on both sides, after the sign-in, and an unknown path of the API JSON",
  async () => {
    await page.goto("/no/such/page");
    await page.getByRole("button", { name: "demo-viewer" }).click();
    await page.getByRole("heading", { name: "Page not found", level: 1 }).waitFor();
    expect(await page.locator("main").innerText()).toContain("/no/such/page");
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await page.locator("main").getByRole("link", { name: "Queue" }).click();
    await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    const response = await page.goto("/api/v1/no-such-route");
    expect(response?.headers()["content-type"]).toBe("application/problem+json");

    await page.goto(`${gatewayUrlOf(app.server)}/no/such/page`);
    await page.getByRole("button", { name: "Use the demo token" }).click();
    await page.getByRole("heading", { name: "Page not found", level: 1 }).waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await page.locator("main").getByRole("link", { name: "Recipients" }).click();
    await page.getByRole("heading", { name: "Recipients", level: 1 }).waitFor();
  },
  scenarioMs,
);
