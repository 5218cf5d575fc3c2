import { sql, type Transaction } from "kysely";
import type { ActionOutcome, CaseState, NewDecision, PersonAction } from "../desk/ports.ts";
import { addCaseEvent, announceDue, insertDecision, json } from "./case-rows.ts";
import type { Tables } from "./tables.ts";

interface CaseRow {
  readonly id: string;
  readonly source: string;
  readonly order_id: string;
  readonly state: CaseState;
  readonly version: number;
  readonly decision_id: string | null;
}

interface DecisionRow {
  readonly proposal_digest: string | null;
  readonly flags: NewDecision["flags"];
  readonly facts: NewDecision["facts"];
  readonly itineraries: NewDecision["itineraries"];
  readonly status_view_id: string | null;
  readonly evaluated_at: Date | null;
  readonly versions: Record<string, string>;
  readonly legal: NewDecision["legal"];
}

interface Moment {
  readonly decisionId: string;
  readonly at: Date;
}

const finishedStates: readonly CaseState[] = ["done", "resolved-elsewhere", "closed"];
const waitingStates: readonly CaseState[] = ["awaiting-agent", "awaiting-traveller", "snoozed"];

/**
 * A person's action on the case as it is when this transaction has locked it: of two people, or a person and a worker,
 * who act at once, one is first and the other is told what the case has become.
 */
export async function actOnCase(
  transaction: Transaction<Tables>,
  action: PersonAction,
  moment: Moment,
): Promise<ActionOutcome> {
  const current = await lockCase(transaction, action.caseId);
  if (current === null) return { outcome: "not-found" };
  const conflict = conflictOf(current, action);
  if (conflict !== null)
    return { outcome: "conflict", state: current.state, version: current.version, message: conflict };

  switch (action.action) {
    case "accept":
    case "cancel":
      return await decideByPerson(transaction, current, action, action.action, moment);
    case "close":
      return await closeByPerson(transaction, current, action, moment);
    case "recheck":
      return await recheck(transaction, current, action, moment);
    case "confirm-effect":
    case "refute-effect":
      return await settleByPerson(transaction, current, action, moment);
  }
}

/** Orders are locked before their cases everywhere, so that two transactions never wait for each other. */
async function lockCase(transaction: Transaction<Tables>, caseId: string): Promise<CaseRow | null> {
  await sql`
    select 1 from skedchange.orders o
    where exists (
      select from skedchange.cases c where c.id = ${caseId} and c.source = o.source and c.order_id = o.order_id
    )
    for update
  `.execute(transaction);
  const { rows } = await sql<CaseRow>`
    select id, source, order_id, state, version, decision_id from skedchange.cases where id = ${caseId} for update
  `.execute(transaction);
  return rows[0] ?? null;
}

function conflictOf(current: CaseRow, action: PersonAction): string | null {
  if (finishedStates.includes(current.state)) return `Case ${current.id} is finished (${current.state}).`;
  if (action.version !== null && action.version !== current.version) {
    return `Case ${current.id} has changed since you saw it: it is at version ${current.version}, not ${action.version}. Look at it again.`;
  }
  if (action.action !== "recheck" && !waitingStates.includes(current.state)) {
    return `Case ${current.id} is being worked on (${current.state}). Wait until it asks for a person.`;
  }
  return null;
}

async function decideByPerson(
  transaction: Transaction<Tables>,
  current: CaseRow,
  action: PersonAction,
  effect: "accept" | "cancel",
  moment: Moment,
): Promise<ActionOutcome> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  const seen = await decisionInForce(transaction, current);
  const repeated = await refuseRepetition(transaction, current, effect, seen?.proposal_digest ?? null);
  if (repeated !== null) return repeated;
  if (seen === null || seen.proposal_digest === null || seen.flags === null) {
    return {
      outcome: "refused",
      code: "desk.no_proposal",
      message: `Case ${current.id} has no proposal to ${effect}, because the gateway's status could not be read. Use recheck first.`,
    };
  }
  const flag = seen.flags[effect];
  const allowed = flag.known ? flag.value === "Y" : flag.reason === "differs-by-reference";
  if (!allowed) {
    return {
      outcome: "refused",
      code: "desk.flag_not_set",
      message: `The gateway does not offer to ${effect} this change (flag ${flag.known ? flag.value : `unknown: ${flag.reason}`}). Use another action, or recheck.`,
    };
  }
  await insertDecision(transaction, current.id, moment.decisionId, moment.at, {
    action: effect,
    decidedBy: action.actor,
    reviewQueue: null,
    rule: "person",
    reasons: [{ code: "person-decided", text: `A person decided to ${effect}.` }],
    note: action.note,
    proposalDigest: seen.proposal_digest,
    flags: seen.flags,
    facts: seen.facts,
    itineraries: seen.itineraries,
    trace: [],
    statusViewId: seen.status_view_id,
    evaluatedAt: seen.evaluated_at,
    versions: seen.versions,
    legal: seen.legal,
    priority: null,
    inputs: null,
    shadow: null,
  });
  await wake(transaction, current, "checking", moment.at);
  return { outcome: "accepted", caseId: current.id, state: "checking", decisionId: moment.decisionId };
}

