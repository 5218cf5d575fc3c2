import type { ActionContext, SucceededEffect } from "../../../cases/action-change.ts";
import type { CaseAction } from "../../../cases/case-command.ts";
import type { Encryption } from "../../database/encryption.ts";
import { sql } from "../../database/sql.ts";
import type { Connection } from "../../database/transaction.ts";
import { isOfVisibleSource, visibleSourcesOf } from "../../database/visible-rows.ts";
import { mayTakeWork } from "../assignees.ts";
import { type DocumentRow, documentColumns, openDecisionOrParts } from "../decision-documents.ts";
import { finishedStates, liveStates } from "../states.ts";

/**
 * Locks the order and the case for the transaction, and loads what the action depends on. Orders are locked before
 * their cases everywhere, to avoid deadlocks. Decisions, effects and approvals change only under the lock of the order,
 * so the second statement reads them as they are. The order is written, not only locked, so that a save of the worker that has
 * begun already finds it changed.
 */
export async function lockActionContext(
  transaction: Connection,
  encryption: Encryption,
  action: CaseAction,
): Promise<ActionContext | null> {
  const isVisible = isOfVisibleSource(sql`c.source`, action.visible);
  await sql`
    update skedchange.orders o set lease_fence = o.lease_fence
    from skedchange.cases c
    where c.id = ${action.caseId} and ${isVisible} and c.source = o.source and c.order_id = o.order_id
  `.execute(transaction);
  const { rows } = await sql<ContextRow>`
    with locked as materialized (
      select id, source, order_id, state, version, review_queue, proposal_digest, decision_id, departure_at, due_by, due_by_rule,
        firm_due_by, failures, due_at, undo_until
      from skedchange.cases c where c.id = ${action.caseId} and ${isVisible} for update
    )
    select c.id, c.source, c.order_id as "orderId", c.state, c.version, c.review_queue as "reviewQueue",
      c.proposal_digest as "proposalDigest", c.departure_at as "departureAt", c.due_by_rule as "dueByRule",
      c.firm_due_by as "firmDueBy", coalesce(c.due_by <= now(), false) as "isOverdue", c.failures,
      c.due_at as "dueAt",
      (extract(epoch from c.undo_until - now()) * 1000)::double precision as "undoLeftMs",
      case when d.id is not null then jsonb_build_object(
          'id', d.id, 'action', d.action, 'rule', d.rule, 'question', d.question, 'proposalDigest', d.proposal_digest,
          'flags', d.flags, 'facts', d.facts, 'itineraries', d.itineraries, 'statusViewId', d.status_view_id,
          'versions', d.versions, 'legal', d.legal
        ) end as decision, d.evaluated_at as "evaluatedAt", ${documentColumns},
      (
        select jsonb_build_object('id', e.id, 'action', e.action, 'state', e.state, 'decisionId', e.decision_id)
        from skedchange.effects e
        where e.source = c.source and e.order_id = c.order_id and e.state in ${liveStates}
      ) as "liveEffect",
      array(
        select jsonb_build_object(
          'caseId', e.case_id, 'action', e.action, 'proposalDigest', e.proposal_digest, 'finishedAt', e.finished_at,
          'finishedAgoMs', extract(epoch from now() - e.finished_at) * 1000
        )
        from skedchange.effects e
        where e.source = c.source and e.order_id = c.order_id and e.state = 'succeeded'
      ) as succeeded,
      (
        select jsonb_build_object(
          'id', a.id, 'action', a.action, 'proposalDigest', a.proposal_digest, 'askedBy', a.asked_by, 'note', a.note
        )
        from skedchange.approvals a where a.case_id = c.id and a.state = 'asked'
      ) as "pendingApproval",
      exists (
        select from skedchange.cases o
        where o.source = c.source and o.order_id = c.order_id
          and o.state not in ${finishedStates}
      ) as "orderHasOpenCase",
      exists (
        select from skedchange.users u
        where u.username = ${action.action === "assign" ? action.assignee : null}::text
          and ${mayTakeWork}
          and (${visibleSourcesOf} is null or c.source = any(${visibleSourcesOf}))
      ) as "assigneeMayAct",
      exists (
        select from skedchange.approvals a
        join skedchange.users u on 'person:' || u.username = ${action.action === "approve" ? action.actor : null}::text
        join skedchange.audit_entries e on e.refs ->> 'id' = u.id::text and e.actor = a.asked_by
        where a.case_id = c.id and a.state = 'asked' and e.kind in ('user.added', 'user.changed')
      ) as "isApproverSetUpByAsker"
    from locked c left join skedchange.decisions d on d.id = c.decision_id
  `.execute(transaction);
  const [row] = rows;
  return row === undefined ? null : await toContext(encryption, row);
}

/** Dates inside JSON are text. */
type ContextRow = ActionContext["case"] &
  DocumentRow &
  Pick<
    ActionContext,
    "liveEffect" | "pendingApproval" | "orderHasOpenCase" | "assigneeMayAct" | "isApproverSetUpByAsker"
  > & {
    readonly decision: (Omit<NonNullable<ActionContext["decision"]>, "evaluatedAt"> & { readonly id: string }) | null;
    readonly evaluatedAt: Date | null;
    readonly succeeded: readonly (Omit<SucceededEffect, "finishedAt"> & { readonly finishedAt: string })[];
  };

async function toContext(encryption: Encryption, row: ContextRow): Promise<ActionContext> {
  const { decision, evaluatedAt, body, bodyEncoding, keyId, succeeded, liveEffect, pendingApproval, ...others } = row;
  const document = { body, bodyEncoding, keyId };
  const { orderHasOpenCase, assigneeMayAct, isApproverSetUpByAsker, ...rest } = others;
  return {
    case: rest,
    decision:
      decision === null ? null : await openDecisionOrParts(encryption, { ...decision, evaluatedAt, ...document }),
    liveEffect,
    succeeded: succeeded.map((effect) => ({ ...effect, finishedAt: new Date(effect.finishedAt) })),
    pendingApproval,
    orderHasOpenCase,
    assigneeMayAct,
    isApproverSetUpByAsker,
  };
}
