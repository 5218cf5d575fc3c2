import type { NewChange } from "./ports.ts";

/** An airline's change of one order, with its announcement. */
export interface CausedChange extends Pick<NewChange, "orderId" | "kind" | "deliveries"> {
  readonly changeId: string;
  /** Those that it concerns. */
  readonly gdsBookingReferences: readonly string[];
  /** `no-recipient`: there is no notification, because no recipient is configured. */
  readonly state: NewChange["announcement"];
}
