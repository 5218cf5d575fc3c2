import type { ShoppingResponse, ShoppingStore } from "../../gateway/shopping/ports.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";

/** Expired responses stay this long, so that late callers learn that theirs has expired. */
const retentionMs = 24 * 60 * 60 * 1000;

/** Only this store writes the JSON columns, so reads trust their type. */
export function createShoppingStore({ database }: { readonly database: Database }): ShoppingStore {
  return {
    addResponse: (response) =>
      inTransaction(database, async (transaction) => {
        const retainedSince = new Date(response.createdAt.getTime() - retentionMs);
        const [, inserted] = await Promise.all([
          sql`delete from gateway.shopping_responses where expires_at < ${retainedSince}`.execute(transaction),
          sql`
            insert into gateway.shopping_responses (shopping_response_id, request, offers, created_at, expires_at)
            values (${response.shoppingResponseId}, ${JSON.stringify(response.request)},
              ${JSON.stringify(response.offers)}, ${response.createdAt}, ${response.expiresAt})
            on conflict (shopping_response_id) do nothing
          `.execute(transaction),
        ]);
        return inserted.rowCount === 1;
      }),

    async readResponse(shoppingResponseId): Promise<ShoppingResponse | null> {
      const { rows } = await sql<ShoppingResponse>`
        select shopping_response_id as "shoppingResponseId", request, offers, created_at as "createdAt",
          expires_at as "expiresAt"
        from gateway.shopping_responses where shopping_response_id = ${shoppingResponseId}
      `.execute(database.connection);
      return rows[0] ?? null;
    },
  };
}
