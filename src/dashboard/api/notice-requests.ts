import { z } from "zod";
import { isTimeZone } from "../../travel/zones.ts";
import { noticeTiming } from "../notice-ports.ts";

const text = (max: number) =>
  z
    .string("must be a text")
    .trim()
    .min(1, "must not be empty")
    .max(max, "is too long")
    .refine((given) => !/\p{Cc}/u.test(given), "must not contain control characters");

const some = (what: string, description: string) =>
  z
    .array(text(100), { error: `must be a list of ${what}s` })
    .min(1, `must name a ${what}; null stands for all`)
    .max(50, "is too long")
    .nullable()
    .meta({ description });

const webhookUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2_000, "is too long")
  .meta({ description: "Whoever has it can post there, so it is stored encrypted and never shown." });

const destination = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("email"),
      addresses: z
        .array(z.email({ error: "must be an e-mail address" }).max(254, "is too long"))
        .min(1, "must have an address")
        .max(20, "has too many addresses"),
    }),
    z.strictObject({ type: z.literal("slack"), webhookUrl }),
    z.strictObject({ type: z.literal("teams"), webhookUrl }),
  ],
  { error: "must have the type email, slack or teams" },
);

const members = {
  name: text(100).meta({ description: "As the messages name it." }),
  queues: some("queue", "Of cases in these queues; null: all."),
  sources: some("source", "Of cases of these sources; null: all."),
  priorityMax: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(9, "must be at most 9")
    .meta({ description: "Of cases that are at least so urgent; 0 is the most urgent." }),
  when: noticeTiming,
  timeZone: z
    .string("must be a text")
    .max(100, "is too long")
    .refine(isTimeZone, "must be a time zone such as Europe/Lisbon")
    .meta({ description: "Of the times in messages and of digests." }),
  destination,
};

export const addNoticeBody = z.strictObject({
  ...members,
  queues: members.queues.default(null),
  sources: members.sources.default(null),
  priorityMax: members.priorityMax.default(9),
  timeZone: members.timeZone.default("UTC"),
});

export const editNoticeBody = z
  .strictObject({ ...members, paused: z.boolean("must be true or false") })
  .partial()
  .refine((body) => Object.keys(body).length > 0, "names nothing to change");
