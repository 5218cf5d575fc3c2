import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Dispatch } from "../../../src/queue/dispatch-queue.ts";
import { createFeeder, type Feeder, type FeederOptions } from "../../../src/queue/feeder.ts";

describe("feeder", () => {
  let due: Dispatch[];
  let takes: number;
  let added: string[][];
  let errors: unknown[];
  let refusing: boolean;
  let feeder: Feeder | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    due = [];
    takes = 0;
    added = [];
    errors = [];
    refusing = false;
  });
  afterEach(async () => {
    await feeder?.stop();
    jest.useRealTimers();
  });

  function start(overrides: Partial<FeederOptions> = {}): Feeder {
    feeder = createFeeder({
      takeDue: async (limit) => {
        takes += 1;
        return due.splice(0, limit);
      },
      queue: {
        add: async (dispatches) => {
          if (refusing) throw new Error("the queue is away");
          added.push(dispatches.map(({ key }) => key));
        },
      },
      sweepMs: 1_000,
      batchSize: 2,
      backOff: { baseMs: 100, capMs: 400, jitter: 0 },
      onError: (error) => errors.push(error),
      ...overrides,
    });
    return feeder;
  }

  const settle = () => jest.advanceTimersByTimeAsync(0);

  test("adds what is due as soon as it starts, in batches, until a batch is not full", async () => {
    due = dispatches("A", "B", "C", "D", "E");

    start();
    await settle();

    expect(added).toEqual([["A", "B"], ["C", "D"], ["E"]]);
    expect(takes).toBe(3);
  });

  test("adds nothing when nothing is due", async () => {
    start();
    await settle();

    expect(added).toEqual([]);
    expect(takes).toBe(1);
  });

  test("looks again at a sweep, not before", async () => {
    start();
    await settle();
    due = dispatches("A");

    await jest.advanceTimersByTimeAsync(999);
    expect(added).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(added).toEqual([["A"]]);
  });

  test("looks again at once when it is kicked", async () => {
    start();
    await settle();
    due = dispatches("A");

    feeder?.kick();
    await settle();

    expect(added).toEqual([["A"]]);
  });

  test("makes one look of many kicks during a look", async () => {
    let finishTaking: ((taken: Dispatch[]) => void) | undefined;
    start({
      takeDue: () => {
        takes += 1;
        return new Promise((resolve) => {
          finishTaking = resolve;
        });
      },
    });

    for (let kick = 0; kick < 5; kick += 1) feeder?.kick();
    finishTaking?.([]);
    await settle();
    expect(takes).toBe(2);
    finishTaking?.([]);
    await jest.advanceTimersByTimeAsync(999);

    expect(takes).toBe(2);
    void feeder?.stop();
  });

  test("keeps what the queue refused, takes no more meanwhile, and adds it after a back-off that kicks do not shorten", async () => {
    due = dispatches("A");
    refusing = true;
    start();
    await settle();
    due = dispatches("B");

    feeder?.kick();
    await jest.advanceTimersByTimeAsync(99);
    expect(errors).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(errors).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(199);
    expect(errors).toHaveLength(2);
    expect(takes).toBe(1);
    refusing = false;
    await jest.advanceTimersByTimeAsync(1);

    expect(added).toEqual([["A"], ["B"]]);
    expect(errors.map(String)).toEqual(["Error: the queue is away", "Error: the queue is away"]);
  });

  test("goes on after the database was away", async () => {
    let away = true;
    due = dispatches("A");
    start({
      takeDue: async (limit) => {
        if (away) throw new Error("the database is away");
        return due.splice(0, limit);
      },
    });
    await settle();
    away = false;
    await jest.advanceTimersByTimeAsync(100);

    expect(added).toEqual([["A"]]);
    expect(errors.map(String)).toEqual(["Error: the database is away"]);
  });

  test("stopping finishes the running look and takes nothing more", async () => {
    due = dispatches("A", "B", "C");
    let finishAdding: (() => void) | undefined;
    start({
      queue: {
        add: (batch) =>
          new Promise((resolve) => {
            added.push(batch.map(({ key }) => key));
            finishAdding = resolve;
          }),
      },
    });
    await settle();

    let stopped = false;
    const stopping = feeder?.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    finishAdding?.();
    await stopping;

    expect(added).toEqual([["A", "B"]]);
    expect(due.map(({ key }) => key)).toEqual(["C"]);
  });
});

function dispatches(...keys: string[]): Dispatch[] {
  return keys.map((key) => ({ key, ids: { orderId: key } }));
}
