import type { CaseSnapshot } from "../../cases/order-context.ts";
import type { Lease } from "../../worker/ports.ts";
import type { Encrypted } from "../database/encryption.ts";
import type { Connection } from "../database/transaction.ts";

/** What saving a change rests on. */
export interface Saving {
  readonly transaction: Connection;
  readonly lease: Lease;
  /** The case as it was when the work on it began. */
  readonly work: CaseSnapshot;
  readonly at: Date;
  /** The decision in force once everything is saved; null when there is none. */
  readonly decisionId: string | null;
  readonly newId: () => string;
  /** The body that comes with the change; null when none does. */
  readonly encrypted: Encrypted | null;
}
