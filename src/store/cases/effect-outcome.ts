import { contradictsStatus } from "../../cases/brake.ts";
import { waiting } from "../../cases/case-actions.ts";
import type { RefundFollowUp } from "../../cases/case-update.ts";
import type { EffectOutcome } from "../../cases/effect.ts";
import type { CaseState, EffectState } from "../../cases/lifecycle.ts";
import type { Change } from "../../cases/step.ts";
import type { SaveResult } from "../../worker/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { brake } from "./brake.ts";
import { addCaseEvent, json } from "./case-rows.ts";
import { openTask } from "./open-task.ts";
import { followUpOf, type SaveContext } from "./save-context.ts";
import { outcomeEvent, refundEvent } from "./save-rows.ts";
import { liveStates } from "./states.ts";
import { moveCase } from "./write-cases.ts";
import { decisionEvent, insertDecision } from "./write-decisions.ts";

/**
 * Saves the outcome of an effect and moves the case; safe to repeat. Saved even if the lease is lost, because it is
 * evidence. Only noted if the effect is settled, or if a first attempt failed after a second one began.
 */
export async function saveOutcome(
  saving: SaveContext,
  change: Extract<Change, { kind: "effect-outcome" }>,
): Promise<Partial<SaveResult>> {
  const { transaction, lease, caseBefore, at, newId } = saving;
  const { effectId, outcome, ending } = change;
  const encrypted = saving.bodies.get(change) ?? null;
  const { move, accepted, followUp, refund } = ending;
  const event = outcomeEvent(change);
  // A failure of the first attempt says nothing about a second one.
  const { rows } = await sql<{ before: EffectState; isAutomatic: boolean }>`
    with before as (select state from skedchange.effects where id = ${effectId})
    update skedchange.effects e set
      state = ${outcome.state},
      finished_at = ${outcome.state === "unknown" ? null : at}::timestamptz,
      results = coalesce(${json(outcome.results)}, results),
      error = coalesce(${json(outcome.error)}, error),
      refund_check = ${refund?.check ?? null},
      answer = coalesce(${encrypted?.body ?? null}::bytea, answer),
      answer_encoding = coalesce(${encrypted?.bodyEncoding ?? null}::text, answer_encoding),
      answer_bytes = coalesce(${encrypted?.bodyBytes ?? null}::integer, answer_bytes),
      key_id = coalesce(${encrypted?.keyId ?? null}::text, key_id),
      compressed_against = case when ${encrypted === null} then compressed_against
        else ${encrypted?.compressedAgainst ?? null}::uuid end,
      is_bound = ${encrypted !== null} or is_bound
    from before
    where e.id = ${effectId} and e.state in ${liveStates}
      and (e.sends <= 1 or ${outcome.state !== "failed"})
    returning before.state as before, e.is_automatic as "isAutomatic"
  `.execute(transaction);
  const before = rows[0]?.before;
  if (before === undefined) {
    await noteOvertaken(saving, effectId, outcome, refund);
    return {};
  }
  // Another worker recorded it as unknown before and moved the case; a person may have been asked since.
  if (before === "unknown" && outcome.state === "unknown") {
    await addCaseEvent(transaction, { caseId: caseBefore.id, at, actor: "worker", ...event });
    return {};
  }
  const decided = followUp === null ? null : followUpOf(saving, followUp);
  await Promise.all([
    before === "unknown" ? passThroughChecking(transaction, caseBefore.id, move.state) : null,
    decided === null ? null : insertDecision(transaction, caseBefore.id, at, decided.decision, decided.document),
    moveCase(transaction, {
      caseBefore,
      at,
      move,
      decided,
      underDecision: false,
      failure: outcome.state === "failed" && move.state === "checking" ? outcome.error : null,
      events: [event, ...(decided === null ? [] : [decisionEvent(decided.id, decided.decision)])],
    }),
    openRefundTask(transaction, caseBefore.id, at, effectId, refund, newId()),
    accepted === null
      ? null
      : sql`
          update skedchange.orders set accepted_itinerary = ${json(accepted)}
          where source = ${lease.source} and order_id = ${lease.orderId}
        `.execute(transaction),
  ]);
  if (outcome.state === "succeeded" || !rows[0]!.isAutomatic || !contradictsStatus(outcome.error)) return {};
  return await brake(saving);
}

/** How far an effect has come. An ended effect is never written again. */
interface Standing {
  readonly state: EffectState;
  /** Whether the gateway's results are recorded. A status or a person may have settled the effect without them. */
  readonly hasResults: boolean;
}

/** The caller has locked the order, so the result does not change. */
async function findStanding(transaction: Connection, effectId: string): Promise<Standing | null> {
  const { rows } = await sql<Standing>`
    select state, results is not null as "hasResults" from skedchange.effects where id = ${effectId}
  `.execute(transaction);
  return rows[0] ?? null;
}

/** Notes, once, an outcome after settling or a second attempt. Opens a refund task if it had only been assumed. */
async function noteOvertaken(
  { transaction, caseBefore, at, newId }: SaveContext,
  effectId: string,
  outcome: EffectOutcome,
  refund: RefundFollowUp | null,
): Promise<void> {
  const standing = await findStanding(transaction, effectId);
  const isSame = standing?.state === outcome.state;
  if (isSame && (standing.hasResults || outcome.results === null)) return;
  const isNoted = await noteLateResponse(transaction, caseBefore.id, at, effectId, outcome);
  if (isNoted && isSame) await openRefundTask(transaction, caseBefore.id, at, effectId, refund, newId());
}

/** Records late results and the refund, which no status shows; returns whether there was anything new. */
async function noteLateResponse(
  transaction: Connection,
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

/** If the refund needs one. */
async function openRefundTask(
  transaction: Connection,
  caseId: string,
  at: Date,
  effectId: string,
  refund: RefundFollowUp | null,
  taskId: string,
): Promise<void> {
  if (refund === null || refund.task === null) return;
  await Promise.all([
    openTask(transaction, caseId, taskId, at, refund.task),
    addCaseEvent(transaction, { caseId, at, actor: "worker", ...refundEvent(effectId, refund) }),
  ]);
}

/** Late evidence may find its case snoozed or with a person; only `checking` leads back. */
async function passThroughChecking(transaction: Connection, caseId: string, to: CaseState): Promise<void> {
  if (to === "awaiting-agent") return;
  await sql`
    update skedchange.cases set state = 'checking'
    where id = ${caseId} and state in (${sql.join(waiting.map((state) => sql.lit(state)))})
  `.execute(transaction);
}
