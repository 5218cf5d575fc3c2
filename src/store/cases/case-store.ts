import type { RawBuilder } from "kysely";
import type { OrderKey } from "../../cases/order-context.ts";
import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { type CaseStore, type Lease, leaseLost } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { type Connection, inOneTrip, inTransaction } from "../database/transaction.ts";
import { createNotificationReader } from "../notifications/notification-reader.ts";
import { createLeaseStore, isHeldUnder, isTakenNow, takeLease } from "../orders/leases.ts";
import { actOnCase } from "./actions/act-on-case.ts";
import { beginChecking, isParked, type LoadedOrder, loadOrder, openContext, type StoredContext } from "./load-order.ts";
import { saveChanges } from "./save-changes.ts";

export interface CaseStoreOptions {
  /** Cancels of orders worth more need a second person, decimal text; null means never. */
  readonly secondPersonAbove?: string | null;
  /** How long a status may still show a change as open after it was answered. */
  readonly statusLagMs?: number;
}

export function createCaseStore(
  database: Database,
  clock: Clock,
  { secondPersonAbove = null, statusLagMs = defaultStatusLagMs }: CaseStoreOptions = {},
): CaseStore {
  const reader = createNotificationReader(database.encryption);
  type Remembered = ReturnType<typeof reader.remembered>;
  const open = (stored: StoredContext | null, remembered: Remembered) => openContext(stored, reader, remembered);

  async function look(
    transaction: Connection,
    key: OrderKey,
    isHeld: RawBuilder<unknown>,
    remembered: Remembered,
  ): Promise<LoadedOrder> {
    const [, order] = await Promise.all([
      beginChecking(transaction, key, isHeld, clock.now()),
      loadOrder(transaction, key, [...remembered.keys()]),
    ]);
    return order;
  }

  async function lookUnder(lease: Lease, remembered: Remembered): Promise<LoadedOrder> {
    for (;;) {
      const order = await inOneTrip(database, (transaction) =>
        look(transaction, lease, isHeldUnder(lease), remembered),
      );
      if (order.fence !== lease.fence) throw leaseLost(lease);
      if (!mustLoadAgain(order)) return order;
    }
  }

  return {
    ...createLeaseStore(database),

    take: async (key, holder, leaseMs) => {
      const remembered = reader.remembered();
      const [lease, order] = await inOneTrip(database, (transaction) =>
        Promise.all([
          takeLease(transaction, key, holder, leaseMs),
          look(transaction, key, isTakenNow(holder), remembered),
        ]),
      );
      if (lease === null) return null;
      const { context, traceparents, dueForMs } = mustLoadAgain(order) ? await lookUnder(lease, remembered) : order;
      return { lease, traceparents, dueForMs, context: open(context, remembered) };
    },

    load: async (lease, without) => {
      const remembered = reader.remembered();
      const { context } = await lookUnder(lease, remembered);
      const isLeftOut = without === "without-notification" && context !== null;
      return await open(isLeftOut ? { ...context, notification: null } : context, remembered);
    },

    save: (lease, caseBefore, changes, then) =>
      saveChanges(database, clock, lease, caseBefore, changes, then === "release"),

    act: async (action, traceparent) => {
      const terms = { at: clock.now(), newId: () => newId(clock), secondPersonAbove, statusLagMs };
      return await inTransaction(database, (transaction) =>
        actOnCase(transaction, database.encryption, action, terms, traceparent),
      );
    },
  };
}

/** Whether a notification opened the next case between the two statements, so the read must be repeated. */
function mustLoadAgain({ context }: LoadedOrder): boolean {
  return context !== null && isParked(context.case.state);
}
