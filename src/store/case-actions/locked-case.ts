import { type RawBuilder, sql, type Transaction } from "kysely";
import { type ActionRefusal, type CaseAction, refused } from "../../cases/case-command.ts";
import type { Question, Reason } from "../../cases/decision.ts";
import type { CaseState } from "../../cases/lifecycle.ts";
import type { NewDecision } from "../../cases/new-decision.ts";
import { announceDue, json } from "../case-rows.ts";
import { repeatedDueAfter } from "../notifications.ts";
import type { Tables } from "../tables.ts";

/** A case as it is while this transaction holds its lock. */
export interface LockedCase {
  readonly id: string;
  readonly source: string;
  readonly order_id: string;
  readonly state: CaseState;
  readonly version: number;
  readonly decision_id: string | null;
  readonly proposal_digest: string | null;
  readonly departure_at: Date | null;
  readonly firm_due_by: Date | null;
  /**
   * Whether an effect is decided that is not sent before a moment still to come, or not before the gateway can be read
   * again, which has failed already.
   */
  readonly can_be_stopped: boolean;
}

/** What an action takes besides the case. */
export interface ActionContext {
  readonly at: Date;
  readonly newId: () => string;
  /** Decimal text; null: nothing takes a second person. */
  readonly secondPersonAbove: string | null;
  /** How long a status may still show a change as open after it was answered. */
  readonly statusLagMs: number;
}

/** What the decision in force was made on. */
export type DecisionBasis = Pick<
  NewDecision,
  | "rule"
  | "question"
  | "proposalDigest"
  | "flags"
  | "facts"
  | "itineraries"
  | "statusViewId"
  | "evaluatedAt"
  | "versions"
  | "legal"
>;

/** Orders are locked before their cases everywhere, so that two transactions never wait for each other. */
export async function lockCase(transaction: Transaction<Tables>, caseId: string): Promise<LockedCase | null> {
  await sql`
    select 1 from skedchange.orders o
    where exists (
      select from skedchange.cases c where c.id = ${caseId} and c.source = o.source and c.order_id = o.order_id
    )
    for no key update
  `.execute(transaction);
  const { rows } = await sql<LockedCase>`
    select id, source, order_id, state, version, decision_id, proposal_digest, departure_at, firm_due_by,
      coalesce(undo_until > now(), false) or (failures > 0 and exists (
        select from skedchange.decisions d where d.id = decision_id and d.action in ('accept', 'cancel')
      )) as can_be_stopped
    from skedchange.cases where id = ${caseId} for update
  `.execute(transaction);
  return rows[0] ?? null;
}

export async function decisionInForce(
  transaction: Transaction<Tables>,
  current: Pick<LockedCase, "decision_id">,
): Promise<DecisionBasis | null> {
  if (current.decision_id === null) return null;
  const { rows } = await sql<DecisionBasis>`
    select rule, question, proposal_digest as "proposalDigest", flags, facts, itineraries, status_view_id as "statusViewId",
      evaluated_at as "evaluatedAt", versions, legal
    from skedchange.decisions where id = ${current.decision_id}
  `.execute(transaction);
  return rows[0] ?? null;
}

/** A person's decision about what the one in force was made on. */
export function decisionByPerson(
  by: Pick<CaseAction, "actor" | "note">,
  seen: DecisionBasis | null,
  made: Pick<NewDecision, "action"> & {
    readonly reasons: readonly [Reason, ...Reason[]];
    readonly reviewQueue?: string | null;
    readonly question?: Question | null;
  },
): NewDecision {
  return {
    action: made.action,
    decidedBy: by.actor,
    reviewQueue: made.reviewQueue ?? null,
    rule: "person",
    question: made.question ?? null,
    reasons: made.reasons,
    note: by.note,
    proposalDigest: seen?.proposalDigest ?? null,
    flags: seen?.flags ?? null,
    facts: seen?.facts ?? null,
    itineraries: seen?.itineraries ?? null,
    trace: [],
    statusViewId: seen?.statusViewId ?? null,
    evaluatedAt: seen?.evaluatedAt ?? null,
    versions: seen?.versions ?? {},
    legal: seen?.legal ?? null,
    priority: null,
    inputs: null,
    shadow: null,
  };
}

/** Nothing else may be decided while nobody knows what became of an effect. */
export async function refuseUnsettledEffect(
  transaction: Transaction<Tables>,
  current: LockedCase,
): Promise<ActionRefusal | null> {
  const { rows } = await sql<{ action: string }>`
    select action from skedchange.effects
    where source = ${current.source} and order_id = ${current.order_id} and state in ('planned', 'sent', 'unknown')
  `.execute(transaction);
  const live = rows[0];
  if (live === undefined) return null;
  return refused(
    "desk.effect_unsettled",
    `Whether the earlier ${live.action} of case ${current.id} was carried out is unknown. Find out at the gateway or the airline, then use confirm-effect or refute-effect.`,
  );
}

/** Makes the case due for a worker, with nothing of what was tried before. */
export async function wake(
  transaction: Transaction<Tables>,
  current: Pick<LockedCase, "id">,
  state: CaseState,
  at: Date,
): Promise<void> {
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

/**
 * When a case is due that would be due at `otherwise` (null: never). What has just made it due, such as a notification that
 * no worker has read yet, is looked at all the same: the person who acts could not know of it.
 */
export function dueUnlessWoken(otherwise: RawBuilder<unknown> | null): RawBuilder<unknown> {
  return sql`case when due_at <= now() + ${sql.raw(repeatedDueAfter)} then due_at else ${otherwise} end`;
}

/** Leaves the case waiting where only people, the traveller or a notification move it, or ends it. */
export async function rest(
  transaction: Transaction<Tables>,
  current: Pick<LockedCase, "id">,
  move: { readonly state: CaseState; readonly reviewQueue: string | null },
  at: Date,
): Promise<void> {
  const isOver = move.state === "closed" || move.state === "resolved-elsewhere";
  await sql`
    update skedchange.cases
    set state = ${move.state}, review_queue = ${move.reviewQueue}, due_at = ${dueUnlessWoken(null)}, undo_until = null,
      version = version + 1, updated_at = ${at}, failures = 0, last_error = null,
      closed_at = case when ${isOver} then ${at}::timestamptz else closed_at end,
      due_by = case when ${isOver} then null else due_by end,
      due_by_rule = case when ${isOver} then null else due_by_rule end,
      firm_due_by = case when ${isOver} then null else firm_due_by end
    where id = ${current.id}
  `.execute(transaction);
}

/** Counts a change that people can see. */
export async function countChange(
  transaction: Transaction<Tables>,
  current: Pick<LockedCase, "id">,
  at: Date,
): Promise<void> {
  await sql`
    update skedchange.cases set version = version + 1, updated_at = ${at} where id = ${current.id}
  `.execute(transaction);
}
