import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import { allCases, findAccessibilityProblemsInBothThemes, scenarioMs, signInAs } from "./dashboard-browser.ts";
import { type Booked, demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "agency" });
const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
let page: Page;
beforeEach(() => {
  page = app.page;
});

let pressed = 0;

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    pressed += 1;
  }
}

/** Fails when it takes more keys. */
async function inKeys(most: number, task: () => Promise<void>): Promise<void> {
  pressed = 0;
  await task();
  expect(pressed).toBeLessThanOrEqual(most);
}

async function bookAndRetime(orderId: string, number: string, others?: object): Promise<Booked> {
  const booked = await gateway.book(orderId, { number, inDays: 40 }, others);
  await gateway.change(orderId, { kind: "retime", departureMinutes: 45, arrivalMinutes: 45 });
  return booked;
}

/** Found as people find it: `/`, its booking reference, a ticket number or a name, Enter. */
async function findByKeys(words: string, orderId: string): Promise<void> {
  await page.goto("/");
  await row(orderId).waitFor();
  await inKeys(words.length + 2, async () => {
    await press("/", ...words, "Enter");
    await heading(orderId).waitFor();
  });
}

function row(orderId: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
}

/** Once they are there, the keys of the case are too. */
function actions() {
  return page.getByRole("region", { name: "Actions" }).getByRole("button").first();
}

async function acceptByKeys(): Promise<void> {
  await page.getByRole("button", { name: "Accept", exact: true }).waitFor();
  await press("a");
  await page.getByRole("button", { name: "Accept the change" }).and(page.locator(":focus")).waitFor();
  await press("Enter");
}

function heading(orderId: string) {
  return page.getByRole("heading", { name: orderId, level: 1 });
}

async function stateOf(orderId: string): Promise<string> {
  await page.goto(allCases);
  return await row(orderId).locator(".stands .badge").innerText();
}

const nameOfFocused = "document.activeElement.textContent ?? ''";

