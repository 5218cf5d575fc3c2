import { type ChildProcess, fork } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { defaultQueueTiming, type QueueTiming } from "../../../src/queue/bullmq-backend.ts";
import type { Dispatch, DispatchConsumer, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { type QueueWork, runQueue } from "../../../src/queue/run-queue.ts";
import { type Logger, silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { type CompiledProcess, compileProcess } from "../../harness/compile-process.ts";
import type { WorkerMessage, WorkerReply, WorkerSettings } from "./worker-process.ts";

/** One place for a queue, set up for a test file. */
export interface QueueSite {
  openBackend(options: { timing: QueueTiming; onError: (error: unknown) => void }): QueueBackend;
  /** How `worker-process.ts` opens the same place in another process. */
  readonly worker: Pick<WorkerSettings, "kind" | "url">;
  /** Loses everything in the queue, as a flushed Redis or a restored backup would. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const impatient: QueueTiming = { lockMs: 1_500, stalledCheckMs: 500 };

/** What every queue backend must do. */
export function describeQueueBackend(kind: string, prepare: () => Promise<QueueSite>): void {
  describe(`queue on ${kind}`, () => {
    let compiled: CompiledProcess;
    let site: QueueSite;
    let name: string;
    let queues = 0;
    let errors: unknown[];
    const opened: { close(): Promise<void> }[] = [];
    const processes: ChildProcess[] = [];
    const overseers: Overseer[] = [];

    beforeAll(async () => {
      compiled = await compileProcess("test/conformance/queue/worker-process");
      site = await prepare();
    });

    afterEach(async () => {
      for (const child of processes.splice(0)) child.kill("SIGKILL");
      for (const overseer of overseers.splice(0)) overseer.releaseAll();
      await Promise.all(opened.splice(0).map((backend) => backend.close()));
    });

    afterAll(async () => {
      compiled?.remove();
      await site?.close();
    });

    function openBackend(timing: QueueTiming = defaultQueueTiming): QueueBackend {
      errors = [];
      name = `orders-${++queues}`;
      const backend = site.openBackend({ timing, onError: (error) => errors.push(error) });
      opened.push(backend);
      return backend;
    }

    function oversee(): Overseer {
      const overseer = createOverseer();
      overseers.push(overseer);
      return overseer;
    }

    function consume(
      backend: QueueBackend,
      handle: (key: string) => Promise<void> | void,
      concurrency = 4,
    ): DispatchConsumer {
      return backend.consume(name, { concurrency, onError: (error) => errors.push(error) }, async (ids) => {
        await handle(ids.orderId ?? "");
      });
    }

    function orderWork(parts: Pick<QueueWork, "takeDue" | "handle"> & Partial<QueueWork>): QueueWork {
      return { name, batchSize: 8, concurrency: 4, kickAfter: 4, failureMessage: "worker.failed", ...parts };
    }

    function startWorkerProcess(overseer: Overseer, timing: QueueTiming): ChildProcess {
      const settings: WorkerSettings = { ...site.worker, queue: name, concurrency: 4, timing };
      const child = fork(compiled.entry, {
        env: { ...process.env, WORKER_SETTINGS: JSON.stringify(settings) },
      });
      processes.push(child);
      child.on("message", (message: WorkerMessage) => {
        const reply: WorkerReply = { call: message.call };
        const handled = message.phase === "start" ? overseer.start(message.key) : overseer.end(message.key);
        // One that was killed a moment ago takes no reply, and needs none.
        void handled.then(() => child.connected && child.send(reply, () => undefined));
      });
      return child;
    }

    test("hands over every key that was added", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      const keys = Array.from({ length: 300 }, (_, index) => `order-${index}`);

      consume(backend, overseer.work, 8);
      for (let from = 0; from < keys.length; from += 50) await queue.add(keys.slice(from, from + 50).map(dispatch));

      await overseer.until(() => overseer.ended.length >= keys.length);
      expect([...overseer.ended].sort()).toEqual([...keys].sort());
      expect(errors).toEqual([]);
    });

    test("does not double a key that is waiting", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();

      await queue.add([dispatch("A"), dispatch("A")]);
      await queue.add([dispatch("A")]);
      await queue.add([dispatch("last")]);
      consume(backend, overseer.work, 1);

      await overseer.until(() => overseer.ended.includes("last"));
      expect(overseer.ended).toEqual(["A", "last"]);
    });

    test("works once more, afterwards, on a key that is added while it is worked on", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      overseer.hold("A");
      consume(backend, overseer.work);

      await queue.add([dispatch("A")]);
      await overseer.until(() => overseer.started.length === 1);
      await queue.add([dispatch("A")]);
      await queue.add([dispatch("A"), dispatch("A")]);
      overseer.release("A");
      await overseer.until(() => overseer.ended.length === 2);
      await queue.add([dispatch("last")]);
      await overseer.until(() => overseer.ended.includes("last"));

      expect(overseer.ended).toEqual(["A", "A", "last"]);
      expect(overseer.overlaps).toEqual([]);
    });

    test("never works on one key twice at a time, with two consumers and two more processes", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      consume(backend, overseer.work);
      consume(backend, overseer.work);
      const others = [
        startWorkerProcess(overseer, defaultQueueTiming),
        startWorkerProcess(overseer, defaultQueueTiming),
      ];
      const keys = Array.from({ length: 10 }, (_, index) => `order-${index}`);

      let takenByOthers = [0, 0];
      others.forEach((child, index) => {
        child.on("message", () => {
          takenByOthers = takenByOthers.with(index, (takenByOthers[index] ?? 0) + 1);
        });
      });
      while (takenByOthers.some((taken) => taken < 20)) await queue.add(keys.map(dispatch));

      // Each key must be worked on at least once after it was added last.
      const startedBefore = new Map(keys.map((key) => [key, count(overseer.started, key)]));
      await queue.add(keys.map(dispatch));
      await overseer.until(() => keys.every((key) => count(overseer.ended, key) > (startedBefore.get(key) ?? 0)));
      expect(overseer.overlaps).toEqual([]);
      expect(errors).toEqual([]);
      // The other processes get their share sooner or later, on a busy machine later.
    }, 120_000);

    test("a handler that fails is reported, does not stop the others and is not tried again", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      consume(
        backend,
        async (key) => {
          await overseer.work(key);
          if (key.startsWith("bad")) throw new Error(`cannot handle ${key}`);
        },
        1,
      );

      await queue.add(["bad-1", "good-1", "bad-2", "good-2"].map(dispatch));
      await overseer.until(() => overseer.ended.length === 4);
      await queue.add([dispatch("bad-1"), dispatch("last")]);
      await overseer.until(() => overseer.ended.includes("last"));

      expect(overseer.ended).toEqual(["bad-1", "good-1", "bad-2", "good-2", "bad-1", "last"]);
      expect(errors.map(String)).toEqual([
        "Error: cannot handle bad-1",
        "Error: cannot handle bad-2",
        "Error: cannot handle bad-1",
      ]);
    });

    test("closing a consumer waits for what is being worked on and takes nothing new", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      overseer.hold("A");
      const consumer = consume(backend, overseer.work, 2);
      await queue.add([dispatch("A")]);
      await overseer.until(() => overseer.started.includes("A"));

      let closed = false;
      const closing = consumer.close().then(() => {
        closed = true;
      });
      await queue.add([dispatch("B")]);
      expect(closed).toBe(false);
      overseer.release("A");
      await closing;

      // B may have been on its way to this consumer already; then closing has waited for it, too, in whichever order.
      const workedOn = [...overseer.ended].sort();
      expect(overseer.started[0]).toBe("A");
      expect([...overseer.started].sort()).toEqual(workedOn);
      await queue.add([dispatch("C")]);
      const successor = oversee();
      consume(backend, successor.work, 1);
      await successor.until(() => successor.ended.includes("C"));
      expect([...overseer.ended].sort()).toEqual(workedOn);
      expect([...workedOn, ...successor.ended]).toEqual(["A", "B", "C"]);
    });

    test("a key whose process was killed is worked on again by another process", async () => {
      const backend = openBackend(impatient);
      const queue = backend.openQueue(name);
      const doomed = oversee();
      doomed.hold("A");
      const child = startWorkerProcess(doomed, impatient);
      await queue.add([dispatch("A")]);
      await doomed.until(() => doomed.started.includes("A"));

      const survivor = oversee();
      consume(backend, survivor.work);
      child.kill("SIGKILL");

      await survivor.until(() => survivor.ended.includes("A"));
      expect(doomed.ended).toEqual([]);
      expect(survivor.ended).toEqual(["A"]);
    });

    test("wiping the queue loses the waiting dispatches and nothing else", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      await queue.add([dispatch("A"), dispatch("B")]);

      await site.wipe();
      consume(backend, overseer.work, 1);
      await queue.add([dispatch("A"), dispatch("last")]);

      await overseer.until(() => overseer.ended.includes("last"));
      expect(overseer.ended).toEqual(["A", "last"]);
    });

    test("two queues of one backend do not mix", async () => {
      const backend = openBackend();
      const overseer = oversee();
      const others = backend.openQueue(`${name}-deliveries`);
      consume(backend, overseer.work);

      await others.add([dispatch("elsewhere")]);
      await backend.openQueue(name).add([dispatch("here")]);

      await overseer.until(() => overseer.ended.length > 0);
      expect(overseer.ended).toEqual(["here"]);
    });

    test("a run works on what becomes due, and goes on after a look and a handler that failed", async () => {
      const backend = openBackend();
      const overseer = oversee();
      const log: { message: string; error: string }[] = [];
      const metrics = createMetrics();
      let looks = 0;
      const due = ["A", "bad", "B"].map(dispatch);
      const run = runQueue(
        backend,
        orderWork({
          takeDue: async (limit) => {
            looks += 1;
            if (looks === 1) throw new Error("the database is away");
            return due.splice(0, limit);
          },
          handle: async ({ orderId = "" }) => {
            await overseer.work(orderId);
            if (orderId === "bad") throw new Error("cannot handle it");
          },
        }),
        { logger: loggerInto(log), metrics },
      );

      await overseer.until(() => overseer.ended.length === 3);
      due.push(dispatch("C"));
      run.kick();
      await overseer.until(() => overseer.ended.includes("C"));
      await run.close();

      expect([...overseer.ended].sort()).toEqual(["A", "B", "C", "bad"]);
      expect(log).toEqual([
        { message: "feeder.failed", error: "Error: the database is away" },
        { message: "worker.failed", error: "Error: cannot handle it" },
      ]);
      expect((await metrics.dispatches.get()).values).toEqual([{ labels: { queue: name }, value: 4 }]);
      expect((await metrics.feederFailures.get()).values).toEqual([{ labels: { queue: name }, value: 1 }]);
      expect(errors).toEqual([]);
    });

    test("closing a run waits for what it works on, takes nothing more, and leaves what is queued to the next", async () => {
      const backend = openBackend();
      const overseer = oversee();
      const due = ["A", "B"].map(dispatch);
      overseer.hold("A");
      const work = orderWork({
        takeDue: async (limit) => due.splice(0, limit),
        handle: ({ orderId = "" }) => overseer.work(orderId),
        concurrency: 1,
      });
      const run = runQueue(backend, work, { logger: silentLogger, metrics: createMetrics() });
      await overseer.until(() => overseer.started.includes("A"));

      let closed = false;
      const closing = run.close().then(() => {
        closed = true;
      });
      due.push(dispatch("C"));
      run.kick();
      await new Promise(setImmediate);
      expect(closed).toBe(false);
      overseer.release("A");
      await closing;

      expect(overseer.ended).toEqual(["A"]);
      expect(due).toHaveLength(1);
      const next = runQueue(backend, work, { logger: silentLogger, metrics: createMetrics() });
      await overseer.until(() => overseer.ended.length === 3);
      await next.close();
      expect(overseer.ended).toEqual(["A", "B", "C"]);
    });

    test("can be reached, and adding to a closed queue is refused", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);

      await expect(backend.ping()).resolves.toBeUndefined();
      await queue.close();

      await expect(queue.add([dispatch("A")])).rejects.toMatchObject({
        code: "queue.closed",
        message: `Queue '${name}' was given a dispatch after it was closed. This is a bug.`,
      });
    });
  });
}

