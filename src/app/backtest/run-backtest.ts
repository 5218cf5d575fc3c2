import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { decide } from "../../cases/decide.ts";
import { severityOf } from "../../itinerary/severity.ts";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { extend } from "../../kernel/extend.ts";
import { kindOfChange } from "../../policy/automation-report.ts";
import {
  type BacktestReport,
  type BacktestSettings,
  type BacktestTally,
  countCase,
  createTally,
  reportOf,
} from "../../policy/backtest.ts";
import { readStoredDecisions } from "../../store/cases/stored-decisions.ts";
import type { Database } from "../../store/database/database.ts";
import {
  countNotifications,
  type NotificationRange,
  readNotifications,
} from "../../store/notifications/stored-notifications.ts";
import { subjectOf } from "../reevaluate-decision.ts";
import { startThreads, type ThreadOptions } from "./backtest-threads.ts";
import { type ComparedPolicies, judgeBatch, judgeEncrypted, outcomeOf } from "./judge-batch.ts";

/** `total` is null while unknown. */
export type OnProgress = (done: number, total: number | null) => void;

export interface StoredBacktest {
  readonly database: Database;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly range: NotificationRange;
  readonly policies: ComparedPolicies;
  readonly settings: BacktestSettings;
  /** Null judges in this thread. */
  readonly threads: ThreadOptions | null;
  /** Fewer bodies than this are judged without threads. */
  readonly threadsMinBodies: number;
  readonly onProgress: OnProgress;
}

/** Few statements per body, yet only a few megabytes. */
const batchSize = 256;

/** Decides each stored notification twice, as at first contact. */
export async function backtestStored(options: StoredBacktest): Promise<BacktestReport> {
  const { database, range, settings, onProgress } = options;
  const total = await countNotifications(database, range);
  const tally = createTally();
  let done = 0;
  const onJudged = (bodies: number): void => {
    done += bodies;
    onProgress(done, total);
  };
  const threads = total < options.threadsMinBodies ? null : options.threads;
  const judge =
    threads === null ? judgeHere(options, tally, onJudged) : judgeInThreads(threads, options, tally, onJudged);
  try {
    for await (const rows of readNotifications(database, range, batchSize)) {
      await judge.judge(rows.map((row) => extend(row, { now: row.receivedAt })));
    }
  } finally {
    await judge.finish();
  }
  return reportOf(tally, settings);
}

function judgeInThreads(
  threads: ThreadOptions,
  { policies, encryptionKeys, settings }: StoredBacktest,
  tally: BacktestTally,
  onJudged: (bodies: number) => void,
) {
  const { before, after } = policies;
  return startThreads(threads, { before: before.text, after: after.text, encryptionKeys, settings }, tally, onJudged);
}

function judgeHere(
  { database, policies, settings }: StoredBacktest,
  tally: BacktestTally,
  onJudged: (bodies: number) => void,
): ReturnType<typeof startThreads> {
  return {
    judge: async (bodies) => {
      await judgeEncrypted(tally, bodies, database.encryption, policies, settings);
      onJudged(bodies.length);
    },
    finish: async () => {},
  };
}

/**
 * Reevaluates decisions with their stored facts and legal verdicts, so the policy's connection times and presets have
 * no effect.
 */
export async function backtestDecisions(
  options: Omit<StoredBacktest, "threads" | "threadsMinBodies" | "encryptionKeys">,
): Promise<BacktestReport> {
  const { database, range, policies, settings, onProgress } = options;
  const tally = createTally();
  let done = 0;
  for await (const rows of readStoredDecisions(database, range, batchSize)) {
    for (const stored of rows) {
      const subject = subjectOf(stored);
      if (subject === null) {
        tally.unreadable += 1;
        continue;
      }
      // Compares what the policy decides, whether or not it could be sent at that time.
      const decided = decide({ ...subject, automationStoppedAt: null }, policies.after);
      const { orderValue, currency } = subject.facts;
      countCase(
        tally,
        {
          id: stored.id,
          orderId: subject.order.orderId,
          airline: stored.itineraries?.booked.segments[0]?.marketingCarrier ?? null,
          severity: severityOf(subject.facts).name,
          value: orderValue.known && currency.known ? { amount: orderValue.value, currency: currency.value } : null,
          kind: kindOfChange(subject.facts),
          before: outcomeOf(stored),
          after: outcomeOf(decided),
        },
        settings,
      );
    }
    done += rows.length;
    onProgress(done, null);
  }
  return reportOf(tally, settings);
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
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    throw new AppError("cli.folder_unreadable", `The folder ${folder} cannot be read: ${codeOf(error)}.`, {
      cause: error,
    });
  }
  const tally = createTally();
  for (const [index, name] of names.entries()) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    const at = now ?? (await stat(path)).mtime;
    judgeBatch(tally, [{ id: name, source, now: at, bytes }], policies, settings);
    onProgress(index + 1, names.length);
  }
  return reportOf(tally, settings);
}
