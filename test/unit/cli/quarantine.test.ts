import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { whatHelps } from "../../../src/contract/what-helps.ts";
import type { NotificationItem } from "../../../src/dashboard/notification-ports.ts";
import { queriesWith, someCaseId } from "../../builders/case-response.ts";
import { type DashboardServer, startDashboard } from "../../integration/dashboard/dashboard-server.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const usableId = "019aa000-0000-7000-8000-00000000000a";
const brokenId = "019aa000-0000-7000-8000-00000000000b";

function aNotification(id: string): NotificationItem {
  const receivedAt = new Date("2026-11-20T10:00:00Z");
  return {
    id,
    source: "default",
    receivedAt,
    receipts: 1,
    lastReceiptAt: receivedAt,
    state: "quarantined",
    problem: { code: "ocn.order_missing", path: "/OrderViewRS/Order", message: "There is no Order." },
    orders: { ids: [], count: 0 },
    digest: "a".repeat(64),
    bodyBytes: 2,
    bodyDeleted: null,
    contentType: "application/json",
    discarded: null,
  };
}

let server: DashboardServer;
let items: NotificationItem[];

beforeAll(async () => {
  server = await startDashboard({
    queries: {
      ...queriesWith([]),
      // One to a page, so that several pages are read.
      listNotifications: async ({ after }) => {
        const index = after === null ? 0 : items.findIndex(({ id }) => id === after.id) + 1;
        const item = items[index];
        return {
          items: item === undefined ? [] : [item],
          next: index + 1 < items.length ? { at: "2026-11-20T10:00:00.000000Z", id: item!.id } : null,
        };
      },
    },
    quarantine: {
      readNotification: async (id) => {
        if (!items.some((item) => item.id === id)) return null;
        const body = id === usableId ? '{"OrderViewRS":{"Order":[{"OrderID":"A1"}]}}' : '{"OrderViewRS":{"Order":[]}}';
        return { state: "quarantined", body: Buffer.from(body) };
      },
      countByCode: async () => [],
      discard: async () => [],
      release: async () => ({ outcome: "released", cases: [{ id: someCaseId, orderId: "A1" }] }),
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  items = [aNotification(brokenId), aNotification(usableId)];
});

const wide = { columns: 300, environment: { NO_COLOR: "1" } };
const run = (args: readonly string[]) => runCaptured(["quarantine", ...args, "--url", server.url], wide);

describe("skedchange quarantine", () => {
  test("lists all pages with the failing path, and once what helps", async () => {
    const { exitCode, stdout } = await run(["list"]);

    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toEqual([
      "Notification                          Source   Received                  Problem",
      `${brokenId}  default  2026-11-20T10:00:00.000Z  /OrderViewRS/Order: There is no Order.`,
      `${usableId}  default  2026-11-20T10:00:00.000Z  /OrderViewRS/Order: There is no Order.`,
      whatHelps("ocn.order_missing"),
      "",
    ]);
  });

  test("says that it is empty", async () => {
    items = [];

    expect((await run(["list"])).stdout).toBe("The quarantine is empty.\n");
  });

  test("prints what the API says with --json", async () => {
    const { stdout } = await run(["list", "--json"]);

    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ id: brokenId }),
      expect.objectContaining({ id: usableId }),
    ]);
  });

  test("replays one and names its orders", async () => {
    const { exitCode, stdout } = await run(["replay", usableId]);

    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${usableId}  released  A1\n1 released, 0 still unusable.\n`);
  });

  test("replays all, goes on past one that is still not usable, and ends with 1", async () => {
    const { exitCode, stdout } = await run(["replay", "--all"]);

    expect(exitCode).toBe(1);
    expect(linesOf(stdout)).toEqual([
      expect.stringContaining(`${brokenId}  unusable  Notification still not usable. `),
      `${usableId}  released  A1`,
      "1 released, 1 still unusable.",
      "",
    ]);
  });

  test("stops at what holds for all of them", async () => {
    const { exitCode, stderr } = await run(["replay", someCaseId]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no notification with the id '${someCaseId}'.`);
  });

  test.each([[["replay"]], [["replay", usableId, "--all"]]])("needs one notification or --all: %j", async (args) => {
    const { exitCode, stderr } = await run(args);

    expect(exitCode).toBe(2);
    expect(stderr).toBe("Error: Name one notification, or give --all.\n");
  });
});