describe("the keystrokes of the everyday tasks", () => {
  test(
    "finding and opening a case by its booking reference, a ticket number or a name takes that and two keys",
    async () => {
      const passengers = [{ firstName: "Ada", lastName: "Quillfeather" }];
      const { tickets } = await bookAndRetime("KEYFND01", "1801", { passengers });
      await signInAs(page, "agent");

      for (const words of ["RFND01", tickets[0]!.ticketNumber, "Quillfeather"]) await findByKeys(words, "KEYFND01");
    },
    scenarioMs,
  );

  test(
    "understanding a case takes Enter: what changes, what is advised and who travels stand on the first screen",
    async () => {
      await bookAndRetime("KEYUND01", "1817", { passengers: [{ firstName: "Ada", lastName: "Underwood" }] });
      await page.setViewportSize({ width: 1440, height: 900 });
      await signInAs(page, "agent");
      await page.goto("/?q=keyund");
      await row("KEYUND01").waitFor();
      await press("j");

      await inKeys(1, async () => {
        await press("Enter");
        await heading("KEYUND01").waitFor();
      });

      await page.getByRole("region", { name: "Travellers" }).getByText("Underwood").first().waitFor();
      for (const part of [
        page.locator(".headline"),
        page.getByRole("region", { name: "Actions" }),
        page.getByRole("region", { name: "Flights" }),
        page.getByRole("region", { name: "Travellers" }),
        page.getByRole("region", { name: "Decision" }),
      ]) {
        const { y, height } = (await part.boundingBox())!;
        expect(y + height).toBeLessThan(900);
      }
    },
    scenarioMs,
  );

  test(
    "accepting takes two keys, leads to the next case of the list and says what was done",
    async () => {
      await bookAndRetime("KEYACC01", "1802");
      await bookAndRetime("KEYACC02", "1802");
      await signInAs(page, "agent");
      await page.goto("/?q=keyacc");
      await row("KEYACC02").waitFor();
      await page.locator("a[data-row]").nth(1).waitFor();
      const [first = "", second = ""] = await page.locator("a[data-row]").allInnerTexts();
      await press("j", "Enter");
      await heading(first).waitFor();
      await page.getByRole("button", { name: "Accept" }).waitFor();

      await inKeys(2, acceptByKeys);

      await heading(second).waitFor();
      await page.getByRole("status").getByText(`${first}: Accept requested`, { exact: false }).waitFor();
      await page.getByText("An accept can't be undone once it is sent.", { exact: false }).waitFor();
      await press("k");
      await heading(first).waitFor();
      await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
      await press("u");
      await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
      await page.locator(":focus").and(page.locator("a[data-row]")).getByText(first, { exact: true }).waitFor();
      expect(await stateOf(first)).toBe("Done");
    },
    scenarioMs,
  );

  test(
    "ten cases of a list are accepted with two keys each, and every one reaches the gateway",
    async () => {
      const orderIds = Array.from({ length: 10 }, (_, index) => `KEYTEN${index}X`);
      for (const orderId of orderIds) await bookAndRetime(orderId, "1816");
      await signInAs(page, "agent");
      await page.goto("/?q=keyten");
      await page.locator("a[data-row]").nth(9).waitFor();
      const listed = await page.locator("a[data-row]").allInnerTexts();

      await inKeys(22, async () => {
        await press("j", "Enter");
        for (const orderId of listed) {
          await heading(orderId).waitFor();
          await acceptByKeys();
        }
      });

      await page.goto("/?q=keyten&show=all&order=newest");
      for (const orderId of orderIds) await row(orderId).getByText("Done", { exact: true }).waitFor();
      expect(listed.toSorted()).toEqual(orderIds.toSorted());
      expect(await gateway.acceptsOf(orderIds)).toEqual(orderIds);
    },
    scenarioMs,
  );

  test(
    "cancelling takes one key, the booking reference and Enter",
    async () => {
      await bookAndRetime("KEYCNC01", "1803");
      await signInAs(page, "supervisor");
      await findByKeys("RCNC01", "KEYCNC01");
      await page.getByRole("button", { name: "Cancel order" }).waitFor();

      await inKeys(8, async () => {
        await press("c");
        await page.getByLabel("Type the order id").and(page.locator(":focus")).waitFor();
        await press(..."RCNC01", "Enter");
      });

      await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
      await page.getByRole("region", { name: "Accepts and cancels" }).getByText("Cancel for RCNC01").waitFor();
    },
    scenarioMs,
  );

  test(
    "snoozing takes two keys",
    async () => {
      await bookAndRetime("KEYSNZ01", "1804");
      await signInAs(page, "agent");
      await findByKeys("RSNZ01", "KEYSNZ01");
      await actions().waitFor();

      await inKeys(2, async () => {
        await press("s");
        await page.getByRole("group", { name: "Suggested times" }).locator("button:focus").waitFor();
        await press("1");
      });

      await page.locator(".case-title").getByText("Snoozed", { exact: true }).waitFor();
    },
    scenarioMs,
  );

  test(
    "assigning to oneself takes one key",
    async () => {
      await bookAndRetime("KEYASG01", "1805");
      await signInAs(page, "agent");
      await findByKeys("RASG01", "KEYASG01");
      await actions().waitFor();

      await inKeys(1, () => press("i"));

      await page.getByRole("status").getByText("Assigned to you").waitFor();
      await page.getByRole("region", { name: "At a glance" }).getByText("demo-agent").waitFor();
      await press("i");
      await page.getByText("Assign to me: The case is assigned to you already.").waitFor();
    },
    scenarioMs,
  );

  test(
    "assigning to somebody else takes one key, letters of the name and Enter",
    async () => {
      await bookAndRetime("KEYASG02", "1815");
      await signInAs(page, "agent");
      await findByKeys("RASG02", "KEYASG02");
      await actions().waitFor();

      await inKeys(4, async () => {
        await press("Shift+A");
        await page.getByRole("option", { name: "supervisor" }).waitFor();
        await press("s", "u", "Enter");
      });

      await page.getByRole("region", { name: "At a glance" }).getByText("demo-supervisor").waitFor();
    },
    scenarioMs,
  );

  test(
    "accepting all cases of a list takes three keys, and the result shows what the gateway did with each",
    async () => {
      const references = ["RBLK2A", "RBLK2B"];
      await bookAndRetime("KEYBLK01", "1806");
      await bookAndRetime("KEYBLK02", "1806", { gdsBookingReferences: references });
      await gateway.injectFaults({ mode: "mixed-results", orderId: "KEYBLK02", times: 9 });
      try {
        await signInAs(page, "supervisor");
        await page.goto("/?q=keyblk");
        await row("KEYBLK01").waitFor();
        await row("KEYBLK02").waitFor();

        await press("j", "x", "j", "X");
        await page.getByRole("region", { name: "Bulk actions" }).getByText("2 cases selected").waitFor();
        const boxes = page.getByRole("checkbox", { name: /^Select KEYBLK/ });
        await boxes.first().click();
        await page.getByRole("region", { name: "Bulk actions" }).getByText("1 case selected").waitFor();
        await boxes.last().click({ modifiers: ["Shift"] });
        await page.getByRole("region", { name: "Bulk actions" }).waitFor({ state: "detached" });
        await boxes.first().click();
        await boxes.last().click({ modifiers: ["Shift"] });
        await page.getByRole("region", { name: "Bulk actions" }).getByText("2 cases selected").waitFor();

        await inKeys(3, async () => {
          await press("ControlOrMeta+a");
          await page.getByRole("region", { name: "Bulk actions" }).getByText("2 cases selected").waitFor();
          await press("a");
          await page.getByRole("button", { name: "Run on 2 cases" }).and(page.locator(":focus")).waitFor();
          await press("Enter");
        });

        await page.waitForURL("**/bulk-actions/*");
        await row("KEYBLK01").getByText("Succeeded", { exact: true }).waitFor();
        await row("KEYBLK02").getByText("Failed", { exact: true }).waitFor();
        await row("KEYBLK02").getByText("Accepted for ", { exact: false }).waitFor();
      } finally {
        await gateway.behave();
      }
    },
    scenarioMs,
  );
});

