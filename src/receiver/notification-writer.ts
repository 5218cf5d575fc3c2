import { AppError, assertNever, messageOf } from "../kernel/app-error.ts";
import type { IncomingNotification, NotificationStore, RecordingOutcome } from "./ports.ts";
import { receiverErrors } from "./receiver-problems.ts";

export const batchRowsMax = 64;

export interface Recorded {
  readonly notificationId: string;
  /** The receipt number for these bytes; 1 if they were new. */
  readonly receipts: number;
}

export interface NotificationWriter {
  /**
   * Resolves once the notification is committed.
   * @throws AppError `receiver.backlog_full`, retryable: too many bytes wait, nothing was stored
   * @throws AppError `receiver.store_unavailable`, retryable: the commit failed or its outcome is unknown
   * @throws AppError `receiver.not_recorded`: the database refuses this notification
   */
  write(notification: Omit<IncomingNotification, "copies">): Promise<Recorded>;
  flush(): Promise<void>;
  backlogBytes(): number;
}

interface Waiting {
  readonly notification: Omit<IncomingNotification, "copies">;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: AppError) => void;
}

/**
 * Writes what arrives during a commit as the next batch, so up to 64 notifications share a commit under load. A second
 * concurrent commit costs a tenth of the rate (measured), because both are smaller.
 */
export function createNotificationWriter(options: {
  readonly store: NotificationStore;
  readonly backlogBytes: number;
}): NotificationWriter {
  const { store } = options;
  const waiting = new Map<string, Waiting[]>();
  let committing: Promise<void> | null = null;
  let backlog = 0;
  let startIsPlanned = false;

  function planStart(): void {
    if (startIsPlanned) return;
    startIsPlanned = true;
    // Deferred, so that data that other connections already received joins the commit.
    setImmediate(() => {
      startIsPlanned = false;
      startCommit();
    });
  }

  function startCommit(): void {
    if (committing !== null || waiting.size === 0) return;
    const batch = takeBatch(waiting);
    committing = commitBatch(store, batch).then((outcomes) => {
      committing = null;
      // Before the callers resolve, because they may send the next notification at once.
      for (const { notification } of batch.flat()) backlog -= notification.body.byteLength;
      for (const [index, entries] of batch.entries()) resolveCallers(entries, outcomes[index]!);
      startCommit();
    });
  }

  return {
    write(notification) {
      const bytes = notification.body.byteLength;
      if (backlog + bytes > options.backlogBytes) {
        return Promise.reject(
          new AppError(
            receiverErrors.backlogFull,
            `${backlog} bytes of notifications wait for their commit, the most that may; this one was not stored. Send it again later.`,
            { retryable: true },
          ),
        );
      }
      backlog += bytes;
      return new Promise((resolve, reject) => {
        const key = `${notification.source}\0${notification.digest.toString("base64")}`;
        const entry: Waiting = { notification, resolve, reject };
        const sameBody = waiting.get(key);
        if (sameBody === undefined) waiting.set(key, [entry]);
        else sameBody.push(entry);
        planStart();
      });
    },

    async flush() {
      startCommit();
      while (committing !== null) await committing;
    },

    backlogBytes: () => backlog,
  };
}

function takeBatch(waiting: Map<string, Waiting[]>): readonly Waiting[][] {
  const batch: Waiting[][] = [];
  for (const [key, entries] of waiting) {
    if (batch.length === batchRowsMax) break;
    waiting.delete(key);
    batch.push(entries);
  }
  return batch;
}

/** Never rejects. */
async function commitBatch(
  store: NotificationStore,
  batch: readonly Waiting[][],
): Promise<readonly RecordingOutcome[]> {
  const rows = batch.map((entries) => ({ ...entries[0]!.notification, copies: entries.length }));
  try {
    return await store.recordBatch(rows);
  } catch (error) {
    return rows.map(() => ({ recorded: false, reason: "unavailable", error }));
  }
}

function resolveCallers(entries: readonly Waiting[], outcome: RecordingOutcome): void {
  for (const [index, { notification, resolve, reject }] of entries.entries()) {
    if (outcome.recorded) {
      const { notificationId, receipts } = outcome;
      // The callers of one row are its last receipts, in order of arrival.
      resolve({ notificationId, receipts: receipts - (entries.length - 1 - index) });
    } else {
      reject(toFailure(notification.id, outcome.reason, outcome.error));
    }
  }
}

function toFailure(notificationId: string, reason: "refused" | "unavailable", error: unknown): AppError {
  switch (reason) {
    case "refused":
      return new AppError(
        receiverErrors.notRecorded,
        `The database refuses notification ${notificationId}: ${messageOf(error)}`,
        { cause: error },
      );
    case "unavailable":
      return new AppError(
        receiverErrors.storeUnavailable,
        `Notification ${notificationId} could not be stored: ${messageOf(error)}. It must be sent again later.`,
        { retryable: true, cause: error },
      );
    default:
      return assertNever(reason);
  }
}
