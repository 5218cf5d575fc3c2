import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { gatewayUrlOf, playInDemo } from "./app-in-browser.ts";
import { findAccessibilityProblemsInBothThemes, scenarioMs, signInAs } from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "agency" });
const gateway = demoGatewayAt(() => gatewayUrlOf(app.server));
let page: Page;
beforeEach(() => {
  page = app.page;
});

/** Each is accepted, and leaves a ticket to check, because its flight has another number. */
async function leaveTasks(orderIds: readonly string[], number: string): Promise<void> {
  const agency = openAgencyApi(app.server.agencyUrl, demoCredentials.apiToken);
  for (const orderId of orderIds) {
    await gateway.book(orderId, { number, inDays: 50 });
    await gateway.change(orderId, { kind: "renumber", flightNumber: `${Number(number) + 1}` });
    const { id } = await agency.caseIn(orderId, ["awaiting-agent"]);
    await agency.act(id, "accept");
  }
}

function row(orderId: string) {
  const ticketRows = page.getByRole("row", { name: "Check the ticket" });
  return ticketRows.filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
}

function dialog() {
  return page.getByRole("dialog");
}

async function openTasks(): Promise<void> {
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
  // Each accept leaves a task to inform the traveller, too, which stays until the list is read again.
  await page.getByLabel("Kind").selectOption("check-ticket");
  await page.getByRole("row", { name: "Inform the traveller" }).first().waitFor({ state: "detached" });
}

describe("the tasks of one flight", () => {
  test(
    "are selected as a group, given to somebody by letters of the name and Enter, and done with one note",
    async () => {
      const orderIds = ["TASKGR01", "TASKGR02", "TASKGR03"];
      await leaveTasks(orderIds, "1900");
      await signInAs(page, "agent");
      await openTasks();
      for (const orderId of orderIds) await row(orderId).waitFor();
      await page.getByLabel("Group by").selectOption("flight");

      await page.getByRole("checkbox", { name: "Select all of LH1900" }).check();
      await page.getByText("3 tasks selected").waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await page.getByRole("region", { name: "Selected tasks" }).getByRole("button", { name: "Assign" }).click();
      await dialog().getByRole("option", { name: "supervisor" }).waitFor();
      expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
      await page.keyboard.type("sup");
      await page.keyboard.press("Enter");
      for (const orderId of orderIds) await row(orderId).getByText("demo-supervisor").waitFor();

      await page.getByRole("checkbox", { name: "Select all of LH1900" }).check();
      await page.getByRole("region", { name: "Selected tasks" }).getByRole("button", { name: "Mark done" }).click();
      await dialog().getByLabel("Note").fill("All three reissued.");
      await dialog().getByRole("button", { name: "Mark as done" }).click();
      for (const orderId of orderIds) await row(orderId).waitFor({ state: "detached" });
      await page.getByText("Done", { exact: true }).first().click();
      for (const orderId of orderIds) await row(orderId).getByText("All three reissued.").waitFor();
    },
    scenarioMs,
  );

  test(
    "are found by a booking reference and by assignee",
    async () => {
      await leaveTasks(["TASKFD01", "TASKFD02"], "1910");
      await signInAs(page, "agent");
      await openTasks();
      await row("TASKFD02").waitFor();

      await page.getByRole("searchbox").fill("rkfd01");
      await row("TASKFD02").waitFor({ state: "detached" });
      await row("TASKFD01").getByRole("button", { name: "Assign" }).click();
      await dialog().getByRole("option", { name: "(me)" }).click();
      await dialog().getByRole("button", { name: "Assign", exact: true }).click();
      await row("TASKFD01").getByText("demo-agent").waitFor();
      await page.getByRole("searchbox").fill("");
      await row("TASKFD02").waitFor();
      await page.getByLabel("Assignee").selectOption("me");

      await row("TASKFD02").waitFor({ state: "detached" });
      await row("TASKFD01").waitFor();
    },
    scenarioMs,
  );
});
