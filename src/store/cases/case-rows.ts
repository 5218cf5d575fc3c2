import type { CaseEvent } from "../../cases/case-record.ts";
import type { TimelineEvent } from "../../cases/step.ts";
import { recordset } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { caseChannel } from "./case-listener.ts";

/** A value for a jsonb column. JSON null becomes SQL null. */
export function json(value: unknown): Sql {
  return value === null || value === undefined ? sql`null::jsonb` : sql`${JSON.stringify(value)}::jsonb`;
}

export const storedDigests: Sql<string[]> = sql`array(
  select distinct d.proposal_digest from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
  where c.source = o.source and c.order_id = o.order_id and d.proposal_digest is not null
)`;

/** A value as JSON returns it: dates are text. */
export type Json<T> = {
  readonly [Key in keyof T]: T[Key] extends Date | null ? (T[Key] extends Date ? string : string | null) : T[Key];
};

/** A line of the timeline. */
export interface NewCaseEvent extends Pick<CaseEvent, "at" | "kind" | "actor"> {
  readonly caseId: string;
  readonly detail: object;
}

export async function addCaseEvent(transaction: Connection, event: NewCaseEvent): Promise<void> {
  await sql`
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    values (${event.caseId}, ${event.at}, ${event.kind}, ${event.actor}, ${json(event.detail)})
    returning ${announceCase(sql`case_id`)}
  `.execute(transaction);
}

/** What becomes of the case from now on belongs to the trace in which it was decided. */
export function asTraceparents(traceparent: Sql): Sql {
  return sql`case when ${traceparent}::text is not null then array[${traceparent}::text] end`;
}

/** It also belongs to the trace in which a person acts; what was before is linked. An action may say so twice. */
export function beforeTraceparents(traceparent: string | null): Sql {
  return sql`(${asTraceparents(sql`${traceparent}`)} || array_remove(traceparents, ${traceparent}::text))[1:8]`;
}

export function insertEvents(of: Sql, at: Date, events: readonly TimelineEvent[]): Sql {
  return sql`
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select ${of}.case_id, ${at}::timestamptz, event.kind, 'worker', event.detail
    from ${of}, ${recordset("event", { kind: "text", detail: "jsonb" }, events)}
  `;
}

/**
 * Part of a statement that changes a case, for changes by people and rare ones. PostgreSQL sends the message at commit, once for
 * each case. What each order costs is announced after the commit, by an `Announcer`.
 */
export function announceCase(id: Sql): Sql {
  return sql`pg_notify(${sql.lit(caseChannel)}, ${id}::text)`;
}

export async function announceCases(transaction: Connection, ids: readonly string[]): Promise<void> {
  await sql`select ${announceCase(sql`id`)} from unnest(${ids}::uuid[]) as changed (id)`.execute(transaction);
}

export async function announceDue(transaction: Connection): Promise<void> {
  await sql`select pg_notify('skedchange_due', '')`.execute(transaction);
}
