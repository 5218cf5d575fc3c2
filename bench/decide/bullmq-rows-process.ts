// What an engineer writes in a day: a BullMQ worker on Redis with a row for each decision and for each effect, which is marked
// before it is sent. It stores the bodies in clear, and knows no lease, law, policy or audit.
import { randomUUID } from "node:crypto";
import { Queue, Worker } from "bullmq";
import pg from "pg";
import { orderIdOf } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";
import { callByFetch } from "./gateway-calls.ts";
import { acceptNotifications, type PeerCalls } from "./peer-endpoint.ts";

const schema = `
  create table decisions (
    id uuid primary key, order_id text not null, decided_at timestamptz not null default now(), action text not null,
    rule text not null, status jsonb not null, facts jsonb not null, state text not null,
    status_after jsonb, documents jsonb, done_at timestamptz
  );
  create index on decisions (order_id);
  create index on decisions (decided_at desc);
  create table effects (
    id uuid primary key, decision_id uuid not null references decisions, order_id text not null, action text not null,
    state text not null, sent_at timestamptz not null default now(), result jsonb, finished_at timestamptz
  );
  create unique index on effects (order_id) where state = 'sent'`;

/** As much as facts take. */
const facts = JSON.stringify(
  Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`fact${n}`, { known: true, value: n, from: "the status" }])),
);

const calls: PeerCalls = {
  async open({ url, databaseUrl, redisPort, atOnce }) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
    await pool.query(schema);
    const write = (name: string, text: string, values: readonly unknown[]) =>
      pool.query({ name, text, values: [...values] });
    const call = callByFetch(url);

    async function accept(order: number): Promise<void> {
      const [decisionId, effectId, orderId] = [randomUUID(), randomUUID(), orderIdOf(order)];
      const status = await call("AirReservationStatus", order);
      await write(
        "decide",
        `insert into decisions (id, order_id, action, rule, status, facts, state)
         values ($1, $2, 'accept', 'small-retiming', $3, $4, 'deciding')`,
        [decisionId, orderId, JSON.stringify(status), facts],
      );
      await write(
        "send",
        "insert into effects (id, decision_id, order_id, action, state) values ($1, $2, $3, 'accept', 'sent')",
        [effectId, decisionId, orderId],
      );
      const result = await call("AirOrderInvoluntaryAccept", order);
      if (result.OrderInvoluntaryAcceptRS?.Result[0]?.Status !== "SUCCESS") {
        throw new Error(`${orderId} was not accepted.`);
      }
      await write(
        "end",
        "update effects set state = 'succeeded', result = $2, finished_at = now() where id = $1 and state = 'sent'",
        [effectId, JSON.stringify(result)],
      );
      const after = await call("AirReservationStatus", order);
      const documents = await call("AirDocRetreive", order);
      await write(
        "done",
        "update decisions set state = 'done', status_after = $2, documents = $3, done_at = now() where id = $1",
        [decisionId, JSON.stringify(after), JSON.stringify(documents)],
      );
    }

    const connection = { host: "127.0.0.1", port: redisPort };
    const queue = new Queue<{ readonly order: number; readonly notification: string }>("orders-with-rows", {
      connection,
    });
    const worker = new Worker<{ readonly order: number }>("orders-with-rows", ({ data }) => accept(data.order), {
      connection,
      concurrency: atOnce,
      removeOnComplete: { count: 0 },
    });
    await worker.waitUntilReady();
    return await acceptNotifications((order, notification) => queue.add("order", { order, notification }));
  },
};
serveCalls(calls);
