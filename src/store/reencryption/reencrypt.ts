import { digestOfBytes } from "../../kernel/digest.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import { reencryptNote } from "../cases/notes.ts";
import type { Database } from "../database/database.ts";
import { type EncryptedRow, type Encryption } from "../database/encryption.ts";
import { type Sql, sql } from "../database/sql.ts";
import { withConflictRetries } from "../database/sql-states.ts";
import { nameTokensName, renewNameTokens } from "../search/renew-name-tokens.ts";
import { type BytesColumn, bytesColumns, isCompressed, type NoteColumn, noteColumns } from "./encrypted-columns.ts";

export interface Reencrypted {
  readonly column: string;
  readonly done: number;
  /** Damaged, moved, or with a key that this process lacks. They stay as they are. */
  readonly unreadableIds: readonly string[];
}

/** Rows per statement and commit: usually some hundred kilobytes, at worst the largest bodies. */
const batchSize = 50;

/**
 * Encrypts with the current key what another one encrypts or none, and binds to its row what is not. Last, travellers
 * are made findable by tokens of that key; older versions stored none. Each batch is a
 * commit of its own, so it can be stopped and started again at any time, and nothing waits for it for long. A row that
 * somebody changes meanwhile is read again. Rows are visited in the order of their ids, which grow: those that come
 * later are encrypted with the current key by whoever writes them.
 *
 * @param database as the owner of the schema: nobody else may replace what is stored
 * @param onProgress called after each batch
 */
export async function reencrypt(
  database: Pick<Database, "connection" | "encryption">,
  onProgress: (reencrypted: Reencrypted) => void,
): Promise<readonly Reencrypted[]> {
  const results: Reencrypted[] = [];
  for (const column of bytesColumns) results.push(await visit(database, bytesOf(column), onProgress));
  for (const column of noteColumns) results.push(await visit(database, notesOf(column), onProgress));
  const column = nameTokensName;
  const renewed = await renewNameTokens(database, (done, unreadableIds) => onProgress({ column, done, unreadableIds }));
  return [...results, { column, ...renewed }];
}

interface Visited<Row extends { readonly id: string }> {
  readonly name: string;
  /** The next rows that are to be encrypted anew. */
  read(encryption: Encryption, after: string | null): Sql<Row>;
  /** Null if the row needs nothing after all. */
  encrypt(encryption: Encryption, row: Row): Promise<Replacement | null>;
  replace(rows: readonly { readonly row: Row; readonly by: Replacement }[]): Sql<{ id: string }>;
}

interface Replacement {
  readonly becomes: Buffer | string;
  readonly keyId: string | null;
}

async function visit<Row extends { readonly id: string }>(
  { connection, encryption }: Pick<Database, "connection" | "encryption">,
  { name, read, encrypt, replace }: Visited<Row>,
  onProgress: (reencrypted: Reencrypted) => void,
): Promise<Reencrypted> {
  let done = 0;
  let after: string | null = null;
  const unreadableIds: string[] = [];
  for (;;) {
    const { rows }: { rows: Row[] } = await read(encryption, after).execute(connection);
    const replacements: { row: Row; by: Replacement }[] = [];
    const unreadable: string[] = [];
    for (const row of rows) {
      const by = await encrypt(encryption, row).catch((error: unknown) => {
        if (!isUnreadableBody(error)) throw error;
        unreadable.push(row.id);
        return null;
      });
      if (by !== null) replacements.push({ row, by });
    }
    const replaced =
      replacements.length === 0
        ? []
        : (await withConflictRetries(() => replace(replacements).execute(connection))).rows.map(({ id }) => id);
    done += replaced.length;
    if (replaced.length > 0) onProgress({ column: name, done, unreadableIds });
    // Somebody was faster with the others. What they wrote may need a new key as well, so the batch is read once more.
    if (replaced.length < replacements.length) continue;
    unreadableIds.push(...unreadable);
    if (rows.length < batchSize) return { column: name, done, unreadableIds };
    after = rows.at(-1)!.id;
  }
}

type BytesRow = EncryptedRow & { readonly id: string; readonly body: Buffer };

function bytesOf(column: BytesColumn): Visited<BytesRow> {
  const { name, id, bytes, encoding, key, idType, table, boundBy } = column;
  const placeOf = (row: BytesRow) => ({ column: name, row: row.id });
  return {
    name,
    read: ({ currentKeyId }, after) => sql<BytesRow>`
      select ${id}::text as id, ${bytes} as body, ${encoding} as "bodyEncoding", ${key} as "keyId"
      from ${table}
      where ${bytes} is not null and ${isCompressed(encoding)}
        and ${needsNewBytes(column, currentKeyId)}
        and ${after === null ? sql`true` : sql`${id} > ${after}::${idType}`}
      order by ${table}.${id} limit ${batchSize}`,
    encrypt: async (encryption, row) => {
      if (boundBy === "look" && row.keyId === encryption.currentKeyId && encryption.namesPlace(row)) return null;
      const { body, keyId } = await encryption.encryptAnew(row, placeOf(row));
      return { becomes: body, keyId };
    },
    replace: (rows) => sql<{ id: string }>`
      select id from skedchange.replace_ciphertexts(
        ${name}, ${rows.map(({ row }) => row.id)}::text[],
        ${rows.map(({ row }) => digestOfBytes(row.body))}::bytea[],
        ${rows.map(({ by }) => by.becomes)}::bytea[], ${rows[0]!.by.keyId}) as id`,
  };
}

/** Which rows are read: every one whose bytes must be looked into. */
function needsNewBytes({ key, boundBy }: BytesColumn, currentKeyId: string | null): Sql {
  if (boundBy === "look") return sql`true`;
  const hasOtherKey = sql`${key} is distinct from ${currentKeyId}`;
  return boundBy === "mark" ? sql`(not is_bound or ${hasOtherKey})` : hasOtherKey;
}

interface NoteRow {
  readonly id: string;
  readonly note: string;
}

function notesOf({ name, table, note, idType, isWithKey }: NoteColumn): Visited<NoteRow> {
  return {
    name,
    read: ({ currentKeyId }, after) => sql<NoteRow>`
      select id::text as id, ${note} as note from ${table}
      where ${note} is not null and not ${isWithKey(currentKeyId)}
        and ${after === null ? sql`true` : sql`id > ${after}::${idType}`}
      order by ${table}.id limit ${batchSize}`,
    encrypt: async (encryption, row) => {
      const becomes = await reencryptNote(encryption, row.note);
      return becomes === row.note ? null : { becomes, keyId: encryption.currentKeyId };
    },
    replace: (rows) => sql<{ id: string }>`
      select id from skedchange.replace_notes(
        ${name}, ${rows.map(({ row }) => row.id)}::text[], ${rows.map(({ row }) => row.note)}::text[],
        ${rows.map(({ by }) => by.becomes)}::text[]) as id`,
  };
}
