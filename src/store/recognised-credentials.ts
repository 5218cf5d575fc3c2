import type { RecognisedStore } from "../kernel/recognised-credentials.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

/** A credential that was not used for so long is checked anew. */
const storedDays = 30;

export function createRecognisedStore({ connection }: Pick<Database, "connection">): RecognisedStore {
  return {
    async readAdded(since, limit) {
      const { rows } = await sql<{ digest: Buffer; at: Date }>`
        select digest, recognised_at as at from skedchange.recognised_credentials
        where ${since}::timestamptz is null or recognised_at > ${since}
        order by recognised_at desc limit ${limit}`.execute(connection);
      return rows.reverse();
    },

    async add(digest) {
      await sql`
        with forgotten as (
          delete from skedchange.recognised_credentials
          where recognised_at < now() - ${storedDays} * interval '1 day' and digest <> ${digest}
        )
        insert into skedchange.recognised_credentials (digest, recognised_at) values (${digest}, now())
        on conflict on constraint recognised_credentials_pkey do update set recognised_at = excluded.recognised_at`.execute(
        connection,
      );
    },
  };
}
