import { sql, type Transaction } from "kysely";
import { reservedQuestions } from "../../cases/decision.ts";
import type { OrderKey, ReservedDecision } from "../../cases/order-context.ts";
import type { Tables } from "../database/tables.ts";
import { hasEffect } from "./find-effect.ts";

/** How many decisions of people are looked back on: far more than an order ever has, and a bound on the work. */
const reservedMax = 100;

/**
 * What is for people to decide on an order, newest first. An answer of the traveller counts for the proposal that it was
 * about, and later by the order of the timeline, which the clocks of processes cannot change. Who reopens a case takes back
 * how it was ended.
 */
export async function findReserved(
  transaction: Transaction<Tables>,
  { source, orderId }: OrderKey,
  caseId: string,
): Promise<readonly ReservedDecision[]> {
  const { rows: candidates } = await sql<{ id: string }>`
    select d.id from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
    where c.source = ${source} and c.order_id = ${orderId} and d.proposal_digest is not null
      and (d.decided_by like 'person:%' or d.question = any(${reservedQuestions}::text[]))
      and (c.id = ${caseId} or d.action = 'none')
    order by d.decided_at desc, d.id desc
    limit ${reservedMax}
  `.execute(transaction);
  // Most orders never have one, and planning what follows takes longer than the rest of the work's beginning.
  if (candidates.length === 0) return [];
  const { rows } = await sql<ReservedDecision>`
    select d.proposal_digest as "proposalDigest",
      d.decided_by not like 'person:%' and d.question is distinct from 'effect-outcome' as "isQuestion",
      d.action in ('accept', 'cancel') and not ${hasEffect} as "isUnsent"
    from skedchange.decisions d
    where d.id = any(${candidates.map(({ id }) => id)}::uuid[])
      and not exists (
        select from skedchange.cases r
        where r.source = ${source} and r.order_id = ${orderId} and r.reopened_from = d.case_id
      )
      and not exists (
        select from skedchange.effects e
        where e.source = ${source} and e.order_id = ${orderId} and e.state = 'succeeded' and e.finished_at > d.decided_at
      )
      and not exists (
        select from skedchange.traveller_contacts t
        join skedchange.case_events h
          on h.case_id = t.case_id and h.kind = 'traveller.answered' and h.detail ->> 'contactId' = t.id::text
        where t.source = ${source} and t.order_id = ${orderId} and t.answer <> 'undecided'
          and t.proposal_digest = d.proposal_digest
          and h.id > (
            select max(m.id) from skedchange.case_events m
            where m.case_id = d.case_id and m.kind = 'decision.made' and m.detail ->> 'decisionId' = d.id::text
          )
      )
    order by d.decided_at desc, d.id desc
  `.execute(transaction);
  return rows;
}
