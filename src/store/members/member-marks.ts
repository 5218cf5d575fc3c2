import type { MarkRequest } from "../../dashboard/member-ports.ts";
import type { MemberMark } from "../../itinerary/member-marks.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { nameToken } from "../audit/audit-actor.ts";
import { json } from "../cases/case-rows.ts";
import { type ChannelListener, listenToChannel } from "../database/channel-listener.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inTransaction } from "../database/transaction.ts";
import { requeueWaiting } from "./waiting-cases.ts";

/** As they are kept: who marked it and when, beside what decides. */
export interface StoredMark extends MemberMark {
  readonly markedBy: string;
  /** ISO 8601. */
  readonly markedAt: string;
}

/** The marks of a source; number 0 before the first. */
export interface StoredMarks {
  readonly source: string;
  readonly number: number;
  readonly marks: readonly StoredMark[];
}

export interface MarksChange extends MarkRequest {
  readonly change: "marked" | "withdrawn";
  /** What is in force afterwards: the document, and the version that decisions will name. */
  readonly marks: readonly StoredMark[];
  readonly version: string;
}

export interface MarksVersion extends Omit<MarksChange, "source" | "replaces" | "marks" | "actor" | "tokenId"> {
  readonly number: number;
  readonly changedAt: Date;
  readonly changedBy: string;
}

export type MarksChangeOutcome =
  | { readonly outcome: "changed"; readonly number: number; readonly casesDue: number }
  /** Somebody else was first. */
  | { readonly outcome: "conflict"; readonly number: number };

/** Each method is one transaction. */
export interface MemberMarkStore {
  /** Lists the marks of every source that has any. */
  listCurrent(): Promise<readonly StoredMarks[]>;
  /** The newest 200 of a source, newest first. */
  listVersions(source: string): Promise<readonly MarksVersion[]>;
  /** Also makes the cases due that wait for what is marked, a moment later, so that every process has the marks. */
  change(change: MarksChange): Promise<MarksChangeOutcome>;
  /** Keeps what decides together under its version. */
  storeSet(version: string, marks: readonly MemberMark[]): Promise<void>;
}

/** Each transaction that changes marks, or observes an order of a source that learns, notifies this channel. */
export const memberChannel = "skedchange_members";

const listedMax = 200;

export function createMemberMarkStore(database: Pick<Database, "connection" | "pool">, clock: Clock): MemberMarkStore {
  const { connection } = database;
  return {
    listCurrent: async () => {
      const { rows } = await sql<StoredMarks>`
        select distinct on (source) source, number, marks from skedchange.member_marks order by source, number desc
      `.execute(connection);
      return rows;
    },

    listVersions: async (source) => {
      const { rows } = await sql<MarksVersion>`
        select number, version, change, path, value_digests as "valueDigests", reason, changed_at as "changedAt",
          changed_by as "changedBy"
        from skedchange.member_marks where source = ${source} order by number desc limit ${listedMax}
      `.execute(connection);
      return rows;
    },

    change: (change) => inTransaction(database, (transaction) => changeMarks(transaction, clock, change)),

    storeSet: async (version, marks) => {
      await sql`
        insert into skedchange.member_mark_sets (version, marks, stored_at)
        values (${version}, ${json(marks)}, ${clock.now()}) on conflict (version) do nothing
      `.execute(connection);
    },
  };
}

async function changeMarks(
  transaction: Connection,
  clock: Clock,
  { source, replaces, change, path, valueDigests, reason, marks, version, actor, tokenId }: MarksChange,
): Promise<MarksChangeOutcome> {
  const at = clock.now();
  await nameToken(transaction, tokenId);
  // A source may have no row to lock yet.
  await sql`select pg_advisory_xact_lock(hashtext(${`${memberChannel}/${source}`}))`.execute(transaction);
  const current = await sql<{ number: number }>`
    select coalesce(max(number), 0)::integer as number from skedchange.member_marks where source = ${source}
  `.execute(transaction);
  const { number } = current.rows[0]!;
  if (number !== replaces) return { outcome: "conflict", number };
  await sql`
    insert into skedchange.member_marks
      (id, source, number, version, marks, change, path, value_digests, reason, changed_at, changed_by)
    values (${newId(clock)}, ${source}, ${number + 1}, ${version}, ${json(marks)}, ${change}, ${path},
      ${[...valueDigests]}::text[], ${reason}, ${at}, ${actor})
  `.execute(transaction);
  await sql`select pg_notify(${memberChannel}, '')`.execute(transaction);
  const casesDue = change === "marked" ? await requeueWaiting(transaction, { source, path, valueDigests, version }) : 0;
  return { outcome: "changed", number: number + 1, casesDue };
}

/** @param options.onChange also called after a reconnection, because anything may have changed meanwhile */
export function listenForMemberChanges(options: {
  readonly url: string;
  readonly applicationName: string;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}): Promise<ChannelListener> {
  const { url, applicationName, onChange, onError } = options;
  return listenToChannel({
    url,
    applicationName: `${applicationName} members`,
    channels: [memberChannel],
    onMessage: onChange,
    onResumed: onChange,
    onError,
  });
}
