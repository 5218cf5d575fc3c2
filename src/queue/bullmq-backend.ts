import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import {
  type DispatchConsumer,
  type DispatchJob,
  type DispatchQueue,
  type Ids,
  outageBackOff,
  type QueueBackend,
} from "./dispatch-queue.ts";

/** The queue is unreachable or not set up. Nothing is lost: due work stays due in our tables. */
export const queueUnavailable = "queue.unavailable";

/** The queue or the consumer was closed before this call, which is a bug of the caller. */
export const queueClosed = "queue.closed";

/** BullMQ reports a problem that it handles itself, such as a broken connection. Worth a look if it repeats. */
export const queueError = "queue.error";

/** A job in the queue is not ours. It is dropped; due work is queued again from our tables. */
export const queueUnreadableJob = "queue.unreadable_job";

export interface QueueTiming {
  /**
   * The lock of a job; a worker renews it at half of this. If its process dies, another one is given the job after at
   * most this plus two checks. A lease in our tables must not outlast it.
   */
  readonly lockMs: number;
  /** The interval of the check for jobs whose worker died. */
  readonly stalledCheckMs: number;
}

export const defaultQueueTiming: QueueTiming = { lockMs: 10_000, stalledCheckMs: 5_000 };

export interface BullmqWorkerOptions {
  readonly autorun: false;
  readonly concurrency: 1;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
  readonly runRetryDelay: number;
}

export interface BullmqQueueOptions {
  readonly streams: { readonly events: { readonly maxLen: number } };
}

interface BullmqJobOptions {
  readonly jobId: string;
  /** Whether the job goes before all others. */
  readonly lifo: boolean;
  readonly attempts: 1;
  readonly removeOnComplete: true;
  readonly removeOnFail: true;
}

/** The used part of BullMQ's `Queue`, with its connections. */
export interface OpenedQueue {
  readonly queue: {
    waitUntilReady(): Promise<unknown>;
    /** One statement. `addBulk` would create two temporary tables in PostgreSQL and need a sequence. */
    add(name: string, data: unknown, options: BullmqJobOptions): Promise<unknown>;
    clean(olderThanMs: number, limit: 0, state: "wait"): Promise<unknown>;
    on(event: "error", listener: (error: Error) => void): unknown;
  };
  /** Closes the queue, then its connections. */
  close(): Promise<void>;
}

export interface OpenedWorker {
  readonly worker: {
    waitUntilReady(): Promise<unknown>;
    run(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): unknown;
  };
  /** Waits for running jobs, closes the worker, then its connections. */
  close(): Promise<void>;
}

