import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { sql } from "../../src/store/database/sql.ts";
import { createNoticeRuleStore } from "../../src/store/notices/notice-rules.ts";
import { insertCase } from "../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { respondWith, type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";

// Processes start in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let db: TestDatabase;
let mail: MailServer;
let webhook: ScriptedReceiver;
let server: ServerProcess | undefined;

beforeAll(async () => {
  db = await createTestDatabase();
  mail = await startMailServer({ offersTls: false });
  webhook = await startReceiver(respondWith(200));
  const rules = createNoticeRuleStore(db.database, systemClock);
  const common = { queues: null, sources: null, priorityMax: 9, timeZone: "UTC", when: { type: "at-once" } } as const;
  const addresses = ["desk@agency.example"];
  await rules.addRule({ ...common, name: "Mail", destination: { type: "email", addresses } }, { actor: "system" });
  const webhookUrl = new Secret(webhook.url);
  await rules.addRule({ ...common, name: "Chat", destination: { type: "slack", webhookUrl } }, { actor: "system" });
});
afterAll(async () => {
  await server?.end("SIGKILL");
  await Promise.all([mail?.close(), webhook?.close()]);
  await db?.drop();
});

const start = async (): Promise<ServerProcess> => {
  server = await startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "sender",
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    SMTP_URL: mail.url,
    NOTICE_FROM: "notices@agency.example",
    SMTP_ALLOW_PLAINTEXT: "1",
  });
  return server;
};
const run = <Row>(statement: ReturnType<typeof sql<Row>>) => statement.execute(db.ownerDatabase.connection);

/** What takes its time otherwise: gathering, quiet, and leases of processes that are gone. */
const letTimePass = () =>
  run(
    sql`update skedchange.notices set due_at = now() - interval '1 second', leased_until = now() where state = 'pending'`,
  );
const countPending = async () => {
  const { rows } = await run(sql<{ count: number }>`
    select count(*) as count from skedchange.notices where state = 'pending'`);
  return rows[0]!.count;
};

/** By destination, the orders of each message that arrived since. */
const arrivals = (orderId: string) => ({
  mails: mail.mails.filter(({ raw }) => raw.includes(orderId)).length,
  posts: webhook.posts.filter(({ body }) => body.includes(orderId)).length,
});

test.each(["planned", "sending", "arrived"] as const)(
  "a case is announced by each notice when the sender is killed once its message is %s, at most once more",
  async (step) => {
    const orderId = `KILL${step.toUpperCase()}`;
    const silent = new Promise<void>(() => {});
    if (step === "arrived") {
      // They have the message, and the process never learns of it.
      (mail as { onMail: MailServer["onMail"] }).onMail = () => {
        (mail.mails as object[]).push({ raw: orderId, to: [], isEncrypted: false });
        return silent;
      };
      webhook.script = () => silent;
    } else if (step === "sending") {
      mail.onMail = () => silent;
      webhook.script = () => silent;
    }
    const first = await start();
    await insertCase(db.ownerDatabase, { state: "awaiting-agent", reviewQueue: "agent", orderId, headline: "x" });
    await eventually(async () => expect(await countPending()).toBe(2));
    if (step !== "planned") {
      await letTimePass();
      await eventually(async () => {
        const { rows } = await run(sql<{ count: number }>`
          select count(*) as count from skedchange.notices where state = 'pending' and attempts > 0`);
        expect(rows[0]!.count).toBe(2);
        expect(arrivals(orderId).posts).toBe(1);
        if (step === "arrived") expect(arrivals(orderId).mails).toBe(1);
      });
    }
    await first.end("SIGKILL");
    mail.onMail = () => {};
    webhook.script = respondWith(200);

    const second = await start();
    await letTimePass();
    await eventually(async () => expect(await countPending()).toBe(0));
    const { mails, posts } = arrivals(orderId);
    expect([mails, posts]).toEqual([step === "arrived" ? 2 : 1, step === "planned" ? 1 : 2]);
    await second.end("SIGTERM");
    server = undefined;
    await run(sql`update skedchange.cases set state = 'closed', closed_at = now() where order_id = ${orderId}`);
  },
);
