import { z } from "zod";
import { shownStates } from "../cases/lifecycle.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import { id, instant, type Stored } from "../kernel/stored.ts";
import type { Page, PageRequest } from "./paging-ports.ts";

export const blockReasonCodes = ["effect-unknown", "lease-held", "failing", "not-picked-up"] as const;
export type BlockReasonCode = BlockedOrder["reason"]["code"];

export const blockedOrder = z
  .strictObject({
    source: z.string(),
    orderId: z.string(),
    // The open case, or else the finished one that is due for a recheck.
    caseId: id,
    caseState: z.enum(shownStates).meta({ description: "A finished one is due for a recheck." }),
    since: instant,
    reason: z.strictObject({
      code: z.enum(blockReasonCodes).meta({
        description:
          "The first that holds. `effect-unknown`: the outcome of an accept or a cancel is unknown, so nothing else may be sent. `lease-held`: one worker has had the order for longer than work takes. `failing`: several attempts in a row failed. `not-picked-up`: the order has been due for long, and no worker has taken it.",
      }),
      text: z.string().meta({ description: "Reason and next step." }),
    }),
    failures: z.int().meta({ description: "Failed attempts in a row." }),
    // Null if it waits for a person or a notification.
    nextTryAt: instant.nullable(),
    leasedUntil: instant.nullable().meta({ description: "Until when a worker has it; null when none has." }),
    leasedBy: z.string().nullable().meta({ description: "Host and process id." }),
  })
  .meta({ id: "BlockedOrder" });

/** An order whose processing is stuck. It does not delay other orders. */
export type BlockedOrder = Stored<typeof blockedOrder>;

export interface BlockedOrderFilter extends PageRequest {
  readonly visible: VisibleSources;
  readonly source: string | null;
}

/** Each method is one read-only transaction. */
export interface BlockedOrders {
  /** Longest blocked first. */
  listBlocked(filter: BlockedOrderFilter): Promise<Page<BlockedOrder>>;
}
