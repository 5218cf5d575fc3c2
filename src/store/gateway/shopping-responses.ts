import type { ShoppingResponse, ShoppingStore } from "../../gateway/shopping/ports.ts";
import type { Database } from "../database/database.ts";

/** How long an expired response is kept, so that who comes late is told so. */
const keptMs = 24 * 60 * 60 * 1000;

/**
 * Keeps shopping responses in the schema `gateway`. JSON columns are written by nobody else, so what is read from them has
 * the type that was written.
 */
export function createShoppingStore({ database }: { readonly database: Database }): ShoppingStore {
  const { kysely } = database;
  return {
    addResponse: (response) =>
      kysely.transaction().execute(async (trx) => {
        await trx
          .deleteFrom("gateway.shopping_responses")
          .where("expires_at", "<", new Date(response.createdAt.getTime() - keptMs))
          .execute();
        const inserted = await trx
          .insertInto("gateway.shopping_responses")
          .values({
            shopping_response_id: response.shoppingResponseId,
            request: JSON.stringify(response.request),
            offers: JSON.stringify(response.offers),
            created_at: response.createdAt,
            expires_at: response.expiresAt,
          })
          .onConflict((conflict) => conflict.column("shopping_response_id").doNothing())
          .executeTakeFirst();
        return inserted.numInsertedOrUpdatedRows === 1n;
      }),

    async readResponse(shoppingResponseId): Promise<ShoppingResponse | null> {
      const row = await kysely
        .selectFrom("gateway.shopping_responses")
        .selectAll()
        .where("shopping_response_id", "=", shoppingResponseId)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        shoppingResponseId: row.shopping_response_id,
        request: row.request as ShoppingResponse["request"],
        offers: row.offers as ShoppingResponse["offers"],
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      };
    },
  };
}
