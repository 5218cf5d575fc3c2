import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createGatherer } from "../../kernel/gather.ts";
import { newId } from "../../kernel/ids.ts";
import { type CaseStore, type Lease, type LeasedOrder, leaseLost } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import { isRefusedByDatabase } from "../database/sql-states.ts";
import { type Connection, inPipelinedTransaction, inTransaction } from "../database/transaction.ts";
import { createNotificationReader } from "../notifications/notification-reader.ts";
import { createLeaseStore } from "../orders/leases.ts";
import { actOnCase } from "./actions/act-on-case.ts";
import {
  type Claim,
  type ClaimedOrder,
  checkAgain,
  claimOrders,
  type IfLocked,
  lockOrders,
  mustBeginChecking,
} from "./claim-orders.ts";
import { type LoadedOrder, loadOrders, openContext, type StoredContext } from "./load-order.ts";
import { isDeciding, isGatherable, saveAlone, saveTogether } from "./save-changes.ts";
import { prepareSave, type StepSave } from "./save-rows.ts";

export interface CaseStoreOptions {
  /** Cancels of orders worth more need a second person, decimal text; null means never. */
  readonly secondPersonAbove?: string | null;
  /** How long a status may still show a change as open after it was answered. */
  readonly statusLagMs?: number;
}

/** The orders of a larger transaction would wait for each other too long. */
const gatheredMax = 32;

export function createCaseStore(
  database: Database,
  clock: Clock,
  dialect: Dialect,
  { secondPersonAbove = null, statusLagMs = defaultStatusLagMs }: CaseStoreOptions = {},
): CaseStore {
  const reader = createNotificationReader(database.encryption, dialect);
  type Remembered = ReturnType<typeof reader.remembered>;
  const open = (stored: StoredContext | null, remembered: Remembered) => openContext(stored, reader, remembered);

  async function claim(connection: Connection, claims: readonly Claim[], ifLocked: IfLocked) {
    const remembered = reader.remembered();
    const results = await claimOrders(connection, claims, clock.now(), [...remembered.keys()], ifLocked);
    return results.map((result) => (typeof result === "string" ? result : openClaimed(result, remembered)));
  }

  async function openClaimed({ lease, ...order }: ClaimedOrder, remembered: Remembered): Promise<LeasedOrder> {
    const loaded = hasNewerCase(order) ? await loadUnderLease(lease, remembered) : order;
    const { context, traceparents, dueForMs } = loaded;
    return { lease, traceparents, dueForMs, context: open(context, remembered) };
  }

  async function loadUnderLease(lease: Lease, remembered: Remembered): Promise<LoadedOrder> {
    // Each round needs another notification in between.
    for (;;) {
      const [, orders] = await inPipelinedTransaction(database, (transaction) =>
        Promise.all([
          checkAgain(transaction, lease, clock.now()),
          loadOrders(transaction, [lease], [...remembered.keys()]),
        ]),
      );
      const order = orders[0]!;
      if (order.fence !== lease.fence) throw leaseLost(lease);
      if (!hasNewerCase(order)) return order;
    }
  }

  // Decisions are gathered by themselves: these may wait for a stop of automation, and other saves must not.
  const saveWork = {
    together: (saves: readonly StepSave[]) => saveTogether(database, saves),
    alone: (save: StepSave) => saveAlone(database, save),
    isUndone: isRefusedByDatabase,
  };
  const saveDecision = createGatherer(gatheredMax, saveWork);
  const saveOther = createGatherer(gatheredMax, saveWork);
  const take = createGatherer(gatheredMax, {
    together: async (claims: readonly Claim[]) =>
      (await claim(database.connection, claims, "skip")).map((claimed) => (claimed === "locked" ? null : claimed)),
    alone: async (one: Claim) => {
      const [, [claimed]] = await inPipelinedTransaction(database, (transaction) =>
        Promise.all([lockOrders(transaction, [{ ...one, isSending: false }]), claim(transaction, [one], "wait")]),
      );
      return claimed!;
    },
    isUndone: isRefusedByDatabase,
  });

  return {
    ...createLeaseStore(database),

    take: async ({ source, orderId }, holder, leaseMs) => {
      const claimed = await take({ source, orderId, holder, leaseMs });
      return typeof claimed === "string" ? null : claimed;
    },

    load: async (lease, without) => {
      const remembered = reader.remembered();
      const { context } = await loadUnderLease(lease, remembered);
      const isLeftOut = without === "without-notification" && context !== null;
      return await open(isLeftOut ? { ...context, notification: null } : context, remembered);
    },

    save: async (lease, caseBefore, changes, then) => {
      const save = await prepareSave(database, clock, lease, caseBefore, changes, then === "release");
      if (!isGatherable(save)) return await saveAlone(database, save);
      return await (isDeciding(save) ? saveDecision(save) : saveOther(save));
    },

    act: async (action, traceparent) => {
      const terms = { at: clock.now(), newId: () => newId(clock), secondPersonAbove, statusLagMs };
      return await inTransaction(database, (transaction) =>
        actOnCase(transaction, database.encryption, action, terms, traceparent),
      );
    },
  };
}

/** Whether the case was locked or changed while its order was claimed, so that it must be read again. */
function hasNewerCase({ context }: LoadedOrder): boolean {
  return context !== null && mustBeginChecking(context.case.state);
}
