import { sql, type Transaction } from "kysely";
import type { OrderContext, OrderKey, TravellerContact } from "../../cases/order-context.ts";
import type { Tables } from "../database/tables.ts";
import { takesOver } from "./automation.ts";

/** How many contacts of an order are read: far more than one ever has, and a bound on the work. */
const contactsMax = 200;

/** What people have recorded that the work on a case depends on. */
export async function findWhatPeopleRecorded(
  transaction: Transaction<Tables>,
  { source, orderId }: OrderKey,
  caseId: string,
  decisionId: string | null,
): Promise<Pick<OrderContext, "travellerContacts" | "heardSince" | "isRestated" | "isTakenOver" | "snoozedUntil">> {
  const contacts = await sql<TravellerContact>`
    select kind, proposal_digest as "proposalDigest", happened_at as "happenedAt", answer
    from skedchange.traveller_contacts
    where source = ${source} and order_id = ${orderId}
    order by happened_at desc, id desc
    limit ${contactsMax}
  `.execute(transaction);
  return {
    travellerContacts: contacts.rows.toReversed(),
    ...(decisionId === null ? nothingSince : await findSince(transaction, caseId, decisionId)),
    snoozedUntil: await findSnoozedUntil(transaction, caseId),
  };
}

type Since = Pick<OrderContext, "heardSince" | "isRestated" | "isTakenOver">;

const nothingSince: Since = { heardSince: "nothing", isRestated: false, isTakenOver: false };

/** What came after a decision, by the order of the timeline, which the clocks of processes cannot change. */
async function findSince(transaction: Transaction<Tables>, caseId: string, decisionId: string): Promise<Since> {
  const { rows } = await sql<{ answered: boolean; told: boolean; restated: boolean; taken_over: boolean }>`
    select
      coalesce(bool_or(h.kind = 'traveller.answered' and h.detail ->> 'answer' <> 'undecided'), false) as answered,
      count(*) filter (where h.kind in ('traveller.informed', 'traveller.answered')) > 0 as told,
      count(*) filter (where h.kind = 'order.imported') > 0 as restated,
      count(*) filter (where ${takesOver}) > 0 as taken_over
    from skedchange.case_events h
    where h.case_id = ${caseId} and h.id > (
      select max(m.id) from skedchange.case_events m
      where m.case_id = ${caseId} and m.kind = 'decision.made' and m.detail ->> 'decisionId' = ${decisionId}
    )
  `.execute(transaction);
  const { answered, told, restated, taken_over } = rows[0]!;
  return {
    heardSince: answered ? "answered" : told ? "told" : "nothing",
    isRestated: restated,
    isTakenOver: taken_over,
  };
}

/** A snooze holds until something happens that would have moved the case. */
async function findSnoozedUntil(transaction: Transaction<Tables>, caseId: string): Promise<Date | null> {
  const { rows } = await sql<{ kind: string; until: string | null }>`
    select kind, detail ->> 'until' as until from skedchange.case_events
    where case_id = ${caseId} and kind in (
      'case.snoozed', 'case.recheck_asked', 'decision.made', 'traveller.answered', 'approval.asked', 'effect.refuted'
    )
    order by id desc limit 1
  `.execute(transaction);
  const newest = rows[0];
  return newest?.kind === "case.snoozed" && newest.until !== null ? new Date(newest.until) : null;
}
