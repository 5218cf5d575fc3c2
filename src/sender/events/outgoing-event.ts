import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { outgoingEventTypes } from "./ports.ts";

const reference = z.strictObject({ id: z.uuid() });
const clock = z.strictObject({ at: z.iso.datetime(), rule: z.string().nullable() }).nullable();

/**
 * Has no passenger data and no notes, so that any system may get it. Written by `skedchange.add_event` in the
 * transaction of the change.
 */
export const outgoingEventSchema = z
  .strictObject({
    id: z.uuid().meta({ description: "Of the event; a replay has the same." }),
    type: z.enum(outgoingEventTypes),
    createdAt: z.iso.datetime(),
    source: z.string(),
    caseId: z.uuid(),
    orderId: z.string(),
    gdsBookingReferences: z.array(z.string()),
    state: z.string().meta({ description: "Of the case, once what the event tells of had happened." }),
    dueBy: clock.meta({ description: "By when somebody must have decided, and which clock says so." }),
    decision: reference
      .extend({
        action: z.enum(["accept", "cancel", "review", "ask-traveller", "wait", "none"]),
        by: z.enum(["policy", "person"]),
        rule: z.string(),
        reasons: z.array(z.string()).meta({ description: "Codes; the sentences stay with the case." }),
        reviewQueue: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "The one that the event tells of, else the one in force." }),
    effect: reference
      .extend({ action: z.enum(["accept", "cancel"]), state: z.enum(["succeeded", "failed", "unknown"]) })
      .nullable()
      .meta({ description: "Only in `effect.*` and `traveller.inform`." }),
    task: reference
      .extend({ kind: z.string(), reasons: z.array(z.string()).meta({ description: "Codes." }), dueBy: clock })
      .nullable()
      .meta({ description: "Only in `task.opened` and `traveller.inform`." }),
  })
  .meta({ id: "OutgoingEvent" });

export const pingSchema = z
  .strictObject({ id: z.uuid(), type: z.literal("ping"), createdAt: z.iso.datetime() })
  .meta({ id: "Ping" });

export function pingBody(clock: Clock): Uint8Array {
  const ping: z.input<typeof pingSchema> = {
    id: newId(clock),
    type: "ping",
    createdAt: clock.now().toISOString(),
  };
  return Buffer.from(JSON.stringify(ping), "utf8");
}
