import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { insertCase, insertDecision, insertNotification } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { aProcessStatus, type DashboardServer, startDashboard } from "./dashboard-server.ts";

let database: TestDatabase;
let server: DashboardServer;
let demo: DashboardServer;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = database.ownerDatabase;
  const waiting = await insertCase(owner, {
    orderId: "ORDER-<b>1</b>",
    gdsBookingReferences: ["REF001"],
    state: "awaiting-agent",
    headline: "LH 400 leaves 45 min later & arrives 40 min later",
  });
  await insertDecision(owner, waiting, { reasons: [{ code: "x", text: "More than 30 minutes later." }] });
  await insertCase(owner, { orderId: "DUE1", dueAt: new Date("2026-11-21T08:50:00Z") });
  await insertNotification(owner, { cases: [waiting], receipts: 3 });
  await insertNotification(owner, { state: "quarantined" });
  const queries = createCaseQueries(database.database);
  server = await startDashboard({ queries });
  demo = await startDashboard({
    queries,
    showOrders: true,
    statusSnapshot: async () => ({
      ...aProcessStatus,
      demo: true,
      parts: [{ name: "queue", ok: false, problem: { code: "queue.unavailable", message: "secret detail" } }],
    }),
  });
});
afterAll(async () => {
  await server.close();
  await demo.close();
  await database.drop();
});

describe("the status page", () => {
  test("needs no sign-in and shows counts but no order", async () => {
    const response = await fetch(`${server.url}/status`);
    const page = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(tileOf(page, "Waiting for a person")).toBe("1");
    expect(tileOf(page, "Due for a worker")).toBe("1");
    expect(tileOf(page, "Oldest due")).toBe("10 min");
    expect(tileOf(page, "Notifications")).toBe("2 4 receipts");
    expect(tileOf(page, "Quarantined")).toBe("1");
    expect(page).toContain("receiver, worker, dashboard");
    expect(page).not.toMatch(/ORDER-|DUE1|REF001|LH 400/);
  });

  test("allows exactly the style that it carries and nothing else", async () => {
    const response = await fetch(`${server.url}/status`);
    const style = /<style>([\s\S]*)<\/style>/.exec(await response.text())![1]!;

    const hash = createHash("sha256").update(style).digest("base64");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("in demo mode lists cases with decision and reason, escaped", async () => {
    const page = await (await fetch(`${demo.url}/status`)).text();

    expect(page).toContain("ORDER-&lt;b&gt;1&lt;/b&gt;");
    expect(page).toContain("LH 400 leaves 45 min later &amp; arrives 40 min later");
    expect(page).toContain("More than 30 minutes later.");
    expect(page).toContain("Demo data");
  });

  test("names the part that cannot be reached by its code only", async () => {
    const page = await (await fetch(`${demo.url}/status`)).text();

    expect(page).toContain("Not ready");
    expect(page).toContain("queue.unavailable");
    expect(page).not.toContain("secret detail");
  });

  function tileOf(page: string, label: string): string | undefined {
    return new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`).exec(page)?.[1]?.replaceAll(/<[^>]+>/g, "");
  }
});
