import { AppError, assertNever, messageOf } from "../kernel/app-error.ts";
import type { IncomingNotification, NotificationStore, RecordingOutcome } from "./ports.ts";
import { receiverErrors } from "./receiver-problems.ts";

/** Notifications of one commit, at most. */
export const batchRowsMax = 64;

export interface NotificationWriterOptions {
  readonly store: NotificationStore;
  /** Bytes that may be waiting or being committed. */
  readonly backlogBytes: number;
}

/** What one caller learns about the notification it wrote. */
export interface Recorded {
  readonly notificationId: string;
  /** Which receipt of these bytes this one is; 1 when they were new. */
  readonly receipts: number;
}

/** Lets concurrent notifications share a commit. */
export interface NotificationWriter {
  /**
   * Resolves once the notification is committed.
   *
   * @throws AppError `receiver.backlog_full`, retryable: too many bytes wait already; nothing was stored.
   * @throws AppError `receiver.store_unavailable`, retryable: the commit failed or its outcome is unknown.
   * @throws AppError `receiver.not_recorded`: the database refuses this one notification.
   */
  write(notification: Omit<IncomingNotification, "copies">): Promise<Recorded>;
  /** Resolves when everything taken so far is committed or refused. */
  flush(): Promise<void>;
  /** Bytes that are waiting or being committed. */
  backlogBytes(): number;
}

interface Waiting {
  readonly notification: Omit<IncomingNotification, "copies">;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: AppError) => void;
}

/**
 * Collects notifications while a commit is under way and commits what has come together as one batch: at low load each
 * one is committed at once, at high load the price of a commit is shared by up to 64. A second commit beside the first
 * would only make both smaller, which was measured to take a tenth of the rate.
 */
export function createNotificationWriter(options: NotificationWriterOptions): NotificationWriter {
  const { store } = options;
  // In order of arrival: one entry for each body, with every caller that brought it.
  const waiting = new Map<string, Waiting[]>();
  let committing: Promise<void> | null = null;
  let backlog = 0;
  let startIsPlanned = false;

  function planStart(): void {
    if (startIsPlanned) return;
    startIsPlanned = true;
    // Not at once: what other connections have already brought shares the commit too.
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
      // Before the callers are told: one that sends the next notification at once must find room for it.
      for (const { notification } of batch.flat()) backlog -= notification.body.byteLength;
      for (const [index, entries] of batch.entries()) answerCallers(entries, outcomes[index]!);
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

/** One outcome for each row of the batch. Never rejects. */
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

function answerCallers(entries: readonly Waiting[], outcome: RecordingOutcome): void {
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
