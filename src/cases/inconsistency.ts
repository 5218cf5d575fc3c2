const repair = (text: string) => ({ needs: "repair", text }) as const;
const person = (text: string) => ({ needs: "person", text }) as const;

/** Inconsistencies that no transaction of ours leaves behind: a bug, a restored backup or a manual edit causes them. */
export const inconsistencyKinds = {
  "notification.without-case": repair(
    "An acknowledged notification belongs to no case, or its orders have waited for more than 10 s to be looked at.",
  ),
  "effect.without-outcome": repair(
    "An effect was planned or sent longer ago than it can take, and nobody is due to find out what became of it.",
  ),
  "effect.unknown-unattended": repair(
    "The outcome of an effect is unknown, and neither a worker nor a person is to find it out.",
  ),
  "case.decision-not-carried-out": repair(
    "An accept or a cancel is decided, was never planned, and no worker is due to carry it out.",
  ),
  "case.without-effect": repair(
    "The case is accepting or cancelling, but no effect is under way and no worker is due to look.",
  ),
  "case.without-decision": repair("The case waits for somebody, but no decision in force says for what."),
  "case.without-progress": repair("The case is not finished, nobody sees it waiting, and no worker is due to look."),
  "case.due-long-ago": repair("The case has been due for long, and no worker has its order."),
  "order.lease-left": repair("A lease on the order outlives any work, so that it may keep the workers away."),
  "order.dispatch-left": repair("The order counts as handed to the workers for longer than that ever is."),
  "effect.on-finished-case": person(
    "An effect may have happened or may still happen, but its case is finished. Find out at the gateway or the airline.",
  ),
  "case.done-without-success": person(
    "The case is done, but no effect of it has succeeded. Look the booking up at the gateway or the airline.",
  ),
  "case.finished-without-decision": person(
    "The case is finished, but no decision says why. Look the booking up at the gateway or the airline.",
  ),
  "task.forgotten": person(
    "A task has been overdue for a day, or open for weeks without a due time. Do it, or close it.",
  ),
} as const;

export type InconsistencyKind = keyof typeof inconsistencyKinds;

/** One inconsistency. Ids only, no personal data. */
export interface Inconsistency {
  readonly kind: InconsistencyKind;
  readonly source: string;
  readonly orderId: string | null;
  readonly caseId: string | null;
  readonly effectId: string | null;
  readonly notificationId: string | null;
  /** Null if the tables do not show it. */
  readonly since: Date | null;
}

/** With who must act, and a sentence. */
export interface ListedInconsistency extends Inconsistency {
  readonly needs: "repair" | "person";
  readonly text: string;
}
