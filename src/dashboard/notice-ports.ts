import { z } from "zod";
import type { Actor } from "../kernel/actor.ts";
import type { AppError } from "../kernel/app-error.ts";
import { failure, id, instant, type Stored } from "../kernel/stored.ts";
import type { CaughtNotice } from "../notices/demo-inbox.ts";
import type { NoticeRule, SendTestNotice } from "../notices/ports.ts";

export type NewNoticeRule = Omit<NoticeRule, "id">;

/** What is not given stays. */
export type NoticeRuleChange = {
  readonly [Member in keyof NewNoticeRule]?: NewNoticeRule[Member] | undefined;
} & { readonly paused?: boolean | undefined };

export const noticeTiming = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("at-once") }),
      z.strictObject({
        type: z.literal("before-deadline"),
        minutes: z.int("must be a whole number").min(5, "must be at least 5").max(10_080, "must be at most 10080"),
      }),
      z.strictObject({
        type: z.literal("digest"),
        times: z
          .array(z.string("must be a text").regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 08:00"))
          .min(1, "must have a time")
          .max(24, "has too many times"),
        weekdays: z
          .array(z.int("must be 1 (Monday) to 7 (Sunday)").min(1, "must be 1 to 7").max(7, "must be 1 to 7"))
          .min(1, "must have a weekday")
          .max(7, "has too many weekdays"),
      }),
    ],
    { error: "must have the type at-once, before-deadline or digest" },
  )
  .meta({
    id: "NoticeTiming",
    description:
      "At once, gathered for some seconds; once so many minutes before the deadline of a case; or all that waits, at fixed times.",
  });

export const noticeRule = z
  .strictObject({
    id,
    name: z.string(),
    queues: z.array(z.string()).nullable(),
    sources: z.array(z.string()).nullable(),
    priorityMax: z.int(),
    when: noticeTiming,
    timeZone: z.string(),
    channel: z.enum(["email", "slack", "teams"]),
    to: z.array(z.string()).meta({ description: "E-mail addresses, or the host of the webhook." }),
    paused: z.boolean(),
    lastSentAt: instant.nullable(),
    failing: failure
      .extend({ since: instant })
      .nullable()
      .meta({ description: "Why the last message did not arrive; null if it did." }),
  })
  .meta({ id: "NoticeRule" });

export type NoticeRuleView = Stored<typeof noticeRule>;

export interface NoticeRuleStore {
  listRules(): Promise<readonly NoticeRuleView[]>;
  /** Returns null if there are as many as there may be. */
  addRule(rule: NewNoticeRule, by: Actor): Promise<NoticeRuleView | null>;
  /** Pending messages of the rule are tried again at once. Returns null if there is no such rule. */
  changeRule(id: string, change: NoticeRuleChange, by: Actor): Promise<NoticeRuleView | null>;
  removeRule(id: string, by: Actor): Promise<boolean>;
}

/** Messages that tell people that cases wait. */
export interface Notices {
  readonly rules: NoticeRuleStore;
  readonly sendTest: SendTestNotice;
  /** What demo mode caught, newest first; null outside demo mode. */
  readonly demoInbox: (() => readonly CaughtNotice[]) | null;
  /** Why nothing may be sent to a URL; null if it may. */
  readonly refuseUrl: (url: URL) => AppError | null;
}
