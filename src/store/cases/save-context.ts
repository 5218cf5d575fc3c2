import type { CaseSnapshot } from "../../cases/order-context.ts";
import type { Lease } from "../../worker/ports.ts";
import type { Encrypted } from "../database/encryption.ts";
import type { Connection } from "../database/transaction.ts";
import type { NameTokens } from "./case-rows.ts";

/** The body of a change, encrypted for the row with that id. */
export interface EncryptedBody extends Encrypted {
  readonly row: string;
}

export interface SaveContext {
  readonly transaction: Connection;
  readonly lease: Lease;
  readonly caseBefore: CaseSnapshot;
  readonly at: Date;
  /** The decision after the save; null if none. */
  readonly decisionId: string | null;
  readonly newId: () => string;
  readonly encrypted: EncryptedBody | null;
  /** By which the travellers of what was read are found; null if nothing was. */
  readonly names: NameTokens | null;
}
