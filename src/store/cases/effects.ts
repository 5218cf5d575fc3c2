import { sql, type Transaction } from "kysely";
import type { RefundFollowUp } from "../../cases/case-update.ts";
import type { EffectOutcome } from "../../cases/effect.ts";
import type { CaseState, EffectState } from "../../cases/lifecycle.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { type CaseStore, type Lease, leaseLost } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { lockOrder } from "../orders/leases.ts";
import { mayBeSent } from "./automation.ts";
import { addCaseEvent, insertDecision, json, moveCase } from "./case-rows.ts";
import { createSteps } from "./case-steps.ts";
import { openTask } from "./open-task.ts";

type EffectStore = Pick<
  CaseStore,
  "planEffect" | "markSent" | "markSentAgain" | "finishEffect" | "countSettleRead" | "saveDocuments"
>;

/** The journal of effects: what was planned, sent and answered. */
export function createEffectStore(database: Database, clock: Clock): EffectStore {
  const { kysely, sealing } = database;
  const { underLease, underDecision } = createSteps(database);

  return {
    planEffect: async (lease, caseId, effect) => {
      const id = newId(clock);
      const at = clock.now();
      return await underDecision(lease, { id: caseId, decisionId: effect.decisionId }, async (transaction) => {
        // The unique indexes would refuse a second live effect as well, and a second success only after it was sent.
        const { rows } = await sql`
          insert into skedchange.effects (
            id, case_id, decision_id, source, order_id, action, gds_booking_references, proposal_digest, state,
            lease_fence, planned_at, expected_refund
          )
          select ${id}::uuid, c.id, c.decision_id, c.source, c.order_id, ${effect.action}::text,
            ${effect.gdsBookingReferences}::text[], ${effect.proposalDigest}::text, 'planned', ${lease.fence}::bigint,
            ${at}::timestamptz, ${json(effect.expectedRefund)}
          from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
          where c.id = ${caseId} and ${mayBeSent}
            and not exists (
              select from skedchange.effects e
              where e.source = c.source and e.order_id = c.order_id and e.state in ('planned', 'sent', 'unknown')
            )
            and not exists (
              select from skedchange.effects e
              where e.case_id = c.id and e.action = ${effect.action} and e.proposal_digest = ${effect.proposalDigest}
                and e.state = 'succeeded'
            )
          returning id
        `.execute(transaction);
        if (rows.length === 0) {
          await refuseWhenStopped(transaction, lease, effect.decisionId);
          return null;
        }
        await sql`
          update skedchange.cases
          set state = ${effect.action === "accept" ? "accepting" : "cancelling"}, undo_until = null,
            version = version + 1, updated_at = ${at}
          where id = ${caseId}
        `.execute(transaction);
        await addCaseEvent(transaction, {
          caseId,
          at,
          kind: "effect.planned",
          actor: "worker",
          detail: { effectId: id, action: effect.action, gdsBookingReferences: effect.gdsBookingReferences },
        });
        return id;
      });
    },

    markSent: async (lease, effectId) => {
      const at = clock.now();
      await underLease(lease, async (transaction) => {
        const { rows } = await sql<{ case_id: string }>`
          update skedchange.effects set state = 'sent', sends = 1, sent_at = now(), lease_fence = ${lease.fence}
          where id = ${effectId} and state = 'planned'
          returning case_id
        `.execute(transaction);
        const row = rows[0];
        if (row === undefined) throw leaseLost(lease);
        await addCaseEvent(transaction, {
          caseId: row.case_id,
          at,
          kind: "effect.sent",
          actor: "worker",
          detail: { effectId },
        });
      });
    },

    markSentAgain: async (lease, work, effectId) => {
      const at = clock.now();
      await underDecision(lease, work, async (transaction) => {
        const result = await sql`
          update skedchange.effects e
          set state = 'sent', sends = sends + 1, sent_at = now(), settle_reads = 0, unchanged_reads = 0,
            lease_fence = ${lease.fence}
          from skedchange.decisions d
          where e.id = ${effectId} and e.state = 'unknown' and d.id = e.decision_id and ${mayBeSent}
        `.execute(transaction);
        if (result.numAffectedRows === 0n) throw leaseLost(lease);
        const detail = { effectId };
        await addCaseEvent(transaction, { caseId: work.id, at, kind: "effect.sent_again", actor: "worker", detail });
      });
    },

    finishEffect: async (lease, work, effectId, outcome, { move, accepted, followUp, refund }) => {
      const at = clock.now();
      const answer = outcome.answer === null ? null : await sealing.seal(outcome.answer);
      const followUpId = newId(clock);
      await kysely.transaction().execute(async (transaction) => {
        await lockOrder(transaction, lease.source, lease.orderId);
        const standing = await findStanding(transaction, effectId);
        if (isOvertaken(standing, outcome)) {
          const isRepeated = standing?.state === outcome.state && (standing.isAnswered || outcome.results === null);
          if (isRepeated || !(await noteLateAnswer(transaction, work.id, at, effectId, outcome))) return;
          if (standing?.state === outcome.state) {
            await followUpRefund(transaction, work.id, at, effectId, refund, newId(clock));
          }
          return;
        }
        await sql`
          update skedchange.effects set
            state = ${outcome.state},
            finished_at = ${outcome.state === "unknown" ? null : at}::timestamptz,
            results = coalesce(${json(outcome.results)}, results),
            error = coalesce(${json(outcome.error)}, error),
            refund_check = ${refund?.check ?? null},
            answer = coalesce(${answer?.body ?? null}::bytea, answer),
            answer_encoding = coalesce(${answer?.bodyEncoding ?? null}::text, answer_encoding),
            answer_bytes = coalesce(${answer?.bodyBytes ?? null}::integer, answer_bytes),
            key_id = coalesce(${answer?.keyId ?? null}::text, key_id)
          where id = ${effectId}
        `.execute(transaction);
        await addCaseEvent(transaction, {
          caseId: work.id,
          at,
          kind: `effect.${outcome.state}`,
          actor: "worker",
          detail: { effectId, error: outcome.error },
        });
        // Somebody has found it unknown before and moved the case on; a person may have been asked since.
        if (standing?.state === "unknown" && outcome.state === "unknown") return;
        await followUpRefund(transaction, work.id, at, effectId, refund, newId(clock));
        if (accepted !== null) {
          await sql`
            update skedchange.orders set accepted_itinerary = ${json(accepted)}
            where source = ${lease.source} and order_id = ${lease.orderId}
          `.execute(transaction);
        }
        await passThroughChecking(transaction, work.id, move.state);
        if (followUp !== null) await insertDecision(transaction, work.id, followUpId, at, followUp);
        const failure = outcome.state === "failed" && move.state === "checking" ? outcome.error : null;
        await moveCase(transaction, work, at, move, failure);
      });
    },

    countSettleRead: async (lease, work, effectId, shown, move, followUp) => {
      const at = clock.now();
      const followUpId = newId(clock);
      await underDecision(lease, work, async (transaction) => {
        const result = await sql`
          update skedchange.effects
          set settle_reads = settle_reads + 1, unchanged_reads = unchanged_reads + ${shown === "unchanged" ? 1 : 0}
          where id = ${effectId} and state = 'unknown'
        `.execute(transaction);
        if (result.numAffectedRows === 0n) throw leaseLost(lease);
        if (followUp !== null) await insertDecision(transaction, work.id, followUpId, at, followUp);
        await moveCase(transaction, work, at, move, null);
        await addCaseEvent(transaction, {
          caseId: work.id,
          at,
          kind: "effect.still_unknown",
          actor: "worker",
          detail: { effectId },
        });
      });
    },

    saveDocuments: async (lease, caseId, { body, readAt }) => {
      const sealed = await sealing.seal(body);
      await underLease(lease, async (transaction) => {
        await sql`
          insert into skedchange.document_views (id, case_id, read_at, body, body_encoding, body_bytes, key_id)
          values (${newId(clock)}, ${caseId}, ${readAt}, ${sealed.body}, ${sealed.bodyEncoding}, ${sealed.bodyBytes},
            ${sealed.keyId})
        `.execute(transaction);
      });
    },
  };
}

