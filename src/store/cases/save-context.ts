import type { NewDecision } from "../../cases/new-decision.ts";
import type { Connection } from "../database/transaction.ts";
import type { StepSave } from "./save-rows.ts";

/** A save whose changes are written by statements of their own, in one transaction. */
export interface SaveContext
  extends Pick<StepSave, "lease" | "caseBefore" | "bodies" | "decisionDocuments" | "at" | "newId"> {
  readonly transaction: Connection;
  /** The decision after the save; null if none. */
  readonly decisionId: string | null;
}

/** A decision that follows a change, with its id and its encrypted document. */
export function followUpOf({ decisionDocuments }: SaveContext, decision: NewDecision) {
  const document = decisionDocuments.get(decision)!;
  return { id: document.row, decision, document };
}
