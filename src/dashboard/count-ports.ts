/** What waits for people, as the pages name it. */
export interface WorkCounts {
  /** Cases that wait for a person. */
  readonly needPerson: number;
  /** Open cases that the person who asks has taken. */
  readonly mine: number;
  /** Open cases that should have been decided by now. */
  readonly overdue: number;
  readonly openTasks: number;
  /** Those of them that should have been done by now. */
  readonly overdueTasks: number;
  /** Orders on which no work gets done. */
  readonly blockedOrders: number;
  readonly quarantined: number;
}

/** @param actor `person:` and who asks. */
export type CountWork = (actor: string) => Promise<WorkCounts>;
