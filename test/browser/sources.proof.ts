import { expect, test } from "vitest";
import { playInDemo } from "./app-in-browser.ts";
import {
  allCases,
  findAccessibilityProblemsInBothThemes,
  openCase,
  scenarioMs,
  signInAs,
} from "./dashboard-browser.ts";
import { demoGatewayAt } from "./demo-gateway.ts";

const app = playInDemo({ side: "agency" });
const gateway = demoGatewayAt(() => app.server.gatewayUrl!);

/** A retiming by five minutes, which the policy of the demo accepts. */
const slightly = { kind: "retime", departureMinutes: 5, arrivalMinutes: 5 };

/** An airline that states the tier of a traveller, in two orders, with a change that the policy would accept. */
async function stateTiers(): Promise<void> {
  for (const [orderId, number, tier] of [
    ["STORYTA1", "1710", "GOLD"],
    ["STORYTA2", "1712", "GOLD"],
  ] as const) {
    await gateway.book(orderId, { number, inDays: 40 });
    await gateway.restate(orderId, (view) => {
      Object.assign(view.OrderViewRS.Order[0]!, { HandlingTier: tier });
      const [segment] = view.OrderViewRS.DataLists.FlightSegmentList.FlightSegment;
      Object.assign(segment!.Departure, { Time: "09:05" });
    });
  }
}

test(
  "a supervisor marks what a source sends as harmless, after seeing what that releases, and the cases go on by themselves",
  async () => {
    const { page } = app;
    const dialog = page.getByRole("dialog");
    await stateTiers();
    await signInAs(page, "supervisor");
    await page.goto(allCases);
    for (const orderId of ["STORYTA1", "STORYTA2"]) {
      await page.getByRole("row").filter({ hasText: orderId }).getByText("HandlingTier").waitFor();
    }

    await page.goto("/sources");
    await page.getByRole("link", { name: "default" }).click();
    await page.getByRole("heading", { name: "What this source sends" }).waitFor();
    await page.getByText("Order.HandlingTier", { exact: true }).waitFor();
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "GOLD" }).check();
    await page.getByRole("button", { name: "Mark the value as harmless" }).click();
    await dialog.getByText("2 cases are decided anew.").waitFor();
    await dialog.getByText("2 cases no longer wait for a member: 2 × accept.").waitFor();
    await dialog.getByLabel("Reason").fill("Our own loyalty tier.");
    await dialog.getByRole("button", { name: "Mark as harmless" }).click();

    await dialog.waitFor({ state: "detached" });
    await openCase(page, "STORYTA1");
    await page.locator(".case-title").getByText("Done", { exact: true }).waitFor();
    expect(await gateway.acceptsOf(["STORYTA1", "STORYTA2"])).toEqual(expect.arrayContaining(["STORYTA1"]));
  },
  scenarioMs,
);

test(
  "accepts whose outcome stays unknown stop automation of their source, and a supervisor resumes it in the banner",
  async () => {
    const { page } = app;
    await signInAs(page, "supervisor");
    await page.goto("/policies");
    for (const [orderId, number] of [
      ["STORYBR1", "1720"],
      ["STORYBR2", "1722"],
      ["STORYBR3", "1724"],
    ] as const) {
      await gateway.book(orderId, { number, inDays: 40 });
      await gateway.injectFaults({ mode: "http-500", operation: "AirOrderInvoluntaryAccept", orderId });
      await gateway.change(orderId, slightly);
    }
    const banner = page.getByRole("region", { name: "Automation of source default is stopped" });
    await banner.getByText("STORYBR1 (outcome of the accept unknown)").waitFor();
    await banner.getByText("Stopped by Skedchange itself").waitFor();
    await page.getByText("Off for default.").waitFor();
    expect(await page.getByRole("button", { name: "Stop automation" }).count()).toBe(0);
    expect(await findAccessibilityProblemsInBothThemes(page)).toEqual([]);

    await banner.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();

    await banner.waitFor({ state: "detached" });
    await page.getByText("On.", { exact: true }).waitFor();
  },
  scenarioMs,
);
