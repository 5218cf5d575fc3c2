import { z } from "zod";
import { shownStates } from "../../cases/lifecycle.ts";
import type { RefundTotal } from "../../cases/refund-totals.ts";
import { type UnusableEmail, unusableEmails } from "../../contract/addressee.ts";
import type { StatedTravellers } from "../../contract/read-travellers.ts";
import { decimal, describing, id, instant } from "../../kernel/stored.ts";
import { caseCall } from "../body-ports.ts";
import { bulkActionItem, bulkActionRow, bulkPreviewItem } from "../bulk-ports.ts";
import { caseItem } from "../case-ports.ts";
import { notificationItem, quarantinedCode } from "../notification-ports.ts";
import { reconciliation } from "../reconciliation-ports.ts";
import { caseTask } from "../task-ports.ts";

/** `/openapi.json` is generated from these schemas. The tests parse every response with them, so a response has no other members. */

const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Give it as `cursor` for the next page; null on the last." });

export const caseList = z.strictObject({ items: z.array(caseItem), nextCursor }).meta({ id: "CaseList" });

export const caseSearchPage = z
  .strictObject({
    items: z.array(caseItem),
    nextCursor,
    total: z
      .strictObject({
        count: z.int().min(0),
        isCapped: z.boolean().meta({ description: "Whether there are more: counting ends at 10,000." }),
      })
      .nullable()
      .meta({ description: "How many cases there are; null on pages after the first." }),
  })
  .meta({ id: "CaseSearchPage" });

export const notificationList = z
  .strictObject({ items: z.array(notificationItem), nextCursor })
  .meta({ id: "NotificationList" });

export const callList = z
  .strictObject({ items: z.array(caseCall) })
  .meta({ id: "CallList", description: "Calls of the gateway for one case, newest first, at most 200." });

const ticket = z.strictObject({
  number: z.string(),
  type: z.string().nullable(),
  gdsBookingReference: z.string().nullable(),
  status: z.string().nullable().meta({ description: "Of the booking that it was issued for, such as TICKETED." }),
});

interface TravellersOfCase extends StatedTravellers {
  readonly statedBy: { readonly kind: "status" | "notification"; readonly id: string; readonly at: Date } | null;
  readonly addressee: string | null;
  readonly unusableEmails: readonly { readonly email: string; readonly why: UnusableEmail }[];
}

export const travellersResponse = describing<TravellersOfCase>(
  z.strictObject({
    statedBy: z
      .strictObject({ kind: z.enum(["status", "notification"]), id, at: instant })
      .nullable()
      .meta({ description: "What was read; null when nothing that names this order has been received." }),
    travellers: z.array(
      z.strictObject({
        name: z.string().nullable(),
        firstName: z.string().nullable().meta({ description: "As people write it, without titles." }),
        type: z.string().nullable().meta({ description: "ADT, CHD, INF or as sent." }),
        birthDate: z.string().nullable(),
        tickets: z.array(ticket),
        requests: z.array(z.string()).meta({ description: "Special service requests, as sent." }),
        frequentFlyer: z.array(z.strictObject({ airline: z.string().nullable(), number: z.string() })),
      }),
    ),
    emails: z.array(z.string()).meta({
      description: "Of the order, of which the gateway does not say whose, then of passengers (CTCE).",
    }),
    telephones: z.array(z.string()).meta({ description: "The same; of passengers CTCM." }),
    addressee: z
      .string()
      .nullable()
      .meta({ description: "The e-mail address that messages about the order go to; null when none can be used." }),
    unusableEmails: z.array(z.strictObject({ email: z.string(), why: z.enum(unusableEmails) })).meta({
      description:
        "Those at which no traveller is reached: `own-domain` and `own-address` of the agency, or `not-an-address`.",
    }),
    hasRefusedContact: z
      .boolean()
      .meta({ description: "Whether a passenger has refused to give airlines a contact (CTCR)." }),
    otherTickets: z.array(ticket).meta({ description: "Documents that name no listed traveller." }),
    otherOrderIds: z
      .array(z.string())
      .meta({ description: "Orders of the same notification, whose travellers cannot be told from these." }),
  }),
).meta({ id: "Travellers" });

