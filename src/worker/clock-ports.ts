import type { OrderKey } from "../cases/order-context.ts";

/** A case whose time to be decided has passed. */
export interface OverdueCase extends OrderKey {
  readonly caseId: string;
  readonly dueBy: Date;
  readonly rule: string;
}

/** A task whose time to be done has passed. */
export interface OverdueTask extends OrderKey {
  readonly taskId: string;
  readonly kind: string;
  /** The case that left it. */
  readonly caseId: string;
  readonly dueBy: Date;
  readonly rule: string;
}

/** Where it is kept by when cases must be decided and tasks be done. Each method is one transaction. */
export interface ClockStore {
  /**
   * Marks cases that wait for a person or the traveller and whose time has passed, the longest overdue first: each once
   * for a time that it had, however many processes look. They become at least as urgent as `overduePriority`, and their
   * timelines say so. A case that rests because a person put it off is left alone, as is an order that somebody is
   * changing this moment: the next look finds it.
   */
  markOverdue(limit: number): Promise<readonly OverdueCase[]>;
  /** Open cases that are overdue, by source. */
  countOverdue(): Promise<ReadonlyMap<string, number>>;
  /**
   * Marks open tasks whose time has passed, the longest overdue first: each once, however many processes look. The
   * timelines of their cases say so. A task that somebody is closing this moment is left alone.
   */
  markOverdueTasks(limit: number): Promise<readonly OverdueTask[]>;
  /** Open tasks that are overdue, by source. */
  countOverdueTasks(): Promise<ReadonlyMap<string, number>>;
}
