import type { Change } from "../../cases/step.ts";
import { leaseLost, type SaveResult } from "../../worker/ports.ts";
import { sql } from "../database/sql.ts";
import { mayBeSent } from "./automation.ts";
import { limitHour } from "./brake.ts";
import { insertEvents, json } from "./case-rows.ts";
import { noOtherEffect } from "./effect-snapshot.ts";
import { followUpOf, type SaveContext } from "./save-context.ts";
import { sentEvents } from "./save-rows.ts";
import { moveCase } from "./write-cases.ts";
import { decisionEvent, insertDecision } from "./write-decisions.ts";

/* Callers have locked the order, so its decision can't change; if it is not the worker's, the work restarts. */

/**
 * Records that an effect is about to be sent; the case can't be stopped any more. Records nothing if another effect is
 * live or one succeeded for the same proposal.
 * @throws `desk.lease_lost` if the decision is superseded or stopped, or if a notification came since, which the status
 * may not show
 */
export async function markSent(
  saving: SaveContext,
  change: Extract<Change, { kind: "effect-sent" }>,
): Promise<Partial<SaveResult>> {
  const { id, attempt, hourlyLimit } = change;
  if (attempt.effectId !== null) return await markSentAgain(saving, id);
  const { transaction, lease, caseBefore, at, decisionId } = saving;
  const { action, gdsBookingReferences, proposalDigest, expectedRefund } = attempt;
  const mayBeSentNow = sql`
    from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
    where c.id = ${caseBefore.id} and d.id = ${decisionId} and c.wake = ${caseBefore.requeueCount} and ${mayBeSent}
  `;
  const [inserted] = await Promise.all([
    sql<{ is_automatic: boolean }>`
      insert into skedchange.effects (
        id, case_id, decision_id, source, order_id, action, gds_booking_references, proposal_digest, state,
        lease_fence, planned_at, expected_refund, is_automatic
      )
      select ${id}::uuid, c.id, d.id, c.source, c.order_id, ${action}::text, ${gdsBookingReferences}::text[],
        ${proposalDigest}::text, 'planned', ${lease.fence}::bigint, ${at}::timestamptz, ${json(expectedRefund)},
        d.decided_by not like 'person:%'
      ${mayBeSentNow}
        and ${noOtherEffect({
          source: sql`c.source`,
          orderId: sql`c.order_id`,
          caseId: sql`c.id`,
          action: sql`${action}`,
          proposalDigest: sql`${proposalDigest}`,
        })}
      returning is_automatic
    `.execute(transaction),
    sql`
      with sent as (
        update skedchange.effects set state = 'sent', sends = 1, sent_at = now() where id = ${id} returning case_id
      ), moved as (
        update skedchange.cases c
        set state = ${action === "accept" ? "accepting" : "cancelling"}, undo_until = null, version = c.version + 1,
          updated_at = ${at}
        from sent where c.id = sent.case_id
        returning c.id as case_id
      )
      ${insertEvents(sql`moved`, at, sentEvents(change))}
    `.execute(transaction),
  ]);
  const [planned] = inserted.rows;
  if (planned !== undefined) {
    return planned.is_automatic && hourlyLimit !== null ? await limitHour(saving, hourlyLimit) : {};
  }
  const { rows } = await sql`select 1 ${mayBeSentNow}`.execute(transaction);
  if (rows.length === 0) throw leaseLost(lease);
  return { isRefused: true };
}

async function markSentAgain(
  { transaction, lease, caseBefore, at }: SaveContext,
  id: string,
): Promise<Partial<SaveResult>> {
  const { rows } = await sql`
    with sent as (
      update skedchange.effects e
      set state = 'sent', sends = e.sends + 1, sent_at = now(), settle_reads = 0, unchanged_reads = 0,
        lease_fence = ${lease.fence}
      from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
      where e.id = ${id} and e.state = 'unknown' and c.id = e.case_id and d.id = ${caseBefore.decisionId} and ${mayBeSent}
      returning c.id as case_id
    ), lines as (${insertEvents(sql`sent`, at, [{ kind: "effect.sent_again", detail: { effectId: id } }])})
    select from sent
  `.execute(transaction);
  if (rows.length === 0) throw leaseLost(lease);
  return {};
}

/** Counts a status read that did not settle an unknown effect. Asks a person after enough of them. */
export async function countSettleRead(
  saving: SaveContext,
  { effectId, shown, move, followUp }: Extract<Change, { kind: "settle-read" }>,
): Promise<Partial<SaveResult>> {
  const { transaction, lease, caseBefore, at } = saving;
  const decided = followUp === null ? null : followUpOf(saving, followUp);
  const read = { kind: "effect.still_unknown", detail: { effectId } };
  const [counted, , isMoved] = await Promise.all([
    sql`
      update skedchange.effects
      set settle_reads = settle_reads + 1, unchanged_reads = unchanged_reads + ${shown === "unchanged" ? 1 : 0}
      where id = ${effectId} and state = 'unknown'
    `.execute(transaction),
    decided === null ? null : insertDecision(transaction, caseBefore.id, at, decided.decision, decided.document),
    moveCase(transaction, {
      caseBefore,
      at,
      move,
      failure: null,
      decided,
      underDecision: true,
      events: [...(decided === null ? [] : [decisionEvent(decided.id, decided.decision)]), read],
    }),
  ]);
  if (counted.rowCount === 0 || !isMoved) throw leaseLost(lease);
  return {};
}
