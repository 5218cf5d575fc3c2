import type { Actor } from "../../kernel/actor.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";

/** Names the actor, such as `person:<name>`, to the audit triggers, for rows without a column for it. */
export async function nameActor(transaction: Connection, { actor, tokenId }: Actor): Promise<void> {
  await nameToken(transaction, tokenId);
  await sql`select set_config('skedchange.actor', ${actor}, true)`.execute(transaction);
}

/** Names a user as the actor, for what people do to their own accounts. */
export async function nameUserAsActor(trx: Connection, userId: string): Promise<void> {
  await sql`
    select set_config('skedchange.actor', 'person:' || username, true)
    from skedchange.users where id = ${userId}`.execute(trx);
}

/** Names the API token with which a person acts to the audit triggers, and to the columns that record it. */
export async function nameToken(transaction: Connection, tokenId: Actor["tokenId"]): Promise<void> {
  if (tokenId == null) return;
  await sql`select set_config('skedchange.token_id', ${tokenId}, true)`.execute(transaction);
}

/** The name that its owner gave to the token; null if `id` is. */
export function nameOfToken(id: Sql): Sql<string | null> {
  return sql`(select k.name from skedchange.api_tokens k where k.id = ${id})`;
}