export interface BullmqSite {
  readonly kind: string;
  openQueue(name: string, options: BullmqQueueOptions): OpenedQueue;
  openWorker(
    name: string,
    options: BullmqWorkerOptions,
    process: (job: { data: unknown }) => Promise<void>,
  ): OpenedWorker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The timeout of a use of the queue, so that a feeder notices an outage and backs off. */
const deadlineMs = 10_000;

/** The retry interval of a worker without its database. BullMQ's own 15 s would outlast most restarts. */
const workerRetryMs = 1_000;

/** BullMQ writes an event per step of a job. Nobody reads them, so few are stored. */
const eventsMax = 100;

/** A job whose process died this often is dropped. What it names is queued again. */
const stalledLimit = 3;

/**
 * Runs BullMQ behind the dispatch interface. A job has one attempt, without delay or back-off, and is always removed at
 * its end: BullMQ loses dispatches of a key with any of these, and our tables say what is due again.
 * A BullMQ object that fails to connect at first stays broken (it memoises the failure), so queues and workers are
 * recreated until they were ready once; then they reconnect by themselves.
 * @param onError receives outages and BullMQ's reports about its connections.
 */
export function createBullmqBackend(
  site: BullmqSite,
  onError: (error: unknown) => void,
  timing: QueueTiming = defaultQueueTiming,
): QueueBackend {
  const open = new Set<{ close(): Promise<void> }>();
  let closing: Promise<void> | undefined;

  function closeLater<T extends { close(): Promise<void> }>(opened: T): T {
    open.add(opened);
    return opened;
  }

  return {
    kind: site.kind,
    openQueue(name) {
      refuseIfClosed(closing, name);
      return closeLater(openDispatchQueue(site, name, onError));
    },
    consume(name, onConsumerError, handle) {
      refuseIfClosed(closing, name);
      return closeLater(startConsumer(site, name, { ...timing, onError: onConsumerError }, handle));
    },
    ping: () => site.ping(),
    close() {
      closing ??= Promise.all([...open].map((opened) => opened.close())).then(() => site.close());
      return closing;
    },
  };
}

function refuseIfClosed(closing: Promise<void> | undefined, name: string): void {
  if (closing !== undefined) {
    throw new AppError(queueClosed, `Queue '${name}' was asked for after its backend was closed. This is a bug.`);
  }
}

function openDispatchQueue(site: BullmqSite, name: string, onError: (error: unknown) => void): DispatchQueue {
  interface Current extends OpenedQueue {
    readonly ready: Promise<unknown>;
    wasReady: boolean;
  }
  let current: Current | undefined;
  let closing: Promise<void> | undefined;

  const report = oncePerMinute((error) => onError(toQueueError(name, site.kind, error)));

  function openAnew(): Current {
    const opened = site.openQueue(name, { streams: { events: { maxLen: eventsMax } } });
    opened.queue.on("error", report);
    const fresh: Current = {
      ...opened,
      wasReady: false,
      ready: opened.queue.waitUntilReady().then(() => {
        fresh.wasReady = true;
      }),
    };
    return fresh;
  }

  /** @param failure what is reported if the queue does not respond. */
  async function use(failure: string, action: (queue: OpenedQueue["queue"]) => Promise<void>): Promise<void> {
    if (closing !== undefined) {
      throw new AppError(queueClosed, `Queue '${name}' was used after it was closed. This is a bug.`);
    }
    current ??= openAnew();
    const used = current;
    try {
      await within(
        deadlineMs,
        used.ready.then(() => action(used.queue)),
      );
    } catch (error) {
      if (!used.wasReady && current === used) {
        current = undefined;
        used.close().catch(onError);
      }
      throw unavailable(failure, site.kind, error);
    }
  }

  return {
    async add(jobs) {
      if (jobs.length === 0) return;
      await use(`${jobs.length} jobs could not be added to queue '${name}'`, async (queue) => {
        // One after the other, because their order is the order of their urgency.
        for (const job of jobs) await queue.add(...toBullmq(job, { isFirst: false }));
      });
    },
    async addFirst(job) {
      await use(`a job could not be put back into queue '${name}'`, async (queue) => {
        await queue.add(...toBullmq(job, { isFirst: true }));
      });
    },
    async removeOlderThan(ms) {
      await use(`old jobs could not be removed from queue '${name}'`, async (queue) => {
        await queue.clean(ms, 0, "wait");
      });
    },
    close() {
      closing ??= current?.close() ?? Promise.resolve();
      return closing;
    },
  };
}

function toBullmq(job: DispatchJob, { isFirst }: { isFirst: boolean }): [string, unknown, BullmqJobOptions] {
  const options: BullmqJobOptions = {
    // With our own id BullMQ needs no sequence, so the service role needs no right to create one.
    jobId: randomUUID(),
    lifo: isFirst,
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  };
  // Processes of 0.3 and before read one thing only. They drop a list, and its marks expire.
  return ["dispatch", job.length === 1 ? job[0] : job, options];
}

function startConsumer(
  site: BullmqSite,
  name: string,
  options: QueueTiming & { readonly onError: (error: unknown) => void },
  handle: (job: DispatchJob) => Promise<void>,
): DispatchConsumer {
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });

  async function process(job: { data: unknown }): Promise<void> {
    try {
      await handle(readJob(job.data, name));
    } catch (error) {
      // BullMQ would store, retry or count a failed job, so the error is only reported.
      options.onError(error);
    }
  }

  const report = oncePerMinute((error) => options.onError(toQueueError(name, site.kind, error)));

  async function workUntilStopped(): Promise<void> {
    let failures = 0;
    while (!stop.signal.aborted) {
      const opened = site.openWorker(name, workerOptions(options), process);
      opened.worker.on("error", report);
      try {
        await Promise.race([opened.worker.waitUntilReady(), stopped]);
        failures = 0;
        if (!stop.signal.aborted) await Promise.race([opened.worker.run(), stopped]);
      } catch (error) {
        failures += 1;
        options.onError(unavailable(`the worker of queue '${name}' could not start`, site.kind, error));
      }
      await opened.close().catch(options.onError);
      // Rejects if the stop aborts it.
      await pause(backOffMs(outageBackOff, failures, Math.random()), undefined, { signal: stop.signal }).catch(
        () => undefined,
      );
    }
  }

  const ended = workUntilStopped();
  return {
    close() {
      stop.abort();
      return ended;
    },
  };
}

function workerOptions({ lockMs, stalledCheckMs }: QueueTiming): BullmqWorkerOptions {
  return {
    autorun: false,
    concurrency: 1,
    lockDuration: lockMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount: stalledLimit,
    runRetryDelay: workerRetryMs,
  };
}

function readJob(data: unknown, name: string): DispatchJob {
  const job: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (!job.every(isIds)) {
    throw new AppError(queueUnreadableJob, `A job in queue '${name}' does not hold ids. It was dropped.`);
  }
  return job;
}

function isIds(value: unknown): value is Ids {
  return (
    value !== null && typeof value === "object" && Object.values(value).every((member) => typeof member === "string")
  );
}

export function unavailable(what: string, kind: string, cause: unknown): AppError {
  return new AppError(
    queueUnavailable,
    `The queue on ${kind} is not available: ${what} (${messageOf(cause)}). Nothing is lost; it is tried again. ` +
      `If it stays so, check ${kind === "redis" ? "QUEUE_URL and that the server runs" : "that the server runs and that `skedchange migrate` was run"}.`,
    { retryable: true, cause },
  );
}

function toQueueError(name: string, kind: string, cause: unknown): AppError {
  return new AppError(queueError, `BullMQ on ${kind} reports on queue '${name}': ${messageOf(cause)}.`, {
    retryable: true,
    cause,
  });
}

/** Passes on at most one error per minute, because a refused worker retries without end. */
function oncePerMinute(report: (error: unknown) => void): (error: unknown) => void {
  let nextAt = 0;
  return (error) => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + 60_000;
    report(error);
  };
}

async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