function dispatch(key: string): Dispatch {
  return { key: `default/${key}`, ids: { orderId: key } };
}

function loggerInto(log: { message: string; error: string }[]): Logger {
  const collect = (fields: object, message: string): void => {
    log.push({ message, error: String((fields as { error: unknown }).error) });
  };
  return { ...silentLogger, warn: collect, error: collect };
}

function count(keys: readonly string[], wanted: string): number {
  return keys.filter((key) => key === wanted).length;
}

/** Sees the start and the end of all work, in this process and in others, in the order in which they really happened. */
interface Overseer {
  readonly started: readonly string[];
  readonly ended: readonly string[];
  /** Keys that were started while they were still being worked on. */
  readonly overlaps: readonly string[];
  hold(key: string): void;
  release(key: string): void;
  releaseAll(): void;
  start(key: string): Promise<void>;
  end(key: string): Promise<void>;
  /** Both: a handler that works as long as its key is held. */
  work(key: string): Promise<void>;
  until(reached: () => boolean): Promise<void>;
}

function createOverseer(): Overseer {
  const started: string[] = [];
  const ended: string[] = [];
  const overlaps: string[] = [];
  const running = new Set<string>();
  const held = new Map<string, { released: Promise<void>; release: () => void }>();
  const watchers = new Set<() => void>();

  function changed(): void {
    for (const watch of watchers) watch();
  }

  const overseer: Overseer = {
    started,
    ended,
    overlaps,
    hold(key) {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held.set(key, { released, release });
    },
    release(key) {
      held.get(key)?.release();
      held.delete(key);
    },
    releaseAll() {
      for (const key of held.keys()) overseer.release(key);
    },
    async start(key) {
      if (running.has(key)) overlaps.push(key);
      running.add(key);
      started.push(key);
      changed();
      await held.get(key)?.released;
    },
    async end(key) {
      running.delete(key);
      ended.push(key);
      changed();
    },
    async work(key) {
      await overseer.start(key);
      // Long enough for a second worker to be caught in the act.
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      await overseer.end(key);
    },
    until(reached) {
      return new Promise((resolve) => {
        function watch(): void {
          if (!reached()) return;
          watchers.delete(watch);
          resolve();
        }
        watchers.add(watch);
        watch();
      });
    },
  };
  return overseer;
}
