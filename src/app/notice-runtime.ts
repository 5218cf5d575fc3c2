import type { Configuration } from "../config/load-settings.ts";
import { systemClock } from "../kernel/clock.ts";
import { readRetryAfterMs } from "../kernel/retry-after.ts";
import { Secret } from "../kernel/secret.ts";
import { createNoticeChannels, type NoticeChannels, type PostJson } from "../notices/channels.ts";
import { createDemoInbox, type DemoInbox } from "../notices/demo-inbox.ts";
import { createNoticeSender, type NoticeSender, type NoticeSettings } from "../notices/send-notices.ts";
import { createSmtp, type SmtpOptions } from "../notices/smtp.ts";
import type { AddressGuard } from "../sender/address-guard.ts";
import { createHttpTransport, type HttpTransport } from "../sender/http-transport.ts";
import type { Database } from "../store/database/database.ts";
import { createNoticeOutbox } from "../store/notices/notice-outbox.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Metrics, watchCounts } from "../telemetry/metrics.ts";
import type { Job } from "./jobs.ts";
import type { Shutdown } from "./shutdown.ts";

export interface NoticeRuntime {
  readonly sender: NoticeSender;
  /** Demo mode only; else null. */
  readonly demoInbox: DemoInbox | null;
}

export interface NoticeRuntimeOptions {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly guard: AddressGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  /** The URL of the agency side of this process, once it listens. */
  readonly agencyUrl: () => string | null;
  readonly settings: NoticeSettings;
}

/** Sends nothing by itself until `runNotices`, but tests. */
export function openNotices(options: NoticeRuntimeOptions): NoticeRuntime {
  const { configuration, database, guard, logger, metrics, shutdown, agencyUrl, settings } = options;
  const demoInbox = configuration.demo ? createDemoInbox(systemClock) : null;
  const sender = createNoticeSender({
    outbox: createNoticeOutbox(database, systemClock),
    channels: demoInbox ?? openChannels(configuration, guard, shutdown),
    baseUrl: () => configuration.settings.PUBLIC_URL ?? (configuration.demo ? agencyUrl() : null),
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    settings,
  });
  return { sender, demoInbox };
}

const dayMs = 24 * 3_600_000;
const deletedMax = 500;

/** Plan and send notices, and delete those of the past. */
export function noticeJobs(
  {
    configuration,
    database,
    metrics,
    settings,
  }: Pick<NoticeRuntimeOptions, "configuration" | "database" | "metrics" | "settings">,
  { sender }: NoticeRuntime,
): readonly Job[] {
  const outbox = createNoticeOutbox(database, systemClock);
  watchCounts(metrics, {
    name: "skedchange_notice_rules_failing",
    help: "Notices whose last message did not arrive, by channel.",
    label: "channel",
    read: () => outbox.countFailing(),
  });
  return [
    { name: "notices", everyMs: settings.everyMs, work: () => sender.run() },
    {
      name: "notice retention",
      everyMs: 3_600_000,
      work: async () => {
        const retentionMs = configuration.settings.DELIVERY_RETENTION_DAYS * dayMs;
        const before = new Date(systemClock.now().getTime() - retentionMs);
        return (await outbox.deleteFinished(before, deletedMax)) === deletedMax;
      },
    },
  ];
}

function openChannels({ settings }: Configuration, guard: AddressGuard, shutdown: Shutdown): NoticeChannels {
  const smtp = smtpOf(settings);
  const http = createHttpTransport(guard);
  shutdown.add("connections", "notice connections", () => http.close());
  return createNoticeChannels({ sendMail: smtp === null ? null : createSmtp(smtp), post: postThrough(http) });
}

/** The mail server that notices go through; null if none is set. */
export function smtpOf(settings: Configuration["settings"]): SmtpOptions | null {
  const { SMTP_URL: url, NOTICE_FROM: from, SMTP_ALLOW_PLAINTEXT: allowPlaintext } = settings;
  return url === undefined || from === undefined ? null : { url: new Secret(url), from, allowPlaintext };
}

export function postThrough(http: Pick<HttpTransport, "post">): PostJson {
  return async (target, body) => {
    const {
      status,
      body: response,
      failure,
      retryAfter,
    } = await http.post({
      url: target,
      headers: { "content-type": "application/json", "user-agent": "Skedchange-Notices" },
      body: Buffer.from(JSON.stringify(body)),
      deadlineMs: webhookDeadlineMs,
      responseLimitBytes: 4_096,
      signal: neverAborted,
    });
    const retryAfterMs = readRetryAfterMs(retryAfter, systemClock.now());
    // A long response says no less that the message arrived.
    const isLong = failure?.code === "sender.answer_too_large";
    return { status, body: Buffer.from(response).toString("utf8"), failure: isLong ? null : failure, retryAfterMs };
  };
}

const webhookDeadlineMs = 15_000;

/** A process that stops waits for attempts, at most 10 s; the lease covers those that it cuts off. */
const neverAborted = new AbortController().signal;
