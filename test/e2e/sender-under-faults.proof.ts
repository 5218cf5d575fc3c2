import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { sql } from "../../src/store/database/sql.ts";
import { asTx, inTransaction } from "../../src/store/database/transaction.ts";
import { createDeliveryStore } from "../../src/store/deliveries/lane-store.ts";
import { createRecipientStore } from "../../src/store/deliveries/recipients.ts";
import { randomNumbers } from "../builders/random-numbers.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import {
  type FaultyRecipients,
  type NumberedChange,
  type Receipt,
  startFaultyRecipients,
} from "./faulty-recipients.ts";

/**
 * Real sender processes, killed at random, against recipients that spoil three tries in ten. `SENDER_PROOF=full` makes it
 * 20,000 deliveries; `SENDER_SEED` chooses what is spoilt and who is killed when.
 */
const sizes = {
  short: {
    recipients: 40,
    orders: 10,
    changes: 5,
    processes: 2,
    kills: 3,
    killEveryMs: 3_000,
    faultsMax: 1,
    pauseMs: 100,
    minutes: 6,
  },
  full: {
    recipients: 200,
    orders: 25,
    changes: 4,
    processes: 3,
    kills: 8,
    killEveryMs: 15_000,
    faultsMax: 3,
    pauseMs: 0,
    minutes: 15,
  },
};
const isFull = process.env["SENDER_PROOF"] === "full";
const size = isFull ? sizes.full : sizes.short;
const seed = Number(process.env["SENDER_SEED"] ?? 20_261_121);
const random = randomNumbers(seed);
const total = size.recipients * size.orders * size.changes;
const orderIds = Array.from({ length: size.orders }, (_, index) => `ORDER${String(index).padStart(3, "0")}`);
/** Every other recipient wants each change; the others want the newest state only. */
const ordering = (recipient: number): "every" | "latest" => (recipient % 2 === 0 ? "every" : "latest");
/** A few changes of a few recipients are never taken: those are dead by rule, and what is behind them goes on. */
const rejects = (recipient: number, change: NumberedChange): boolean =>
  ordering(recipient) === "every" && recipient % 10 === 0 && change.orderId === orderIds[0] && change.sequence === 2;

/** Longer than the recipients' slowest acknowledgement on a busy machine: who is late here never responds. */
const deadlineMs = 5_000;
const proofMs = size.minutes * 60_000;

interface StoredDelivery {
  readonly id: string;
  readonly recipient: number;
  readonly orderId: string;
  readonly sequence: number;
  readonly state: string;
  readonly supersededBy: string | null;
  readonly deadReason: { readonly code: string } | null;
  /** Tries without an outcome: cut off by a kill. */
  readonly cutOff: number;
  /** Tries that ended on our side although the recipient may have responded. */
  readonly unheard: number;
}

let db: TestDatabase;
let recipients: FaultyRecipients;
const senders: ServerProcess[] = [];
let deliveries: readonly StoredDelivery[];
let kills = 0;
let tookMs = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  recipients = await startFaultyRecipients({
    count: size.recipients,
    seed,
    faultsPerDeliveryMax: size.faultsMax,
    rejects,
  });
  await createRecipients();
  await startSenders();

  const startedAt = performance.now();
  const announced = announceAll();
  await Promise.all([announced, killAtRandom(announced)]);
  await eventually(async () => expect(await countPending()).toBe(0), { timeoutMs: proofMs, everyMs: 500 });
  tookMs = performance.now() - startedAt;
  deliveries = await readDeliveries();
  // Deliveries are tried again in real time while senders are killed.
}, proofMs + 120_000);
afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.end("SIGKILL")));
  await recipients?.close();
  await db?.drop();
});

function startSender(): Promise<ServerProcess> {
  const environment = {
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "sender",
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_LEVEL: "error",
  };
  // The senders that are at work leave little of a small machine to the one that starts.
  return startServerProcess(environment, 120_000);
}

/** One after the other: all at once, on a machine with few cores, they would take too long to start. */
async function startSenders(): Promise<void> {
  while (senders.length < size.processes) senders.push(await startSender());
}

