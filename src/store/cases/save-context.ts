import type { Connection } from "../database/transaction.ts";
import type { StepSave } from "./save-rows.ts";

/** A save whose changes are written by statements of their own, in one transaction. */
export interface SaveContext extends Pick<StepSave, "lease" | "caseBefore" | "bodies" | "at" | "newId"> {
  readonly transaction: Connection;
  /** The decision after the save; null if none. */
  readonly decisionId: string | null;
}
