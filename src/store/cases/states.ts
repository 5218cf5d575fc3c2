import { sql } from "kysely";
import { caseStates, isFinished, liveEffectStates } from "../../cases/lifecycle.ts";

/** The final states of a case as a list in SQL, in the order in which the partial indexes have it. */
export const finishedStates = sql.raw(`('${caseStates.filter(isFinished).join("', '")}')`);

/** The states of an effect that may have happened or may still happen. */
export const liveStates = sql.raw(`('${liveEffectStates.join("', '")}')`);
