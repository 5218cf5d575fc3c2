import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import chromium from "@sparticuz/chromium";
import axe from "axe-core";
import { type Browser, type BrowserContext, type Page, chromium as playwright } from "playwright-core";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Generous, because two slow cores also run a database, a server and a browser, and other proofs with theirs. */
export const patienceMs = 60_000;

/** How long a browser may take to be unpacked and started beside a server and a database. */
export const setUpMs = 90_000;

/** As long as several waits of the browser. */
export const scenarioMs = 4 * patienceMs;

/** Flags of the package that suit its home, a serverless function. */
const unwantedFlags = new Set([
  // They weaken what is tested here.
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content",
  // Each page would load the whole program anew, instead of being forked from a process that has it.
  "--no-zygote",
  // They are for WebGL, which no page uses: the software that stands in for a graphics card takes most of the CPU.
  "--ignore-gpu-blocklist",
  "--in-process-gpu",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
]);

export async function openBrowser(): Promise<Browser> {
  const { executablePath, libraries } = await unpackBrowser();
  return await playwright.launch({
    executablePath,
    args: [...chromium.args.filter((flag) => !unwantedFlags.has(flag)), "--disable-gpu"],
    // The few libraries that a machine without a desktop lacks come with the package.
    env: { ...process.env, LD_LIBRARY_PATH: [libraries, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":") },
  });
}

/**
 * Unpacks the browser, once for each user: the package unpacks into the temporary folder, where what another user has
 * unpacked can be seen and not be run. It adds the libraries only where it believes to run in a serverless function. A
 * process of its own does it, because the package reads the real environment, which a test cannot change. It unpacks
 * aside, so that a test that starts meanwhile does not run half a browser.
 */
async function unpackBrowser(): Promise<{ readonly executablePath: string; readonly libraries: string }> {
  const folder = join(tmpdir(), `skedchange-browser-${userInfo().uid}`);
  if (!existsSync(folder)) {
    const aside = await mkdtemp(`${folder}-`);
    const script = 'await (await import("@sparticuz/chromium")).default.executablePath()';
    await run(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: root,
      env: { ...process.env, TMPDIR: aside, VERCEL: "1" },
    });
    try {
      await rename(aside, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
      // Another process was first.
      await rm(aside, { recursive: true });
    }
  }
  return { executablePath: join(folder, "chromium"), libraries: join(folder, "al2023/lib") };
}

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: scripts that failed, and what the content security policy refused. */
  readonly complaints: readonly string[];
}

/** A browser of somebody who has not been here before. */
export async function visit(
  browser: Browser,
  url: string,
  options: { readonly colorScheme?: "light" | "dark" } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 860 },
    timezoneId: "Europe/Lisbon",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // Browsers report every response of 400 and above; the tests look at what people are shown instead.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** Signs in as one of the demo's users by clicking the offer. */
export async function signInAs(page: Page, role: "viewer" | "agent" | "supervisor" | "admin"): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: `demo-${role}` }).click();
  await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
}

/** The queue with every case, newest first; without a view of its own it shows those that need action. */
export const allCases = "/?show=all&order=newest";

/** Opens the case of an order from the queue. */
export async function openCase(page: Page, orderId: string): Promise<void> {
  await page.goto(allCases);
  await page.locator("a.order").first().waitFor();
  const link = page.getByRole("link", { name: orderId, exact: true });
  // Only the rows near the screen are in the page.
  if ((await link.count()) === 0) await page.getByRole("searchbox").fill(orderId);
  await link.click();
  await page.getByRole("heading", { name: orderId, level: 1 }).waitFor();
}

/** Opens the dialog of an action on the case, which may be under "More"; `name` is the beginning of its button. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  const actions = page.getByRole("region", { name: "Actions" });
  await actions.getByRole("button").first().waitFor();
  const main = actions.getByRole("button", { name });
  if ((await main.count()) > 0) {
    await main.click();
  } else {
    await actions.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name }).click();
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
  await page.getByRole("dialog").waitFor();
}

/** What axe finds wrong on the page as it is, one line for each place; empty when nothing is. */
export async function findAccessibilityProblems(page: Page): Promise<readonly string[]> {
  return await runAxe(page, {});
}

async function runAxe(page: Page, rules: { readonly runOnly?: readonly string[] }): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // Colours are compared when nothing fades any more. The caret of an editor blinks for ever.
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished.catch(() => null)))`);
  const { violations } = await page.evaluate<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>(`axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...rules })})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The same in the light theme and in the dark one, each line with its theme. */
export async function findAccessibilityProblemsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Pages without scripts have no such attribute.
    await page
      .locator(`html:is([data-mantine-color-scheme="${colorScheme}"], :not([data-mantine-color-scheme]))`)
      .waitFor();
    // Nothing but colours differs in the second theme.
    const rules = colorScheme === "dark" ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
    found.push(...(await runAxe(page, rules)).map((problem) => `${colorScheme}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}
