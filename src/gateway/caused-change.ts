import type { ChangeKind, NewChange } from "./ports.ts";

/** A change that an airline made to one order, and who is told of it. */
export interface CausedChange {
  readonly changeId: string;
  readonly orderId: string;
  readonly kind: ChangeKind;
  /** The booking references that it concerns. */
  readonly gdsBookingReferences: readonly string[];
  /** `no-recipient`: nobody is configured to be told, so no notification exists. */
  readonly state: NewChange["announcement"];
  readonly deliveries: number;
}
