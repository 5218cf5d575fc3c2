import { z } from "zod";
import { effectActions } from "../cases/decision.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import { id, instant, type Stored } from "../kernel/stored.ts";

export const bodyDeleted = z
  .strictObject({ at: instant, by: z.enum(["retention", "erasure"]) })
  .nullable()
  .meta({ description: "When and why the body was deleted; null when it is still there." });

export type BodyDeletion = NonNullable<Stored<typeof bodyDeleted>>;

export const caseCall = z
  .strictObject({
    id,
    operation: z.enum(["AirReservationStatus", "AirOrderInvoluntaryAccept", "AirOrderInvoluntaryCancel"]),
    at: instant,
    purpose: z
      .enum(["decide", "before-effect", "after-effect", "settle-unknown"])
      .nullable()
      .meta({ description: "Why the status was read; null for an effect." }),
    action: z.enum(effectActions).nullable().meta({ description: "Null for a reading of the status." }),
    state: z.enum(["sent", "succeeded", "failed", "unknown"]).nullable().meta({ description: "Of the effect." }),
    bodyBytes: z.int().nullable().meta({ description: "Length of the stored response; null when none came." }),
    bodyDeleted,
  })
  .meta({ id: "CaseCall" });

/** A gateway call for a case. */
export type CaseCall = Stored<typeof caseCall>;

/** The bytes as received. They hold travellers' data. */
export interface StoredBody {
  readonly bytes: Buffer;
  /** As declared by the sender. */
  readonly contentType: string | null;
}

export interface DeletedBody {
  readonly deleted: BodyDeletion;
}

/** Each method is one read-only transaction. */
export interface StoredBodies {
  /** The newest 200, newest first; null if there is no such case. */
  listCalls(caseId: string, visible: VisibleSources): Promise<readonly CaseCall[] | null>;
  /** Null if the case has no such call or no response came. */
  readCallBody(caseId: string, callId: string, visible: VisibleSources): Promise<StoredBody | DeletedBody | null>;
  readNotificationBody(notificationId: string, visible: VisibleSources): Promise<StoredBody | DeletedBody | null>;
  /** What states who travels: the newest status, then the newest notification. Null if there is no such case. */
  readOrderBodies(caseId: string, visible: VisibleSources): Promise<OrderBodies | null>;
}

export interface OrderBodies {
  readonly source: string;
  readonly orderId: string;
  readonly bodies: readonly ((StoredBody | DeletedBody) & {
    readonly kind: "status" | "notification";
    readonly id: string;
    /** When it was read or received. */
    readonly at: Date;
  })[];
}