export const quarantinedCodes = z.strictObject({ items: z.array(quarantinedCode) }).meta({ id: "QuarantinedCodes" });

export const discardedResponse = z
  .strictObject({ ids: z.array(id).meta({ description: "Those that were in quarantine and are discarded now." }) })
  .meta({ id: "NotificationsDiscarded" });

export const reprocessResponse = z
  .strictObject({
    state: z.literal("released"),
    cases: z.array(z.strictObject({ id, orderId: z.string() })).meta({ description: "The case of each order." }),
  })
  .meta({ id: "NotificationReleased" });

export const reprocessedResponse = z
  .strictObject({
    released: z.array(z.strictObject({ id, cases: reprocessResponse.shape.cases })),
    unusable: z
      .array(z.strictObject({ id, code: z.string(), path: z.string(), message: z.string() }))
      .meta({ description: "They stay in quarantine. `path` is a JSON Pointer into the body." }),
    nextCursor: z.string().nullable().meta({ description: "`cursor` of the request for the rest; null if none is." }),
  })
  .meta({ id: "NotificationsReprocessed" });

export const caseChangeEvent = z
  .strictObject({
    caseIds: z.array(id).meta({
      description: "Cases that changed; empty when there are too many to name, or some may have been missed.",
    }),
  })
  .meta({ id: "CaseChangeEvent", description: "Data of the event `cases`." });

export const reconciliationResponse = z
  .strictObject({
    ok: z.boolean().meta({ description: "Whether both counts are zero." }),
    checkedAt: instant,
    ...reconciliation.shape,
  })
  .meta({
    id: "Reconciliation",
    description:
      "Acknowledged notifications that nobody works on and nobody can see: both counts must be zero. And what else is wrong with the tables: of each kind at most 100.",
  });

export const actionResponse = z
  .strictObject({
    caseId: id.meta({ description: "The case that goes on: after `reopen`, the new one." }),
    state: z.enum(shownStates),
    decisionId: id.nullable(),
    approval: z
      .strictObject({ id, state: z.literal("asked") })
      .optional()
      .meta({ description: "Nothing is sent until a second person approves this." }),
  })
  .meta({ id: "ActionAccepted" });

export const taskList = z.strictObject({ items: z.array(caseTask), nextCursor }).meta({ id: "TaskList" });

export const tasksChanged = z
  .strictObject({
    changed: z.array(id),
    closedBefore: z.array(id).meta({ description: "Those that stay as they are." }),
    unknown: z.array(id),
  })
  .meta({ id: "TasksChanged", description: "The ids that were asked for, by what became of them." });

export const taskClosed = z.strictObject({ id, state: z.literal("closed") }).meta({ id: "TaskClosed" });

export const bulkPreview = z
  .strictObject({ items: z.array(bulkPreviewItem), count: z.int() })
  .meta({ id: "BulkPreview", description: "The expected outcome for each case. Ids without a case are left out." });

export const bulkStarted = z.strictObject({ id }).meta({ id: "BulkStarted" });

export const bulkStopped = z.strictObject({ id, state: z.literal("stopped") }).meta({ id: "BulkStopped" });

export const bulkActionList = z
  .strictObject({ items: z.array(bulkActionItem), nextCursor })
  .meta({ id: "BulkActionList" });

export const bulkAction = z
  .strictObject({
    ...bulkActionItem.shape,
    rows: z.array(bulkActionRow),
    gatewayCounts: z
      .strictObject({
        waiting: z.int(),
        sent: z.int(),
        succeeded: z.int(),
        failed: z.int(),
        unknown: z.int(),
        notSent: z.int(),
      })
      .nullable()
      .meta({ description: "The number of cases by outcome at the gateway; null when nothing goes there." }),
    refunds: describing<readonly RefundTotal[]>(
      z.array(
        z.strictObject({
          currency: z.string().nullable().meta({ description: "Of the price; null where that is unknown." }),
          orders: z.int(),
          unstated: z.int().meta({ description: "Of these orders, those for which the gateway stated no amount." }),
          stated: decimal.nullable().meta({ description: "The sum of the stated amounts; null without a currency." }),
          expected: decimal.nullable(),
        }),
      ),
    ).meta({ description: "What cancels that succeeded refund, by currency." }),
  })
  .meta({ id: "BulkAction" });
