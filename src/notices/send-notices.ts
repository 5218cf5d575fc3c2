import { codeOf, messageOf } from "../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { redactText } from "../telemetry/redact.ts";
import { type NoticeChannels, WebhookRefusal } from "./channels.ts";
import { describeNotice, describeStop, describeTest } from "./describe-notice.ts";
import { nextDigestAt } from "./next-digest.ts";
import type { ClaimedNotice, NoticeOutbox, NoticeProblem, SendTestNotice } from "./ports.ts";

export interface NoticeSettings {
  /** Between two looks for waiting cases. */
  readonly everyMs: number;
  /** For so long a message waits for further cases, so that a burst of cases is one message. */
  readonly gatherMs: number;
  /** Between two messages of a rule. */
  readonly quietMs: number;
  /** Longer than an attempt to send can take. */
  readonly leaseMs: number;
  readonly backOff: BackOffPolicy;
}

export const defaultNoticeSettings: NoticeSettings = {
  everyMs: 2_000,
  gatherMs: 15_000,
  quietMs: 60_000,
  leaseMs: 90_000,
  backOff: { baseMs: 10_000, capMs: 10 * 60_000, jitter: 0.2 },
};

export interface NoticeSenderOptions {
  readonly outbox: NoticeOutbox;
  readonly channels: NoticeChannels;
  /** Returns the address of the dashboard; null if nobody knows it. */
  readonly baseUrl: () => string | null;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "notices">;
  readonly settings: NoticeSettings;
}

export interface NoticeSender {
  /** Plans and sends what is due; returns whether more may be due. */
  run(): Promise<boolean>;
  readonly sendTest: SendTestNotice;
}

/** Each at the same time; a slow mail server then delays no more than these. */
const claimMax = 8;

/**
 * Announces every case that waits and that a rule names, and every stop of automation, at least once. A message whose outcome could not be recorded is
 * sent again, with the same Message-ID. Attempts go on until the message arrives or nothing of it waits any more.
 */
export function createNoticeSender(options: NoticeSenderOptions): NoticeSender {
  const { outbox, channels, clock, logger, metrics, settings } = options;
  const baseUrl = (): string | null => options.baseUrl()?.replace(/\/+$/, "") ?? null;

  async function send(notice: ClaimedNotice): Promise<void> {
    const { id, revision, rule, stop, cases, total, overdue, nextDueBy } = notice;
    if (total === 0) return await outbox.recordObsolete(notice);
    const channel = rule.destination.type;
    const text =
      stop === null
        ? describeNotice(rule, { cases, total, overdue, nextDueBy, now: clock.now(), baseUrl: baseUrl() })
        : describeStop(rule, stop, { now: clock.now(), baseUrl: baseUrl() });
    let problem: NoticeProblem | null;
    try {
      problem = await channels.send(rule.destination, text, `${id}.${revision}`);
    } catch (error) {
      const failed = toProblem(error);
      metrics?.notices.inc({ channel, outcome: "failed" });
      logger.warn({ noticeId: id, ruleId: rule.id, failures: notice.failures + 1, ...failed }, "notice.failed");
      await outbox.recordFailure(notice, failed, retryAt(notice, error));
      return;
    }
    metrics?.notices.inc({ channel, outcome: "sent" });
    logger.info({ noticeId: id, ruleId: rule.id, cases: cases.length === 0 ? 0 : total }, "notice.sent");
    await outbox.recordSent(notice, problem);
  }

  function retryAt({ failures }: ClaimedNotice, error: unknown): Date {
    const own = backOffMs(settings.backOff, failures + 1, options.random());
    const asked = error instanceof WebhookRefusal ? (error.retryAfterMs ?? 0) : 0;
    return new Date(clock.now().getTime() + Math.max(own, Math.min(asked, settings.backOff.capMs)));
  }

  return {
    async run() {
      await outbox.plan({ gatherMs: settings.gatherMs, quietMs: settings.quietMs, nextDigestAt });
      const claimed = await outbox.claim(claimMax, settings.leaseMs);
      await Promise.all(claimed.map(send));
      return claimed.length === claimMax;
    },

    async sendTest(ruleId) {
      const rule = await outbox.readRule(ruleId);
      if (rule === null) return null;
      try {
        return { problem: await channels.send(rule.destination, describeTest(rule, baseUrl()), newId(clock)) };
      } catch (error) {
        return { problem: toProblem(error) };
      }
    },
  };
}

function toProblem(error: unknown): NoticeProblem {
  return { code: codeOf(error), message: redactText(messageOf(error)) };
}
