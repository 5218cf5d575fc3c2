import type { SourceConfiguration } from "../config/sources-file.ts";
import type { OrderImportResult, Orders } from "../dashboard/order-ports.ts";
import { itineraryOf } from "../itinerary/stated-order.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { createOrderImportStore, type ImportedOrder } from "../store/orders/order-import.ts";

/** Rejects orders with impossible flights and stores the others. */
export function openOrders(options: {
  readonly database: Database;
  readonly sources: readonly Pick<SourceConfiguration, "id">[];
  readonly clock: Clock;
  readonly onDue: () => void;
}): Orders {
  const { database, sources, clock, onDue } = options;
  const store = createOrderImportStore(database, clock);
  return {
    readOrder: store.readOrder,
    importOrders: async ({ source, orders, replace, dryRun, actor, tokenId }) => {
      if (!sources.some(({ id }) => id === source)) return null;
      const possible = new Map<string, ImportedOrder>();
      const refused = new Map<string, OrderImportResult>();
      for (const order of orders) {
        const { orderId, gdsBookingReferences } = order;
        const stated = itineraryOf(order);
        if (stated.ok) possible.set(orderId, { orderId, gdsBookingReferences, itinerary: stated.itinerary });
        else {
          const message = stated.problems.map((problem) => `${problem.path} ${problem.message}`).join("; ");
          refused.set(orderId, { orderId, outcome: "refused", message });
        }
      }
      const stored = await store.importOrders({
        source,
        orders: [...possible.values()],
        replace,
        dryRun,
        actor,
        tokenId,
      });
      if (!dryRun && stored.length > 0) onDue();
      const results = new Map([...refused, ...stored.map((result) => [result.orderId, result] as const)]);
      return orders.map(({ orderId }) => results.get(orderId)!);
    },
  };
}
