import { sql } from "kysely";
import { finishedStates } from "../cases/states.ts";

/** Of a notification `n`: it was acknowledged as one that somebody works on. */
export const isAcknowledged = sql<boolean>`n.state in ('accepted', 'released')`;

/** Of a case `c`: work is left on it. */
export const isUnfinished = sql<boolean>`c.state not in ${finishedStates}`;

/** Of a case `c`: work is left, but it is due at no time, and no person and no traveller sees it waiting. */
export const isWithoutProgress = sql<boolean>`(c.due_at is null and ${isUnfinished}
  and c.state not in ('awaiting-agent', 'awaiting-traveller'))`;
