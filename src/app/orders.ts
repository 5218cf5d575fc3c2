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

/**
 * Lets the agency read orders and import what it sold. An import rejects orders with impossible flights, stores the
 * others, and notes what their views stated that nobody reads.
 */
export function openOrders(options: OrdersOptions): Orders {
  const { database, sources, clock, onDue } = options;
  const store = createOrderImportStore(database, clock);
  return {
    readOrder: store.readOrder,
    importOrders: async ({ orders, ...request }) => {
      const { source, dryRun } = request;
      if (!sources.some(({ id }) => id === source)) return null;
      const { possible, refused } = checkItineraries(orders);
      const imported = await store.importOrders({ ...request, orders: possible });
      if (!dryRun) {
        if (imported.length > 0) onDue();
        const importedIds = new Set(imported.map(({ orderId }) => orderId));
        for (const order of orders) if (importedIds.has(order.orderId)) await observeImported(options, source, order);
      }
      const results = new Map([...refused, ...imported].map((result) => [result.orderId, result]));
      return orders.map(({ orderId }) => results.get(orderId)!);
    },
  };
}

/** Separates the orders whose flights can have been sold from the others, which are refused. */
function checkItineraries(orders: readonly OrderToImport[]): {
  readonly possible: readonly ImportedOrder[];
  readonly refused: readonly OrderImportResult[];
} {
  const possible: ImportedOrder[] = [];
  const refused: OrderImportResult[] = [];
  for (const order of orders) {
    const { orderId, gdsBookingReferences } = order;
    const reading = itineraryOf(order);
    if (reading.ok) possible.push({ orderId, gdsBookingReferences, itinerary: reading.itinerary });
    else {
      const message = reading.problems.map((problem) => `${problem.path} ${problem.message}`).join("; ");
      refused.push({ orderId, outcome: "refused", message });
    }
  }
  return { possible, refused };
}

/**
 * Notes what the view of an imported order stated that nobody reads, in a transaction of its own: most orders state only
 * what is noted already. The flights are stored by then. If this fails, a later status of the order states it again.
 */
async function observeImported(
  { database, clock, logger, ...observing }: OrdersOptions,
  source: string,
  { orderId, observed }: OrderToImport,
): Promise<void> {
  if (observed === null || observed === undefined) return;
  const order = { source, orderId };
  const checked = { ...observed, statements: observed.statements.map(asObserved) };
  const unstored = observeStated(observing, order, checked, { isCounted: true, before: null });
  if (unstored === null) return;
  try {
    const stored = await inTransaction(database, (transaction) =>
      storeImported(transaction, order, unstored, clock.now()),
    );
    observing.recorder?.remember(source, stored);
  } catch (error) {
    logger.error({ error, source }, "orders.observe_failed");
  }
}
