import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSpanQueue } from "../../../src/telemetry/span-queue.ts";

/** A queue whose collector responds as told, and what became of its items. */
function openQueue(...responses: (number | Error)[]) {
  const sent: number[][] = [];
  const dropped: [string, number][] = [];
  const failing: unknown[] = [];
  const queue = createSpanQueue<number>({
    everyMs: 2_000,
    send: async (items) => {
      sent.push([...items]);
      const response = responses.shift() ?? 200;
      if (response instanceof Error) throw response;
      return response;
    },
    onDropped: (reason, count) => void dropped.push([reason, count]),
    onFailing: (error) => void failing.push(error),
  });
  return { queue, sent, dropped, failing };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe("the queue of spans", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("sends what has come within its interval together", async () => {
    const { queue, sent } = openQueue();

    queue.add(1);
    queue.add(2);
    await vi.advanceTimersByTimeAsync(2_000);

    expect(sent).toEqual([[1, 2]]);
  });

  test("sends a full batch at once", async () => {
    const { queue, sent } = openQueue();

    for (const item of numbers(513)) queue.add(item);
    await vi.advanceTimersByTimeAsync(0);

    expect(sent.map(({ length }) => length)).toEqual([512]);
  });

  test.each([503, 429, new Error("no connection")])(
    "sends again what the collector does not take for now (%s), in order",
    async (response) => {
      const { queue, sent, dropped, failing } = openQueue(response, response);

      queue.add(1);
      await vi.advanceTimersByTimeAsync(2_000);
      queue.add(2);
      await vi.advanceTimersByTimeAsync(4_000);

      expect(sent).toEqual([[1], [1, 2], [1, 2]]);
      expect(dropped).toEqual([]);
      expect(failing).toHaveLength(1);
    },
  );

  test("drops what the collector refuses", async () => {
    const { queue, sent, dropped } = openQueue(400);

    queue.add(1);
    await vi.advanceTimersByTimeAsync(2_000);
    queue.add(2);
    await vi.advanceTimersByTimeAsync(2_000);

    expect(sent).toEqual([[1], [2]]);
    expect(dropped).toEqual([["refused", 1]]);
  });

  test("drops what comes when 2,048 wait for a collector that is away", async () => {
    const { queue, dropped } = openQueue(...numbers(10).map(() => new Error("no connection")));

    for (const item of numbers(2_050)) queue.add(item);
    await vi.advanceTimersByTimeAsync(2_000);
    queue.add(0);

    expect(dropped).toEqual([
      ["queue-full", 1],
      ["queue-full", 1],
      ["queue-full", 1],
    ]);
  });

  test("sends what is left when it is closed, and drops it if that fails", async () => {
    const well = openQueue();
    const away = openQueue(new Error("no connection"));
    for (const { queue } of [well, away]) {
      queue.add(1);
      queue.add(2);
      await queue.close();
      queue.add(3);
    }

    expect(well.sent).toEqual([[1, 2]]);
    expect(well.dropped).toEqual([["stopped", 1]]);
    expect(away.dropped).toEqual([
      ["stopped", 2],
      ["stopped", 1],
    ]);
  });
});
