import { sql, type Transaction } from "kysely";
import { type CaseAction, type CaseActionOutcome, refused } from "../../cases/case-command.ts";
import type { CaseState } from "../../cases/lifecycle.ts";
import { addCaseEvent } from "../case-rows.ts";
import type { Tables } from "../tables.ts";
import { type ActionContext, type LockedCase, wake } from "./locked-case.ts";

/** A person found out at the gateway or the airline what became of an effect whose outcome was unknown. */
export async function settleEffect(
  transaction: Transaction<Tables>,
  current: LockedCase,
  action: CaseAction,
  { at }: ActionContext,
): Promise<CaseActionOutcome> {
  const confirmed = action.action === "confirm-effect";
  const { rows } = await sql<{ id: string; action: "accept" | "cancel"; decision_id: string }>`
    update skedchange.effects
    set state = ${confirmed ? "succeeded" : "failed"}, finished_at = ${at}
    where source = ${current.source} and order_id = ${current.order_id} and state = 'unknown'
    returning id, action, decision_id
  `.execute(transaction);
  const effect = rows[0];
  if (effect === undefined) {
    return refused(
      "desk.no_unknown_effect",
      `Case ${current.id} has no effect whose outcome is unknown, so there is nothing to confirm or refute.`,
    );
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
    at,
    kind: confirmed ? "effect.confirmed" : "effect.refuted",
    actor: action.actor,
    detail: { effectId: effect.id, note: action.note },
  });
  await wake(transaction, current, "checking", at);
  if (confirmed) {
    const underWay: CaseState = effect.action === "accept" ? "accepting" : "cancelling";
    await sql`update skedchange.cases set state = ${underWay} where id = ${current.id}`.execute(transaction);
    return { outcome: "accepted", caseId: current.id, state: underWay, decisionId: null };
  }
  return { outcome: "accepted", caseId: current.id, state: "checking", decisionId: null };
}
