import type { VisibleSources } from "../cases/visible-sources.ts";

export interface WorkCounts {
  readonly needPerson: number;
  /** Open cases assigned to the caller. */
  readonly mine: number;
  /** Open cases past their deadline. */
  readonly overdue: number;
  readonly openTasks: number;
  /** Open tasks past their deadline. */
  readonly overdueTasks: number;
  readonly blockedOrders: number;
  readonly quarantined: number;
}

/** @param actor `person:` and the user name of the caller. */
export type CountWork = (actor: string, visible: VisibleSources) => Promise<WorkCounts>;
