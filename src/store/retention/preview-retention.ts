import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";

/** What must be over since when, so that it goes. */
export interface RetentionLimits {
  /** Null keeps bodies and texts for as long as their cases. */
  readonly bodiesBefore: Date | null;
  /** Null keeps cases. */
  readonly casesBefore: Date | null;
}

export interface RetentionPreview {
  readonly what: string;
  readonly goes: number;
  /** Null if nothing stays. */
  readonly oldestThatStays: Date | null;
}

/** Counts what a run would delete now, without deleting it. Reads every row that may go. */
export function previewRetention(
  database: Pick<Database, "connection" | "pool">,
  { bodiesBefore, casesBefore }: RetentionLimits,
): Promise<readonly RetentionPreview[]> {
  return inSnapshot(database, async (snapshot) => [
    ...(bodiesBefore === null
      ? []
      : await count(snapshot, sql`skedchange.cases_with_expired_bodies(${bodiesBefore})`, bodiesOf(bodiesBefore))),
    ...(casesBefore === null ? [] : await count(snapshot, sql`skedchange.expired_cases(${casesBefore})`, casesOf())),
  ]);
}

interface Counted {
  readonly what: string;
  /** A query with the columns `at` and `goes`. It may read the ids of `expired` cases. */
  readonly rows: Sql;
}

/** One statement, because finding the expired cases takes longest. */
async function count(
  snapshot: Connection,
  expiredCases: Sql,
  counted: readonly Counted[],
): Promise<readonly RetentionPreview[]> {
  const counts = counted.map(
    ({ rows: query }, place) => sql`
      select ${sql.lit(place)} as place, count(*) filter (where goes) as goes,
        min(at) filter (where not goes) as "oldestThatStays"
      from (${query}) as counted
    `,
  );
  const { rows } = await sql<Omit<RetentionPreview, "what">>`
    with expired as materialized (select id from ${expiredCases})
    select goes, "oldestThatStays" from (${sql.join(counts, sql` union all `)}) as counts order by place
  `.execute(snapshot);
  return rows.map((row, place) => ({ what: counted[place]!.what, ...row }));
}

function bodiesOf(before: Date): readonly Counted[] {
  const ofCase = (table: string, at: string, hasTexts: Sql): Sql => sql`
    select t.${sql.ref(at)} as at, t.case_id in (select id from expired) as goes
    from skedchange.${sql.ref(table)} t where ${hasTexts}
  `;
  const hasNote = sql`t.note is not null`;
  return [
    {
      what: "bodies of notifications",
      rows: sql`
        select n.received_at as at, n.state <> 'quarantined' and n.id in (
          select j.notification_id from skedchange.case_notifications j join expired on expired.id = j.case_id
        ) and skedchange.is_notification_over(n.id, ${before}) as goes
        from skedchange.notifications n where n.body_deleted_at is null
      `,
    },
    { what: "status views", rows: ofCase("status_views", "read_at", sql`t.body_deleted_at is null`) },
    {
      what: "status views of polls",
      rows: sql`
        select v.read_at as at, v.read_at < ${before} and not exists (
          select from skedchange.cases c
          where c.source = v.source and c.order_id = v.order_id and c.state not in ('done', 'resolved-elsewhere', 'closed')
        ) as goes
        from skedchange.order_status_views v
      `,
    },
    { what: "documents", rows: ofCase("document_views", "read_at", sql`true`) },
    { what: "gateway responses", rows: ofCase("effects", "planned_at", sql`t.answer is not null`) },
    { what: "notes of decisions", rows: ofCase("decisions", "decided_at", hasNote) },
    { what: "notes of approvals", rows: ofCase("approvals", "asked_at", hasNote) },
    { what: "notes of tasks", rows: ofCase("tasks", "opened_at", hasNote) },
    { what: "notes of traveller contacts", rows: ofCase("traveller_contacts", "recorded_at", hasNote) },
    {
      what: "texts of timelines",
      rows: ofCase("case_events", "at", sql`t.detail is distinct from skedchange.without_texts(t.detail)`),
    },
  ];
}

function casesOf(): readonly Counted[] {
  const ofCase = (table: string, at: string): Sql => sql`
    select t.${sql.ref(at)} as at, t.case_id in (select id from expired) as goes
    from skedchange.${sql.ref(table)} t
  `;
  return [
    {
      what: "cases",
      rows: sql`select c.opened_at as at, c.id in (select id from expired) as goes from skedchange.cases c`,
    },
    { what: "decisions", rows: ofCase("decisions", "decided_at") },
    { what: "effects", rows: ofCase("effects", "planned_at") },
    { what: "lines of timelines", rows: ofCase("case_events", "at") },
    { what: "traveller contacts", rows: ofCase("traveller_contacts", "recorded_at") },
    {
      what: "notifications and their receipts",
      rows: sql`
        select n.received_at as at, n.state <> 'quarantined' and exists (
          select from skedchange.case_notifications j where j.notification_id = n.id
        ) and not exists (
          select from skedchange.case_notifications j
          where j.notification_id = n.id and j.case_id not in (select id from expired)
        ) as goes
        from skedchange.notifications n
      `,
    },
  ];
}
