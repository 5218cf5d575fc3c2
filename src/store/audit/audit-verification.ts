import type { AuditPart, VerifyAuditPart } from "../../dashboard/audit-ports.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import { openNotesInText } from "../cases/notes.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import { type AuditEntry, type AuditHead, auditEntryColumns, chainHashOf, emptyHead } from "./audit-entry.ts";

export interface ChainViolation {
  readonly code:
    | "audit.link_missing"
    | "audit.entry_missing"
    | "audit.hash_differs"
    | "audit.head_differs"
    | "audit.head_missing"
    | "audit.event_differs"
    | "audit.event_without_entry"
    | "audit.entry_without_link"
    | "audit.sealing_behind";
  readonly message: string;
}

/**
 * Lines of timelines may be deleted although their entry exists, but prove nothing any more. Of those whose texts retention
 * or an erasure has deleted, only case, time, kind and actor are checked.
 */
export interface AuditVerdict extends Pick<AuditPart, "checked" | "eventsGone" | "eventsCut"> {
  readonly head: AuditHead;
  readonly broken: ChainViolation | null;
}

export interface VerifyAuditOptions {
  /** A head that was stored elsewhere. The chain must contain it. */
  readonly known?: AuditHead;
  /** The first link to check. The link before it is trusted. */
  readonly from?: number;
  readonly onProgress?: (checked: number) => void;
}

interface SnapshotOptions extends VerifyAuditOptions {
  /** Stops after so many links. */
  readonly linksMax?: number;
  /** Whether to look for what is outside the chain, once its end is reached. */
  readonly looksOutside?: boolean;
}

const pageRows = 2_000;

/** Takes a second or two. */
const partLinks = 10_000;

/** Entries are chained within seconds. An older one without a link was left out, or no process chains entries. */
const chainedWithin = "1 minute";

/**
 * Checks that links have no gaps, that each has its entry and the right hash, that timelines still match their entries,
 * and that no old entry is outside the chain. Stops at the first violation. Reads one snapshot, so work may go on
 * meanwhile.
 */
export function verifyAudit(
  database: Pick<Database, "connection" | "pool" | "encryption">,
  options: VerifyAuditOptions = {},
): Promise<AuditVerdict> {
  return inSnapshot(database, (snapshot) => verifySnapshot(snapshot, database.encryption, options));
}

/**
 * The same for the next links from `from` on, or for the newest ones if it is null, in bounded time. What is outside the
 * chain is looked for with its last links, but not if only the newest are asked for.
 */
export function createAuditVerification(
  database: Pick<Database, "connection" | "pool" | "encryption">,
  linksMax = partLinks,
): VerifyAuditPart {
  return (from) =>
    inSnapshot(database, async (snapshot) => {
      const newest = await readNewestLink(snapshot);
      const first = from === null ? Math.max(1, newest - linksMax + 1) : Math.min(from, newest + 1);
      const looksOutside = from !== null || first === 1;
      const options = { from: first, linksMax, looksOutside };
      const { checked, head, eventsGone, eventsCut, broken } = await verifySnapshot(
        snapshot,
        database.encryption,
        options,
      );
      const next = broken === null && head.seq < newest ? head.seq + 1 : null;
      return { from: first, checked, head, newest, next, eventsGone, eventsCut, broken };
    });
}

