import type { ChangeKind, NewChange } from "./ports.ts";

/** An airline's change of one order, with its announcement. */
export interface CausedChange {
  readonly changeId: string;
  readonly orderId: string;
  readonly kind: ChangeKind;
  /** Those that it concerns. */
  readonly gdsBookingReferences: readonly string[];
  /** `no-recipient`: there is no notification, because no recipient is configured. */
  readonly state: NewChange["announcement"];
  readonly deliveries: number;
}
