import { type View, type Views, viewsMax } from "../dashboard/view-ports.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";

export function createViews(database: Database, clock: Clock): Views {
  return {
    async list(userId) {
      const { rows } = await sql<View>`
        select id, name, filters from skedchange.views where user_id = ${userId} order by lower(name), id
      `.execute(database.connection);
      return rows;
    },

    async save(userId, { name, filters }) {
      // Somebody who saves twice at once may get one more than the most.
      const { rows } = await sql<View>`
        insert into skedchange.views (id, user_id, name, filters, created_at)
        select ${newId(clock)}::uuid, ${userId}::uuid, ${name}, ${filters}, ${clock.now()}
        where (select count(*) from skedchange.views where user_id = ${userId} and name <> ${name}) < ${viewsMax}
        on conflict on constraint views_one_per_name do update set filters = excluded.filters
        returning id, name, filters
      `.execute(database.connection);
      return rows[0] ?? null;
    },

    async remove(userId, id) {
      const { rows } = await sql`
        delete from skedchange.views where id = ${id} and user_id = ${userId} returning id
      `.execute(database.connection);
      return rows.length > 0;
    },
  };
}
