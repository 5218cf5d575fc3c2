import type { CaseOrder } from "../../dashboard/case-filter-ports.ts";
import type { PagePosition } from "../../dashboard/paging-ports.ts";
import { after, positionOf } from "../database/paging.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface CaseSorting {
  readonly position: Sql;
  readonly priority: Sql;
  /** Work that is over has no urgency, and the indexes leave it out. */
  readonly isOfOpenWork: boolean;
  readonly sorting: Sql;
  isAfter(position: PagePosition | null): Sql;
}

const never = sql`'9999-12-31 00:00:00+00'::timestamptz`;

/** The deadline of a case. Overdue cases have the earliest ones, and cases without a clock come last. */
const decideBy = sql`coalesce(c.due_by, ${never})`;

/** By the clock, then by priority, then the longest open: ids count up with the time. */
const byUrgency: CaseSorting = {
  position: positionOf(decideBy),
  priority: sql`c.priority`,
  isOfOpenWork: true,
  isAfter: (position) =>
    position === null
      ? sql`true`
      : sql`(${decideBy}, c.priority, c.id) >
          (${position.at}::timestamptz, ${position.priority ?? 0}::smallint, ${position.id}::uuid)`,
  sorting: sql`${decideBy}, c.priority, c.id`,
};

/** The orders in which cases `c` are listed, each with an index. */
export const caseOrders: Readonly<Record<CaseOrder, CaseSorting>> = {
  newest: {
    position: positionOf(sql`c.opened_at`),
    priority: sql`null::smallint`,
    isOfOpenWork: false,
    isAfter: (position) => after(sql`c.opened_at`, sql`c.id`, position),
    sorting: sql`c.opened_at desc, c.id desc`,
  },
  due: byUrgency,
  deadline: byUrgency,
  departure: byTime(sql`coalesce(c.departure_at, ${never})`),
};

function byTime(time: Sql): CaseSorting {
  return {
    position: positionOf(time),
    priority: sql`null::smallint`,
    isOfOpenWork: true,
    isAfter: (position) =>
      position === null ? sql`true` : sql`(${time}, c.id) > (${position.at}::timestamptz, ${position.id}::uuid)`,
    sorting: sql`${time}, c.id`,
  };
}
