import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import { openNotesInText } from "../cases/notes.ts";
import type { Encryption } from "../database/encryption.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { type AuditHead, lastLinkedId } from "./audit-blocks.ts";
import { type AuditEntry, auditEntryColumns, pageOfEntries } from "./audit-entry.ts";

/** A block as it is stored, with the entries that are there. */
export interface StoredBlock extends AuditHead {
  /** How many it should have. */
  readonly count: number;
  readonly entries: readonly StoredEntry[];
}

export interface StoredEntry extends AuditEntry {
  /** Whether the timeline line matches the entry; null if there is no such line. */
  readonly eventIsSame: boolean | null;
  /** The note of a line that does not match as it is stored. */
  readonly note: string | null;
  /** Whether the texts of the line were deleted. The digest proves nothing about the rest of its detail. */
  readonly isCut: boolean;
}

/** Together the blocks of a page have about so many entries. */
const pageEntries = 2_000;

/** The blocks after one of that number, with their entries; none after the last. Each of the old links is a block. */
export async function readNextBlocks(
  snapshot: Connection,
  encryption: Encryption,
  after: number,
): Promise<readonly StoredBlock[]> {
  const links = await readLinks(snapshot, encryption, after);
  return links.length > 0 ? links : await readBlocks(snapshot, encryption, after);
}

const entryColumns: Sql = sql`${auditEntryColumns},
  case when e.is_line then true when v.id is not null then
    (v.case_id, v.at, v.kind, v.actor) is not distinct from (e.case_id, e.at, e.kind, e.actor)
    and case when v.texts_deleted_at is null then v.digest is not distinct from e.detail_digest
      else v.detail = skedchange.without_texts(v.detail) end
  end as "eventIsSame",
  case when v.texts_deleted_at is null and v.digest is distinct from e.detail_digest then v.detail ->> 'note' end as note,
  v.texts_deleted_at is not null as "isCut"`;

/** The line of an entry that is no line itself. Each is looked up by itself, because few entries of a page have one. */
const withLine: Sql = sql`
  left join lateral (
    select l.*, case when l.texts_deleted_at is null
      then sha256(convert_to(skedchange.audited_text(l.detail::text), 'UTF8')) end as digest
    from skedchange.case_events l where l.id = e.case_event_id and not e.is_line offset 0
  ) v on true`;

async function readLinks(snapshot: Connection, encryption: Encryption, after: number): Promise<readonly StoredBlock[]> {
  const { rows } = await sql<AuditHead & Omit<StoredEntry, "id"> & { readonly id: number | null }>`
    select l.seq as block, encode(l.hash, 'hex') as hash, ${entryColumns}
    from skedchange.audit_chain l
    left join (select *, false as is_line from skedchange.audit_entries) e on e.id = l.entry_id ${withLine}
    where l.seq > ${after} order by l.seq limit ${pageEntries}`.execute(snapshot);
  const entries = rows.flatMap(({ id, ...entry }) => (id === null ? [] : [{ ...entry, id }]));
  const byBlock = new Map((await compareInClear(snapshot, encryption, entries)).map((entry) => [entry.block, entry]));
  return rows.map(({ block, hash }) => {
    const entry = byBlock.get(block);
    return { block, hash, count: 1, entries: entry === undefined ? [] : [entry] };
  });
}

async function readBlocks(
  snapshot: Connection,
  encryption: Encryption,
  after: number,
): Promise<readonly StoredBlock[]> {
  const { rows: blocks } = await sql<AuditHead & { readonly count: number; readonly lastId: number }>`
    select b.number as block, encode(b.hash, 'hex') as hash, b.entries as count, b.last_id as "lastId"
    from (
      select n.*, sum(n.entries) over (order by n.number) - n.entries as before
      from (
        select * from skedchange.audit_blocks where number > ${after} order by number limit ${pageEntries}
      ) n
    ) b where b.before < ${pageEntries} order by b.number`.execute(snapshot);
  const last = blocks.at(-1);
  if (last === undefined) return [];
  const inBlocks = sql`e.id <= ${last.lastId} and e.id > coalesce(
    (select last_id from skedchange.audit_blocks where number = ${after}), ${lastLinkedId}
  )`;
  // Where blocks were deleted, their entries stand between these: one too many shows it.
  const counted = blocks.reduce((sum, { count }) => sum + count, 0);
  const { rows } = await sql<StoredEntry>`
    select ${entryColumns} from ${pageOfEntries(inBlocks, counted + 1)} e ${withLine} order by e.id`.execute(snapshot);
  const entries = await compareInClear(snapshot, encryption, rows);
  let place = 0;
  return blocks.map(({ lastId, ...block }) => {
    const first = place;
    while (place < entries.length && entries[place]!.id <= lastId) place += 1;
    return { ...block, entries: entries.slice(first, place) };
  });
}

/** Notes that were stored in clear are encrypted by now: of these the audit has the digest of the clear line. */
async function compareInClear<Entry extends StoredEntry>(
  snapshot: Connection,
  encryption: Encryption,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const differing = entries.filter(({ note, caseEventId }) => note !== null && caseEventId !== null);
  if (differing.length === 0) return entries;
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
  return entries.map((entry) =>
    entry.caseEventId !== null && sameIds.has(entry.caseEventId) ? { ...entry, eventIsSame: true } : entry,
  );
}
