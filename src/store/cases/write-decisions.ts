import { holdAndTaskClocks } from "../../cases/clocks.ts";
import { type DecisionDocument, searchedFactNames } from "../../cases/decision-document.ts";
import type { NewDecision } from "../../cases/new-decision.ts";
import type { TimelineEvent } from "../../cases/step.ts";
import type { Encryption } from "../database/encryption.ts";
import {
  type BodyRow,
  bodiesPart,
  bodyBytes,
  bodyFields,
  columnsFor,
  type EncryptedBody,
  type Fields,
  fieldsOf,
  packBodies,
  record,
  recordset,
} from "../database/recordset.ts";
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
  statusViewId: "uuid",
  evaluatedAt: "timestamptz",
  versions: "jsonb",
  legal: "jsonb",
  priority: "smallint",
};

const shadowFields: Fields = {
  version: "text",
  action: "text",
  reviewQueue: "text",
  rule: "text",
  reason: "text",
  differs: "boolean",
};

const rowFields: Fields = { place: "integer", ...bodyFields, ...decisionFields, shadow: "jsonb" };

const decisionColumns = columnsFor(decisionFields);
const decisionValues = fieldsOf("d", decisionFields);

/** Encrypts what a decision is based on, for the row with that id. */
export async function encryptDocument(
  encryption: Encryption,
  id: string,
  { facts, itineraries, trace, inputs, legal, versions }: NewDecision,
): Promise<EncryptedBody> {
  const document: DecisionDocument = { facts, itineraries, trace, inputs, legal, versions };
  const bytes = Buffer.from(JSON.stringify(document));
  return { row: id, ...(await encryption.encrypt(bytes, { column: "skedchange.decisions.document", row: id })) };
}

/** A decision to store, as JSON, and its document. `place` is that of its save. */
export type DecisionRow = BodyRow<{ readonly place: number; readonly shadow: object | null }>;

/** @param document encrypted for the row of the decision, whose id it names */
export function decisionRow(place: number, at: Date, decision: NewDecision, document: EncryptedBody): DecisionRow {
  const { unmarkedValues: _, trace: __, inputs: ___, ...columns } = decision;
  const row = { place, decidedAt: at, ...columns, ...searchedParts(decision) };
  return { columns: row, encrypted: document };
}

/** What statements look into, beside the document. Each has the form of the whole, with less in it. */
function searchedParts({ facts, legal, versions }: NewDecision) {
  return {
    facts: facts && only(facts, searchedFactNames),
    legal: legal && holdAndTaskClocks(legal),
    versions: only(versions, searchedVersions),
  };
}

const searchedVersions: ReadonlySet<string> = new Set(["policy", "policyName", "memberMarks"]);

function only(members: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name)));
}

/**
 * Parts of a statement that store decisions and what follows from them. A decision supersedes the one before; it voids a
 * pending request for a second person, unless it asks a person about the same proposal.
 * @param of the cases, as a relation with `place`, `"caseId"` and `source`
 * @param packed gives a row its place in the bytes of the part `bodies`
 * @returns `decided` with their cases, `stored` with `case_id`, and `voided` with lines for the timeline of those requests
 */
export function decisionParts(
  of: Sql,
  rows: readonly DecisionRow[],
  packed: ReturnType<typeof packBodies>["packed"],
): readonly Sql[] {
  return [
    sql`decided as materialized (
      select p."caseId", p.source, d.* from ${of} p join ${recordset("d", rowFields, rows.map(packed))} on d.place = p.place
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
      insert into skedchange.decisions (
        case_id, ${decisionColumns}, document, document_encoding, document_bytes, key_id
      )
      select d."caseId", ${decisionValues}, ${bodyBytes("d")}, d."bodyEncoding", d."bodyBytes", d."keyId" from decided d
      returning case_id
    )`,
    ...(rows.every(({ columns }) => columns.shadow === null) ? [] : [shadowPart]),
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
  at: Date,
  decision: NewDecision,
  document: EncryptedBody,
): Promise<void> {
  const rows = [decisionRow(0, at, decision, document)];
  const { bytes, packed } = packBodies(rows);
  await sql`
    with ${bodiesPart(bytes)}, given as (select 0 as place, c.id as "caseId", c.source from skedchange.cases c where c.id = ${caseId}),
      ${sql.join(decisionParts(sql`given`, rows, packed))}
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    select case_id, at, 'approval.voided', actor, detail from voided
  `.execute(transaction);
}

export function decisionEvent(decisionId: string, { action, rule, reasons, note }: NewDecision): TimelineEvent {
  const detail = { decisionId, action, rule, reason: reasons[0]?.code ?? null, ...(note === null ? {} : { note }) };
  return { kind: "decision.made", detail };
}
