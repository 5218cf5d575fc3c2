import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";

/** One thing that somebody did, as ids only. Its members are those of the canonical form. */
export interface AuditEntry {
  readonly id: number;
  /** When it happened, by whoever did it: ISO 8601 in UTC with six digits of a second. */
  readonly at: string;
  /** When the database took it down, by its own clock; as `at`. */
  readonly recordedAt: string;
  /** noun.verb */
  readonly kind: string;
  readonly actor: string;
  readonly source: string | null;
  readonly orderId: string | null;
  readonly caseId: string | null;
  /** The line of a case's timeline that this entry is about. */
  readonly caseEventId: number | null;
  /** Ids and codes by name. */
  readonly refs: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of what stays out of the audit; null when nothing does. */
  readonly detailDigest: string | null;
}

/** A place in the chain and the hash there. Whoever keeps one elsewhere can tell later that nothing before it changed. */
export interface AuditHead {
  /** From 1 on, without gaps; 0 before the first link. */
  readonly seq: number;
  /** SHA-256, hex. */
  readonly hash: string;
}

/** Before the first link. */
export const emptyHead: AuditHead = { seq: 0, hash: "00".repeat(32) };

/** The columns of an `AuditEntry` of `skedchange.audit_entries e`. */
export const auditEntryColumns: RawBuilder<unknown> = sql`e.id, skedchange.audit_time(e.at) as at,
  skedchange.audit_time(e.recorded_at) as "recordedAt", e.kind, e.actor, e.source, e.order_id as "orderId",
  e.case_id as "caseId", e.case_event_id as "caseEventId", e.refs, encode(e.detail_digest, 'hex') as "detailDigest"`;

/**
 * What is hashed of an entry: JSON without blanks, its keys sorted, every key there. The database computes the same text
 * when it seals (`skedchange.audit_canonical`); docs/audit.md describes it for whoever checks an export.
 */
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

/** The hash of the link that joins `entry` to a chain which ends with `previousHash`. Both hashes are hex. */
export function chainHashOf(previousHash: string, entry: AuditEntry): string {
  return createHash("sha256").update(Buffer.from(previousHash, "hex")).update(canonicalTextOf(entry)).digest("hex");
}
