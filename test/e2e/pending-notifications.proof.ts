import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";

/**
 * Receivers and workers are killed at random while new and known notifications come in: between the acknowledgement, which
 * leaves a notification pending, and the opening of its case. `PENDING_PROOF=full` makes it ten minutes.
 */
const durationMs = process.env["PENDING_PROOF"] === "full" ? 600_000 : 15_000;
/** Of each role at least, however long its processes take to start. */
const killsMin = 3;
const killEveryMs = { least: 500, most: 4_000 } as const;
const senders = 4;

/** The worker is killed all the time and gets behind; once it lives it decides what is due by then. */
const catchUpMs = Math.max(120_000, durationMs);

vi.setConfig({ testTimeout: durationMs + catchUpMs + 120_000, hookTimeout: durationMs + catchUpMs + 120_000 });

let db: TestDatabase;
let gateway: StatusGateway;
const started: Promise<ServerProcess>[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  // Every change goes to a person, and its case stays open.
  gateway = await startStatusGateway((orderId) => sampleNotification("flight-number-only", { orderId }));
});
afterAll(async () => {
  for (const process of started) await (await process).end("SIGTERM");
  await gateway?.goAway();
  await db?.drop();
});

function start(role: "receiver" | "worker"): Promise<ServerProcess> {
  const starting = startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: role,
    OCN_BEARER_TOKENS: "token",
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "access",
    LOG_LEVEL: "error",
  });
  started.push(starting);
  return starting;
}

/** A process of a role that is killed again and again until it is told to stop, and runs at the end. */
function startAndKill(role: "receiver" | "worker") {
  let running = start(role);
  let kills = 0;
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await running;
      await sleep(killEveryMs.least + Math.random() * (killEveryMs.most - killEveryMs.least));
      if (isOver) return;
      await (await running).end("SIGKILL");
      kills += 1;
      running = start(role);
    }
  })();
  return {
    url: async () => (await running).agencyUrl,
    kills: () => kills,
    async stopKilling(): Promise<void> {
      isOver = true;
      await killing;
      await running;
    },
  };
}

test("notifications that were acknowledged and not opened yet survive every kill, and none opens a case twice", async () => {
  const receiver = startAndKill("receiver");
  const worker = startAndKill("worker");
  /** How often each order's notification was acknowledged. */
  const acknowledged = new Map<string, number>();
  const endsAt = performance.now() + durationMs;
  let next = 0;

  async function post(orderId: string): Promise<void> {
    const body = JSON.stringify(sampleNotification("flight-number-only", { orderId }));
    try {
      const { status } = await openAgencyApi(await receiver.url(), "none").postOcn(body, "Bearer token");
      if (status === 200) acknowledged.set(orderId, (acknowledged.get(orderId) ?? 0) + 1);
    } catch {
      // The process was gone, or went while it responded. A gateway would send it again.
      await sleep(50);
    }
  }
  async function postUntilTheEnd(): Promise<void> {
    while (performance.now() < endsAt || Math.min(receiver.kills(), worker.kills()) < killsMin) {
      const known = [...acknowledged.keys()];
      const isNew = known.length === 0 || Math.random() < 0.6;
      await post(isNew ? `PEND${next++}` : known[Math.floor(Math.random() * known.length)]!);
      await sleep(Math.random() * 20);
    }
  }
  await Promise.all(Array.from({ length: senders }, postUntilTheEnd));
  await Promise.all([receiver.stopKilling(), worker.stopKilling()]);
  // Into the pause of the worker: what comes last is pending when the worker looks again.
  await post(`PEND${next++}`);

  await eventually(
    async () => {
      const { rows } = await db.ownerDatabase.pool.query(
        `select (select count(*)::int from skedchange.notification_digests where pending_since is not null) as pending,
           (select count(*)::int from skedchange.cases where due_at is not null) as due`,
      );
      expect(rows).toEqual([{ pending: 0, due: 0 }]);
    },
    { timeoutMs: catchUpMs, everyMs: 250 },
  );
  const { rows } = await db.ownerDatabase.pool.query<{
    orderId: string;
    cases: number;
    joined: number;
    receipts: number;
    seen: number;
    wake: number;
  }>(
    `select c.order_id as "orderId", count(distinct c.id)::int as cases, count(distinct j.notification_id)::int as joined,
       max(g.receipts)::int as receipts, max((e.detail ->> 'receipts')::int) as seen, max(c.wake)::int as wake
     from skedchange.cases c
     join skedchange.case_notifications j on j.case_id = c.id
     join skedchange.notification_digests g on g.notification_id = j.notification_id
     join skedchange.case_events e on e.case_id = c.id and e.kind = 'notification.received'
     group by c.order_id`,
  );
  const stored = new Map(rows.map((row) => [row.orderId, row]));
  const wrong = [...acknowledged].filter(([orderId, times]) => {
    const row = stored.get(orderId);
    // A receipt may be stored and its response lost; what got its response is stored, and what is stored was looked at.
    return (
      row === undefined || row.cases !== 1 || row.joined !== 1 || row.receipts < times || row.seen !== row.receipts
    );
  });

  expect(wrong).toEqual([]);
  expect(rows.filter(({ cases, joined }) => cases !== 1 || joined !== 1)).toEqual([]);
  expect(rows.filter(({ wake }) => wake > 0).length).toBeGreaterThan(5);
});
