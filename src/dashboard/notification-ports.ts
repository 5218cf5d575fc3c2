import { z } from "zod";
import { shownStates } from "../cases/lifecycle.ts";
import type { Caller, VisibleSources } from "../cases/visible-sources.ts";
import type { NotifiedOrder } from "../contract/notified-orders.ts";
import type { Actor } from "../kernel/actor.ts";
import { hexDigest, id, instant, type Stored } from "../kernel/stored.ts";
import { bodyDeleted } from "./body-ports.ts";
import type { Page, PageRequest } from "./paging-ports.ts";

export const notificationStateNames = ["accepted", "quarantined", "released"] as const;
/** A discarded notification is quarantined, but on a list of its own. */
export const listedNotificationStates = [...notificationStateNames, "discarded"] as const;

export const notificationItem = z
  .strictObject({
    id,
    source: z.string(),
    receivedAt: instant,
    receipts: z.int().meta({ description: "How often these bytes were received." }),
    lastReceiptAt: instant,
    state: z.enum(notificationStateNames),
    problem: z
      .strictObject({
        code: z.string(),
        path: z.string().meta({ description: "JSON Pointer into the body." }),
        message: z.string(),
      })
      .nullable()
      .meta({ description: "Why it is quarantined." }),
    orders: z.strictObject({ ids: z.array(z.string()), count: z.int() }).meta({
      description: "Orders that an unusable body names, as far as it can be read: the first 10, and how many.",
    }),
    digest: hexDigest,
    bodyBytes: z.int(),
    bodyDeleted,
    contentType: z.string().nullable(),
    discarded: z
      .strictObject({ at: instant, by: z.string(), note: z.string().nullable() })
      .nullable()
      .meta({ description: "When and by whom it was taken off the list of the quarantine, and why." }),
  })
  .meta({ id: "NotificationItem" });

export type NotificationItem = Stored<typeof notificationItem>;

export const notificationDetail = z
  .strictObject({
    ...notificationItem.shape,
    cases: z.array(z.strictObject({ id, orderId: z.string(), state: z.enum(shownStates), joinedAt: instant })),
  })
  .meta({ id: "NotificationDetail" });

export type NotificationDetail = Stored<typeof notificationDetail>;

export interface NotificationFilter extends PageRequest {
  readonly visible: VisibleSources;
  readonly state: (typeof listedNotificationStates)[number] | null;
  readonly source: string | null;
  /** The code of the problem. */
  readonly code?: string | null;
}

/** Each method is one read-only transaction. */
export interface NotificationQueries {
  /** The latest received first, by the first receipt. */
  listNotifications(filter: NotificationFilter): Promise<Page<NotificationItem>>;
  readNotification(id: string, visible: VisibleSources): Promise<NotificationDetail | null>;
}

export interface NotificationRelease {
  readonly notificationId: string;
  readonly orders: readonly NotifiedOrder[];
  readonly by: Actor;
}

export type ReleaseOutcome =
  | { readonly outcome: "released"; readonly cases: readonly { readonly id: string; readonly orderId: string }[] }
  /** Released meanwhile, by somebody or because the same bytes were received again. */
  | { readonly outcome: "not-quarantined" }
  /** The database cannot store a value of the body. */
  | { readonly outcome: "refused" };

export const quarantinedCode = z.strictObject({ code: z.string(), count: z.int() });
export type QuarantinedCode = Stored<typeof quarantinedCode>;

export interface Quarantine {
  /** What is quarantined and not discarded, the most first. */
  countByCode(visible: VisibleSources): Promise<readonly QuarantinedCode[]>;
  /** One transaction. @returns the ids of those that were in quarantine and are discarded now */
  discard(ids: readonly string[], by: Caller & { readonly note: string }): Promise<readonly string[]>;
  /** Reads a notification in any state; the body is null if it was deleted. */
  readNotification(
    id: string,
    visible: VisibleSources,
  ): Promise<{ readonly state: string; readonly body: Buffer | null } | null>;
  /** One transaction. Opens the cases of its orders or makes them due, as for a new notification. */
  release(release: NotificationRelease): Promise<ReleaseOutcome>;
}