async function readNewestLink(snapshot: Connection): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from skedchange.audit_chain order by seq desc limit 1`.execute(snapshot);
  return rows[0]?.seq ?? 0;
}

async function verifySnapshot(
  snapshot: Connection,
  encryption: Encryption,
  { known, from = 1, onProgress, linksMax = Number.POSITIVE_INFINITY, looksOutside = true }: SnapshotOptions,
): Promise<AuditVerdict> {
  const before = await readEntryBefore(snapshot, from);
  if (before === null)
    return { checked: 0, head: emptyHead, eventsGone: 0, eventsCut: 0, broken: entryMissing(from - 1) };
  let head = before;
  let checked = 0;
  let eventsGone = 0;
  let eventsCut = 0;
  const verdict = (broken: ChainViolation | null): AuditVerdict => ({
    checked,
    head,
    eventsGone,
    eventsCut,
    broken,
  });
  if (known !== undefined && known.seq < from) {
    const wrong = await checkHeadBefore(snapshot, known);
    if (wrong !== null) return verdict(wrong);
  }
  while (true) {
    const atOnce = Math.min(pageRows, linksMax - checked);
    const rows = await compareInClear(snapshot, encryption, await readLinks(snapshot, head.seq, atOnce));
    for (const row of rows) {
      const broken = checkChainedEntry(row, head) ?? checkKnown(row, known) ?? checkEvent(row);
      if (broken !== null) return verdict(broken);
      if (row.caseEventId !== null && row.eventIsSame === null) eventsGone += 1;
      if (row.isCut) eventsCut += 1;
      head = { seq: row.seq, hash: row.hash };
      checked += 1;
    }
    onProgress?.(checked);
    if (rows.length < atOnce) break;
    if (checked === linksMax) {
      if (head.seq < (await readNewestLink(snapshot))) return verdict(null);
      break;
    }
  }
  if (known !== undefined && known.seq > head.seq) {
    return verdict({
      code: "audit.head_missing",
      message: `The chain ends with link ${head.seq} and once went on to ${known.seq}: its end was cut off.`,
    });
  }
  return verdict(looksOutside ? await findOutsideChain(snapshot) : null);
}

interface ChainedRow extends Omit<AuditEntry, "id"> {
  readonly seq: number;
  readonly hash: string;
  readonly entryId: number;
  readonly id: number | null;
  /** Whether the timeline line matches the entry; null if there is no such line. */
  readonly eventIsSame: boolean | null;
  /** The note of a line that does not match as it is stored. */
  readonly note: string | null;
  /** Whether the texts of the line were deleted. The digest proves nothing about the rest of its detail. */
  readonly isCut: boolean;
}

async function readLinks(snapshot: Connection, after: number, atOnce: number): Promise<readonly ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select l.seq, encode(l.hash, 'hex') as hash, l.entry_id as "entryId", ${auditEntryColumns},
      case when v.id is not null then
        (v.case_id, v.at, v.kind, v.actor) is not distinct from (e.case_id, e.at, e.kind, e.actor)
        and case when v.texts_deleted_at is null
          then sha256(convert_to(skedchange.audited_text(v.detail::text), 'UTF8')) is not distinct from e.detail_digest
          else v.detail = skedchange.without_texts(v.detail) end
      end as "eventIsSame",
      case when v.texts_deleted_at is null
        and sha256(convert_to(skedchange.audited_text(v.detail::text), 'UTF8')) is distinct from e.detail_digest
        then v.detail ->> 'note' end as note,
      v.texts_deleted_at is not null as "isCut"
    from skedchange.audit_chain l
    left join skedchange.audit_entries e on e.id = l.entry_id
    left join skedchange.case_events v on v.id = e.case_event_id
    where l.seq > ${after} order by l.seq limit ${atOnce}`.execute(snapshot);
  return rows;
}

/** Notes that were stored in clear are encrypted by now: of these the audit has the digest of the clear line. */
async function compareInClear(
  snapshot: Connection,
  encryption: Encryption,
  rows: readonly ChainedRow[],
): Promise<readonly ChainedRow[]> {
  const differing = rows.filter(({ note, caseEventId }) => note !== null && caseEventId !== null);
  if (differing.length === 0) return rows;
  const notes = await Promise.all(
    differing.map(({ note }) =>
      openNotesInText(encryption, note!).catch((error: unknown) => {
        // Nobody can say what was in it, so the line stays one that differs.
        if (isUnreadableBody(error)) return null;
        throw error;
      }),
    ),
  );
  const { rows: same } = await sql<{ id: number }>`
    select v.id from unnest(${differing.map(({ caseEventId }) => caseEventId)}::bigint[], ${notes}::text[]) as clear (id, note)
    join skedchange.case_events v on v.id = clear.id
    join skedchange.audit_entries e on e.case_event_id = v.id
    where (v.case_id, v.at, v.kind, v.actor) is not distinct from (e.case_id, e.at, e.kind, e.actor)
      and sha256(convert_to(jsonb_set(v.detail, '{note}', to_jsonb(clear.note))::text, 'UTF8')) = e.detail_digest
  `.execute(snapshot);
  const sameIds = new Set(same.map(({ id }) => id));
  return rows.map((row) =>
    row.caseEventId !== null && sameIds.has(row.caseEventId) ? { ...row, eventIsSame: true } : row,
  );
}

