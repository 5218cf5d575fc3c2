import type { CaseSnapshot } from "../../cases/order-context.ts";
import type { Lease } from "../../worker/ports.ts";
import type { Encrypted } from "../database/encryption.ts";
import type { Connection } from "../database/transaction.ts";

export interface Saving {
  readonly transaction: Connection;
  readonly lease: Lease;
  readonly work: CaseSnapshot;
  readonly at: Date;
  /** The decision in force after the save; null if none. */
  readonly decisionId: string | null;
  readonly newId: () => string;
  /** The encrypted body of the change; null if it has none. */
  readonly encrypted: Encrypted | null;
}
