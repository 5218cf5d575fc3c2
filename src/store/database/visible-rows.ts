import type { VisibleSources } from "../../cases/visible-sources.ts";
import { type Sql, sql } from "./sql.ts";

/** Whether a row is of a source that the caller sees. */
export function isOfVisibleSource(source: Sql, visible: VisibleSources): Sql {
  return visible === null ? sql`true` : sql`${source} = any(${[...visible]}::text[])`;
}

export function isVisibleCase(caseId: string, visible: VisibleSources): Sql {
  return visible === null
    ? sql`true`
    : sql`exists (
        select from skedchange.cases
        where id = ${caseId}::uuid and ${isOfVisibleSource(sql`source`, visible)}
      )`;
}

/** The sources that the user `u` sees; null: all, as admins always do. */
export const visibleSourcesOf = sql`case when u.role <> 'admin' then u.sources end`;
