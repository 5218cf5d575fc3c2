import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, openCase, scenarioMs, signInAs } from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "agency" });
const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
let page: Page;
beforeEach(() => {
  page = app.page;
});

const phone = { width: 390, height: 844 };

/** Opens the active version. */
async function openActive(): Promise<void> {
  await page.goto("/policies");
  await page.getByRole("region", { name: "Source default" }).getByRole("link").first().click();
  await page.getByRole("region", { name: "History" }).waitFor();
}

/** Replaces the first line that contains `text`, from behind its indentation. */
async function replaceLine(text: string, line: string): Promise<void> {
  const found = page.locator(".cm-line", { hasText: text }).first();
  await found.click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Backspace");
  await page.keyboard.insertText(line);
}

describe("a policy change", () => {
  test(
    "is read, edited with its mistake shown in place, backtested, activated with a reason, and decides the next case",
    async () => {
      await signInAs(page, "supervisor");
      await openActive();
      const rules = page.getByRole("region", { name: "Rules" });
      await rules.getByText("first match decides").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await rules.getByText("YAML", { exact: true }).click();
      await rules.getByRole("textbox", { name: "cautious as YAML" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      await page.getByRole("link", { name: "Edit as a new version" }).click();
      await page.getByRole("textbox", { name: "Policy as YAML" }).waitFor();
      await page.getByText("Same as the version you started from", { exact: false }).waitFor();
      await replaceLine("name: cautious", "name: all-to-agents");
      await replaceLine(
        "rules:",
        "rules:\n  - { name: all-to-agents, when: cancelld || true, do: review, reason: all-to-agents }",
      );
      await page.getByText("Did you mean 'cancelled'?", { exact: false }).first().waitFor();
      await page.locator(".cm-lintRange-error").first().waitFor();
      const save = page.getByRole("button", { name: "Save version" });
      expect(await save.isDisabled()).toBe(true);
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      await page.reload();
      await page.getByText("Your unsaved draft is shown").waitFor();
      await page.getByRole("button", { name: /^Line \d+$/ }).click();
      await replaceLine(
        "cancelld",
        '- { name: all-to-agents, when: changedFlightCount > 0 && order.travellerAnswer == "none", do: review, reason: all-to-agents }',
      );
      await page.getByText("No mistakes. all-to-agents has", { exact: false }).waitFor();

      // Three clicks once the text is written.
      await page.getByRole("button", { name: "Run backtest" }).click();
      const result = page.getByRole("region", { name: "Result of the backtest" });
      await result.getByText("would change", { exact: false }).waitFor();
      expect(await result.getByRole("link").count()).toBeGreaterThan(0);
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await page.getByRole("textbox", { name: "Note" }).fill("Agents look at everything during the strike.");
      await page.getByRole("button", { name: "Save and activate …" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("1 rule added:", { exact: false }).waitFor();
      await dialog.getByText("would change", { exact: false }).waitFor();
      expect(await dialog.getByLabel("Reason").inputValue()).toBe("Agents look at everything during the strike.");
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      const activate = dialog.getByRole("button", { name: "Activate" });
      await activate.click();
      await dialog.waitFor({ state: "detached" });
      await page.waitForURL((url) => url.search === "");
      await page.getByRole("heading", { name: "all-to-agents", level: 1 }).waitFor();
      await page.getByText("Active for default").waitFor();
      await page.getByRole("region", { name: "History" }).getByText("during the strike", { exact: false }).waitFor();

      await gateway.book("POLICY01", { number: "1711", inDays: 60 });
      await gateway.change("POLICY01", { kind: "retime", departureMinutes: 10 });
      await openCase(page, "POLICY01");
      await page.getByRole("region", { name: "Rules evaluated" }).getByText("all-to-agents").first().waitFor();

      await page.goto("/policies");
      await page.getByRole("region", { name: "Versions" }).getByRole("link", { name: "cautious" }).click();
      await page.getByRole("button", { name: "Roll back to this version" }).click();
      await dialog.getByText("Not backtested", { exact: false }).waitFor();
      expect(await activate.isDisabled()).toBe(true);
      await dialog.getByLabel("Reason").fill("The strike is over.");
      await activate.click();
      await page.getByText("Active for default").waitFor();
    },
    2 * scenarioMs,
  );
});

test(
  "two versions are compared at an address of their own, also on a phone",
  async () => {
    await signInAs(page, "viewer");
    await openActive();
    const compare = page.getByRole("region", { name: "Compare" });
    const select = compare.getByRole("combobox");
    const other = select.locator("option", { hasText: "balanced" });
    await select.selectOption((await other.getAttribute("value")) ?? "");
    await compare.getByText(/rules? removed/).waitFor();
    expect(new URL(page.url()).search).toContain("compare=");
    await page.setViewportSize(phone);
    await page.reload();

    await compare.getByText(/rules? removed/).waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(phone.width);
    expect(await page.getByRole("button", { name: "Activate" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Run backtest" }).count()).toBe(0);
  },
  scenarioMs,
);

test(
  "a viewer who opens the editor by its address is shown which role it takes",
  async () => {
    await signInAs(page, "viewer");
    await openActive();

    await page.goto(`${page.url().split("?")[0]}/edit`);

    await page.getByText("It takes the role supervisor; yours is viewer.", { exact: false }).waitFor();
  },
  scenarioMs,
);
