import type {
  BacktestPeriod,
  BacktestRequest,
  PolicyBacktest,
  PolicyBacktests,
} from "../../dashboard/backtest-ports.ts";
import type { MemberMarks } from "../../itinerary/member-marks.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EncryptionKey } from "../../kernel/encryption-keys.ts";
import { defaultBacktestSettings } from "../../policy/backtest.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Database } from "../../store/database/database.ts";
import {
  casesOfNotifications,
  countDeletedBodies,
  type NotificationRange,
  startOfNewest,
} from "../../store/notifications/stored-notifications.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { readPolicyText } from "../policy-file.ts";
import type { ThreadOptions } from "./backtest-threads.ts";
import { backtestStored } from "./run-backtest.ts";

export interface PolicyBacktestOptions {
  readonly database: Database;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly policyOf: (source: string) => Policy;
  readonly marksOf: (source: string) => MemberMarks;
  /** Null evaluates in slices of this thread. */
  readonly threads: ThreadOptions | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The most notifications of one backtest; the newest count. */
  readonly notificationsMax?: number;
}

export interface RunningBacktests extends PolicyBacktests {
  /** Ends those that run or wait. */
  close(): void;
}

/** A minute or two of one core. */
const defaultNotificationsMax = 50_000;

/** Beside the one that runs. */
const waitingMax = 5;

const settings = { ...defaultBacktestSettings, examplesMax: 100 };

export function createPolicyBacktests(options: PolicyBacktestOptions): RunningBacktests {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  const runInTurn = async (request: BacktestRequest): Promise<PolicyBacktest> => {
    const signal = AbortSignal.any([request.signal, closing.signal]);
    const turn = last.then(async () => {
      signal.throwIfAborted();
      return await run({ ...request, signal }, options);
    });
    last = turn.catch(() => {});
    count += 1;
    try {
      return await turn;
    } catch (error) {
      if (!signal.aborted) options.logger.error({ source: request.source, error }, "policy.backtest_failed");
      throw error;
    } finally {
      count -= 1;
    }
  };

  return {
    run: (request) => (count > waitingMax || closing.signal.aborted ? null : runInTurn(request)),
    close: () => closing.abort(new Error("The process is stopping.")),
  };
}

async function run(request: BacktestRequest, options: PolicyBacktestOptions): Promise<PolicyBacktest> {
  const { source, text, signal, onProgress, actor } = request;
  const { database, encryptionKeys, threads, logger } = options;
  const candidate = readPolicyText(text, "policy");
  const active = options.policyOf(source);
  const { range, until, isShortened } = await rangeOf(request, options);
  logger.info({ source, active: active.version, candidate: candidate.version, actor }, "policy.backtest_started");
  let evaluated = 0;
  const report = await backtestStored({
    database,
    encryptionKeys,
    range,
    policies: { before: active, after: candidate, marks: new Map([[source, options.marksOf(source)]]) },
    settings,
    threads,
    threadsMinBodies: 0,
    signal,
    onProgress: (done, total) => {
      evaluated = done;
      onProgress(done, total ?? done);
    },
  });
  const examples = report.flips.flatMap((flip) => flip.examples);
  const cases = await casesOfNotifications(database, [...new Set(examples.map(({ id }) => id))]);
  const { compared, flipped, unreadable, manual, minutesPerReview, minutesSaved, valueAtStake } = report;
  return {
    compared,
    flipped,
    unreadable,
    manual,
    minutesPerReview,
    minutesSaved,
    valueAtStake,
    source,
    candidate: { version: candidate.version, name: candidate.name },
    active: { version: active.version, name: active.name },
    since: range.since,
    until,
    notifications: { evaluated, bodiesDeleted: await countDeletedBodies(database, range), isShortened },
    changes: report.flips.map((flip) => ({
      from: flip.from,
      to: flip.to,
      count: flip.count,
      valueAtStake: flip.value,
      examples: flip.examples.map(({ id, ...example }) => ({
        ...example,
        notificationId: id,
        caseId: cases.get(`${id}/${example.orderId}`) ?? null,
      })),
    })),
  };
}

const dayMs = 86_400_000;

async function rangeOf(
  { source, period }: { readonly source: string; readonly period: BacktestPeriod },
  { database, clock, notificationsMax = defaultNotificationsMax }: PolicyBacktestOptions,
): Promise<{ readonly range: NotificationRange; readonly until: Date; readonly isShortened: boolean }> {
  const until = clock.now();
  const since = "days" in period ? new Date(until.getTime() - period.days * dayMs) : null;
  const newest = "days" in period ? notificationsMax : Math.min(period.newest, notificationsMax);
  const start = await startOfNewest(database, { since, until, source }, newest);
  return {
    range: { since: start ?? since, until, source },
    until,
    isShortened: start !== null && "days" in period,
  };
}
