import { type RawBuilder, sql } from "kysely";
import type { CaseOrder, PagePosition } from "../../dashboard/ports.ts";
import { after, positionOf } from "../database/paging.ts";

export interface CaseSorting {
  readonly position: RawBuilder<unknown>;
  readonly priority: RawBuilder<unknown>;
  /** Work that is over has no urgency, and the indexes leave it out. */
  readonly isOfOpenWork: boolean;
  readonly sorting: RawBuilder<unknown>;
  isAfter(position: PagePosition | null): RawBuilder<unknown>;
}

/** When something is due. A case that waits for a person is due since it was opened. */
const dueSince = sql`coalesce(c.due_at, c.opened_at)`;

/** Of cases `c`, each with an index. */
export const caseOrders: Readonly<Record<CaseOrder, CaseSorting>> = {
  newest: {
    position: positionOf(sql`c.opened_at`),
    priority: sql`null::smallint`,
    isOfOpenWork: false,
    isAfter: (position) => after(sql`c.opened_at`, sql`c.id`, position),
    sorting: sql`c.opened_at desc, c.id desc`,
  },
  due: {
    position: positionOf(dueSince),
    priority: sql`c.priority`,
    isOfOpenWork: true,
    isAfter: (position) =>
      position === null
        ? sql`true`
        : sql`(c.priority, ${dueSince}, c.id) >
            (${position.priority ?? 0}::smallint, ${position.at}::timestamptz, ${position.id}::uuid)`,
    sorting: sql`c.priority, ${dueSince}, c.id`,
  },
  departure: byTime(sql`coalesce(c.departure_at, '9999-12-31 00:00:00+00'::timestamptz)`),
  deadline: byTime(sql`coalesce(c.due_by, '9999-12-31 00:00:00+00'::timestamptz)`),
};

function byTime(time: RawBuilder<unknown>): CaseSorting {
  return {
    position: positionOf(time),
    priority: sql`null::smallint`,
    isOfOpenWork: true,
    isAfter: (position) =>
      position === null ? sql`true` : sql`(${time}, c.id) > (${position.at}::timestamptz, ${position.id}::uuid)`,
    sorting: sql`${time}, c.id`,
  };
}