function checkChainedEntry(row: ChainedRow, before: AuditHead): ChainViolation | null {
  if (row.seq !== before.seq + 1) return entryMissing(before.seq + 1);
  const { id } = row;
  if (id === null) {
    return { code: "audit.entry_missing", message: `Link ${row.seq} is there, its entry ${row.entryId} is gone.` };
  }
  if (chainHashOf(before.hash, { ...row, id }) === row.hash) return null;
  return {
    code: "audit.hash_differs",
    message: `Link ${row.seq} does not fit: its entry ${id}, the link itself or the one before was changed.`,
  };
}

function checkKnown(row: ChainedRow, known: AuditHead | undefined): ChainViolation | null {
  return known === undefined || row.seq !== known.seq ? null : compareHeads(known, row.hash);
}

function checkEvent(row: ChainedRow): ChainViolation | null {
  if (row.eventIsSame !== false) return null;
  return {
    code: "audit.event_differs",
    message: `Line ${row.caseEventId} of the timeline of case ${row.caseId} is not what entry ${row.id} says it was.`,
  };
}

async function readEntryBefore(snapshot: Connection, from: number): Promise<AuditHead | null> {
  return from === 1 ? emptyHead : await readChainedEntry(snapshot, from - 1);
}

async function checkHeadBefore(snapshot: Connection, known: AuditHead): Promise<ChainViolation | null> {
  const there = known.seq === 0 ? emptyHead : await readChainedEntry(snapshot, known.seq);
  return there === null ? entryMissing(known.seq) : compareHeads(known, there.hash);
}

async function readChainedEntry(snapshot: Connection, seq: number): Promise<AuditHead | null> {
  const { rows } = await sql<AuditHead>`
    select seq, encode(hash, 'hex') as hash from skedchange.audit_chain where seq = ${seq}`.execute(snapshot);
  return rows[0] ?? null;
}

function compareHeads(known: AuditHead, hash: string): ChainViolation | null {
  if (known.hash === hash) return null;
  return {
    code: "audit.head_differs",
    message: `Link ${known.seq} has another hash than the head that was kept: what came before it was rewritten.`,
  };
}

function entryMissing(seq: number): ChainViolation {
  return { code: "audit.link_missing", message: `Link ${seq} is missing: the chain has a gap.` };
}

async function findOutsideChain(snapshot: Connection): Promise<ChainViolation | null> {
  const gone = await sql<{ id: number }>`
    select u.entry_id as id from skedchange.audit_unsealed u
    where not exists (select from skedchange.audit_entries e where e.id = u.entry_id)
    order by u.entry_id limit 1`.execute(snapshot);
  if (gone.rows[0] !== undefined) {
    return {
      code: "audit.entry_missing",
      message: `Entry ${gone.rows[0].id} waited for its link and is gone.`,
    };
  }
  const events = await sql<{ id: number }>`
    select v.id from skedchange.case_events v
    where not exists (select from skedchange.audit_entries e where e.case_event_id = v.id)
    order by v.id limit 1`.execute(snapshot);
  if (events.rows[0] !== undefined) {
    const message = `Line ${events.rows[0].id} of a timeline was never audited: it was written around the audit.`;
    return { code: "audit.event_without_entry", message };
  }
  const entries = await sql<{ id: number; waits: boolean }>`
    select e.id, exists (select from skedchange.audit_unsealed u where u.entry_id = e.id) as waits
    from skedchange.audit_entries e
    where not exists (select from skedchange.audit_chain l where l.entry_id = e.id)
      and (e.recorded_at < now() - ${sql.lit(chainedWithin)}::interval
        or not exists (select from skedchange.audit_unsealed u where u.entry_id = e.id))
    order by waits, e.id limit 1`.execute(snapshot);
  const entry = entries.rows[0];
  if (entry === undefined) return null;
  if (!entry.waits) {
    const message = `Entry ${entry.id} has no link and waits for none: it, or the list of what waits, was changed.`;
    return { code: "audit.entry_without_link", message };
  }
  return {
    code: "audit.sealing_behind",
    message: `Entry ${entry.id} has waited for its link for more than ${chainedWithin}. Is a server running? If not, start one and verify again.`,
  };
}
