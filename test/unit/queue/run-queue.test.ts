import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RepeatedWork } from "../../../src/kernel/repeat-work.ts";
import type { DispatchJob, Ids, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { putBackAfterMs, type QueueWork, runQueue, thingsPerJobMax } from "../../../src/queue/run-queue.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";

/** When a run looks for what is due, to the millisecond; the queue here responds as it is told. The suite of backends runs real ones. */
describe("runQueue", () => {
  let due: Ids[];
  let takes: number;
  /** The jobs of each look. */
  let added: string[][][];
  let putBack: string[][];
  let removals: number[];
  let warnings: unknown[];
  let metrics: ReturnType<typeof createMetrics>;
  let refusing: boolean;
  let add: (jobs: readonly DispatchJob[]) => Promise<void>;
  let consume: (job: DispatchJob) => Promise<void>;
  let queue: RepeatedWork | undefined;

  beforeEach(() => {
    vi.useFakeTimers();
    // The middle of the jitter: the wait itself.
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    due = [];
    takes = 0;
    added = [];
    putBack = [];
    removals = [];
    warnings = [];
    metrics = createMetrics();
    refusing = false;
    add = async (jobs) => {
      if (refusing) throw new Error("the queue is away");
      added.push(jobs.map(orderIdsOf));
    };
  });
  afterEach(async () => {
    await queue?.close();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  function start(overrides: Partial<QueueWork> = {}): RepeatedWork {
    const backend: Pick<QueueBackend, "openQueue" | "consume"> = {
      openQueue: () => ({
        add: (jobs) => add(jobs),
        addFirst: async (job) => {
          if (refusing) throw new Error("the queue is away");
          putBack.push(orderIdsOf(job));
        },
        removeOlderThan: async (ms) => {
          if (refusing) throw new Error("the queue is away");
          removals.push(ms);
        },
        close: async () => {},
      }),
      consume: (_name, _onError, handle) => {
        consume = handle;
        return { close: async () => {} };
      },
    };
    const work: QueueWork = {
      name: "orders",
      takeDue: async (limit) => {
        takes += 1;
        return due.splice(0, limit);
      },
      batchSize: 2,
      handle: async () => {},
      concurrency: 4,
      kickAfter: 1,
      markMs: 15_000,
      failureMessage: "worker.failed",
      ...overrides,
    };
    const logger = {
      ...silentLogger,
      error: (fields: object, message: string) => warnings.push({ message, ...fields }),
      warn: (fields: object, message: string) => warnings.push({ message, ...fields }),
    };
    queue = runQueue(backend as QueueBackend, work, { logger, metrics });
    return queue;
  }

  const settle = () => vi.advanceTimersByTimeAsync(0);

  const failed = (message: string) => ({ message: "feeder.failed", queue: "orders", error: new Error(message) });

  const counted = async (counter: "dispatches" | "feederFailures") => (await metrics[counter].get()).values;

  test("a run adds what is due as soon as it starts, in batches, until a batch is not full, and counts it", async () => {
    due = orders("A", "B", "C", "D", "E");

    start();
    await settle();

    expect(added).toEqual([[["A", "B"]], [["C", "D"]], [["E"]]]);
    expect(takes).toBe(3);
    expect(await counted("dispatches")).toEqual([{ labels: { queue: "orders" }, value: 5 }]);
  });

  test.each([
    { count: 1, concurrency: 8, sizes: [1] },
    { count: 8, concurrency: 8, sizes: [8] },
    { count: 20, concurrency: 8, sizes: [8, 8, 4] },
    { count: 40, concurrency: 32, sizes: [thingsPerJobMax, thingsPerJobMax, 8] },
    { count: 3, concurrency: 1, sizes: [1, 1, 1] },
  ])(
    "a run that works on $concurrency things at a time puts $count due ones into jobs of $sizes",
    async ({ count, concurrency, sizes }) => {
      const names = Array.from({ length: count }, (_, index) => `order-${index}`);
      due = orders(...names);

      start({ batchSize: 64, concurrency });
      await settle();

      expect(added.map((jobs) => jobs.map((job) => job.length))).toEqual([sizes]);
      expect(added.flat(2)).toEqual(names);
    },
  );

  test("a run adds nothing when nothing is due", async () => {
    start();
    await settle();

    expect(added).toEqual([]);
    expect(takes).toBe(1);
  });

  test("a run looks again a second later, not before", async () => {
    start();
    await settle();
    due = orders("A");

    await vi.advanceTimersByTimeAsync(999);
    expect(added).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(added).toEqual([[["A"]]]);
  });

  test("a run looks again at once when it is kicked", async () => {
    start();
    await settle();
    due = orders("A");

    queue?.kick();
    await settle();

    expect(added).toEqual([[["A"]]]);
  });

  test("many kicks during a look cause one more look", async () => {
    let finishTaking: ((taken: Ids[]) => void) | undefined;
    start({
      takeDue: () => {
        takes += 1;
        return new Promise((resolve) => {
          finishTaking = resolve;
        });
      },
    });

    for (let kick = 0; kick < 5; kick += 1) queue?.kick();
    finishTaking?.([]);
    await settle();
    expect(takes).toBe(2);
    finishTaking?.([]);
    await vi.advanceTimersByTimeAsync(999);

    expect(takes).toBe(2);
  });

  test("a run looks again when as many things were handled as make room for more", async () => {
    start({ kickAfter: 3 });
    await settle();

    await consume(orders("A", "B"));
    await settle();
    expect(takes).toBe(1);
    await consume(orders("C"));
    await settle();

    expect(takes).toBe(2);
  });

  test("a thing that could not be handled is logged, makes no room, and stops nothing else of its job", async () => {
    const handled: string[] = [];
    start({
      kickAfter: 2,
      handle: async ({ orderId = "" }) => {
        if (orderId === "bad") throw new Error("cannot be handled");
        handled.push(orderId);
      },
    });
    await settle();

    await consume(orders("bad", "A"));
    await settle();

    expect(takes).toBe(1);
    expect(handled).toEqual(["A"]);
    expect(warnings).toEqual([{ message: "worker.failed", error: new Error("cannot be handled") }]);
  });

  test("a run keeps what the queue refused, takes no more meanwhile, and adds it after a back-off that kicks do not shorten", async () => {
    due = orders("A");
    refusing = true;
    start();
    await settle();
    due = orders("B");

    queue?.kick();
    await vi.advanceTimersByTimeAsync(249);
    expect(warnings).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(warnings).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(499);
    expect(warnings).toHaveLength(2);
    expect(takes).toBe(1);
    refusing = false;
    await vi.advanceTimersByTimeAsync(1);

    expect(added).toEqual([[["A"]], [["B"]]]);
    expect(warnings).toEqual([failed("the queue is away"), failed("the queue is away")]);
    expect(await counted("feederFailures")).toEqual([{ labels: { queue: "orders" }, value: 2 }]);
  });

  test("a run backs off while the database is away, longer each time in a row, and then goes on", async () => {
    let away = true;
    due = orders("A");
    start({
      takeDue: async (limit) => {
        takes += 1;
        if (away) throw new Error("the database is away");
        return due.splice(0, limit);
      },
    });
    await settle();
    await vi.advanceTimersByTimeAsync(250);
    expect(takes).toBe(2);
    away = false;
    await vi.advanceTimersByTimeAsync(499);
    expect(added).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(added).toEqual([[["A"]]]);
    expect(warnings).toEqual([failed("the database is away"), failed("the database is away")]);

    away = true;
    queue?.kick();
    await settle();
    expect(warnings).toHaveLength(3);
    due = orders("B");
    away = false;
    await vi.advanceTimersByTimeAsync(250);

    expect(added).toEqual([[["A"]], [["B"]]]);
  });

  describe("with work that lasts", () => {
    let started: string[];
    let finish: Map<string, () => void>;

    beforeEach(() => {
      started = [];
      finish = new Map();
    });
    afterEach(() => {
      void queue?.close();
      for (const end of finish.values()) end();
    });

    function startLasting(concurrency: number): RepeatedWork {
      return start({
        concurrency,
        handle: ({ orderId = "" }) => {
          started.push(orderId);
          return new Promise((resolve) => finish.set(orderId, resolve));
        },
      });
    }

    /** Whether the run is ready for another job. */
    function give(job: DispatchJob): { isTaken: boolean } {
      const state = { isTaken: false };
      void consume(job).then(() => {
        state.isTaken = true;
      });
      return state;
    }

    test("a run starts as many things of a job as it has slots, and the next one when a slot is free", async () => {
      startLasting(2);
      const job = give(orders("A", "B", "C", "D"));
      await settle();
      expect(started).toEqual(["A", "B"]);

      finish.get("B")?.();
      await settle();
      expect(started).toEqual(["A", "B", "C"]);
      finish.get("C")?.();
      await settle();
      expect(started).toEqual(["A", "B", "C", "D"]);

      expect(job.isTaken).toBe(false);
      expect(putBack).toEqual([]);
    });

    test("a run takes another job once a slot is free, while slow things of earlier jobs are still in work", async () => {
      startLasting(2);
      const first = give(orders("slow", "A"));
      await settle();
      expect(first.isTaken).toBe(false);

      finish.get("A")?.();
      await settle();

      expect(first.isTaken).toBe(true);
      const second = give(orders("B"));
      await settle();
      expect(started).toEqual(["slow", "A", "B"]);
      expect(second.isTaken).toBe(false);
    });

    test("a run is ready for more at once after a job that leaves it a free slot", async () => {
      startLasting(2);

      const job = give(orders("A"));
      await settle();

      expect(job.isTaken).toBe(true);
    });

    test("a run puts back what has waited half a second for a slot, and takes no other job before one is free", async () => {
      startLasting(2);
      const job = give(orders("A", "B", "C", "D"));
      await vi.advanceTimersByTimeAsync(putBackAfterMs / 2);
      finish.get("A")?.();
      await vi.advanceTimersByTimeAsync(putBackAfterMs / 2 - 1);
      expect(putBack).toEqual([]);

      await vi.advanceTimersByTimeAsync(1);

      expect(started).toEqual(["A", "B", "C"]);
      expect(putBack).toEqual([["D"]]);
      expect(job.isTaken).toBe(false);
      finish.get("B")?.();
      await settle();
      expect(job.isTaken).toBe(true);
    });

    test("what cannot be put back is logged, and due again when its mark expires", async () => {
      startLasting(1);
      const job = give(orders("A", "B"));
      refusing = true;

      await vi.advanceTimersByTimeAsync(putBackAfterMs);
      finish.get("A")?.();
      await settle();

      expect(warnings).toEqual([{ message: "worker.failed", error: new Error("the queue is away") }]);
      expect(job.isTaken).toBe(true);
    });

    test("closing a run puts back at once what has not started, and waits for what has", async () => {
      const running = startLasting(1);
      const job = give(orders("A", "B", "C"));
      await settle();

      let closed = false;
      const closing = running.close().then(() => {
        closed = true;
      });
      await settle();
      expect(putBack).toEqual([["B", "C"]]);
      expect(job.isTaken).toBe(true);
      expect(closed).toBe(false);
      finish.get("A")?.();
      await closing;

      expect(started).toEqual(["A"]);
    });

    test("a job that comes while a run closes is put back", async () => {
      await startLasting(1).close();

      await consume(orders("A"));

      expect(started).toEqual([]);
      expect(putBack).toEqual([["A"]]);
    });
  });

  test("a run removes jobs that waited for longer than marks last, as often, also after an outage", async () => {
    start({ markMs: 15_000 });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(removals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(removals).toEqual([15_000]);

    refusing = true;
    await vi.advanceTimersByTimeAsync(15_000);
    refusing = false;
    await vi.advanceTimersByTimeAsync(15_000);

    expect(removals).toEqual([15_000, 15_000]);
    expect(warnings).toEqual([]);
  });

  test("closing a run during a back-off ends the wait", async () => {
    refusing = true;
    due = orders("A");
    start();
    await settle();

    await queue?.close();

    expect(warnings).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("closing a run finishes the running look and takes nothing more", async () => {
    due = orders("A", "B", "C");
    let finishAdding = (): void => undefined;
    add = (batch) =>
      new Promise<void>((resolve) => {
        added.push(batch.map(orderIdsOf));
        finishAdding = resolve;
      });
    start();
    await settle();

    let closed = false;
    const closing = queue?.close().then(() => {
      closed = true;
    });
    await settle();
    expect(closed).toBe(false);
    finishAdding();
    await closing;

    expect(added).toEqual([[["A", "B"]]]);
    expect(due).toEqual(orders("C"));
  });
});

function orders(...orderIds: string[]): Ids[] {
  return orderIds.map((orderId) => ({ orderId }));
}

function orderIdsOf(job: DispatchJob): string[] {
  return job.map(({ orderId = "" }) => orderId);
}
