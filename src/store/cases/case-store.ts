import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { CaseStore } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { inTransaction } from "../database/transaction.ts";
import { createNotificationReader } from "../notifications/notification-reader.ts";
import { createLeaseStore, holdLease } from "../orders/leases.ts";
import { actOnCase } from "./actions/act-on-case.ts";
import { beginChecking, isAtRest, type LoadedOrder, loadOrder } from "./load-order.ts";
import { saveChanges } from "./save-changes.ts";

export interface CaseStoreOptions {
  /** Orders worth more are cancelled only when two people want it, decimal text; null: one is always enough. */
  readonly secondPersonAbove?: string | null;
  /** How long a status may still show a change as open after it was answered. */
  readonly statusLagMs?: number;
}

/** Cases, decisions and effects in PostgreSQL. */
export function createCaseStore(
  database: Database,
  clock: Clock,
  { secondPersonAbove = null, statusLagMs = defaultStatusLagMs }: CaseStoreOptions = {},
): CaseStore {
  const reader = createNotificationReader(database.sealing);

  return {
    ...createLeaseStore(database),

    load: async (lease, without) => {
      const remembered = reader.remembered();
      const found = await inTransaction(database, async (transaction) => {
        let order: LoadedOrder | null;
        do {
          [, , order] = await Promise.all([
            holdLease(transaction, lease),
            beginChecking(transaction, lease, clock.now()),
            loadOrder(transaction, lease, [...remembered.keys()]),
          ]);
          // A notification has opened the next case between the two statements.
        } while (order !== null && isAtRest(order.case.state));
        return order;
      });
      if (found === null) return null;
      const { notification, ...context } = found;
      const isLeftOut = notification === null || without === "without-notification";
      if (isLeftOut) return { ...context, notification: null };
      const reading = await reader.read(notification, remembered);
      return { ...context, notification: reading.ok ? reading.view : "unreadable" };
    },

    save: (lease, work, changes) => saveChanges(database, clock, lease, work, changes),

    act: async (action) => {
      const terms = { at: clock.now(), newId: () => newId(clock), secondPersonAbove, statusLagMs };
      return await inTransaction(database, (transaction) => actOnCase(transaction, action, terms));
    },
  };
}
