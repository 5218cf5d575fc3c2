import type { NewDecision } from "../../cases/new-decision.ts";
import type { TimelineEvent } from "../../cases/step.ts";
import { columnsFor, type Fields, fieldsOf, record, recordset } from "../database/recordset.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";

const decisionFields: Fields = {
  id: "uuid",
  decidedAt: "timestamptz",
  decidedBy: "text",
  action: "text",
  reviewQueue: "text",
  rule: "text",
  question: "text",
  reasons: "jsonb",
  note: "text",
  proposalDigest: "text",
  flags: "jsonb",
  facts: "jsonb",
  itineraries: "jsonb",
  trace: "jsonb",
  statusViewId: "uuid",
  evaluatedAt: "timestamptz",
  versions: "jsonb",
  legal: "jsonb",
  priority: "smallint",
  inputs: "jsonb",
};

const shadowFields: Fields = {
  version: "text",
  action: "text",
  reviewQueue: "text",
  rule: "text",
  reason: "text",
  differs: "boolean",
};

const rowFields: Fields = { place: "integer", ...decisionFields, shadow: "jsonb" };

const decisionColumns = columnsFor(decisionFields);
const decisionValues = fieldsOf("d", decisionFields);

/** A decision to store, as JSON. `place` is that of its save. */
export interface DecisionRow {
  readonly place: number;
  readonly shadow: object | null;
}

export function decisionRow(place: number, id: string, at: Date, decision: NewDecision): DecisionRow {
  const { unmarkedValues: _, ...columns } = decision;
  return { place, id, decidedAt: at, ...columns } as DecisionRow;
}

/**
 * Parts of a statement that store decisions and what follows from them. A decision supersedes the one before; it voids a
 * pending request for a second person, unless it asks a person about the same proposal.
 * @param of the cases, as a relation with `place`, `"caseId"` and `source`
 * @returns `decided` with their cases, `stored` with `case_id`, and `voided` with lines for the timeline of those requests
 */
export function decisionParts(of: Sql, rows: readonly DecisionRow[]): readonly Sql[] {
  return [
    sql`decided as materialized (
      select p."caseId", p.source, d.* from ${of} p join ${recordset("d", rowFields, rows)} on d.place = p.place
    )`,
    sql`superseded as (
      update skedchange.decisions b set superseded_at = d."decidedAt", superseded_by = d.id
      from decided d where b.case_id = d."caseId" and b.superseded_at is null
    )`,
    sql`voided as (
      update skedchange.approvals a set state = 'void', answered_by = ${actorOfDecision}, answered_at = d."decidedAt"
      from decided d
      where a.case_id = d."caseId" and a.state = 'asked' and not (
        d.action in ('review', 'ask-traveller', 'wait') and a.proposal_digest is not distinct from d."proposalDigest"
      )
      returning d.place, a.case_id, d."decidedAt" as at, ${actorOfDecision} as actor,
        jsonb_build_object('approvalId', a.id, 'action', a.action) as detail
    )`,
    sql`stored as (
      insert into skedchange.decisions (case_id, ${decisionColumns})
      select d."caseId", ${decisionValues} from decided d
      returning case_id
    )`,
    ...(rows.every(({ shadow }) => shadow === null) ? [] : [shadowPart]),
  ];
}

const actorOfDecision = sql`case d."decidedBy" when 'policy' then 'worker' else d."decidedBy" end`;

const shadowPart = sql`compared as (
  insert into skedchange.shadow_decisions (decision_id, source, decided_at, ${columnsFor(shadowFields)})
  select d.id, d.source, d."decidedAt", ${fieldsOf("s", shadowFields)}
  from decided d cross join lateral ${record("s", shadowFields, sql`d.shadow`)}
  where d.shadow is not null
)`;

/** Stores one decision. `writeSaves` does so for many orders at once. */
export async function insertDecision(
  transaction: Connection,
  caseId: string,
  decisionId: string,
  at: Date,
  decision: NewDecision,
): Promise<void> {
  const rows = [decisionRow(0, decisionId, at, decision)];
  await sql`
    with given as (select 0 as place, c.id as "caseId", c.source from skedchange.cases c where c.id = ${caseId}),
      ${sql.join(decisionParts(sql`given`, rows))}
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select case_id, at, 'approval.voided', actor, detail from voided
  `.execute(transaction);
}

export function decisionEvent(decisionId: string, { action, rule, reasons, note }: NewDecision): TimelineEvent {
  const detail = { decisionId, action, rule, reason: reasons[0]?.code ?? null, ...(note === null ? {} : { note }) };
  return { kind: "decision.made", detail };
}
