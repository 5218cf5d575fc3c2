import { sql, type Transaction } from "kysely";
import { type EffectState, liveEffectStates } from "../../cases/lifecycle.ts";
import type { EffectSnapshot } from "../../cases/order-context.ts";
import type { Itinerary } from "../../itinerary/itinerary.ts";
import type { Lease } from "../../worker/ports.ts";
import type { Tables } from "../database/tables.ts";

/** Whether an effect was planned for a decision `d`; one of which the gateway took nothing does not count. */
export const hasEffect = sql`exists (
  select from skedchange.effects e
  where e.decision_id = d.id
    and not (e.state = 'failed' and e.error ->> 'code' in ('desk.not_sent', 'desk.refused_for_now', 'desk.credentials_refused'))
)`;

/** The effect of an order that may have happened or may still happen, or the one that succeeded last. */
export async function findEffect(
  transaction: Transaction<Tables>,
  lease: Lease,
  which: "live" | "succeeded",
): Promise<EffectSnapshot | null> {
  const states = which === "live" ? [...liveEffectStates] : ["succeeded"];
  const { rows } = await sql<{
    id: string;
    case_id: string;
    action: EffectSnapshot["action"];
    state: EffectState;
    proposal_digest: string;
    gds_booking_references: string[];
    decision_id: string;
    settle_reads: number;
    unchanged_reads: number;
    sends: number;
    sent_at: Date | null;
    sent_ago_ms: number | null;
    finished_at: Date | null;
    proposed: Itinerary | null;
    accepted_before: Itinerary | null;
    ancillaries_at_risk: readonly string[] | null;
    expected_refund: EffectSnapshot["expectedRefund"];
    refund_check: EffectSnapshot["refundCheck"];
    legal: EffectSnapshot["legal"];
    other_flights_asked_in: string | null;
    notified_since: boolean;
    contradicted: boolean;
  }>`
    select e.id, e.case_id, e.action, e.state, e.proposal_digest, e.gds_booking_references, e.decision_id,
      e.settle_reads, e.unchanged_reads, e.sends, e.sent_at, e.finished_at, e.expected_refund, e.refund_check,
      (extract(epoch from now() - e.sent_at) * 1000)::double precision as sent_ago_ms,
      d.itineraries -> 'proposed' as proposed, d.itineraries -> 'accepted' as accepted_before, d.legal,
      d.facts -> 'ancillariesAtRisk' -> 'value' as ancillaries_at_risk,
      (
        select a.case_id from skedchange.decisions a join skedchange.cases c on c.id = a.case_id
        where c.source = e.source and c.order_id = e.order_id and a.decided_at >= e.finished_at
          and a.reasons -> 0 ->> 'code' = 'accepted-other-flights'
        order by a.decided_at limit 1
      ) as other_flights_asked_in,
      exists (
        select from skedchange.case_events n
        where n.case_id = e.case_id and n.kind in ('notification.received', 'notification.replayed') and (
          n.at >= d.evaluated_at or n.id > (
            select max(m.id) from skedchange.case_events m
            where m.case_id = e.case_id and m.kind = 'decision.made' and m.detail ->> 'decisionId' = e.decision_id::text
          )
        )
      ) as notified_since,
      e.state = 'succeeded' and exists (
        select from skedchange.case_events s
        where s.case_id = e.case_id and s.kind = 'status.contradicts' and s.detail ->> 'effectId' = e.id::text
      ) as contradicted
    from skedchange.effects e join skedchange.decisions d on d.id = e.decision_id
    where e.source = ${lease.source} and e.order_id = ${lease.orderId} and e.state = any(${states}::text[])
    order by e.finished_at desc nulls first, e.planned_at desc
    limit 1
  `.execute(transaction);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: row.id,
    caseId: row.case_id,
    action: row.action,
    state: row.state,
    proposalDigest: row.proposal_digest,
    gdsBookingReferences: row.gds_booking_references,
    decisionId: row.decision_id,
    settleReads: row.settle_reads,
    unchangedReads: row.unchanged_reads,
    sends: row.sends,
    sentAt: row.sent_at,
    sentAgoMs: row.sent_ago_ms,
    finishedAt: row.finished_at,
    proposed: row.proposed,
    acceptedBefore: row.accepted_before,
    ancillariesAtRisk: row.ancillaries_at_risk ?? [],
    expectedRefund: row.expected_refund,
    refundCheck: row.refund_check,
    legal: row.legal,
    otherFlightsAskedIn: row.other_flights_asked_in,
    notifiedSince: row.notified_since,
    contradicted: row.contradicted,
  };
}
