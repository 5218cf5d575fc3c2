import type { Clock } from "../../kernel/clock.ts";
import type { DeliveryStore, LaneStore } from "../../sender/ports.ts";
import type { Database } from "../database/database.ts";
import { fromTx, inTransaction, pipelined } from "../database/transaction.ts";
import { advanceLane, claimDue, nothingClaimed } from "./claim-due.ts";
import { addAnnouncement } from "./deliveries.ts";
import { type DeliveryTables, eventTables, notificationTables } from "./delivery-tables.ts";
import { finishAttempt } from "./finish-attempt.ts";
import { createTargetOpener, readTarget } from "./recipient-target.ts";
import { recordDelivered } from "./record-delivered.ts";
import { routeEvents } from "./route-events.ts";

export interface DeliveryStoreOptions {
  readonly database: Database;
  /** For due times. Leases use the database's clock, so the clocks of workers may differ. */
  readonly clock: Clock;
}

export function createDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  return {
    ...createLaneStore(options, notificationTables),
    addAnnouncement: (tx, announcement) =>
      addAnnouncement(fromTx(tx), notificationTables, options.clock, options.database.encryption, announcement),
  };
}

export function createEventDeliveryStore(options: DeliveryStoreOptions): LaneStore {
  const lanes = createLaneStore(options, eventTables);
  return {
    ...lanes,
    async recordAndClaim(delivered, bounds) {
      if (bounds.limit > 0) await routeEvents(options);
      return await lanes.recordAndClaim(delivered, bounds);
    },
  };
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Locks recipient, lane, delivery in this order. Each change of a lane is under its lock and stores its next due time.
 */
function createLaneStore({ database, clock }: DeliveryStoreOptions, tables: DeliveryTables): LaneStore {
  const { connection, encryption } = database;
  const openTarget = createTargetOpener(encryption, tables);
  return {
    async recordAndClaim(delivered, bounds) {
      const [recording, claiming] = await pipelined(database, (connection) =>
        Promise.allSettled([
          recordDelivered(connection, tables, clock, delivered),
          claimDue(connection, { encryption, tables, clock, openTarget }, bounds),
        ]),
      );
      const recorded = recording.status === "fulfilled" ? recording.value : [];
      const { attempts, lanesToAdvance, isIncomplete } =
        claiming.status === "fulfilled" ? claiming.value : nothingClaimed;
      const tidying = await Promise.allSettled(
        lanesToAdvance.map((lane) => inTransaction(database, (trx) => advanceLane(trx, tables, clock, lane))),
      );
      const failed = [recording, claiming, ...tidying].find((one) => one.status === "rejected");
      return {
        recorded,
        attempts,
        isIncomplete,
        failure: failed === undefined ? null : toError(failed.reason),
      };
    },
    finishAttempt: (attempt, result, next, health) =>
      inTransaction(database, (trx) => finishAttempt(trx, tables, clock, { attempt, result, next, health })),
    readTarget: (recipientId) => readTarget(connection, tables, openTarget, recipientId),
  };
}
