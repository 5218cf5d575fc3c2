import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, visit } from "./dashboard-browser.ts";

const app = playInDemo({ side: "agency" });
let page: Page;
beforeEach(() => {
  page = app.page;
});

const password = "four gulls over the pier";
const better = "nine trams under a bridge";

/** Makes somebody who is no demo user, so that the stories of other users go on. */
async function addUser(username: string, access: object = { role: "viewer" }): Promise<void> {
  const response = await fetch(`${app.server.agencyUrl}/api/v1/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${demoCredentials.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ username, displayName: `The user ${username}`, ...access, password }),
  });
  expect(response.status).toBe(201);
}

/** The same after they have chosen `password` themselves. */
async function addUserWithOwnPassword(username: string, access?: object): Promise<void> {
  await addUser(username, access);
  await app.db.ownerDatabase.pool.query(
    "update skedchange.users set password_change_needed = false where username = $1",
    [username],
  );
}

async function signIn(on: Page, username: string, secret: string): Promise<void> {
  await on.goto("/");
  await on.getByLabel("User name").fill(username);
  await on.getByRole("textbox", { name: "Password" }).fill(secret);
  await on.keyboard.press("Enter");
}

async function openAccount(on: Page, username: string): Promise<void> {
  await on.getByRole("button", { name: `The user ${username}` }).click();
  await on.getByRole("link", { name: "Your account" }).click();
  await on.getByRole("heading", { name: "Your account", level: 1 }).waitFor();
}

async function fillPasswords(on: Page, current: string, next: string, repeated = next): Promise<void> {
  const panel = on.getByRole("region", { name: /^Password$|Change your password/ });
  await panel.getByRole("textbox", { name: "Current password" }).fill(current);
  await panel.getByRole("textbox", { name: "New password", exact: true }).fill(next);
  await panel.getByRole("textbox", { name: "New password, again" }).fill(repeated);
}

test(
  "one's own sessions are listed on the account page and ended there, one or all others",
  async () => {
    await addUserWithOwnPassword("eva");
    const others = [await visit(app.browser, app.server.agencyUrl), await visit(app.browser, app.server.agencyUrl)];
    for (const other of others) {
      await signIn(other.page, "eva", password);
      await other.page.getByRole("searchbox").fill("Underwood");
    }
    await signIn(page, "eva", password);
    await openAccount(page, "eva");
    const rows = page.getByRole("region", { name: "Sessions" }).getByRole("row");
    await rows.filter({ hasText: "This session" }).waitFor();
    expect(await rows.count()).toBe(4);
    expect(await rows.nth(1).innerText()).toMatch(/Chrome on Linux[\s\S]*127\.0\.0\.1/);
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    await page.getByRole("button", { name: "End session" }).first().click();
    await rows.nth(3).waitFor({ state: "detached" });
    expect(await rows.count()).toBe(3);
    await page.getByRole("button", { name: "End all other sessions" }).click();
    await page.getByText("All other sessions have ended").waitFor();

    expect(await rows.count()).toBe(2);
    for (const other of others) {
      // By itself, once its event stream has ended.
      await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
      await other.page.getByRole("button", { name: "demo-viewer" }).click();
      await other.page.getByRole("link", { name: "Queue" }).click();
      expect(await other.page.getByRole("searchbox").inputValue()).toBe("");
      await other.context.close();
    }
  },
  scenarioMs,
);

test(
  "a token is created, shown once and revoked on the account page",
  async () => {
    await addUserWithOwnPassword("tom");
    await signIn(page, "tom", password);
    await openAccount(page, "tom");
    const tokens = page.getByRole("region", { name: "Tokens" });
    const dialog = page.getByRole("dialog");
    await tokens.getByText("You have no tokens.").waitFor();
    await tokens.getByRole("button", { name: "Create token" }).click();
    await dialog.getByLabel("Name").fill("Nightly report");
    expect(await dialog.getByLabel("Role").locator("option").allInnerTexts()).toEqual(["Viewer"]);
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();

    const token = await dialog.getByText(/^sked_/).innerText();
    const ask = () =>
      fetch(`${app.server.agencyUrl}/api/v1/session`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.reload();
    const row = tokens.getByRole("row").filter({ hasText: "Nightly report" });
    expect(await row.innerText()).toMatch(/Read as viewer/);
    expect(await row.innerText()).not.toMatch(/Never/);
    await row.getByRole("button", { name: "Revoke" }).click();
    await tokens.getByText("You have no tokens.").waitFor();

    expect((await ask()).status).toBe(401);
  },
  scenarioMs,
);

const changeButton = (on: Page) => on.getByRole("button", { name: "Change password" });

describe("one's own password", () => {
  test(
    "must be changed at the first sign-in, and leads to the page that was requested",
    async () => {
      await addUser("rui");
      await page.goto("/tasks");
      await page.getByLabel("User name").fill("rui");
      await page.getByRole("textbox", { name: "Password" }).fill(password);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Change your password" }).waitFor();
      await page.goto("/policies");
      await page.getByRole("heading", { name: "Change your password" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await fillPasswords(page, password, "password1234");
      await changeButton(page).click();
      await page.getByText("The new password must not be made of common words", { exact: false }).waitFor();
      await fillPasswords(page, password, better);
      await changeButton(page).click();

      await page.getByRole("heading", { name: "Policies", level: 1 }).waitFor();
    },
    scenarioMs,
  );

  test(
    "need not be changed to sign out, and a sign-out that failed is shown",
    async () => {
      await addUser("sol");
      await signIn(page, "sol", password);
      await page.getByRole("heading", { name: "Change your password" }).waitFor();

      await page.route("**/api/v1/session", (route) =>
        route.fulfill({ status: 500, json: { code: "api.unexpected" } }),
      );
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("alert").getByText("You are still signed in").waitFor();
      await page.unroute("**/api/v1/session");
      await page.getByRole("button", { name: "Sign out" }).click();

      await page.getByLabel("User name").waitFor();
    },
    scenarioMs,
  );

  test(
    "is changed on the account page, which ends the sessions of other browsers",
    async () => {
      await addUserWithOwnPassword("ann");
      const elsewhere = await visit(app.browser, app.server.agencyUrl);
      await signIn(elsewhere.page, "ann", password);
      await openAccount(elsewhere.page, "ann");
      await signIn(page, "ann", password);
      await openAccount(page, "ann");

      await fillPasswords(page, "not the password", better);
      await changeButton(page).click();
      await page.getByText("The current password is wrong.").waitFor();
      await fillPasswords(page, password, "too short");
      await changeButton(page).click();
      await page.getByText("The new password must have at least 12 characters.").waitFor();
      await fillPasswords(page, password, better, "nine trans");
      await page.getByText("The two new passwords differ.").waitFor();
      expect(await changeButton(page).isDisabled()).toBe(true);
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

      await fillPasswords(page, password, better);
      await page.getByRole("checkbox", { name: "Also revoke my tokens" }).check();
      await changeButton(page).click();

      await page.getByText("Your other sessions have ended.").waitFor();
      expect(
        await page
          .getByRole("region", { name: "Password" })
          .getByRole("textbox", { name: "Current password" })
          .inputValue(),
      ).toBe("");
      await fillPasswords(elsewhere.page, better, "some other good words");
      await changeButton(elsewhere.page).click();
      await elsewhere.page.getByRole("heading", { name: "Sign in" }).waitFor();
      await signIn(elsewhere.page, "ann", better);
      await elsewhere.page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
      await elsewhere.context.close();
    },
    scenarioMs,
  );
});

test(
  "somebody who is limited to sources sees it on the account page, and can stop only theirs",
  async () => {
    await addUserWithOwnPassword("ida", { role: "supervisor", sources: ["default"] });
    await signIn(page, "ida", password);
    await openAccount(page, "ida");
    expect(await page.getByRole("region", { name: "You", exact: true }).innerText()).toMatch(/Sources\s+default/);
    await page.goto("/policies");
    await page.getByRole("button", { name: "Stop automation …" }).click();
    await page.getByRole("dialog").getByText("for source default").waitFor();
    expect(await page.getByRole("option", { name: "Every source" }).count()).toBe(0);
  },
  scenarioMs,
);

test(
  "somebody adds a second factor, signs in with a code of it, and removes it",
  async () => {
    await addUserWithOwnPassword("tina");
    await signIn(page, "tina", password);
    await openAccount(page, "tina");
    const panel = page.getByRole("region", { name: "Second factor" });
    await panel.getByRole("textbox", { name: "Current password" }).fill(password);
    await panel.getByRole("button", { name: "Add a second factor" }).click();
    await panel.getByRole("img", { name: "QR code" }).waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    const secret = await panel.locator("code").innerText();
    await panel.getByRole("textbox", { name: "Code" }).fill(new TOTP({ secret }).generate());
    await panel.getByRole("button", { name: "Confirm" }).click();
    await panel.getByText("Keep these recovery codes").waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    const [first, second] = (await panel.locator("pre").innerText()).split("\n");
    await panel.getByRole("button", { name: "I have stored them" }).click();
    await panel.getByText("Signing in takes a code").waitFor();

    const other = await visit(app.browser, app.server.agencyUrl);
    try {
      await signIn(other.page, "tina", password);
      await other.page.getByRole("textbox", { name: "Code" }).fill("000000");
      expect(await findAccessibilityProblemsInBothThemes(other.page)).toEqual([]);
      await other.page.keyboard.press("Enter");
      await other.page.getByText("The code is wrong").waitFor();
      await other.page.getByRole("textbox", { name: "Code" }).fill(first!);
      await other.page.keyboard.press("Enter");
      await openAccount(other.page, "tina");
    } finally {
      await other.context.close();
    }

    await panel.getByRole("textbox", { name: "Code" }).fill(second!);
    await panel.getByRole("textbox", { name: "Current password" }).fill(password);
    await panel.getByRole("button", { name: "Remove the second factor" }).click();
    await panel.getByRole("button", { name: "Add a second factor" }).waitFor();
  },
  scenarioMs,
);

test(
  "somebody whose role must have a second factor sees nothing else until they have added one",
  async () => {
    await addUserWithOwnPassword("vera", { role: "viewer" });
    await requireFactorOf(["viewer"]);
    try {
      await signIn(page, "vera", password);
      await page.getByRole("heading", { name: "Add a second factor" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await page.getByRole("textbox", { name: "Current password" }).fill(password);
      await page.getByRole("button", { name: "Add a second factor" }).click();
      const secret = await page.locator("code").innerText();
      await page.getByRole("textbox", { name: "Code" }).fill(new TOTP({ secret }).generate());
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("button", { name: "I have stored them" }).click();
      await page.getByRole("heading", { name: "Queue" }).waitFor();
    } finally {
      await requireFactorOf([]);
    }
  },
  scenarioMs,
);

async function requireFactorOf(roles: readonly string[]): Promise<void> {
  const response = await fetch(`${app.server.agencyUrl}/api/v1/second-factor-roles`, {
    method: "PUT",
    headers: { authorization: `Bearer ${demoCredentials.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ roles }),
  });
  expect(response.status).toBe(204);
}
