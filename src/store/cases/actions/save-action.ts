import type {
  ActionChange,
  ActionContext,
  ActionMove,
  NewContact,
  SettledEffect,
} from "../../../cases/action-change.ts";
import type { CaseAction } from "../../../cases/case-command.ts";
import { isFinished } from "../../../cases/lifecycle.ts";
import { searchTermsOf } from "../../../cases/search-terms.ts";
import { columnName } from "../../database/columns-of.ts";
import type { Encryption } from "../../database/encryption.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { Connection } from "../../database/transaction.ts";
import { repeatedDueAfter } from "../../notifications/open-cases.ts";
import { takeFromWorker } from "../../orders/leases.ts";
import { addCaseEvent, announceDue, beforeTraceparents } from "../case-rows.ts";
import { openNextCase } from "../open-next-case.ts";
import { closeTasksOf } from "../tasks.ts";
import { searchRow, updateCaseSearch } from "../write-cases.ts";
import { decisionEvent, encryptDocument, insertDecision } from "../write-decisions.ts";

type By = Pick<CaseAction, "actor" | "note"> & { readonly at: Date; readonly traceparent: string | null };

/**
 * Saves an action under the locks of order and case.
 * @returns `overtaken`, with nothing saved, if a notification has just opened the next case
 */
export async function saveAction(
  transaction: Connection,
  encryption: Encryption,
  { case: current }: ActionContext,
  by: By,
  change: ActionChange,
): Promise<"saved" | "overtaken"> {
  const { at, actor } = by;
  const {
    nextCase,
    pendingApproval,
    endedApproval,
    contact,
    closesTasks,
    settledEffect,
    references,
    events = [],
    decision,
    move,
  } = change;
  if (nextCase !== undefined) {
    const next = {
      ...nextCase,
      at,
      finishedId: current.id,
      gdsBookingReferences: null,
      isReopened: true,
      traceparent: by.traceparent,
    };
    if (!(await openNextCase(transaction, next))) return "overtaken";
  }
  if (pendingApproval !== undefined) await insertApproval(transaction, current.id, by, pendingApproval);
  if (endedApproval !== undefined) {
    await sql`
      update skedchange.approvals set state = ${endedApproval.state}, answered_by = ${actor}, answered_at = ${at}
      where id = ${endedApproval.id} and state = 'asked'
    `.execute(transaction);
  }
  if (contact !== undefined) await insertContact(transaction, current, by, contact);
  if (closesTasks !== undefined) await closeTasksOf(transaction, current.id, closesTasks, by);
  if (settledEffect !== undefined) await settleEffect(transaction, settledEffect, at);
  if (references !== undefined) await putReferences(transaction, current, references);
  for (const event of events) await addCaseEvent(transaction, { ...event, at, actor });
  if (decision !== undefined) await putInForce(transaction, encryption, current.id, by, decision);
  if (change.preemptsWorker) await takeFromWorker(transaction, current.source, current.orderId);
  if (move !== undefined) await moveByPerson(transaction, current, by, move);
  if (nextCase !== undefined || move?.due === "now" || change.preemptsWorker) await announceDue(transaction);
  return "saved";
}

async function putInForce(
  transaction: Connection,
  encryption: Encryption,
  caseId: string,
  { actor, at, traceparent }: By,
  { id, made }: NonNullable<ActionChange["decision"]>,
): Promise<void> {
  await insertDecision(transaction, caseId, at, made, await encryptDocument(encryption, id, made));
  await sql`
    with decided as (
      update skedchange.cases set decision_id = ${id}, rule = ${made.rule}, proposal_digest = ${made.proposalDigest}, undo_until = null,
        traceparents = ${beforeTraceparents(traceparent)}
      where id = ${caseId}
      returning 0 as place, id as "caseId"
    )
    ${updateCaseSearch(sql`decided`, [searchRow(0, { ...searchTermsOf(made), ofChange: null }, undefined, null)])}
  `.execute(transaction);
  await addCaseEvent(transaction, { caseId, at, actor, ...decisionEvent(id, made) });
}

