import type { TravellerContact } from "../../cases/order-context.ts";
import { sql } from "../database/sql.ts";
import type { Json } from "./case-rows.ts";
import { decisionEventOf } from "./effect-snapshot.ts";
import { takesOver } from "./requeue-cases.ts";

/** Bounds the work; real orders have far fewer. */
const contactsMax = 200;

export const travellerContacts = sql<Json<TravellerContact>[]>`array(
  select jsonb_build_object(
    'kind', t.kind, 'proposalDigest', t.proposal_digest, 'happenedAt', t.happened_at, 'answer', t.answer
  )
  from skedchange.traveller_contacts t
  where t.source = o.source and t.order_id = o.order_id
  order by t.happened_at desc, t.id desc
  limit ${sql.lit(contactsMax)}
)`;

export interface SinceDecision {
  readonly lastContact: "none" | "informed" | "answered";
  readonly isRestated: boolean;
  readonly isTakenOver: boolean;
}

/** Since is judged by timeline ids, not by the clocks of processes. Empty if nothing is decided. */
export const sinceDecision = sql<SinceDecision>`(
  select jsonb_build_object(
    'lastContact', case
      when bool_or(h.kind = 'traveller.answered' and h.detail ->> 'answer' <> 'undecided') then 'answered'
      when bool_or(h.kind in ('traveller.informed', 'traveller.answered')) then 'informed'
      else 'none'
    end,
    'isRestated', coalesce(bool_or(h.kind = 'order.imported'), false),
    'isTakenOver', coalesce(bool_or(${takesOver}), false)
  )
  from skedchange.case_events h
  where h.case_id = c.id and h.id > (
    select ${decisionEventOf(sql`d`)} from skedchange.decisions d where d.id = c.decision_id
  )
)`;

/** The end of a person's snooze of case `c`, as text; null once an event would have ended it. */
export const snoozedUntil = sql<string | null>`(
  select case when newest.kind = 'case.snoozed' then newest.detail ->> 'until' end
  from (
    select h.kind, h.detail from skedchange.case_events h
    where h.case_id = c.id and h.kind in (
      'case.snoozed', 'case.recheck_asked', 'decision.made', 'traveller.answered', 'approval.asked', 'effect.refuted'
    )
    order by h.id desc limit 1
  ) newest
)`;
