import { z } from "zod";
import { shownStates } from "../../cases/lifecycle.ts";
import { orderImportOutcomeNames } from "../order-ports.ts";
import { instant } from "../stored.ts";

export const orderImportResponse = z
  .strictObject({
    dryRun: z.boolean(),
    results: z.array(
      z
        .strictObject({
          orderId: z.string(),
          outcome: z.enum(orderImportOutcomeNames).meta({
            description:
              "`added`: no booked flights were known. `replaced`: others were. `unchanged`: these were stated before. `kept`: decisions rest on others, which stay. `refused`: its flights cannot have been sold.",
          }),
          message: z.string().nullable(),
        })
        .meta({ id: "OrderImportResult" }),
    ),
  })
  .meta({ id: "OrderImport", description: "What came of each order, in the order of the request." });

const itinerary = z.looseObject({ segments: z.array(z.looseObject({})), journeys: z.array(z.looseObject({})) });

export const orderResponse = z
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
