import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createEventRouter } from "../../../src/sender/events/event-router.ts";
import { pingBody } from "../../../src/sender/events/outgoing-event.ts";
import { createHttpTransport } from "../../../src/sender/http-transport.ts";
import { createDeliverer, defaultSenderSettings } from "../../../src/sender/sender.ts";
import { createEventDeliveryStore } from "../../../src/store/deliveries/lane-store.ts";
import { createEventRecipientStore } from "../../../src/store/deliveries/recipients.ts";
import { createEventResendStore } from "../../../src/store/deliveries/resends.ts";
import { createLogger } from "../../../src/telemetry/json-logger.ts";
import { createTestDatabase } from "../../harness/database.ts";
import type { ReceivedPost } from "./scripted-receiver.ts";
import { deliverAll, guardForTests } from "./sender-bench.ts";

/** A response; of what tests read of bodies, each has some. */
export interface JsonResponse {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly code: string;
    readonly items: readonly { readonly id: string }[];
    readonly eventTypes: readonly string[];
    readonly signingSecrets: number;
    readonly signingSecret?: string;
    readonly pendingDeliveries: number;
    readonly total: number;
  };
}

/** The agency's events on a real database and real sockets: cases that tests change, and who is told of it. */
export async function openEventBench() {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead) };
  const lines: string[] = [];
  const logger = createLogger({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const http = createHttpTransport(guardForTests);
  const sender = createDeliverer({
    store: createEventDeliveryStore({ database, clock }),
    http,
    clock,
    random: () => 0.5,
    logger,
    // However slow the machine: a turn ends before the next one begins.
    settings: { ...defaultSenderSettings, closeGraceMs: 0, slowAfterMs: 60_000 },
    testBody: () => pingBody(clock),
  });
  const resends = createEventResendStore({ database, clock });
  const app = express();
  app.use(
    createEventRouter(
      {
        store: createEventRecipientStore({ database, clock }),
        resends: resends,
        tester: sender,
        guard: guardForTests,
        logger,
      },
      { authorize: () => true, callerOf: () => ({ actor: "person:admin" }), read: null, change: null },
    ),
  );
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const bench = {
    testDatabase,
    resends: resends,
    lines,
    /** Turns the clock of the sender. */
    pass(milliseconds: number) {
      ahead += milliseconds;
    },

    async api(method: string, path: string, body?: object): Promise<JsonResponse> {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as JsonResponse["body"] };
    },

    /** Returns the recipient, with the secret that was made for it. */
    async addRecipient(to: string, rules: object = {}) {
      const { status, body } = await bench.api("POST", "/recipients", { name: "Mid-office", url: to, ...rules });
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return { id: body.id, signingSecrets: body.signingSecrets, signingSecret: body.signingSecret ?? "none" };
    },

    /** One statement as the service role, which is what workers are. */
    run: (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values]),

    /** Statements in one transaction; `end` says how it ends. */
    async together(end: "commit" | "rollback", ...statements: readonly (readonly [string, readonly unknown[]])[]) {
      const client = await database.pool.connect();
      try {
        await client.query("begin");
        for (const [text, values] of statements) await client.query(text, [...values]);
        await client.query(end);
      } finally {
        client.release();
      }
    },

    deliver: () => deliverAll(sender),

    async close() {
      await sender.close();
      await http.close();
      server.closeAllConnections();
      server.close();
      await testDatabase.drop();
    },
  };
  return bench;
}

export type EventBench = Awaited<ReturnType<typeof openEventBench>>;
export type Statement = readonly [string, readonly unknown[]];

/** An order of its own with the statements that change its case. */
export function aCase({ source = "default", note = null as string | null } = {}) {
  const ids = {
    source,
    order: `O${randomUUID().slice(0, 7).toUpperCase()}`,
    case: randomUUID(),
    decision: randomUUID(),
    effect: randomUUID(),
    task: randomUUID(),
    taskToInform: randomUUID(),
  };
  const order: Statement = ["insert into skedchange.orders (source, order_id) values ($1, $2)", [source, ids.order]];
  const open: Statement = [
    `insert into skedchange.cases (id, source, order_id, gds_booking_references, state, headline, opened_at, updated_at)
     values ($1, $2, $3, '{QX7R2M}', 'received', $4, now(), now())`,
    [ids.case, source, ids.order, note],
  ];
  const decideOn = (action: string): Statement => [
    `insert into skedchange.decisions (id, case_id, decided_at, decided_by, action, rule, reasons, note, facts, versions)
     values ($1, $2, now(), 'person:erika.muster', $5, 'person', $3, $4, $3, '{}')`,
    [
      ids.decision,
      ids.case,
      JSON.stringify([{ code: "person-decided", text: note ?? "A person decided." }]),
      note,
      action,
    ],
  ];
  const decide = decideOn("accept");
  const move = (state: string): Statement => [
    "update skedchange.cases set state = $2, version = version + 1 where id = $1",
    [ids.case, state],
  ];
  const inForce: Statement = ["update skedchange.cases set decision_id = $2 where id = $1", [ids.case, ids.decision]];
  const planEffect: Statement = [
    `insert into skedchange.effects (id, case_id, decision_id, source, order_id, action, gds_booking_references,
       proposal_digest, state, lease_fence, planned_at)
     values ($1, $2, $3, $4, $5, 'accept', '{QX7R2M}', 'digest', 'planned', 1, now())`,
    [ids.effect, ids.case, ids.decision, source, ids.order],
  ];
  const moveEffect = (state: string): Statement => [
    `update skedchange.effects set state = $2, sends = sends + case $2 when 'sent' then 1 else 0 end,
       error = case $2 when 'failed' then $3::jsonb end where id = $1`,
    [ids.effect, state, JSON.stringify({ code: "gateway.failed", message: note })],
  ];
  const openTask: Statement = [
    `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
     values ($1, $2, $3, $4, 'check-ticket', '[]', now())`,
    [ids.task, ids.case, source, ids.order],
  ];
  const openTaskToInform: Statement = [
    `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, due_by, due_by_rule, by_event)
     values ($1, $2, $3, $4, 'inform-traveller', $5, now(), '2027-03-13T10:00Z', 'departure-24h', true)`,
    [
      ids.taskToInform,
      ids.case,
      source,
      ids.order,
      JSON.stringify([{ code: "traveller-not-informed", text: note ?? "Nobody has recorded it." }]),
    ],
  ];
  const overdue: Statement = [
    "update skedchange.cases set due_by = now() - interval '1 minute', due_by_rule = 'response', overdue_at = now() where id = $1",
    [ids.case],
  ];
  return {
    ids,
    order,
    open,
    decide,
    decideOn,
    inForce,
    move,
    planEffect,
    moveEffect,
    openTask,
    openTaskToInform,
    overdue,
  };
}

/**
 * Whether one of the signatures is right, checked as the specification says and not as we sign.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme"
 */
export function isSignedBy(secret: string, { headers, body }: Pick<ReceivedPost, "headers" | "body">): boolean {
  const id = String(headers["webhook-id"]);
  const timestamp = String(headers["webhook-timestamp"]);
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > 5 * 60) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${id}.${timestamp}.${body.toString("utf8")}`;
  const expected = `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}
