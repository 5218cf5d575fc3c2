import type { NewDecision } from "../../cases/new-decision.ts";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import type { NotificationRange } from "../notifications/stored-notifications.ts";
import { type DocumentRow, documentColumns, openDecision, withoutDocument } from "./decision-documents.ts";

export type StoredDecision = Omit<NewDecision, "inputs" | "shadow" | "note" | "statusViewId"> & {
  readonly id: string;
  readonly caseId: string;
  /** As JSON, so dates are text. */
  readonly inputs: unknown;
};

type Row = StoredDecision & DocumentRow;

const storedColumns = sql`
  d.id, d.case_id as "caseId", d.action, d.decided_by as "decidedBy", d.review_queue as "reviewQueue", d.rule, d.reasons,
  d.proposal_digest as "proposalDigest", d.flags, d.facts, d.itineraries, d.trace, d.evaluated_at as "evaluatedAt",
  d.versions, d.legal, d.priority, d.inputs, ${documentColumns}
`;

/** @throws `store.cannot_open` */
export async function readDecision(
  { connection, encryption }: Pick<Database, "connection" | "encryption">,
  id: string,
  visible: VisibleSources,
): Promise<StoredDecision | null> {
  const { rows } = await sql<Row>`
    select ${storedColumns} from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
    where d.id = ${id}::uuid and ${isOfVisibleSource(sql`c.source`, visible)}
  `.execute(connection);
  const [row] = rows;
  return row === undefined ? null : await openDecision(encryption, row);
}

/**
 * Yields the decisions of rules in batches, each after the last id of the one before, because ids grow with time. Those that
 * cannot be opened have no inputs.
 */
export async function* readStoredDecisions(
  { connection, encryption }: Pick<Database, "connection" | "encryption">,
  { since, until, source }: NotificationRange,
  batchSize: number,
): AsyncGenerator<readonly StoredDecision[]> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await sql<Row>`
      select ${storedColumns}
      from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
      where d.id > ${after}::uuid and d.decided_by = 'policy' and (d.inputs is not null or d.document is not null)
        and ${since === null ? sql`true` : sql`d.decided_at >= ${since}`}
        and ${until === null ? sql`true` : sql`d.decided_at < ${until}`}
        and ${source === null ? sql`true` : sql`c.source = ${source}`}
      order by d.id
      limit ${batchSize}
    `.execute(connection);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield (await Promise.all(rows.map((row) => openReplayable(encryption, row)))).flat();
    after = last.id;
  }
}

/** Nothing if no rules were evaluated. */
async function openReplayable(encryption: Encryption, row: Row): Promise<readonly StoredDecision[]> {
  try {
    const decision = await openDecision(encryption, row);
    return decision.inputs === null ? [] : [decision];
  } catch (error) {
    if (!isUnreadableBody(error)) throw error;
    return [withoutDocument(row)];
  }
}
