import { postThrough } from "../../../src/app/notice-runtime.ts";
import type { NewNoticeRule, NoticeRuleStore } from "../../../src/dashboard/notice-ports.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createNoticeChannels } from "../../../src/notices/channels.ts";
import { createNoticeSender, defaultNoticeSettings, type NoticeSender } from "../../../src/notices/send-notices.ts";
import { createSmtp } from "../../../src/notices/smtp.ts";
import { createHttpTransport } from "../../../src/sender/http-transport.ts";
import { createNoticeOutbox } from "../../../src/store/notices/notice-outbox.ts";
import { createNoticeRuleStore } from "../../../src/store/notices/notice-rules.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type MailServer, startMailServer } from "../../harness/mail-server.ts";
import { respondWith, type ScriptedReceiver, startReceiver } from "../sender/scripted-receiver.ts";
import { guardForTests } from "../sender/sender-bench.ts";

/** A sender of notices over a real database, mail server and webhook, with a clock that tests move. */
export interface NoticeBench {
  readonly db: TestDatabase;
  readonly mail: MailServer;
  readonly webhook: ScriptedReceiver;
  readonly rules: NoticeRuleStore;
  readonly sender: NoticeSender;
  now(): Date;
  wait(seconds: number): void;
  /** Lets what waits be announced: plans, waits until messages are due, sends. */
  announce(): Promise<void>;
  close(): Promise<void>;
}

export async function openNoticeBench(): Promise<NoticeBench> {
  const db = await createTestDatabase();
  const mail = await startMailServer();
  const webhook = await startReceiver(respondWith(200));
  const http = createHttpTransport(guardForTests);
  let now = new Date("2026-11-25T13:00:00Z");
  const clock = { now: () => now };
  const from = "Skedchange <notices@agency.example>";
  const sender = createNoticeSender({
    outbox: createNoticeOutbox(db.database, clock),
    channels: createNoticeChannels({
      sendMail: createSmtp({ url: new Secret(mail.url), from, allowPlaintext: false, authorities: mail.authority }),
      post: postThrough(http),
    }),
    baseUrl: () => "https://desk.agency.example/",
    clock,
    random: () => 0.5,
    logger: silentLogger,
    settings: defaultNoticeSettings,
  });
  const bench: NoticeBench = {
    db,
    mail,
    webhook,
    rules: createNoticeRuleStore(db.database, clock),
    sender,
    now: () => now,
    wait(seconds) {
      now = new Date(now.getTime() + seconds * 1_000);
    },
    async announce() {
      await sender.run();
      bench.wait(61);
      await sender.run();
    },
    async close() {
      await Promise.all([mail.close(), webhook.close(), http.close()]);
      await db.drop();
    },
  };
  return bench;
}

export function aRule(overrides: Partial<NewNoticeRule> = {}): NewNoticeRule {
  return {
    name: "Desk",
    queues: null,
    sources: null,
    priorityMax: 9,
    when: { type: "at-once" },
    timeZone: "Europe/Lisbon",
    destination: { type: "email", addresses: ["desk@agency.example"] },
    ...overrides,
  };
}
