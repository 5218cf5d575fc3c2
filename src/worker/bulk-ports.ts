import type { CaseActionOutcome } from "../cases/case-command.ts";

/** Where actions on many cases are worked off. */
export interface BulkWork {
  /**
   * Takes the action on the next case that nobody else has in hand, and writes down what came of it, in one transaction:
   * after a crash it has happened and is written down, or neither. Null when nothing is left.
   */
  workNext(): Promise<BulkStep | null>;
}

/** What came of one case. */
export interface BulkStep {
  readonly bulkActionId: string;
  readonly caseId: string;
  readonly outcome: CaseActionOutcome["outcome"];
}
