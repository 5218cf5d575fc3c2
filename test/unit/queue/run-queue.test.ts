import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { RepeatedWork } from "../../../src/kernel/repeat-work.ts";
import type { Dispatch, QueueBackend } from "../../../src/queue/dispatch-queue.ts";
import { type QueueWork, runQueue } from "../../../src/queue/run-queue.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";

/** When a run looks for what is due, to the millisecond; the queue here responds as it is told. The suite of backends runs real ones. */
describe("runQueue", () => {
  let due: Dispatch[];
  let takes: number;
  let added: string[][];
  let warnings: unknown[];
  let metrics: ReturnType<typeof createMetrics>;
  let refusing: boolean;
  let add: (dispatches: readonly Dispatch[]) => Promise<void>;
  let workOn: (ids: Readonly<Record<string, string>>) => Promise<void>;
  let queue: RepeatedWork | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    // The middle of the jitter: the wait itself.
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    due = [];
    takes = 0;
    added = [];
    warnings = [];
    metrics = createMetrics();
    refusing = false;
    add = async (dispatches) => {
      if (refusing) throw new Error("the queue is away");
      added.push(dispatches.map(({ key }) => key));
    };
  });
  afterEach(async () => {
    await queue?.close();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  function start(overrides: Partial<QueueWork> = {}): RepeatedWork {
    const backend: Pick<QueueBackend, "openQueue" | "consume"> = {
      openQueue: () => ({ add: (dispatches) => add(dispatches), close: async () => {} }),
      consume: (_name, _options, handle) => {
        workOn = handle;
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
      failureMessage: "worker.failed",
      ...overrides,
    };
    const logger = {
      ...silentLogger,
      warn: (fields: object, message: string) => warnings.push({ message, ...fields }),
    };
    queue = runQueue(backend as QueueBackend, work, { logger, metrics });
    return queue;
  }

  const settle = () => jest.advanceTimersByTimeAsync(0);

  const failed = (message: string) => ({ message: "feeder.failed", queue: "orders", error: new Error(message) });

  const counted = async (counter: "dispatches" | "feederFailures") => (await metrics[counter].get()).values;

  test("a run adds what is due as soon as it starts, in batches, until a batch is not full, and counts it", async () => {
    due = dispatches("A", "B", "C", "D", "E");

    start();
    await settle();

    expect(added).toEqual([["A", "B"], ["C", "D"], ["E"]]);
    expect(takes).toBe(3);
    expect(await counted("dispatches")).toEqual([{ labels: { queue: "orders" }, value: 5 }]);
  });

  test("a run adds nothing when nothing is due", async () => {
    start();
    await settle();

    expect(added).toEqual([]);
    expect(takes).toBe(1);
  });

  test("a run looks again a second later, not before", async () => {
    start();
    await settle();
    due = dispatches("A");

    await jest.advanceTimersByTimeAsync(999);
    expect(added).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(added).toEqual([["A"]]);
  });

  test("a run looks again at once when it is kicked", async () => {
    start();
    await settle();
    due = dispatches("A");

    queue?.kick();
    await settle();

    expect(added).toEqual([["A"]]);
  });

  test("many kicks during a look cause one more look", async () => {
    let finishTaking: ((taken: Dispatch[]) => void) | undefined;
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
    await jest.advanceTimersByTimeAsync(999);

    expect(takes).toBe(2);
  });

  test("a run looks again when as many things were handled as make room for more", async () => {
    start({ kickAfter: 3 });
    await settle();

    await workOn({});
    await workOn({});
    await settle();
    expect(takes).toBe(1);
    await workOn({});
    await settle();

    expect(takes).toBe(2);
  });

  test("a thing that could not be handled makes no room", async () => {
    start({
      handle: async () => {
        throw new Error("cannot be handled");
      },
    });
    await settle();

    await expect(workOn({})).rejects.toThrow("cannot be handled");
    await settle();

    expect(takes).toBe(1);
  });

  test("a run keeps what the queue refused, takes no more meanwhile, and adds it after a back-off that kicks do not shorten", async () => {
    due = dispatches("A");
    refusing = true;
    start();
    await settle();
    due = dispatches("B");

    queue?.kick();
    await jest.advanceTimersByTimeAsync(249);
    expect(warnings).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(warnings).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(499);
    expect(warnings).toHaveLength(2);
    expect(takes).toBe(1);
    refusing = false;
    await jest.advanceTimersByTimeAsync(1);

    expect(added).toEqual([["A"], ["B"]]);
    expect(warnings).toEqual([failed("the queue is away"), failed("the queue is away")]);
    expect(await counted("feederFailures")).toEqual([{ labels: { queue: "orders" }, value: 2 }]);
  });

  test("a run backs off while the database is away, longer each time in a row, and then goes on", async () => {
    let away = true;
    due = dispatches("A");
    start({
      takeDue: async (limit) => {
        takes += 1;
        if (away) throw new Error("the database is away");
        return due.splice(0, limit);
      },
    });
    await settle();
    await jest.advanceTimersByTimeAsync(250);
    expect(takes).toBe(2);
    away = false;
    await jest.advanceTimersByTimeAsync(499);
    expect(added).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);

    expect(added).toEqual([["A"]]);
    expect(warnings).toEqual([failed("the database is away"), failed("the database is away")]);

    away = true;
    queue?.kick();
    await settle();
    expect(warnings).toHaveLength(3);
    due = dispatches("B");
    away = false;
    await jest.advanceTimersByTimeAsync(250);

    expect(added).toEqual([["A"], ["B"]]);
  });

  test("closing a run during a back-off ends the wait", async () => {
    refusing = true;
    due = dispatches("A");
    start();
    await settle();

    await queue?.close();

    expect(warnings).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test("closing a run finishes the running look and takes nothing more", async () => {
    due = dispatches("A", "B", "C");
    let finishAdding = (): void => undefined;
    add = (batch) =>
      new Promise<void>((resolve) => {
        added.push(batch.map(({ key }) => key));
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

    expect(added).toEqual([["A", "B"]]);
    expect(due.map(({ key }) => key)).toEqual(["C"]);
  });
});

function dispatches(...keys: string[]): Dispatch[] {
  return keys.map((key) => ({ key, ids: { orderId: key } }));
}
