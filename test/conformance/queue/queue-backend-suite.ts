import { type ChildProcess, fork } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultQueueTiming, type QueueTiming } from "../../../src/queue/bullmq-backend.ts";
import type { DispatchConsumer, DispatchJob, Ids, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
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

    function consume(backend: QueueBackend, handle: (key: string) => Promise<void> | void): DispatchConsumer {
      return backend.consume(
        name,
        (error) => errors.push(error),
        async (job) => {
          for (const { orderId = "" } of job) await handle(orderId);
        },
      );
    }

    function startRun(parts: Pick<QueueWork, "takeDue" | "handle"> & Partial<QueueWork>, backend = openBackend()) {
      const work = {
        ...{ name, batchSize: 8, concurrency: 4, kickAfter: 4, markMs: 60_000, failureMessage: "worker.failed" },
        ...parts,
      };
      const log: { message: string; error: string }[] = [];
      const metrics = createMetrics();
      return { run: runQueue(backend, work, { logger: loggerInto(log), metrics }), backend, log, metrics };
    }

    function startWorkerProcess(overseer: Overseer, timing: QueueTiming): ChildProcess {
      const settings: WorkerSettings = { ...site.worker, queue: name, timing };
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

    test("hands over everything that was added, however many things are in a job", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      const keys = Array.from({ length: 300 }, (_, index) => `order-${index}`);

      consume(backend, overseer.work);
      await queue.add(keys.slice(0, 20).map((key) => job(key)));
      await queue.add([job(...keys.slice(20, 36)), job(...keys.slice(36, 300))]);

      await overseer.until(() => overseer.ended.length >= keys.length);
      expect(overseer.ended).toEqual(keys);
      expect(errors).toEqual([]);
    });

    test("gives a consumer no other job before it has handled its own", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const [busy, idle] = [oversee(), oversee()];
      busy.hold("A");
      consume(backend, busy.work);
      await queue.add([job("A"), job("B")]);
      await busy.until(() => busy.started.includes("A"));

      consume(backend, idle.work);
      await idle.until(() => idle.ended.includes("B"));

      expect(busy.started).toEqual(["A"]);
    });

    test("hands each job to one consumer, with two consumers and two more processes", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      consume(backend, overseer.work);
      consume(backend, overseer.work);
      const others = [
        startWorkerProcess(overseer, defaultQueueTiming),
        startWorkerProcess(overseer, defaultQueueTiming),
      ];
      let takenByOthers = [0, 0];
      others.forEach((child, index) => {
        child.on("message", () => {
          takenByOthers = takenByOthers.with(index, (takenByOthers[index] ?? 0) + 1);
        });
      });

      const keys: string[] = [];
      while (takenByOthers.some((taken) => taken < 20)) {
        const added = Array.from({ length: 10 }, (_, index) => `order-${keys.length + index}`);
        keys.push(...added);
        await queue.add(added.map((key) => job(key)));
      }

      await overseer.until(() => overseer.ended.length >= keys.length);
      expect([...overseer.ended].sort()).toEqual([...keys].sort());
      expect(errors).toEqual([]);
      // The other processes get their share sooner or later, on a busy machine later.
    }, 120_000);

    test("hands over first what was put back, and then what waits", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();

      await queue.add([job("A"), job("B")]);
      await queue.addFirst(job("back-1", "back-2"));
      consume(backend, overseer.work);

      await overseer.until(() => overseer.ended.length === 4);
      expect(overseer.ended).toEqual(["back-1", "back-2", "A", "B"]);
    });

    test("removes what has waited for long, and leaves what is younger or in work", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      overseer.hold("first");
      overseer.hold("third");
      consume(backend, overseer.work);
      await queue.add([job("first"), job("second")]);
      await overseer.until(() => overseer.started.includes("first"));

      await queue.removeOlderThan(60_000);
      overseer.release("first");
      await overseer.until(() => overseer.ended.includes("second"));
      await queue.add([job("third")]);
      await overseer.until(() => overseer.started.includes("third"));
      await queue.add([job("old"), job("old", "too")]);
      // Everything that waits counts as older than that.
      await queue.removeOlderThan(-60_000);
      overseer.release("third");
      await queue.add([job("last")]);

      await overseer.until(() => overseer.ended.includes("last"));
      expect(overseer.ended).toEqual(["first", "second", "third", "last"]);
      expect(errors).toEqual([]);
    });

    test("a handler that fails is reported, does not stop the others and is not tried again", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      consume(backend, async (key) => {
        await overseer.work(key);
        if (key.startsWith("bad")) throw new Error(`cannot handle ${key}`);
      });

      await queue.add([job("bad-1"), job("good-1"), job("bad-2"), job("good-2")]);
      await overseer.until(() => overseer.ended.length === 4);
      await queue.add([job("bad-1"), job("last")]);
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
      const consumer = consume(backend, overseer.work);
      await queue.add([job("A")]);
      await overseer.until(() => overseer.started.includes("A"));

      let closed = false;
      const closing = consumer.close().then(() => {
        closed = true;
      });
      await queue.add([job("B")]);
      expect(closed).toBe(false);
      overseer.release("A");
      await closing;

      expect(overseer.ended).toEqual(["A"]);
      const successor = oversee();
      consume(backend, successor.work);
      await successor.until(() => successor.ended.includes("B"));
      expect(overseer.ended).toEqual(["A"]);
    });

    test("a job whose process was killed is handed to another process", async () => {
      const backend = openBackend(impatient);
      const queue = backend.openQueue(name);
      const doomed = oversee();
      doomed.hold("A");
      const child = startWorkerProcess(doomed, impatient);
      await queue.add([job("A", "B")]);
      await doomed.until(() => doomed.started.includes("A"));

      const survivor = oversee();
      consume(backend, survivor.work);
      child.kill("SIGKILL");

      await survivor.until(() => survivor.ended.includes("B"));
      expect(doomed.ended).toEqual([]);
      expect(survivor.ended).toEqual(["A", "B"]);
    });

    test("wiping the queue loses the waiting dispatches and nothing else", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);
      const overseer = oversee();
      await queue.add([job("A"), job("B", "C")]);

      await site.wipe();
      consume(backend, overseer.work);
      await queue.add([job("A"), job("last")]);

      await overseer.until(() => overseer.ended.includes("last"));
      expect(overseer.ended).toEqual(["A", "last"]);
    });

    test("two queues of one backend do not mix", async () => {
      const backend = openBackend();
      const overseer = oversee();
      const others = backend.openQueue(`${name}-deliveries`);
      consume(backend, overseer.work);

      await others.add([job("elsewhere")]);
      await backend.openQueue(name).add([job("here")]);

      await overseer.until(() => overseer.ended.length > 0);
      expect(overseer.ended).toEqual(["here"]);
    });

    test("a run works on what becomes due, and goes on after a look and a handler that failed", async () => {
      const overseer = oversee();
      let looks = 0;
      const due = ["A", "bad", "B"].map(idsOf);
      const { run, log, metrics } = startRun({
        takeDue: async (limit) => {
          looks += 1;
          if (looks === 1) throw new Error("the database is away");
          return due.splice(0, limit);
        },
        handle: async ({ orderId = "" }) => {
          await overseer.work(orderId);
          if (orderId === "bad") throw new Error("cannot handle it");
        },
      });

      await overseer.until(() => overseer.ended.length === 3);
      due.push(idsOf("C"));
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

    test("a run uses every slot while one thing is slow, and never more than it has", async () => {
      const overseer = oversee();
      const keys = Array.from({ length: 40 }, (_, index) => `order-${index}`);
      const due = keys.map(idsOf);
      overseer.hold("order-1");
      const { run, log } = startRun({
        takeDue: async (limit) => due.splice(0, limit),
        handle: ({ orderId = "" }) => overseer.work(orderId),
        concurrency: 4,
      });

      await overseer.until(() => overseer.ended.length === keys.length - 1);
      overseer.release("order-1");
      await run.close();

      expect([...overseer.ended].sort()).toEqual([...keys].sort());
      expect(overseer.mostAtOnce()).toBe(4);
      expect(log).toEqual([]);
    });

    test("things that wait for a slot of a run go to another run that has a free one", async () => {
      const [busy, idle] = [oversee(), oversee()];
      const due = [idsOf("slow-1")];
      busy.hold("slow-1");
      busy.hold("slow-2");
      const first = startRun({
        takeDue: async (limit) => due.splice(0, limit),
        handle: ({ orderId = "" }) => busy.work(orderId),
        concurrency: 2,
      });
      await busy.until(() => busy.started.includes("slow-1"));
      due.push(idsOf("slow-2"), idsOf("A"));
      first.run.kick();
      await busy.until(() => busy.started.includes("slow-2"));

      const second = startRun(
        { takeDue: async () => [], handle: ({ orderId = "" }) => idle.work(orderId), concurrency: 2 },
        first.backend,
      );

      await idle.until(() => idle.ended.includes("A"));
      expect(busy.ended).toEqual([]);
      busy.releaseAll();
      await Promise.all([first.run.close(), second.run.close()]);
      expect(busy.ended.toSorted()).toEqual(["slow-1", "slow-2"]);
    });

    test("closing a run waits for what it works on, takes nothing more, and leaves the rest of its job to the next", async () => {
      const overseer = oversee();
      const due = ["A", "B", "C"].map(idsOf);
      overseer.hold("A");
      overseer.hold("B");
      const parts = {
        takeDue: async (limit: number) => due.splice(0, limit),
        handle: ({ orderId = "" }: Ids) => overseer.work(orderId),
        concurrency: 2,
      };
      const { run, backend } = startRun(parts);
      await overseer.until(() => overseer.started.length === 2);

      let closed = false;
      const closing = run.close().then(() => {
        closed = true;
      });
      due.push(idsOf("D"));
      run.kick();
      await new Promise(setImmediate);
      expect(closed).toBe(false);
      overseer.releaseAll();
      await closing;

      expect(overseer.ended.toSorted()).toEqual(["A", "B"]);
      expect(due).toHaveLength(1);
      const next = startRun(parts, backend);
      await overseer.until(() => overseer.ended.length === 4);
      await next.run.close();
      expect(overseer.ended.toSorted()).toEqual(["A", "B", "C", "D"]);
    });

    test("can be reached, and adding to a closed queue is refused", async () => {
      const backend = openBackend();
      const queue = backend.openQueue(name);

      await expect(backend.ping()).resolves.toBeUndefined();
      await queue.close();

      await expect(queue.add([job("A")])).rejects.toMatchObject({
        code: "queue.closed",
        message: `Queue '${name}' was used after it was closed. This is a bug.`,
      });
    });
  });
}

function job(...keys: string[]): DispatchJob {
  return keys.map(idsOf);
}

function idsOf(key: string): Ids {
  return { orderId: key };
}

function loggerInto(log: { message: string; error: string }[]): Logger {
  const collect = (fields: object, message: string): void => {
    log.push({ message, error: String((fields as { error: unknown }).error) });
  };
  return { ...silentLogger, warn: collect, error: collect };
}

/** Sees the start and the end of all work, in this process and in others, in the order in which they really happened. */
interface Overseer {
  readonly started: readonly string[];
  readonly ended: readonly string[];
  mostAtOnce(): number;
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
  let running = 0;
  let mostAtOnce = 0;
  const held = new Map<string, { released: Promise<void>; release: () => void }>();
  const watchers = new Set<() => void>();

  function changed(): void {
    for (const watch of watchers) watch();
  }

  const overseer: Overseer = {
    started,
    ended,
    mostAtOnce: () => mostAtOnce,
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
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      started.push(key);
      changed();
      await held.get(key)?.released;
    },
    async end(key) {
      running -= 1;
      ended.push(key);
      changed();
    },
    async work(key) {
      await overseer.start(key);
      // Long enough for others to start meanwhile.
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
