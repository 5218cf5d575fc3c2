import { sql } from "kysely";
import { caseStates, isFinished, liveEffectStates } from "../../cases/lifecycle.ts";

/** The final states of a case as an SQL list, in the order of the partial indexes. */
export const finishedStates = sql.raw(`('${caseStates.filter(isFinished).join("', '")}')`);

/** States of an effect that may have happened or may still happen. */
export const liveStates = sql.raw(`('${liveEffectStates.join("', '")}')`);
