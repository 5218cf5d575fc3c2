import { z } from "zod";
import { shownStates } from "../cases/lifecycle.ts";
import type { OrderToImport } from "../contract/imported-order.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Actor } from "../kernel/actor.ts";
import { describing, instant, type Stored } from "../kernel/stored.ts";

export interface OrderImport extends Actor {
  readonly source: string;
  readonly orders: readonly OrderToImport[];
  /** Replaces booked flights even if decisions depend on them. */
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export const orderImportResult = z
  .strictObject({
    orderId: z.string(),
    outcome: z.enum(["added", "replaced", "unchanged", "kept", "refused"]).meta({
      description:
        "`added`: no booked flights were known. `replaced`: others were. `unchanged`: these were stated before. `kept`: decisions rest on others, which stay. `refused`: its flights cannot have been sold.",
    }),
    message: z.string().nullable(),
  })
  .meta({ id: "OrderImportResult" });

export type OrderImportResult = Stored<typeof orderImportResult>;

const itinerary = describing<Itinerary>(
  z.looseObject({ segments: z.array(z.looseObject({})), journeys: z.array(z.looseObject({})) }),
);

export const orderDetail = z
  .strictObject({
    source: z.string(),
    orderId: z.string(),
    gdsBookingReferences: z.array(z.string()).meta({ description: "As an import or a poll told them." }),
    booked: itinerary.nullable(),
    bookedFrom: z.enum(["import", "notification", "status"]).nullable(),
    accepted: itinerary.nullable(),
    importedAt: instant.nullable(),
    importedBy: z.string().nullable(),
    polledAt: instant.nullable(),
    nextPollAt: instant.nullable(),
    pollEnded: z
      .enum(["travelled", "no-reference", "refused", "erased"])
      .nullable()
      .meta({ description: "Why its status is read no more without a notification." }),
    cases: z.array(z.strictObject({ id: z.guid(), state: z.enum(shownStates), openedAt: instant })),
  })
  .meta({ id: "KnownOrder" });

/** With its newest 50 cases, newest first. */
export type OrderDetail = Stored<typeof orderDetail>;

export interface Orders {
  /** One transaction. Results are in the order of the input; null if there is no such source. */
  importOrders(request: OrderImport): Promise<readonly OrderImportResult[] | null>;
  readOrder(source: string, orderId: string): Promise<OrderDetail | null>;
}
