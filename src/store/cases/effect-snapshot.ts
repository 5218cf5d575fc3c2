import { nothingDoneCodes } from "../../cases/brake.ts";
import type { EffectSnapshot } from "../../cases/effect-snapshot.ts";
import { acceptedOtherCode } from "../../cases/outcome-words.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Json } from "./case-rows.ts";
import { liveStates } from "./states.ts";

/** Whether the gateway carried out nothing of effect `e`, so that the same decision may be carried out later. */
export const nothingDone = sql`(
  e.state = 'failed' and coalesce(e.error ->> 'code', '') in (${sql.join(nothingDoneCodes.map((code) => sql.lit(code)))})
)`;

/**
 * Whether no effect of the order is live and none has succeeded for the same proposal. Unique indexes refuse both as well, but
 * a second success only once it was sent.
 */
export function noOtherEffect(
  of: Readonly<Record<"source" | "orderId" | "caseId" | "action" | "proposalDigest", Sql>>,
): Sql {
  return sql`not exists (
    select from skedchange.effects e where e.source = ${of.source} and e.order_id = ${of.orderId} and e.state in ${liveStates}
  ) and not exists (
    select from skedchange.effects e
    where e.case_id = ${of.caseId} and e.action = ${of.action} and e.proposal_digest = ${of.proposalDigest}
      and e.state = 'succeeded'
  )`;
}

/** Whether decision `d` has an effect. An effect of which the gateway carried out nothing does not count. */
export const hasEffect = sql`exists (
  select from skedchange.effects e
  where e.case_id = d.case_id and e.decision_id = d.id
    and not ${nothingDone}
)`;

/** The effect of order `o` that may have happened or may still happen, as JSON; null if none. */
export const liveEffect = effectWhere(sql`e.state in ${liveStates}`);

/** The last succeeded effect of order `o`, as JSON; null if none. */
export const lastSuccess = effectWhere(sql`e.state = 'succeeded'`);

function effectWhere(is: Sql): Sql<Json<EffectSnapshot> | null> {
  return sql`(
    select jsonb_build_object(
      'id', e.id, 'caseId', e.case_id, 'action', e.action, 'state', e.state, 'proposalDigest', e.proposal_digest,
      'gdsBookingReferences', e.gds_booking_references, 'decisionId', e.decision_id, 'settleReads', e.settle_reads,
      'unchangedReads', e.unchanged_reads, 'sends', e.sends, 'sentAt', e.sent_at,
      'sentAgoMs', extract(epoch from now() - e.sent_at) * 1000, 'finishedAt', e.finished_at,
      'expectedRefund', e.expected_refund, 'refundCheck', e.refund_check,
      'proposed', d.itineraries -> 'proposed', 'acceptedBefore', d.itineraries -> 'accepted', 'legal', d.legal,
      'ancillariesAtRisk', coalesce(nullif(d.facts -> 'ancillariesAtRisk' -> 'value', 'null'), '[]'),
      'otherFlightsAskedIn', (
        select a.case_id from skedchange.decisions a join skedchange.cases k on k.id = a.case_id
        where k.source = e.source and k.order_id = e.order_id and a.decided_at >= e.finished_at
          and a.reasons -> 0 ->> 'code' = ${sql.lit(acceptedOtherCode)}
        order by a.decided_at limit 1
      ),
      'notifiedSince', exists (
        select from skedchange.case_events h
        where h.case_id = e.case_id and h.kind in ('notification.received', 'notification.replayed')
          and (h.at >= d.evaluated_at or h.id > ${decisionEventOf(sql`d`)})
      ),
      'contradicted', e.state = 'succeeded' and exists (
        select from skedchange.case_events h
        where h.case_id = e.case_id and h.kind = 'status.contradicts' and h.detail ->> 'effectId' = e.id::text
      ),
      'confirmedByPerson', e.state = 'succeeded' and exists (
        select from skedchange.case_events h
        where h.case_id = e.case_id and h.kind = 'effect.confirmed' and h.detail ->> 'effectId' = e.id::text
      )
    )
    from skedchange.effects e join skedchange.decisions d on d.id = e.decision_id
    where e.source = o.source and e.order_id = o.order_id and ${is}
    order by e.finished_at desc nulls first, e.planned_at desc
    limit 1
  )`;
}

/** The id of the timeline line of a decision. A greater id came later, whatever clocks say. */
export function decisionEventOf(decision: Sql): Sql<number | null> {
  return sql`(
    select max(m.id) from skedchange.case_events m
    where m.case_id = ${decision}.case_id and m.kind = 'decision.made'
      and m.detail ->> 'decisionId' = ${decision}.id::text
  )`;
}

export function toEffectSnapshot(effect: Json<EffectSnapshot>): EffectSnapshot {
  return { ...effect, sentAt: toDate(effect.sentAt), finishedAt: toDate(effect.finishedAt) };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
