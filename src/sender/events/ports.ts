import { z } from "zod";
import { id, type Stored } from "../../kernel/stored.ts";
import { anyDelivery, anyRecipient } from "../ports.ts";

export const outgoingEventTypes = [
  "case.opened",
  "case.decided",
  "case.overdue",
  "case.done",
  "case.closed",
  "effect.succeeded",
  "effect.failed",
  "effect.unknown",
  "task.opened",
  "traveller.inform",
] as const;
export type OutgoingEventType = (typeof outgoingEventTypes)[number];

export const eventDescriptions: Readonly<Record<OutgoingEventType, string>> = {
  "case.opened": "An order has a new case",
  "case.decided": "The policy or a person decided a case",
  "case.overdue": "A case passed its deadline undecided",
  "case.done": "A decision was carried out",
  "case.closed": "A case ended without an effect, or was resolved elsewhere; `state` says which",
  "effect.succeeded": "The gateway accepted or cancelled",
  "effect.failed": "The gateway did not accept or cancel",
  "effect.unknown": "The outcome of an accept or a cancel is unknown",
  "task.opened": "A task for a person was opened",
  "traveller.inform":
    "The traveller is to be informed; a 2xx says that you do it, and closes the task. Sent only to recipients that name this type",
};

const eventInput = z.strictObject({
  eventTypes: z.array(z.enum(outgoingEventTypes)).nullable().meta({
    description: "Null means all events but `traveller.inform`, which is sent only to recipients that name it.",
  }),
  sources: z.array(z.string()).nullable().meta({ description: "Null means all." }),
});

const eventShown = z.strictObject({
  eventId: id.meta({ description: "`id` in the body; a resent event has the same." }),
  eventType: z.enum(outgoingEventTypes),
  source: z.string(),
  caseId: id,
});

/** All events are sent in order, and any 2xx acknowledges: what says so is not shown. */
export const eventRecipient = anyRecipient
  .omit({ ordering: true, acknowledgement: true, agencyId: true })
  .extend(eventInput.shape)
  .meta({ id: "EventRecipient" });

export const eventDelivery = anyDelivery.extend(eventShown.shape).meta({ id: "EventDelivery" });

export interface EventKind {
  readonly input: Stored<typeof eventInput>;
  readonly shown: Stored<typeof eventShown>;
  readonly found: { readonly eventType?: OutgoingEventType; readonly source?: string };
}
