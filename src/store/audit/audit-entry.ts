import { createHash } from "node:crypto";
import type { AuditItem } from "../../dashboard/audit-ports.ts";
import { type Sql, sql } from "../database/sql.ts";

/** An entry without its place in the chain. The members are those of the canonical form. */
export type AuditEntry = Omit<AuditItem, "block" | "token">;

export const auditEntryColumns: Sql = sql`e.id, skedchange.audit_time(e.at) as at,
  skedchange.audit_time(e.recorded_at) as "recordedAt", e.kind, e.actor, e.source, e.order_id as "orderId",
  e.case_id as "caseId", e.case_event_id as "caseEventId", e.refs, encode(e.detail_digest, 'hex') as "detailDigest"`;

/**
 * A page of the entries `e` that match, lines of timelines among them (`is_line`). Both are read in their order and by
 * themselves, so that a page costs no more in a long audit.
 */
export function pageOfEntries(matches: Sql, limit: number, direction: Sql = sql`asc`): Sql {
  const inOrder = sql`order by id ${direction} limit ${limit}`;
  return sql`(
    (select e.*, false as is_line from skedchange.audit_entries e where ${matches} ${inOrder})
    union all (select e.*, true as is_line from skedchange.audited_lines e where ${matches} ${inOrder})
    ${inOrder}
  )`;
}

/** The members that are hashed, in their order: sorted, those of `refs` as well. */
export function canonicalFormOf(entry: AuditEntry): AuditEntry {
  return {
    actor: entry.actor,
    at: entry.at,
    caseEventId: entry.caseEventId,
    caseId: entry.caseId,
    detailDigest: entry.detailDigest,
    id: entry.id,
    kind: entry.kind,
    orderId: entry.orderId,
    recordedAt: entry.recordedAt,
    refs: Object.fromEntries(Object.entries(entry.refs).sort(([a], [b]) => (a < b ? -1 : 1))),
    source: entry.source,
  };
}

/** Hashed text: JSON without blanks, with all keys, as in `skedchange.audit_canonical`; see docs/audit.md. */
export function canonicalTextOf(entry: AuditEntry): string {
  return JSON.stringify(canonicalFormOf(entry));
}

/** The hash of the block that seals `entries` after a block with `hashBefore`. Both are hex. */
export function blockHashOf(hashBefore: string, entries: readonly AuditEntry[]): string {
  const hash = createHash("sha256").update(Buffer.from(hashBefore, "hex"));
  for (const entry of entries) hash.update(canonicalTextOf(entry));
  return hash.digest("hex");
}
