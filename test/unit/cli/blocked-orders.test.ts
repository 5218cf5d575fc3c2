import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { BlockedOrder } from "../../../src/dashboard/blocked-order-ports.ts";
import { queriesWith, someCaseId } from "../../builders/case-response.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const blocked: BlockedOrder = {
  source: "default",
  orderId: "QX7R2M1A",
  caseId: someCaseId,
  caseState: "checking",
  since: new Date("2026-11-21T08:00:00Z"),
  reason: { code: "failing", text: "The last 4 attempts failed, the latest with client.timeout: no response." },
  failures: 4,
  nextTryAt: new Date("2026-11-21T09:01:00Z"),
  leasedUntil: null,
  leasedBy: null,
};

let server: DashboardServer;
let blockedOrders: readonly BlockedOrder[];
let asked: readonly (string | null)[];

beforeAll(async () => {
  server = await startDashboard({
    queries: queriesWith([]),
    blockedOrders: {
      listBlocked: async ({ source, after, limit }) => {
        asked = [source, after?.id ?? null, String(limit)];
        return {
          items: blockedOrders,
          next: blockedOrders.length === 0 ? null : { at: "2026-11-21T08:00:00.000000Z", id: someCaseId },
        };
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  blockedOrders = [blocked];
});

const wide = { columns: 300, environment: { NO_COLOR: "1" } };
const run = (args: readonly string[]) => runCaptured(["blocked-orders", ...args, "--url", server.url], wide);

test("prints a line for each blocked order with the reason, and how to see more", async () => {
  const { exitCode, stdout } = await run([]);

  expect(exitCode).toBe(0);
  const [titles, line, more] = linesOf(stdout);
  expect(titles).toMatch(/^Source +Order +Code +Since +Attempts +Next attempt +Reason and next step$/);
  expect(line).toBe(
    "default  QX7R2M1A  failing  2026-11-21T08:00  4 failed  2026-11-21T09:01  The last 4 attempts failed, the latest with client.timeout: no response.",
  );
  expect(more).toMatch(/^There are more: add --cursor \S+$/);
});

test("says so when no order is blocked", async () => {
  blockedOrders = [];

  expect(linesOf((await run([])).stdout)[0]).toBe("No order is blocked.");
});

test("is also called by its old name", async () => {
  const { stdout } = await runCaptured(["lanes", "--url", server.url], wide);

  expect(stdout).toBe((await run([])).stdout);
});

test("asks for the source, the page and the number that were given, and prints JSON", async () => {
  const cursor =
    linesOf((await run([])).stdout)[2]
      ?.split(" ")
      .at(-1) ?? "";

  const { stdout } = await run(["--source", "acme", "--limit", "7", "--cursor", cursor, "--json"]);

  expect(asked).toEqual(["acme", someCaseId, "7"]);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ orderId: "QX7R2M1A", reason: { code: "failing" } }] });
});