async function createRecipients(): Promise<void> {
  const store = createRecipientStore({ database: db.database, clock: systemClock });
  for (const [index, url] of recipients.urls.entries()) {
    await store.createRecipient({
      name: String(index),
      url,
      authorization: { type: "bearer", token: new Secret("recipients-token") },
      signingSecrets: [],
      ordering: ordering(index),
      airlines: null,
      acknowledgement: "required",
      deadlineMs,
      lanesMax: null,
      ratePerSecond: null,
      agencyId: null,
      clientCertificate: null,
    });
  }
}

/** Change after change of all orders, while the senders are at work. */
async function announceAll(): Promise<void> {
  const store = createDeliveryStore({ database: db.database, clock: systemClock });
  for (let sequence = 1; sequence <= size.changes; sequence += 1) {
    for (const orderId of orderIds) {
      const body = Buffer.from(JSON.stringify({ orderId, sequence }));
      const announcement = { orderId, airline: "LH", changeId: `change-${sequence}`, body };
      await inTransaction(db.database, (trx) => store.addAnnouncement(asTx(trx), announcement));
      await sleep(size.pauseMs);
    }
  }
}

/** Kills one process after the other and replaces each by a new one; at last it kills all of them at once. */
async function killAtRandom(announced: Promise<void>): Promise<void> {
  while (kills < size.kills) {
    // The moment of a kill has to be random; there is no event to wait for.
    await sleep(size.killEveryMs / 2 + random.integer(size.killEveryMs));
    const victim = random.integer(senders.length);
    await senders[victim]!.end("SIGKILL");
    kills += 1;
    senders[victim] = await startSender();
  }
  await Promise.all(senders.map((sender) => sender.end("SIGKILL")));
  kills += senders.length;
  senders.length = 0;
  // The full proof waits until the leases of the killed run out.
  if (!isFull) {
    await announced;
    await releaseLanes();
  }
  await startSenders();
}

/**
 * Ends the leases of killed senders, so that nobody waits for them. It locks every lane, in no order, so nobody else may
 * lock several lanes meanwhile: neither an announcement nor the last statement of a killed process, which its backend still
 * finishes. Otherwise PostgreSQL ends one of them with "deadlock detected".
 */
async function releaseLanes(): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ name: string }>`
      select application_name as name from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and application_name not in ('test service', 'test owner')`.execute(db.ownerDatabase.connection);
    expect(rows).toEqual([]);
  });
  await sql`update gateway.lanes set leased_until = null, dispatched_until = null`.execute(db.ownerDatabase.connection);
}

