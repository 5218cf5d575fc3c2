import type pg from "pg";
import { openNotesInText } from "../../src/store/cases/notes.ts";
import type { EncryptedColumn, EncryptedRow, Encryption } from "../../src/store/database/encryption.ts";

/** The tables of the agency and of its queue with a row that holds the text, in whatever column, decrypted. */
export async function findTablesWith(
  { pool, encryption }: { readonly pool: pg.Pool; readonly encryption: Encryption },
  text: string,
): Promise<readonly string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('skedchange'::regnamespace, 'bullmq'::regnamespace) and c.relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from ${name}`);
    const table = name.replace(/notifications_\w+/, "notifications");
    for (const row of rows) {
      if ((await textOf(table, row, { pool, encryption })).toLowerCase().includes(text.toLowerCase())) {
        found.push(table);
        break;
      }
    }
  }
  return found;
}

async function textOf(
  table: string,
  row: Readonly<Record<string, unknown>>,
  { pool, encryption }: { readonly pool: pg.Pool; readonly encryption: Encryption },
): Promise<string> {
  const repeated = await readRepeated(pool, row["compressed_against"] ?? null);
  const texts = [await openNotesInText(encryption, JSON.stringify(row))];
  for (const [column, value] of Object.entries(row)) {
    if (!Buffer.isBuffer(value)) continue;
    texts.push(value.toString());
    const bodyEncoding = row[`${column}_encoding`];
    if (typeof bodyEncoding !== "string" || bodyEncoding === "deleted") continue;
    const opened = await encryption.open(
      { body: value, bodyEncoding, keyId: row["key_id"] as string | null, ...repeated },
      { column: `${table}.${column}` as EncryptedColumn, row: String(row["id"]) },
    );
    texts.push(opened.toString());
  }
  return texts.join("\n");
}

/** The notification that a view was compressed against. */
async function readRepeated(pool: pg.Pool, id: unknown): Promise<Partial<EncryptedRow>> {
  if (id === null) return {};
  const { rows } = await pool.query<Partial<EncryptedRow>>(
    `select id as "againstId", body as "againstBody", body_encoding as "againstEncoding", key_id as "againstKeyId"
     from skedchange.notifications where id = $1`,
    [id],
  );
  return rows[0] ?? {};
}
