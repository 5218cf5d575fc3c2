import type { AuditPart, VerifyAuditPart } from "../../dashboard/audit-ports.ts";
import { counted } from "../../kernel/counted.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import {
  type AuditHead,
  emptyHead,
  findNewestBlocks,
  lastChainedId,
  lastLinkedId,
  readBlock,
  readHead,
} from "./audit-blocks.ts";
import { blockHashOf, pageOfEntries } from "./audit-entry.ts";
import { readNextBlocks, type StoredBlock } from "./chained-blocks.ts";

export interface ChainViolation {
  readonly code:
    | "audit.block_missing"
    | "audit.entry_missing"
    | "audit.hash_differs"
    | "audit.head_differs"
    | "audit.head_missing"
    | "audit.event_differs"
    | "audit.event_without_entry"
    | "audit.entry_without_block"
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
  /** The first block to check. The block before it is trusted. */
  readonly from?: number;
  readonly onProgress?: (checked: number) => void;
}

interface SnapshotOptions extends VerifyAuditOptions {
  /** Stops with the block in which so many entries are reached. */
  readonly entriesMax?: number;
  /** Whether to look for what is outside the chain, once its end is reached. */
  readonly looksOutside?: boolean;
}

/** Takes a second. */
const partEntries = 10_000;

/** Entries are chained within seconds. An older one without a block was left out, or no process chains entries. */
const chainedWithin = "1 minute";

/**
 * Checks that blocks have no gaps, that each has its entries and the right hash, that timelines still match their
 * entries, and that no old entry is outside the chain. Stops at the first violation. Reads one snapshot, so work may go on
 * meanwhile.
 */
export function verifyAudit(
  database: Pick<Database, "connection" | "pool" | "encryption">,
  options: VerifyAuditOptions = {},
): Promise<AuditVerdict> {
  return inSnapshot(database, (snapshot) => verifySnapshot(snapshot, database.encryption, options));
}

/**
 * The same for the next blocks from `from` on, or for the newest ones if it is null, in bounded time. What is outside the
 * chain is looked for with its last blocks, but not if only the newest are asked for.
 */
export function createAuditVerification(
  database: Pick<Database, "connection" | "pool" | "encryption">,
  entriesMax = partEntries,
): VerifyAuditPart {
  return (from) =>
    inSnapshot(database, async (snapshot) => {
      const { block: newest } = await readHead(snapshot);
      const first = from === null ? await findNewestBlocks(snapshot, entriesMax) : Math.min(from, newest + 1);
      const looksOutside = from !== null || first === 1;
      const options = { from: first, entriesMax, looksOutside };
      const verdict = await verifySnapshot(snapshot, database.encryption, options);
      const next = verdict.broken === null && verdict.head.block < newest ? verdict.head.block + 1 : null;
      return { from: first, newest, next, ...verdict };
    });
}

async function verifySnapshot(
  snapshot: Connection,
  encryption: Encryption,
  { known, from = 1, onProgress, entriesMax = Number.POSITIVE_INFINITY, looksOutside = true }: SnapshotOptions,
): Promise<AuditVerdict> {
  let head = await readBlock(snapshot, from - 1);
  if (head === null)
    return { checked: 0, head: emptyHead, eventsGone: 0, eventsCut: 0, broken: blockMissing(from - 1) };
  let checked = 0;
  let eventsGone = 0;
  let eventsCut = 0;
  const verdict = (broken: ChainViolation | null): AuditVerdict => ({
    checked,
    head: head ?? emptyHead,
    eventsGone,
    eventsCut,
    broken,
  });
  if (known !== undefined && known.block < from) {
    const wrong = await checkHeadBefore(snapshot, known);
    if (wrong !== null) return verdict(wrong);
  }
  for await (const blocks of readPages(snapshot, encryption, head.block)) {
    for (const block of blocks) {
      const broken = checkBlock(block, head) ?? checkKnown(block, known) ?? checkEvents(block);
      if (broken !== null) return verdict(broken);
      for (const { caseEventId, eventIsSame, isCut } of block.entries) {
        if (caseEventId !== null && eventIsSame === null) eventsGone += 1;
        if (isCut) eventsCut += 1;
      }
      head = { block: block.block, hash: block.hash };
      checked += block.count;
      if (checked >= entriesMax) break;
    }
    onProgress?.(checked);
    if (checked >= entriesMax) break;
  }
  if (head.block < (await readHead(snapshot)).block) return verdict(null);
  if (known !== undefined && known.block > head.block) {
    return verdict({
      code: "audit.head_missing",
      message: `The chain ends with block ${head.block} and once went on to ${known.block}: its end was cut off.`,
    });
  }
  return verdict((await checkEnd(snapshot, head)) ?? (looksOutside ? await findOutsideChain(snapshot) : null));
}