async function countPending(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gateway.deliveries where state = 'pending'`.execute(db.ownerDatabase.connection);
  return rows[0]!.count;
}

async function readDeliveries(): Promise<readonly StoredDelivery[]> {
  const { rows } = await sql<StoredDelivery>`
    select d.id, r.name::int as recipient, d.order_id as "orderId", d.state, d.superseded_by as "supersededBy",
      split_part(b.change_id, '-', 2)::int as sequence, d.dead_reason as "deadReason",
      (select count(*)::int from gateway.attempts a where a.delivery_id = d.id and a.outcome is null) as "cutOff",
      (select count(*)::int from gateway.attempts a where a.delivery_id = d.id and a.outcome = 'failed') as unheard
    from gateway.deliveries d
    join gateway.recipients r on r.id = d.recipient_id
    join gateway.ocn_bodies b on b.id = d.ocn_id`.execute(db.ownerDatabase.connection);
  return rows;
}

const laneOf = ({ recipient, orderId }: { recipient: number; orderId: string }): string => `${recipient}/${orderId}`;
const changeOf = (it: Receipt | StoredDelivery): string => `${laneOf(it)}/${it.sequence}`;

function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/** How often each change was acknowledged beyond the first time. */
function doubles(): readonly { readonly delivery: StoredDelivery; readonly extra: number }[] {
  const acknowledged = countBy(
    recipients.receipts.filter((receipt) => receipt.acknowledged),
    changeOf,
  );
  return deliveries
    .map((delivery) => ({ delivery, extra: (acknowledged[changeOf(delivery)] ?? 0) - 1 }))
    .filter(({ extra }) => extra > 0);
}

function lost(): readonly StoredDelivery[] {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const acknowledged = new Set(recipients.receipts.filter((receipt) => receipt.acknowledged).map(changeOf));
  const endOf = (delivery: StoredDelivery): StoredDelivery =>
    delivery.supersededBy === null ? delivery : endOf(byId.get(delivery.supersededBy)!);
  return deliveries.filter((delivery) => {
    const end = endOf(delivery);
    if (rejects(end.recipient, end)) return end.state !== "dead" || end.deadReason?.code !== "sender.rejected";
    return end.state !== "delivered" || !acknowledged.has(changeOf(end)) || end.sequence < delivery.sequence;
  });
}

/** Lanes in which an older change came after a newer one, the newest did not come last, or one is missing. */
function outOfOrder(): readonly string[] {
  return [...groupBy(recipients.receipts, laneOf)].flatMap(([lane, receipts]) => {
    const sequences = receipts.map(({ sequence }) => sequence);
    const isOrdered = sequences.every((sequence, index) => sequence >= (sequences[index - 1] ?? 1));
    const isComplete =
      sequences.at(-1) === size.changes &&
      (ordering(receipts[0]!.recipient) === "latest" || new Set(sequences).size === size.changes);
    return isOrdered && isComplete ? [] : [`${lane}: ${sequences.join(" ")}`];
  });
}

describe(`${total} deliveries to ${size.recipients} recipients that spoil three tries in ten, with senders killed`, () => {
  test("are none of them lost: each was acknowledged, or gave way to a newer one that was, or was rejected", () => {
    expect(deliveries).toHaveLength(total);
    expect(lost()).toEqual([]);
  });

  test("reach each recipient in the order of the changes, and with `every` each of them", () => {
    expect(groupBy(recipients.receipts, laneOf).size).toBe(size.recipients * size.orders);
    expect(outOfOrder()).toEqual([]);
  });

  test("carry one webhook-id for all copies of a delivery, which is the id of the delivery", () => {
    const byChange = new Map(deliveries.map((delivery) => [changeOf(delivery), delivery.id]));
    const wrong = recipients.receipts.filter((receipt) => receipt.webhookId !== byChange.get(changeOf(receipt)));
    expect(wrong).toEqual([]);
  });

  test("are doubled only where a try was cut off between the recipient's response and our record of it", () => {
    const unexplained = doubles().filter(({ delivery, extra }) => extra > delivery.cutOff + delivery.unheard);
    expect(unexplained).toEqual([]);
    expect(kills).toBe(size.kills + size.processes);
  });

  test("met the faults that they were meant to meet, and the counts are reported", () => {
    const receipts = recipients.receipts;
    const faults = countBy(receipts, ({ fault }) => fault ?? "acknowledges at once");
    const states = countBy(deliveries, ({ state }) => state);
    const cutOff = deliveries.reduce((sum, delivery) => sum + delivery.cutOff, 0);
    const doubled = doubles();
    const table = {
      seed,
      seconds: Math.round(tookMs / 1_000),
      deliveries: deliveries.length,
      ...states,
      "requests received": receipts.length,
      ...Object.fromEntries(Object.entries(faults).map(([fault, count]) => [`recipient ${fault}`, count])),
      "processes killed": kills,
      "tries cut off by a kill": cutOff,
      "acknowledged twice, after a kill": doubled.filter(({ delivery }) => delivery.cutOff > 0).length,
      "acknowledged twice, without a kill": doubled.filter(({ delivery }) => delivery.cutOff === 0).length,
      "lanes out of order": outOfOrder().length,
      lost: lost().length,
    };
    process.stdout.write(
      `${Object.entries(table)
        .map(([what, count]) => `| ${what} | ${count} |`)
        .join("\n")}\n`,
    );

    expect(cutOff).toBeGreaterThan(0);
    expect(states["superseded"]).toBeGreaterThan(0);
    for (const fault of [
      "resets",
      "responds with 500",
      "cuts its response off",
      "never responds",
      "responds late",
      "rejects",
    ]) {
      expect(faults[fault]).toBeGreaterThan(0);
    }
    const firstAttempts = new Set(receipts.map(changeOf)).size;
    const spoilt = new Set(receipts.filter(({ fault }) => fault !== null).map(changeOf)).size;
    expect(spoilt / firstAttempts).toBeGreaterThan(0.25);
  });
});