describe("the keys of the queue", () => {
  test(
    "Escape leaves the search with its text, and the case that then has the focus is the one that is opened",
    async () => {
      await bookAndRetime("KEYESC01", "1807");
      await bookAndRetime("KEYESC02", "1807");
      await signInAs(page, "agent");
      await row("KEYESC02").waitFor();

      // The list on the screen is not yet that of the search.
      await press("/", ..."KEYESC02", "Escape", "j");
      expect(await page.getByRole("searchbox").inputValue()).toBe("KEYESC02");
      await row("KEYESC01").waitFor({ state: "detached" });
      await press("j");
      const focused = await page.evaluate<string>(nameOfFocused);
      await press("Enter");

      expect(focused).toBe("KEYESC02");
      await heading("KEYESC02").waitFor();
    },
    scenarioMs,
  );

  test(
    "a list that is read again keeps the focus on its case",
    async () => {
      await bookAndRetime("KEYSTY01", "1808");
      await signInAs(page, "agent");
      await page.goto(allCases);
      await row("KEYSTY01").waitFor();
      await press("j");
      expect(await page.evaluate<string>(nameOfFocused)).toBe("KEYSTY01");

      await bookAndRetime("KEYSTY02", "1808");
      await row("KEYSTY02").waitFor();

      expect(await page.evaluate<string>(nameOfFocused)).toBe("KEYSTY01");
      await press("k");
      expect(await page.evaluate<string>(nameOfFocused)).toBe("KEYSTY02");
    },
    scenarioMs,
  );

  test(
    "it opens on what needs action, most urgent first, and on the last view after that",
    async () => {
      await signInAs(page, "viewer");
      await page.getByRole("link", { name: "DEMO31AF", exact: true }).waitFor();
      expect(await page.locator(".stands .badge").allInnerTexts()).not.toContain("Done");
      expect(await page.getByLabel("Sort by").inputValue()).toBe("due");
      const departure = page.getByRole("columnheader", { name: "Departure" });
      await departure.getByRole("button").click();
      await departure.and(page.locator("[aria-sort=ascending]")).waitFor();
      expect(await page.getByLabel("Sort by").inputValue()).toBe("departure");
      await departure.getByRole("button").click();
      expect(await page.getByLabel("Sort by").inputValue()).toBe("due");

      await page.getByText("Finished", { exact: true }).click();
      await row("DEMO20LH").waitFor();
      await press("g", "t");
      await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
      await press("g", "q");

      await row("DEMO20LH").waitFor();
      await page.goto("/");
      await row("DEMO20LH").waitFor();
      expect(await page.locator(".stands .badge").allInnerTexts()).not.toContain("Needs action");
    },
    scenarioMs,
  );
});

describe("the commands", () => {
  test(
    "the sheet lists the keys, the palette finds a command by its words, and both are closed to other keys",
    async () => {
      await signInAs(page, "agent");
      await row("DEMO31AF").waitFor();
      await press("j");
      const before = await page.evaluate<string>(nameOfFocused);

      await press("?");
      const sheet = page.getByRole("dialog", { name: "Keys" });
      await sheet.getByText("Accept the airline's change").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await press("j", "Escape");
      await sheet.waitFor({ state: "detached" });
      expect(await page.evaluate<string>(nameOfFocused)).toBe(before);

      await press("ControlOrMeta+k");
      const palette = page.getByRole("dialog", { name: "Commands" });
      await palette.getByRole("combobox").and(page.locator(":focus")).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await press(..."quar", "Enter");
      await page.getByRole("heading", { name: "Quarantine", level: 1 }).waitFor();
      await palette.waitFor({ state: "detached" });
    },
    scenarioMs,
  );

  test(
    "a key that can do nothing now says why, and Escape in a dialog does not leave the case",
    async () => {
      await signInAs(page, "agent");
      await page.goto(allCases);
      await page.getByRole("link", { name: "DEMOCXAI", exact: true }).click();
      await heading("DEMOCXAI").waitFor();
      await actions().waitFor();

      await press("a");
      await page.getByText("Accept the airline's change: The gateway does not allow accepting this change.").waitFor();
      await press("c");
      await page.getByText("Only a user with the role supervisor or above can do this.", { exact: false }).waitFor();

      await press("n");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Note").and(page.locator(":focus")).waitFor();
      await press("a", "j", "Escape");
      await dialog.waitFor({ state: "detached" });
      await heading("DEMOCXAI").waitFor();
      await press("Escape");
      await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
    },
    scenarioMs,
  );
});
