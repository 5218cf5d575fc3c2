import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import {
  type Dispatch,
  type DispatchConsumer,
  type DispatchQueue,
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
   * The lock of a job; a worker renews it at half of this. If its process dies, the key is blocked for at most this
   * plus two checks. A lease in our tables must not outlast it.
   */
  readonly lockMs: number;
  /** The interval of the check for jobs whose worker died. */
  readonly stalledCheckMs: number;
}

export const defaultQueueTiming: QueueTiming = { lockMs: 10_000, stalledCheckMs: 5_000 };

export interface BullmqWorkerOptions {
  readonly autorun: false;
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
  readonly runRetryDelay: number;
}

export interface BullmqQueueOptions {
  readonly streams: { readonly events: { readonly maxLen: number } };
}

interface BullmqJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: {
    readonly jobId: string;
    readonly attempts: 1;
    readonly deduplication: { readonly id: string; readonly keepLastIfActive: true };
    readonly removeOnComplete: true;
    readonly removeOnFail: true;
  };
}

/** The used part of BullMQ's `Queue`, with its connections. */
export interface OpenedQueue {
  readonly queue: {
    waitUntilReady(): Promise<unknown>;
    addBulk(jobs: BullmqJob[]): Promise<unknown>;
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

/** The timeout of `add`, so that a feeder notices an outage and backs off. */
const addDeadlineMs = 10_000;

/** The retry interval of a worker without its database. BullMQ's own 15 s would outlast most restarts. */
const workerRetryMs = 1_000;

/** BullMQ writes an event per step of a job. Nobody reads them, so few are stored. */
const eventsMax = 100;

/** A job whose process died this often is dropped until it is queued again. */
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
    consume(name, options, handle) {
      refuseIfClosed(closing, name);
      return closeLater(startConsumer(site, name, { ...options, ...timing }, handle));
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

  async function addTo(used: Current, dispatches: readonly Dispatch[]): Promise<void> {
    await used.ready;
    await used.queue.addBulk(dispatches.map(toJob));
  }

  return {
    async add(dispatches) {
      if (closing !== undefined) {
        throw new AppError(queueClosed, `Queue '${name}' was given a dispatch after it was closed. This is a bug.`);
      }
      if (dispatches.length === 0) return;
      current ??= openAnew();
      const used = current;
      try {
        await within(addDeadlineMs, addTo(used, dispatches));
      } catch (error) {
        if (!used.wasReady && current === used) {
          current = undefined;
          used.close().catch(onError);
        }
        throw unavailable(`${dispatches.length} dispatches could not be added to queue '${name}'`, site.kind, error);
      }
    },
    close() {
      closing ??= current?.close() ?? Promise.resolve();
      return closing;
    },
  };
}

function toJob(dispatch: Dispatch): BullmqJob {
  return {
    name: "dispatch",
    data: dispatch.ids,
    opts: {
      // With our own id BullMQ needs no sequence, so the service role needs no right to create one.
      jobId: randomUUID(),
      attempts: 1,
      deduplication: { id: dispatch.key, keepLastIfActive: true },
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

function startConsumer(
  site: BullmqSite,
  name: string,
  options: QueueTiming & { readonly concurrency: number; readonly onError: (error: unknown) => void },
  handle: (ids: Readonly<Record<string, string>>) => Promise<void>,
): DispatchConsumer {
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });

  async function process(job: { data: unknown }): Promise<void> {
    try {
      await handle(readIds(job.data, name));
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

function workerOptions(options: QueueTiming & { readonly concurrency: number }): BullmqWorkerOptions {
  return {
    autorun: false,
    concurrency: options.concurrency,
    lockDuration: options.lockMs,
    stalledInterval: options.stalledCheckMs,
    maxStalledCount: stalledLimit,
    runRetryDelay: workerRetryMs,
  };
}

function readIds(data: unknown, name: string): Readonly<Record<string, string>> {
  const isIds =
    data !== null && typeof data === "object" && Object.values(data).every((value) => typeof value === "string");
  if (!isIds) {
    throw new AppError(queueUnreadableJob, `A job in queue '${name}' does not hold ids. It was dropped.`);
  }
  return data as Readonly<Record<string, string>>;
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
