import { z } from "zod";
import { importedOrderSchema } from "../../contract/imported-order.ts";

export const importedOrdersMax = 100;

const source = z
  .string("may be given once only")
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be the id of a source")
  .default("default")
  .meta({ description: "The source, exactly; `default` when not given." });

export const orderImportBody = z.strictObject({
  source,
  orders: z
    .array(importedOrderSchema)
    .min(1, "must hold at least one order")
    .max(importedOrdersMax, `must hold at most ${importedOrdersMax} orders`)
    .refine((orders) => new Set(orders.map(({ orderId }) => orderId)).size === orders.length, {
      error: "must hold each order once",
    })
    .meta({ description: "Orders as they were sold." }),
  replace: z
    .boolean()
    .default(false)
    .meta({ description: "Takes the place of booked flights that decisions rest on, too." }),
  dryRun: z.boolean().default(false).meta({ description: "Says what would happen and changes nothing." }),
});

export const orderQuery = z.strictObject({ source });
