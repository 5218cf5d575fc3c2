import {
  type CaseState,
  caseStates,
  type EffectState,
  isFinished,
  liveEffectStates,
  needingPerson,
  type ShownState,
  waitingForSomebody,
} from "../../cases/lifecycle.ts";
import { type Sql, sql } from "../database/sql.ts";

/** The final states of a case as an SQL list, in the order of the partial indexes. */
export const finishedStates = listOf(caseStates.filter(isFinished));

/** States in which a case needs a person. */
export const personStates = listOf(needingPerson);

/** States in which a case waits for a person or a traveller. */
export const waitingStates = listOf(waitingForSomebody);

/** What people see of case `c`, by the database's clock: see `ShownState`. */
export const shownState = sql<ShownState>`(case when c.state = 'checking' and c.undo_until > now() then coalesce(
  (
    select d.action || '-pending' from skedchange.decisions d
    where d.id = c.decision_id and d.action in ('accept', 'cancel')
  ), c.state
) else c.state end)`;

/** States of an effect that may have happened or may still happen. */
export const liveStates = listOf(liveEffectStates);

function listOf(states: readonly (CaseState | EffectState)[]): Sql {
  return sql.raw(`('${states.join("', '")}')`);
}
