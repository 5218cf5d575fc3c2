import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { inSnapshot } from "../database/transaction.ts";
import { hasReadableBody, nameTokensName } from "../search/renew-name-tokens.ts";
import { bytesColumns, isCompressed, keyOfNote, noteColumns } from "./encrypted-columns.ts";

/** How much one key encrypts in one column. */
export interface KeyUse {
  readonly column: string;
  /** Null for what no key encrypts. */
  readonly keyId: string | null;
  readonly rows: number;
  /** How many of these are not bound to their row, so that another could be in their place: written by version 0.2. */
  readonly unbound: number;
}

/** Reads every row, but not what is encrypted. */
export function countKeys(database: Pick<Database, "connection" | "pool">): Promise<readonly KeyUse[]> {
  return inSnapshot(database, async (snapshot) => {
    const uses: KeyUse[] = [];
    for (const { column, query } of countedColumns) {
      const { rows } = await sql<Omit<KeyUse, "column">>`${query} order by 1 nulls first`.execute(snapshot);
      uses.push(...rows.map((row) => ({ column, ...row })));
    }
    return uses;
  });
}

interface Counted {
  readonly column: string;
  readonly query: Sql;
}

const countedColumns: readonly Counted[] = [
  ...bytesColumns.map(({ name, table, bytes, encoding, key, boundBy }) => ({
    column: name,
    query: sql`
      select ${key} as "keyId", count(*) as rows, ${boundBy === "mark" ? sql`count(*) filter (where not is_bound)` : sql`0`} as unbound
      from ${table} where ${bytes} is not null and ${isCompressed(encoding)} group by ${key}`,
  })),
  ...noteColumns.map(({ name, table, note }) => ({
    column: name,
    query: sql`
      select ${keyOfNote(note)} as "keyId", count(*) as rows, 0 as unbound from ${table} where ${note} is not null group by 1`,
  })),
  {
    column: nameTokensName,
    query: sql`
      select s.token_key as "keyId", count(*) as rows, 0 as unbound from skedchange.case_search s
      where s.name_tokens is not null or ${hasReadableBody} group by 1`,
  },
];
