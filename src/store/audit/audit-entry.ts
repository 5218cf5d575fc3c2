import { createHash } from "node:crypto";
import type { AuditItem } from "../../dashboard/audit-ports.ts";
import { type Sql, sql } from "../database/sql.ts";

/** An entry without its place in the chain. The members are those of the canonical form. */
export type AuditEntry = Omit<AuditItem, "seq" | "hash" | "token">;

/** A position in the chain with its hash. A copy stored elsewhere proves later that nothing before it changed. */
export interface AuditHead {
  /** Starts at 1, without gaps; 0 before the first link. */
  readonly seq: number;
  readonly hash: string;
}

export const emptyHead: AuditHead = { seq: 0, hash: "00".repeat(32) };

export const auditEntryColumns: Sql = sql`e.id, skedchange.audit_time(e.at) as at,
  skedchange.audit_time(e.recorded_at) as "recordedAt", e.kind, e.actor, e.source, e.order_id as "orderId",
  e.case_id as "caseId", e.case_event_id as "caseEventId", e.refs, encode(e.detail_digest, 'hex') as "detailDigest"`;

/** Hashed text: JSON without blanks, with all keys, sorted, as in `skedchange.audit_canonical`; see docs/audit.md. */
export function canonicalTextOf(entry: AuditEntry): string {
  const refs = Object.fromEntries(Object.entries(entry.refs).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify({
    actor: entry.actor,
    at: entry.at,
    caseEventId: entry.caseEventId,
    caseId: entry.caseId,
    detailDigest: entry.detailDigest,
    id: entry.id,
    kind: entry.kind,
    orderId: entry.orderId,
    recordedAt: entry.recordedAt,
    refs,
    source: entry.source,
  });
}

/** The hash of the link that appends `entry` to a chain ending with `previousHash`. Both are hex. */
export function chainHashOf(previousHash: string, entry: AuditEntry): string {
  return createHash("sha256").update(Buffer.from(previousHash, "hex")).update(canonicalTextOf(entry)).digest("hex");
}
