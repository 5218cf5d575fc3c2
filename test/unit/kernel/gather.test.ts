import { describe, expect, test, vi } from "vitest";
import { createGatherer } from "../../../src/kernel/gather.ts";

/** The database says that it has committed nothing. */
class Refusal extends Error {}

/** A transaction that a test ends. */
interface Begun {
  readonly items: readonly string[];
  readonly commit: (results: readonly (string | null)[]) => void;
  readonly fail: (error: Error) => void;
}

function gathering(itemsMax = 32) {
  const begun: Begun[] = [];
  const alone: string[] = [];
  const ask = createGatherer<string, string>(itemsMax, {
    together: (items) => new Promise((commit, fail) => begun.push({ items, commit, fail })),
    alone: async (item) => {
      alone.push(item);
      if (item.startsWith("bad")) throw new Error(`${item} is refused`);
      return `${item} alone`;
    },
    isUndone: (error) => error instanceof Refusal,
  });
  return { ask, begun, alone };
}

/** Until what was asked for at this moment has begun. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("what is asked for", () => {
  test("alone begins at once", async () => {
    const { ask, begun } = gathering();

    const asked = ask("a");
    await turn();

    expect(begun.map(({ items }) => items)).toEqual([["a"]]);
    begun[0]!.commit(["A"]);
    expect(await asked).toBe("A");
  });

  test("during a transaction shares the next one", async () => {
    const { ask, begun } = gathering();
    const first = ask("a");
    await turn();
    const others = [ask("b"), ask("c")];
    await turn();
    expect(begun).toHaveLength(1);

    begun[0]!.commit(["A"]);
    await first;
    await turn();

    expect(begun[1]!.items).toEqual(["b", "c"]);
    begun[1]!.commit(["B", "C"]);
    expect(await Promise.all(others)).toEqual(["B", "C"]);
  });

  test("beyond the size of a transaction waits for the next one", async () => {
    const { ask, begun } = gathering(2);
    const asked = ["a", "b", "c"].map(ask);
    await turn();

    expect(begun[0]!.items).toEqual(["a", "b"]);
    begun[0]!.commit(["A", "B"]);
    await asked[0];
    await turn();

    expect(begun[1]!.items).toEqual(["c"]);
    begun[1]!.commit(["C"]);
    expect(await Promise.all(asked)).toEqual(["A", "B", "C"]);
  });

  test("and left out by the transaction is done alone, and delays no others", async () => {
    const { ask, begun, alone } = gathering();
    const asked = ["a", "b"].map(ask);
    await turn();

    begun[0]!.commit([null, "B"]);

    expect(await Promise.all(asked)).toEqual(["a alone", "B"]);
    expect(alone).toEqual(["a"]);
  });
});

test("a transaction that hangs does not hold up the others for more than five seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  try {
    const { ask, begun } = gathering();
    void ask("a");
    await turn();
    const other = ask("b");
    await turn();

    await vi.advanceTimersByTimeAsync(4_999);
    expect(begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(begun[1]!.items).toEqual(["b"]);
    begun[1]!.commit(["B"]);
    expect(await other).toBe("B");
  } finally {
    vi.useRealTimers();
  }
});

describe("a transaction that fails", () => {
  test("in the database is repeated one by one, so that only what is refused fails", async () => {
    const { ask, begun } = gathering();
    const asked = Promise.allSettled(["a", "bad", "c"].map(ask));
    await turn();

    begun[0]!.fail(new Refusal());

    expect(await asked).toMatchObject([
      { value: "a alone" },
      { reason: { message: "bad is refused" } },
      { value: "c alone" },
    ]);
  });

  test("without an answer of the database fails for all, because it may have been committed", async () => {
    const { ask, begun, alone } = gathering();
    const asked = Promise.allSettled(["a", "b"].map(ask));
    await turn();

    begun[0]!.fail(new Error("connection lost"));

    expect(await asked).toMatchObject([
      { reason: { message: "connection lost" } },
      { reason: { message: "connection lost" } },
    ]);
    expect(alone).toEqual([]);
  });
});
