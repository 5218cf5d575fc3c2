import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../harness/identity-provider.ts";
import { findFreePort } from "../harness/redis-server.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import {
  findAccessibilityProblemsInBothThemes,
  openBrowser,
  scenarioMs,
  setUpMs,
  type Visitor,
  visit,
} from "./dashboard-browser.ts";

const apiToken = "a-good-token-of-the-api-0123456789";

let db: TestDatabase;
let browser: Browser;
let provider: TestIdentityProvider;
let server: ServerProcess;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  // `localhost` and 127.0.0.1 are two sites for a browser, as a provider and a dashboard are.
  [db, browser, provider] = await Promise.all([
    createTestDatabase(),
    openBrowser(),
    startIdentityProvider("localhost"),
  ]);
  const port = String(await findFreePort());
  server = await startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "dashboard",
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    API_TOKEN: apiToken,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_ROLES: "agent=desk",
    OIDC_NAME: "Contoso",
  });
}, setUpMs);
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await provider?.close();
  await db?.drop();
});
beforeEach(async () => {
  visitor = await visit(browser, server.agencyUrl);
  page = visitor.page;
});
afterEach(async () => {
  provider.signInAs(null);
  provider.setAvailable(true);
  await visitor.context.close();
  expect(visitor.complaints).toEqual([]);
});

const signInLink = () => page.getByRole("link", { name: "Sign in with Contoso" });

test(
  "signing in with the provider leads to the page that was asked for, to an account without a password",
  async () => {
    await page.goto("/tasks?state=done");
    await signInLink().waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await signInLink().click();
    await page.getByRole("link", { name: "Continue as Ines" }).click();

    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/tasks?state=done");
    await page.getByRole("button", { name: "Inês Prata" }).click();
    await page.getByRole("link", { name: "Your account" }).click();
    await page.getByText("This session").waitFor();
    expect(await page.getByRole("region", { name: "You" }).innerText()).toContain(provider.issuer);
    expect(await page.getByRole("button", { name: "Change password" }).count()).toBe(0);
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    await page.getByRole("button", { name: "Inês Prata" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInLink().waitFor();
  },
  scenarioMs,
);

test(
  "a refused sign-in is explained on a page that leads back to the sign-in",
  async () => {
    const added = await fetch(`${server.agencyUrl}/api/v1/users`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: JSON.stringify({ username: "rui", role: "viewer" }),
    });
    expect(added.status).toBe(201);
    provider.signInAs({ sub: "rui-1", preferred_username: "rui", groups: ["desk"] });
    await page.goto("/");
    await signInLink().click();

    await page.getByRole("heading", { name: "Your user name is taken" }).waitFor();
    await page.getByText("npx skedchange users link rui 'rui-1'").waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    provider.setAvailable(false);
    await page.getByRole("link", { name: "Back to the sign-in" }).click();
    await signInLink().waitFor();
    expect(server.output()).toContain("people.provider_sign_in_refused");
    expect(server.output()).not.toMatch(/eyJ|code=/);
  },
  scenarioMs,
);
