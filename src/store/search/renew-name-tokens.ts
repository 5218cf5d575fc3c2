import { parseJson } from "../../contract/json.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import type { Database } from "../database/database.ts";
import { type EncryptedColumn, type EncryptedRow } from "../database/encryption.ts";
import { isRepeatedStored, joinRepeated, repeatedColumns } from "../database/repeated-notification.ts";
import { sql } from "../database/sql.ts";
import { tokensOfView } from "./name-tokens.ts";

export const nameTokensName = "skedchange.case_search.name_tokens";

/** Whether row `s` has a stored body from which its travellers can be read. */
export const hasReadableBody = sql`(
  exists (select from skedchange.status_views v where v.case_id = s.case_id and v.body_deleted_at is null)
  or exists (
    select from skedchange.case_notifications j
    join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
    where j.case_id = s.case_id and n.body_deleted_at is null
  )
)`;

const batchSize = 50;

interface Body extends EncryptedRow {
  readonly id: string;
  readonly column: EncryptedColumn;
}

/**
 * Gives the tokens of the current key to cases that have those of another one, or none because an older version stored
 * them. They are read again from the newest bodies. Cases are visited in the order of their ids, which grow.
 * @param onProgress called after each batch
 */
export async function renewNameTokens(
  { connection, encryption }: Pick<Database, "connection" | "encryption">,
  onProgress: (done: number, unreadableIds: readonly string[]) => void,
): Promise<{ readonly done: number; readonly unreadableIds: readonly string[] }> {
  let done = 0;
  const unreadableIds: string[] = [];
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: { readonly id: string }[] } = await sql<{ readonly id: string }>`
      select s.case_id as id from skedchange.case_search s
      where (s.name_tokens is null or s.token_key is distinct from ${encryption.currentKeyId}::text)
        and ${hasReadableBody} and ${after === null ? sql`true` : sql`s.case_id > ${after}::uuid`}
      order by s.case_id limit ${batchSize}`.execute(connection);
    for (const { id } of rows) {
      const tokens = await readTokens(id);
      if (tokens === null) {
        unreadableIds.push(id);
        continue;
      }
      // An empty list says that nobody is named, so that the next run need not look.
      await sql`
        update skedchange.case_search s set name_tokens = ${[...tokens]}::bigint[], token_key = ${encryption.currentKeyId}
        where s.case_id = ${id}::uuid and ${hasReadableBody}`.execute(connection);
      done += 1;
    }
    if (rows.length > 0) onProgress(done, unreadableIds);
    if (rows.length < batchSize) return { done, unreadableIds };
    after = rows.at(-1)!.id;
  }

  /** Returns null if what is stored cannot be read. */
  async function readTokens(caseId: string): Promise<readonly string[] | null> {
    const { rows } = await sql<Body>`
      (select v.id, 'skedchange.status_views.body' as column, v.body, v.body_encoding as "bodyEncoding", v.key_id as "keyId",
          ${repeatedColumns}
        from skedchange.status_views v ${joinRepeated("v")}
        where v.case_id = ${caseId}::uuid and v.body_deleted_at is null and ${isRepeatedStored}
        order by v.read_at desc limit 1)
      union all
      (select d.id, 'skedchange.document_views.body', d.body, d.body_encoding, d.key_id, ${repeatedColumns}
        from skedchange.document_views d ${joinRepeated("d")}
        where d.case_id = ${caseId}::uuid and ${isRepeatedStored} order by d.read_at desc limit 1)
      union all
      (select n.id, 'skedchange.notifications.body', n.body, n.body_encoding, n.key_id, null, null, null, null
        from skedchange.case_notifications j
        join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
        where j.case_id = ${caseId}::uuid and n.body_deleted_at is null
        order by j.notification_received_at desc limit 1)
    `.execute(connection);
    const tokens = new Set<string>();
    for (const row of rows) {
      try {
        const parsed = parseJson(await encryption.open(row, { column: row.column, row: row.id }));
        if (parsed.ok) for (const token of tokensOfView(encryption, parsed.value)) tokens.add(token);
      } catch (error) {
        if (!isUnreadableBody(error)) throw error;
        return null;
      }
    }
    return [...tokens];
  }
}
