import { z } from "zod";
import type { Actor } from "../kernel/actor.ts";
import { idPattern } from "../kernel/ids.ts";
import type { Stored } from "../kernel/stored.ts";
import { caseListQuery } from "./case-filter-ports.ts";
import { name } from "./request-fields.ts";

const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .meta({ description: "Instant in UTC with six digits of a second." });
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256, hexadecimal." });

/** Numbers of rows and blocks grow beyond 32 bits, and generated clients go by the format. */
const sequence = z.int().meta({ format: "int64" });

const auditEntry = z
  .strictObject({
    id: sequence,
    at: instant,
    recordedAt: instant,
    kind: z.string().meta({ description: "noun.verb" }),
    actor: z.string().meta({ description: "`worker`, `receiver`, ..., or `person:` and who." }),
    token: z.string().nullable().meta({
      description: "The name of the API token with which they acted. It is not in the chain; `refs.actorToken` is.",
    }),
    source: z.string().nullable(),
    orderId: z.string().nullable(),
    caseId: z.guid().nullable(),
    caseEventId: sequence.nullable().meta({ description: "The line of the case's timeline." }),
    refs: z.record(z.string(), z.string()).meta({ description: "Ids and codes by name." }),
    detailDigest: sha256.nullable(),
    block: sequence.nullable().meta({ description: "The block of the chain that has it; null until it is chained." }),
  })
  .meta({ id: "AuditEntry", description: "What somebody did, as ids only." });

/** An entry of the audit. It holds ids only. */
export type AuditItem = Stored<typeof auditEntry>;

export const auditList = z
  .strictObject({
    items: z.array(auditEntry),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "AuditList" });

export const auditPart = z
  .strictObject({
    from: sequence.meta({ description: "The first block that was checked; the one before it is trusted." }),
    checked: sequence.meta({ description: "Entries in the blocks that fit." }),
    head: z.strictObject({ block: sequence, hash: sha256 }).meta({ description: "The last block that fits." }),
    newest: sequence.meta({ description: "The last block of the chain." }),
    next: sequence.nullable().meta({ description: "`from` of the next part; null at the end, or if it is broken." }),
    eventsGone: z.int().meta({ description: "Lines of timelines that were deleted." }),
    eventsCut: z.int().meta({ description: "Lines of timelines whose texts were deleted." }),
    broken: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "The first violation." }),
  })
  .meta({ id: "AuditPart" });

/** What checking some blocks of the chain found. */
export type AuditPart = Stored<typeof auditPart>;

const givenInstant = z.iso
  .datetime({ offset: true, error: "must be an instant with its zone, such as 2027-01-01T00:00:00Z" })
  .transform((text) => new Date(text));

/** `since` (inclusive) and `until` (exclusive) refer to `recordedAt`. */
export const auditFilter = z.strictObject({
  since: givenInstant.optional().meta({ description: "Taken down at this instant or later." }),
  until: givenInstant.optional().meta({ description: "Taken down before this instant." }),
  caseId: z.string("may be given once only").regex(idPattern, "must be the id of a case").optional(),
  orderId: caseListQuery.shape.orderId,
  kind: z
    .string("may be given once only")
    .regex(/^[a-z0-9._-]{1,64}$/, "must be a kind, such as decision.made")
    .optional()
    .meta({ description: "The kind, exactly: `decision.made`, `user.changed`, ..." }),
  actor: name.optional().meta({ description: "Who did it, exactly: `worker`, `person:mlopez`, ..." }),
});

export type AuditFilter = z.output<typeof auditFilter>;

/** Audits that somebody took a list as a file. */
export type RecordExport = (list: string, by: Actor) => Promise<void>;

export interface AuditTrail {
  /** Newest first, with ids below `before`. `next` is the `before` of the next page. */
  listEntries(
    filter: AuditFilter,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly items: readonly AuditItem[]; readonly next: number | null }>;
}

/** @param from the first block to check; null for the newest ones */
export type VerifyAuditPart = (from: number | null) => Promise<AuditPart>;
