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

/** The age in milliseconds from which something counts as abandoned. */
export interface InconsistencyLimits {
  /** Of an effect: more than the longest that one can take until its outcome is known. */
  readonly effectMs: number;
  /** Of a lease or a dispatch of an order: far more than one lasts. */
  readonly orderMs: number;
  /** Of the due time of a case. */
  readonly dueMs: number;
  /** Of a task without a due time. */
  readonly taskMs: number;
  /** Of a repair: a case that needs the same repair again sooner is left to a person. */
  readonly againMs: number;
}

const minuteMs = 60_000;

export const defaultInconsistencyLimits: InconsistencyLimits = {
  effectMs: 10 * minuteMs,
  orderMs: 10 * minuteMs,
  dueMs: 15 * minuteMs,
  taskMs: 14 * 24 * 60 * minuteMs,
  againMs: 60 * minuteMs,
};

/** Whether everything that was acknowledged is decided or visibly waiting. */
export interface AcknowledgedCheck {
  readonly examined: number;
  readonly withoutCase: number;
  readonly withoutProgress: number;
}

/** `gone`: it was no longer inconsistent. `needs-person`: it was repaired before and came back. */
export type RepairOutcome = "repaired" | "gone" | "needs-person";

export interface ReconciliationStore {
  checkAcknowledged(): Promise<AcknowledgedCheck>;
  findInconsistencies(kind: InconsistencyKind, max: number): Promise<readonly Inconsistency[]>;
  /** Makes one repair that any worker could make, after checking the rows again, in one transaction. Sends nothing. */
  repair(inconsistency: Inconsistency): Promise<RepairOutcome>;
}