/** @throws `desk.lease_lost` when automatic effects are stopped and a rule made the decision: the work begins anew. */
async function refuseWhenStopped(transaction: Transaction<Tables>, lease: Lease, decisionId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from skedchange.decisions d where d.id = ${decisionId} and ${mayBeSent}
  `.execute(transaction);
  if (rows.length === 0) throw leaseLost(lease);
}

/** How far an effect has come. One that has ended is never written again. */
interface Standing {
  readonly state: EffectState;
  readonly sends: number;
  /** Whether the gateway's results are on record. A status or a person may have settled it without. */
  readonly isAnswered: boolean;
}

/** Its order is locked by then, so it stays as it is. */
async function findStanding(transaction: Transaction<Tables>, effectId: string): Promise<Standing | null> {
  const { rows } = await sql<Standing>`
    select state, sends, results is not null as "isAnswered" from skedchange.effects where id = ${effectId}
  `.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Whether an outcome comes too late to count: the effect is settled, or it was sent once more meanwhile. A failure is of
 * the first sending then, and says nothing about the second.
 */
function isOvertaken(standing: Standing | null, outcome: EffectOutcome): boolean {
  if (standing === null || standing.state === "succeeded" || standing.state === "failed") return true;
  return outcome.state === "failed" && standing.sends > 1;
}

/**
 * What the gateway said is not thrown away, whatever was taken for true by then: what became of each reference, and the
 * refund, which no status shows. Answers whether there was anything to note that had not been.
 */
async function noteLateAnswer(
  transaction: Transaction<Tables>,
  caseId: string,
  at: Date,
  effectId: string,
  { state, results, error }: EffectOutcome,
): Promise<boolean> {
  if (state !== "succeeded" && results === null) return false;
  const { rows } = await sql`
    select 1 from skedchange.case_events
    where case_id = ${caseId} and kind = 'effect.answered_late' and detail ->> 'effectId' = ${effectId}
      and detail ->> 'outcome' = ${state}
  `.execute(transaction);
  if (rows.length > 0) return false;
  const refunds = results?.flatMap(({ refundAmount }) => refundAmount ?? []) ?? [];
  const detail = { effectId, outcome: state, error, ...(refunds.length === 0 ? {} : { refunds }) };
  await addCaseEvent(transaction, { caseId, at, kind: "effect.answered_late", actor: "worker", detail });
  return true;
}

/** Opens the task for whoever should look into the refund of a cancel, if anybody should. */
async function followUpRefund(
  transaction: Transaction<Tables>,
  caseId: string,
  at: Date,
  effectId: string,
  refund: RefundFollowUp | null,
  taskId: string,
): Promise<void> {
  if (refund === null || refund.task === null) return;
  await openTask(transaction, caseId, taskId, at, refund.task);
  const kind = refund.check === "lower" ? "refund.lower" : "refund.unknown";
  await addCaseEvent(transaction, { caseId, at, kind, actor: "worker", detail: { effectId } });
}

/** An evidence that arrives late may find its case with a person, or put off; the way back leads through `checking`. */
async function passThroughChecking(transaction: Transaction<Tables>, caseId: string, to: CaseState): Promise<void> {
  if (to === "awaiting-agent") return;
  await sql`
    update skedchange.cases set state = 'checking'
    where id = ${caseId} and state in ('awaiting-agent', 'awaiting-traveller', 'snoozed')
  `.execute(transaction);
}