/** The pages of blocks after one of that number. PostgreSQL reads one while the one before is checked. */
async function* readPages(snapshot: Connection, encryption: Encryption, after: number) {
  let next = readNextBlocks(snapshot, encryption, after);
  for (;;) {
    const blocks = await next;
    const last = blocks.at(-1);
    if (last === undefined) return;
    next = readNextBlocks(snapshot, encryption, last.block);
    // After a violation nobody waits for it.
    next.catch(() => {});
    yield blocks;
  }
}

function checkBlock(block: StoredBlock, before: AuditHead): ChainViolation | null {
  if (block.block !== before.block + 1) return blockMissing(before.block + 1);
  const { count, entries } = block;
  if (entries.length < count) {
    const are = entries.length === 1 ? "is" : "are";
    const message = `Block ${block.block} has ${counted(count, "entry", "entries")}, of which ${entries.length} ${are} there.`;
    return { code: "audit.entry_missing", message };
  }
  if (entries.length > count) {
    const message = `Block ${block.block} has ${counted(count, "entry", "entries")}, and ${entries.length} are there.`;
    return { code: "audit.entry_without_block", message };
  }
  if (blockHashOf(before.hash, entries) === block.hash) return null;
  return {
    code: "audit.hash_differs",
    message: `Block ${block.block} does not fit: ${nameEntries(block)}, the block itself or the one before was changed.`,
  };
}

function nameEntries({ entries }: StoredBlock): string {
  const first = entries[0]!.id;
  return entries.length === 1 ? `its entry ${first}` : `one of its entries ${first} to ${entries.at(-1)!.id}`;
}

function checkKnown({ block, hash }: StoredBlock, known: AuditHead | undefined): ChainViolation | null {
  return known === undefined || block !== known.block ? null : compareHeads(known, hash);
}

function checkEvents({ entries }: StoredBlock): ChainViolation | null {
  const entry = entries.find(({ eventIsSame }) => eventIsSame === false);
  if (entry === undefined) return null;
  return {
    code: "audit.event_differs",
    message: `Line ${entry.caseEventId} of the timeline of case ${entry.caseId} is not what entry ${entry.id} says it was.`,
  };
}

async function checkHeadBefore(snapshot: Connection, known: AuditHead): Promise<ChainViolation | null> {
  const there = await readBlock(snapshot, known.block);
  return there === null ? blockMissing(known.block) : compareHeads(known, there.hash);
}

function compareHeads(known: AuditHead, hash: string): ChainViolation | null {
  if (known.hash === hash) return null;
  return {
    code: "audit.head_differs",
    message: `Block ${known.block} has another hash than the head that was kept: what came before it was rewritten.`,
  };
}

function blockMissing(block: number): ChainViolation {
  return { code: "audit.block_missing", message: `Block ${block} is missing: the chain has a gap.` };
}

/** Whoever chains notes which block was the last. */
async function checkEnd(snapshot: Connection, head: AuditHead): Promise<ChainViolation | null> {
  const { rows } = await sql<AuditHead>`
    select number as block, encode(hash, 'hex') as hash from skedchange.audit_progress`.execute(snapshot);
  const last = rows[0];
  if (last === undefined || last.block > head.block) {
    const message = `The chain ends with block ${head.block} and went on after it: its end was cut off.`;
    return { code: "audit.block_missing", message };
  }
  if (last.block === head.block && last.hash === head.hash) return null;
  const message =
    last.block === head.block
      ? `Block ${head.block} has another hash than when it was chained: it was changed.`
      : `Block ${head.block} was added: the last that was chained is block ${last.block}.`;
  return { code: "audit.hash_differs", message };
}

async function findOutsideChain(snapshot: Connection): Promise<ChainViolation | null> {
  const events = await sql<{ id: number }>`
    select v.id from skedchange.case_events v
    where v.has_entry and not exists (select from skedchange.audit_entries e where e.case_event_id = v.id)
    order by v.id limit 1`.execute(snapshot);
  if (events.rows[0] !== undefined) {
    const message = `Line ${events.rows[0].id} of a timeline was never audited: it was written around the audit.`;
    return { code: "audit.event_without_entry", message };
  }
  const unlinked = await sql<{ id: number }>`
    select e.id from skedchange.audit_entries e
    where e.id <= ${lastLinkedId} and not exists (select from skedchange.audit_chain l where l.entry_id = e.id)
    order by e.id limit 1`.execute(snapshot);
  if (unlinked.rows[0] !== undefined) {
    const message = `Entry ${unlinked.rows[0].id} is in no block, although later ones are: it was added beside the chain.`;
    return { code: "audit.entry_without_block", message };
  }
  const hasWaited = sql`
    e.id > ${lastChainedId} and e.recorded_at < now() - ${sql.lit(chainedWithin)}::interval`;
  const waiting = await sql<{ id: number }>`
    select e.id from ${pageOfEntries(hasWaited, 1)} e`.execute(snapshot);
  if (waiting.rows[0] === undefined) return null;
  return {
    code: "audit.sealing_behind",
    message: `Entry ${waiting.rows[0].id} has waited for its block for more than ${chainedWithin}. Is a server running, and does every transaction end? If so, verify again.`,
  };
}