async function closeByPerson(
  transaction: Transaction<Tables>,
  current: CaseRow,
  action: PersonAction,
  moment: Moment,
): Promise<ActionOutcome> {
  const unsettled = await refuseUnsettledEffect(transaction, current);
  if (unsettled !== null) return unsettled;
  const seen = await decisionInForce(transaction, current);
  await insertDecision(transaction, current.id, moment.decisionId, moment.at, {
    action: "none",
    decidedBy: action.actor,
    reviewQueue: null,
    rule: "person",
    reasons: [{ code: "person-closed", text: "A person closed the case without an effect." }],
    note: action.note,
    proposalDigest: seen?.proposal_digest ?? null,
    flags: seen?.flags ?? null,
    facts: seen?.facts ?? null,
    itineraries: seen?.itineraries ?? null,
    trace: [],
    statusViewId: seen?.status_view_id ?? null,
    evaluatedAt: seen?.evaluated_at ?? null,
    versions: seen?.versions ?? {},
    legal: seen?.legal ?? null,
    priority: null,
    inputs: null,
    shadow: null,
  });
  await sql`
    update skedchange.cases
    set state = 'closed', review_queue = null, due_at = null, version = version + 1, updated_at = ${moment.at},
      closed_at = ${moment.at}
    where id = ${current.id}
  `.execute(transaction);
  return { outcome: "accepted", caseId: current.id, state: "closed", decisionId: moment.decisionId };
}

async function recheck(
  transaction: Transaction<Tables>,
  current: CaseRow,
  action: PersonAction,
  moment: Moment,
): Promise<ActionOutcome> {
  await wake(transaction, current, current.state, moment.at);
  await addCaseEvent(transaction, {
    caseId: current.id,
    at: moment.at,
    kind: "case.recheck_asked",
    actor: action.actor,
    detail: { note: action.note },
  });
  return { outcome: "accepted", caseId: current.id, state: current.state, decisionId: null };
}

/** A person found out at the gateway or the airline what became of an effect whose outcome was unknown. */
async function settleByPerson(
  transaction: Transaction<Tables>,
  current: CaseRow,
  action: PersonAction,
  moment: Moment,
): Promise<ActionOutcome> {
  const confirmed = action.action === "confirm-effect";
  const { rows } = await sql<{ id: string; action: "accept" | "cancel"; decision_id: string }>`
    update skedchange.effects
    set state = ${confirmed ? "succeeded" : "failed"}, finished_at = ${moment.at}
    where source = ${current.source} and order_id = ${current.order_id} and state = 'unknown'
    returning id, action, decision_id
  `.execute(transaction);
  const effect = rows[0];
  if (effect === undefined) {
    return {
      outcome: "refused",
      code: "desk.no_unknown_effect",
      message: `Case ${current.id} has no effect whose outcome is unknown, so there is nothing to confirm or refute.`,
    };
  }
  if (confirmed && effect.action === "accept") {
    await sql`
      update skedchange.orders o set accepted_itinerary = d.itineraries -> 'proposed'
      from skedchange.decisions d
      where d.id = ${effect.decision_id} and d.itineraries is not null
        and o.source = ${current.source} and o.order_id = ${current.order_id}
    `.execute(transaction);
  }
  await addCaseEvent(transaction, {
    caseId: current.id,
    at: moment.at,
    kind: confirmed ? "effect.confirmed" : "effect.refuted",
    actor: action.actor,
    detail: { effectId: effect.id, note: action.note },
  });
  await wake(transaction, current, "checking", moment.at);
  if (confirmed) {
    const underWay: CaseState = effect.action === "accept" ? "accepting" : "cancelling";
    await sql`update skedchange.cases set state = ${underWay} where id = ${current.id}`.execute(transaction);
    return { outcome: "accepted", caseId: current.id, state: underWay, decisionId: null };
  }
  return { outcome: "accepted", caseId: current.id, state: "checking", decisionId: null };
}

async function refuseUnsettledEffect(
  transaction: Transaction<Tables>,
  current: CaseRow,
): Promise<ActionOutcome | null> {
  const { rows } = await sql<{ action: string; state: string }>`
    select action, state from skedchange.effects
    where source = ${current.source} and order_id = ${current.order_id} and state in ('planned', 'sent', 'unknown')
  `.execute(transaction);
  const live = rows[0];
  if (live === undefined) return null;
  return {
    outcome: "refused",
    code: "desk.effect_unsettled",
    message: `Whether the earlier ${live.action} of case ${current.id} was carried out is unknown. Find out at the gateway or the airline, then use confirm-effect or refute-effect.`,
  };
}

/** An effect that succeeded is never sent again for the same proposal of a case, whoever asks. */
async function refuseRepetition(
  transaction: Transaction<Tables>,
  current: CaseRow,
  effect: "accept" | "cancel",
  proposalDigest: string | null,
): Promise<ActionOutcome | null> {
  const { rows } = await sql`
    select 1 from skedchange.effects
    where case_id = ${current.id} and action = ${effect} and proposal_digest = ${proposalDigest} and state = 'succeeded'
  `.execute(transaction);
  if (rows.length === 0) return null;
  return {
    outcome: "refused",
    code: "desk.already_carried_out",
    message: `The gateway has answered SUCCESS to the ${effect} of this change already (case ${current.id}). Settle it with the airline, then close the case.`,
  };
}

async function decisionInForce(transaction: Transaction<Tables>, current: CaseRow): Promise<DecisionRow | null> {
  if (current.decision_id === null) return null;
  const { rows } = await sql<DecisionRow>`
    select proposal_digest, flags, facts, itineraries, status_view_id, evaluated_at, versions, legal
    from skedchange.decisions where id = ${current.decision_id}
  `.execute(transaction);
  return rows[0] ?? null;
}

async function wake(transaction: Transaction<Tables>, current: CaseRow, state: CaseState, at: Date): Promise<void> {
  await sql`
    update skedchange.cases
    set state = ${state}, due_at = now(), wake = wake + 1, version = version + 1, updated_at = ${at},
      review_queue = case when ${state}::text = 'checking' then null else review_queue end,
      last_error = case when ${state}::text = 'checking' then ${json(null)} else last_error end,
      failures = 0
    where id = ${current.id}
  `.execute(transaction);
  await announceDue(transaction);
}
