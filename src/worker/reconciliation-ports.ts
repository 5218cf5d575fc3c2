import type { Inconsistency, InconsistencyKind } from "../cases/inconsistency.ts";

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
