import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblems, scenarioMs } from "./dashboard-browser.ts";

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
async function add(name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Add a recipient" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await form.getByRole("textbox", { name: "URL", exact: true }).fill(`${app.server.agencyUrl}/nowhere`);
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
    "signing out ends the session in this browser",
    async () => {
      await signIn();

      await page.getByRole("button", { name: "Operator" }).click();
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
      await page.getByLabel("Order").fill("DEMO2XAC");
      await page.getByRole("link", { name: "DEMO20LH" }).waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("?state=delivered&order=DEMO2XAC");

      await page.getByRole("link", { name: "DEMO2XAC" }).first().click();

      await page.getByRole("heading", { name: "DEMO2XAC", level: 1 }).waitFor();
      const attempts = page.getByRole("region", { name: "Attempts" });
      await attempts.getByText("Acknowledged").waitFor();
      await attempts.getByText("HTTP 200").waitFor();
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
      expect(await findAccessibilityProblems(page)).toEqual([]);
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

describe.each(["light", "dark"] as const)("with the %s theme", (colorScheme) => {
  test(
    "no page has a problem that axe finds",
    async () => {
      await page.emulateMedia({ colorScheme });
      await page.goto("/");
      await page.getByRole("heading", { name: "Demo" }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await signIn();
      await page.getByRole("table", { name: "Recipients" }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await page.getByRole("button", { name: "Add a recipient" }).click();
      const form = page.getByRole("dialog");
      for (const kind of ["basic", "bearer", "oauth"]) {
        await form.getByLabel("Authentication method").selectOption(kind);
        expect(await findAccessibilityProblems(page)).toEqual([]);
      }
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });

      await page.getByRole("table", { name: "Recipients" }).getByRole("link").first().click();
      await page.getByRole("region", { name: "Settings" }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await page.goto("/deliveries");
      await page.getByRole("table", { name: "Deliveries" }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);

      await page.getByRole("table", { name: "Deliveries" }).getByRole("rowheader").getByRole("link").first().click();
      await page.getByText("Attempt 1").waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
    },
    scenarioMs,
  );
});
