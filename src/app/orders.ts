import { asObserved } from "../cases/observed-members.ts";
import type { SourceConfiguration } from "../config/sources-file.ts";
import type { OrderToImport } from "../contract/imported-order.ts";
import type { OrderImportResult, Orders } from "../dashboard/order-ports.ts";
import { itineraryOf } from "../itinerary/imported-order.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../store/database/database.ts";
import { inTransaction } from "../store/database/transaction.ts";
import { storeImported } from "../store/members/observed-members.ts";
import { createOrderImportStore, type ImportedOrder } from "../store/orders/order-import.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Observing, observeStated } from "../worker/observe-members.ts";

export interface OrdersOptions extends Observing {
  readonly database: Database;
  readonly sources: readonly Pick<SourceConfiguration, "id">[];
  readonly clock: Clock;
  readonly onDue: () => void;
  readonly logger: Logger;
}

/** Rejects orders with impossible flights and stores the others, and what their views stated that nobody reads. */
export function openOrders(options: OrdersOptions): Orders {
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
      if (!dryRun) {
        if (stored.length > 0) onDue();
        for (const order of orders) if (possible.has(order.orderId)) await observeImported(options, source, order);
      }
      const results = new Map([...refused, ...stored.map((result) => [result.orderId, result] as const)]);
      return orders.map(({ orderId }) => results.get(orderId)!);
    },
  };
}

/**
 * A transaction for each order that states anything new, because most state what all others do. The flights are stored
 * by then: what cannot be noted is seen again in a status of the order.
 */
async function observeImported(
  { database, clock, logger, ...observing }: OrdersOptions,
  source: string,
  { orderId, observed }: OrderToImport,
): Promise<void> {
  if (observed === null || observed === undefined) return;
  const order = { source, orderId };
  const stated = { ...observed, statements: observed.statements.map(asObserved) };
  const seen = observeStated(observing, order, stated, { isCounted: true, before: null });
  if (seen === null) return;
  try {
    const stored = await inTransaction(database, (transaction) => storeImported(transaction, order, seen, clock.now()));
    observing.recorder?.remember(source, stored);
  } catch (error) {
    logger.error({ error, source }, "orders.observe_failed");
  }
}