async function insertApproval(
  transaction: Connection,
  caseId: string,
  { actor, at, note }: By,
  { id, action, proposalDigest }: NonNullable<ActionChange["pendingApproval"]>,
): Promise<void> {
  await sql`
    insert into skedchange.approvals (id, case_id, action, proposal_digest, asked_by, asked_at, note)
    values (${id}, ${caseId}, ${action}, ${proposalDigest}, ${actor}, ${at}, ${note})
  `.execute(transaction);
}

async function insertContact(
  transaction: Connection,
  { id: caseId, source, orderId, proposalDigest }: ActionContext["case"],
  { actor, at, note }: By,
  { id, kind, channel, answer, happenedAt }: NewContact,
): Promise<void> {
  await sql`
    insert into skedchange.traveller_contacts (
      id, case_id, source, order_id, proposal_digest, kind, channel, answer, happened_at, recorded_at, recorded_by, note
    ) values (
      ${id}, ${caseId}, ${source}, ${orderId}, ${proposalDigest}, ${kind}, ${channel}, ${answer}, ${happenedAt}, ${at},
      ${actor}, ${note}
    )
  `.execute(transaction);
}

async function settleEffect(transaction: Connection, effect: SettledEffect, at: Date): Promise<void> {
  await sql`
    update skedchange.effects set state = ${effect.state}, finished_at = ${at} where id = ${effect.id}
  `.execute(transaction);
  if (effect.acceptedBy === null) return;
  await sql`
    update skedchange.orders o set accepted_itinerary = d.itineraries -> 'proposed'
    from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
    where d.id = ${effect.acceptedBy} and d.itineraries is not null and o.source = c.source and o.order_id = c.order_id
  `.execute(transaction);
}

/** An order that was not polled for want of a reference is planned again. */
async function putReferences(
  transaction: Connection,
  { id, source, orderId }: ActionContext["case"],
  references: readonly string[],
): Promise<void> {
  await sql`
    update skedchange.cases set gds_booking_references = ${[...references]}::text[] where id = ${id}
  `.execute(transaction);
  await sql`
    update skedchange.orders set poll_ended = null
    where source = ${source} and order_id = ${orderId} and poll_ended = 'no-reference'
  `.execute(transaction);
}

async function moveByPerson(
  transaction: Connection,
  current: ActionContext["case"],
  { at, traceparent }: By,
  move: ActionMove,
): Promise<void> {
  const isOverNow = isFinished(move.state) && !isFinished(current.state);
  if (move.via !== undefined) {
    await sql`update skedchange.cases set state = ${move.via} where id = ${current.id}`.execute(transaction);
  }
  const columns = [
    sql`state = ${move.state}, version = version + 1, updated_at = ${at}`,
    ...dueColumns(move.due),
    ...(move.due === "now" ? [sql`traceparents = ${beforeTraceparents(traceparent)}`] : []),
    ...Object.entries(move.sets ?? {}).map(([name, value]) => sql`${sql.ref(columnName(name))} = ${value}`),
    ...(move.clears ?? []).map((what) => cleared[what]),
    ...(isOverNow ? [sql`closed_at = ${at}, due_by = null, due_by_rule = null, firm_due_by = null`] : []),
  ];
  await sql`update skedchange.cases set ${sql.join(columns)} where id = ${current.id}`.execute(transaction);
}

const cleared = {
  failures: sql`failures = 0`,
  "last-error": sql`last_error = null`,
  "undo-window": sql`undo_until = null`,
  "due-by": sql`due_by = null, due_by_rule = null, overdue_at = null`,
} as const satisfies Record<NonNullable<ActionMove["clears"]>[number], Sql>;

/** Due times are stored as a wait from the database's now, because this process's clock may be off. */
function dueColumns(due: ActionMove["due"]): readonly Sql[] {
  if (due === undefined) return [];
  if (due === "now") return [sql`due_at = now(), wake = wake + 1`];
  const otherwise =
    due === null ? sql`null` : sql`now() + make_interval(secs => ${due.inMs / 1_000}::double precision)`;
  return [sql`due_at = case when due_at <= now() + ${repeatedDueAfter} then due_at else ${otherwise} end`];
}
