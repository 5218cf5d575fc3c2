import { sql, type Transaction } from "kysely";
import type { CaseAction, CaseActionOutcome, TravellerCommand } from "../cases/case-command.ts";
import type { OrderContext, OrderKey, TravellerContact } from "../cases/order-context.ts";
import { contactRefusal } from "../cases/possible-actions.ts";
import { takesOver } from "./automation.ts";
import {
  type ActionContext,
  countChange,
  decisionByPerson,
  decisionInForce,
  type LockedCase,
  refuseUnsettledEffect,
  rest,
  wake,
} from "./case-actions/locked-case.ts";
import { keptQuestion } from "./case-actions/wait.ts";
import { takeFromWorker } from "./case-leases.ts";
import { addCaseEvent, announceDue, insertDecision } from "./case-rows.ts";
import type { Tables } from "./tables.ts";

type ContactAction = Extract<CaseAction, { action: TravellerCommand["action"] }>;

/**
 * Records that the traveller was told, asked, or has answered. It is about the proposal that the case shows now. Asking
 * leaves the case waiting for the traveller; an answer lets the policy decide with it.
 */
export async function recordContact(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: ContactAction,
  context: ActionContext,
): Promise<CaseActionOutcome> {
  const refusal =
    contactRefusal(action.happenedAt, context.at) ??
    (action.action === "traveller-asked" ? await refuseUnsettledEffect(transaction, current) : null);
  if (refusal !== null) return refusal;
  await insertContact(transaction, current, action, context);
  switch (action.action) {
    case "traveller-informed":
      return await heard(transaction, current, current.state, context);
    case "traveller-asked":
      return await waitForTraveller(transaction, current, action, context);
    case "traveller-answered":
      return await heard(transaction, current, stateAfterAnswer(current, action.answer), context);
  }
}

async function insertContact(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: ContactAction,
  { at, newId }: ActionContext,
): Promise<void> {
  const contactId = newId();
  const kind = kinds[action.action];
  const answer = action.action === "traveller-answered" ? action.answer : null;
  await sql`
    insert into skedchange.traveller_contacts (
      id, case_id, source, order_id, proposal_digest, kind, channel, answer, happened_at, recorded_at, recorded_by, note
    ) values (
      ${contactId}, ${current.id}, ${current.source}, ${current.order_id}, ${current.proposal_digest}, ${kind},
      ${action.channel}, ${answer}, ${action.happenedAt}, ${at}, ${action.actor}, ${action.note}
    )
  `.execute(transaction);
  const { channel, happenedAt, note } = action;
  await addCaseEvent(transaction, {
    caseId: current.id,
    at,
    kind: `traveller.${kind}`,
    actor: action.actor,
    detail: { contactId, channel, happenedAt, ...(answer === null ? {} : { answer }), note },
  });
}

const kinds = {
  "traveller-informed": "informed",
  "traveller-asked": "asked",
  "traveller-answered": "answered",
} as const satisfies Record<ContactAction["action"], TravellerContact["kind"]>;

/** Who has not decided yet is still waited for. A worker that has the case already goes on with the answer. */
function stateAfterAnswer(
  { state }: LockedCase,
  answer: Extract<ContactAction, { action: "traveller-answered" }>["answer"],
): LockedCase["state"] {
  const isWaiting = state === "awaiting-agent" || state === "awaiting-traveller" || state === "snoozed";
  return isWaiting && answer !== "undecided" ? "checking" : state;
}

/** The case is due, so that it is decided with what was heard. */
async function heard(
  transaction: Transaction<Tables>,
  current: LockedCase,
  state: LockedCase["state"],
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  // What was sent already is another matter: then the case is no longer checking.
  if (current.state === "checking") await takeFromWorker(transaction, current.source, current.order_id);
  if (state === "snoozed" || state === "accepting" || state === "cancelling") {
    // It is looked at with what was heard when it has rested, or when what was sent is settled.
    await countChange(transaction, current, at);
  } else if (state === current.state) {
    // Who waits goes on waiting where they are, and a worker looks whether that is still right.
    await sql`
      update skedchange.cases
      set due_at = now(), wake = wake + 1, version = version + 1, updated_at = ${at} where id = ${current.id}
    `.execute(transaction);
    await announceDue(transaction);
  } else {
    await wake(transaction, current, state, at);
  }
  return { outcome: "accepted", caseId: current.id, state, decisionId: null };
}

async function waitForTraveller(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: ContactAction,
  { at, newId }: ActionContext,
): Promise<CaseActionOutcome> {
  const seen = await decisionInForce(transaction, current);
  if (seen === null) {
    await countChange(transaction, current, at);
    return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
  }
  const decisionId = newId();
  const decision = decisionByPerson(action, seen, {
    action: "ask-traveller",
    reasons: [{ code: "person-asked-traveller", text: "A person asked the traveller." }],
    ...keptQuestion(seen),
  });
  await insertDecision(transaction, current.id, decisionId, at, decision);
  await rest(transaction, current, { state: "awaiting-traveller", reviewQueue: null }, at);
  return { outcome: "accepted", caseId: current.id, state: "awaiting-traveller", decisionId };
}

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
