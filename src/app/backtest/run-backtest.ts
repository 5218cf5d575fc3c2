import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { decide } from "../../cases/decide.ts";
import { severityOf } from "../../itinerary/severity.ts";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { extend } from "../../kernel/extend.ts";
import {
  type BacktestReport,
  type BacktestSettings,
  type BacktestTally,
  countCase,
  createTally,
  reportOf,
} from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import { readStoredDecisions, type StoredDecision } from "../../store/cases/stored-decisions.ts";
import type { Database } from "../../store/database/database.ts";
import {
  countNotifications,
  type NotificationRange,
  readNotifications,
} from "../../store/notifications/stored-notifications.ts";
import { activeTimeZones, withTimeZones } from "../../travel/zones.ts";
import { subjectOf } from "../reevaluate-decision.ts";
import { createTimeZonesOf } from "../time-zones.ts";
import { type BatchEvaluator, startThreads, type ThreadOptions } from "./backtest-threads.ts";
import {
  type ComparedDecisions,
  type ComparedPolicies,
  evaluateBatch,
  evaluateEncrypted,
  toBacktestCase,
} from "./evaluate-batch.ts";

/** `total` is null if it is not known. */
export type OnProgress = (done: number, total: number | null) => void;

export interface StoredBacktest {
  readonly database: Database;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly range: NotificationRange;
  readonly policies: ComparedPolicies;
  readonly settings: BacktestSettings;
  /** Null evaluates in this thread. */
  readonly threads: ThreadOptions | null;
  /** Fewer bodies than this are evaluated without threads. */
  readonly threadsMinBodies: number;
  readonly onProgress: OnProgress;
  /** Rejects with its reason soon after it is aborted. */
  readonly signal?: AbortSignal;
}

/** Rows per statement: a few megabytes. */
const batchSize = 256;

/** Bodies after which other work of this thread gets its turn: some 10 ms. */
const sliceSize = 8;

/** Evaluates both policies over each stored notification, as if it were the first one of its orders. */
export async function backtestStored(options: StoredBacktest): Promise<BacktestReport> {
  const { database, range, settings, onProgress } = options;
  const total = await countNotifications(database, range);
  const tally = createTally();
  let done = 0;
  const onEvaluated = (bodies: number): void => {
    done += bodies;
    onProgress(done, total);
  };
  const threads = total < options.threadsMinBodies ? null : options.threads;
  const evaluator =
    threads === null
      ? evaluateHere(options, tally, onEvaluated)
      : evaluateInThreads(threads, options, tally, onEvaluated);
  try {
    for await (const rows of readNotifications(database, range, batchSize)) {
      options.signal?.throwIfAborted();
      await evaluator.evaluate(rows.map((row) => extend(row, { now: row.receivedAt })));
    }
  } finally {
    await evaluator.finish();
  }
  return reportOf(tally, settings);
}

function evaluateInThreads(
  threads: ThreadOptions,
  { policies, encryptionKeys, settings }: StoredBacktest,
  tally: BacktestTally,
  onEvaluated: (bodies: number) => void,
): BatchEvaluator {
  const { before, after, marks = new Map() } = policies;
  const timeZones = activeTimeZones().table;
  const data = { before: before.text, after: after.text, marks, timeZones, encryptionKeys, settings };
  return startThreads(threads, data, tally, onEvaluated);
}

function evaluateHere(
  { database, policies, settings, signal }: StoredBacktest,
  tally: BacktestTally,
  onEvaluated: (bodies: number) => void,
): BatchEvaluator {
  return {
    evaluate: async (bodies) => {
      for (let start = 0; start < bodies.length; start += sliceSize) {
        const slice = bodies.slice(start, start + sliceSize);
        await evaluateEncrypted(tally, slice, database.encryption, policies, settings);
        onEvaluated(slice.length);
        await setImmediate();
        signal?.throwIfAborted();
      }
    },
    finish: async () => {},
  };
}

/**
 * Compares stored decisions with those of `policy` over the stored facts and legal verdicts, so its connection times and
 * legal presets have no effect. Each is made again with the time zones that it names.
 */
export async function backtestDecisions(
  options: Pick<StoredBacktest, "database" | "range" | "settings" | "onProgress">,
  policy: Policy,
): Promise<BacktestReport> {
  const { database, range, settings, onProgress } = options;
  const tally = createTally();
  const timeZonesOf = createTimeZonesOf(database);
  let done = 0;
  for await (const rows of readStoredDecisions(database, range, batchSize)) {
    for (const stored of rows) {
      const timeZones = (await timeZonesOf(stored.versions["timeZones"] ?? "")) ?? activeTimeZones();
      const compared = withTimeZones(timeZones, () => compareWithStored(stored, policy));
      if (compared === null) tally.unreadable += 1;
      else countCase(tally, toBacktestCase(compared), settings);
    }
    done += rows.length;
    onProgress(done, null);
  }
  return reportOf(tally, settings);
}

/** Returns null if no rule made the decision. */
function compareWithStored(stored: StoredDecision, policy: Policy): ComparedDecisions | null {
  const subject = subjectOf(stored);
  if (subject === null) return null;
  return {
    id: stored.id,
    orderId: subject.order.orderId,
    booked: stored.itineraries?.booked ?? null,
    facts: subject.facts,
    severity: severityOf(subject.facts),
    before: stored,
    // Compares what the policy decides, whether or not it could be sent at that time.
    after: decide({ ...subject, automationStoppedAt: null }, policy),
  };
}

/**
 * @param options.now the "now" of each decision. Default: the file's modification time
 * @throws `cli.folder_unreadable`
 */
export async function backtestFolder(options: {
  readonly folder: string;
  readonly source: string;
  readonly now: Date | null;
  readonly policies: ComparedPolicies;
  readonly settings: BacktestSettings;
  readonly onProgress: OnProgress;
}): Promise<BacktestReport> {
  const { folder, source, now, policies, settings, onProgress } = options;
  const names = await listJsonFiles(folder);
  const tally = createTally();
  for (const [index, name] of names.entries()) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    const at = now ?? (await stat(path)).mtime;
    evaluateBatch(tally, [{ id: name, source, now: at, bytes }], policies, settings);
    onProgress(index + 1, names.length);
  }
  return reportOf(tally, settings);
}

async function listJsonFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    throw new AppError("cli.folder_unreadable", `The folder ${folder} cannot be read: ${codeOf(error)}.`, {
      cause: error,
    });
  }
}
