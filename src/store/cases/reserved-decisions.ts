import { reservedQuestions } from "../../cases/decision.ts";
import type { ReservedDecision } from "../../cases/order-context.ts";
import { sql } from "../database/sql.ts";
import { decisionEventOf, hasEffect } from "./effect-snapshot.ts";

/** Bounds the work; real orders have far fewer. */
const reservedMax = 100;

/**
 * Decisions reserved for people on order `o` with case `c`, newest first by timeline id, not by process clocks. A
 * traveller's answer counts for its proposal. Reopening a case undoes how it was ended.
 */
export const reservedDecisions = sql<ReservedDecision[]>`array(
  select jsonb_build_object(
    'proposalDigest', d.proposal_digest,
    'isQuestion', d.decided_by not like 'person:%' and d.question is distinct from 'effect-outcome',
    'isUnsent', d.action in ('accept', 'cancel') and not ${hasEffect}
  )
  from skedchange.decisions d join skedchange.cases k on k.id = d.case_id
  where k.source = o.source and k.order_id = o.order_id and d.proposal_digest is not null
    and (d.decided_by like 'person:%' or d.question in (${sql.join(reservedQuestions.map((one) => sql.lit(one)))}))
    and (k.id = c.id or d.action = 'none')
    and not exists (
      select from skedchange.cases r
      where r.source = o.source and r.order_id = o.order_id and r.reopened_from = d.case_id
    )
    and not exists (
      select from skedchange.effects e
      where e.source = o.source and e.order_id = o.order_id and e.state = 'succeeded' and e.finished_at > d.decided_at
    )
    and not exists (
      select from skedchange.traveller_contacts t
      join skedchange.case_events h
        on h.case_id = t.case_id and h.kind = 'traveller.answered' and h.detail ->> 'contactId' = t.id::text
      where t.source = o.source and t.order_id = o.order_id and t.answer <> 'undecided'
        and t.proposal_digest = d.proposal_digest and h.id > ${decisionEventOf(sql`d`)}
    )
  order by d.decided_at desc, d.id desc
  limit ${sql.lit(reservedMax)}
)`;
