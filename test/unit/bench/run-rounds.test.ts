import { describe, expect, test } from "vitest";
import { type Contender, runRounds, spreadOf, type Target } from "../../../bench/benchmark.ts";

/** A contender that works at the given rates, one after the other; the first two are its warm-up. */
function contenderAt(name: string, rates: readonly number[], onWork: (name: string) => void = () => {}): Contender {
  let turn = 0;
  return {
    name,
    description: "",
    work: async () => {
      onWork(name);
      const count = rates[turn]!;
      turn += 1;
      return { count, seconds: 1 };
    },
    findMissing: async () => [],
  };
}

function run(contenders: readonly Contender[], rounds: number, targets: readonly Target[] = [], warmUp = 0) {
  const start = () => Promise.reject(new Error("unused"));
  const benchmark = { name: "test", title: "Test", unit: "orders", warmUp, start };
  const started = { setup: [], contenders, targets, leftOut: [], stop: async () => {} };
  return runRounds(benchmark, started, { rounds, seconds: 1, warmUp: null }, () => {});
}

describe("runRounds", () => {
  test("takes a ratio within each round, and the median of the ratios", async () => {
    // A machine that becomes ten times slower in the second round halves nobody's ratio.
    const product = contenderAt("product", [1, 1, 50, 5, 60]);
    const other = contenderAt("other", [1, 1, 100, 10, 100]);
    const target = { subject: "product", comparedWith: "other", atLeast: 0.5, aim: null };

    const { comparisons } = await run([product, other], 3, [target]);

    expect(comparisons).toEqual([{ ...target, measured: { median: 0.5, min: 0.5, max: 0.6 } }]);
  });

  test("does not count the warm-up", async () => {
    const { contenders } = await run([contenderAt("only", [1, 2, 30, 40])], 2);

    expect(contenders[0]?.perSecond).toEqual({ median: 35, min: 30, max: 40, rounds: [30, 40] });
  });

  test("warms up until each contender has done as much as the benchmark asks for", async () => {
    const quick = contenderAt("quick", [100, 100, 100, 7]);
    const slow = contenderAt("slow", [10, 10, 10, 5]);

    const { contenders } = await run([quick, slow], 1, [], 30);

    expect(contenders.map(({ perSecond }) => perSecond.rounds)).toEqual([[7], [5]]);
  });

  test("lets another contender begin in each round", async () => {
    const turns: string[] = [];
    const contenders = ["a", "b", "c"].map((name) => contenderAt(name, [1, 1, 1], (worked) => turns.push(worked)));

    await run(contenders, 1);

    expect(turns.join("")).toBe("abcbcacab");
  });

  test("leaves out a target whose other contender is not there", async () => {
    const target = { subject: "only", comparedWith: "missing", atLeast: 1, aim: null };

    const { comparisons } = await run([contenderAt("only", [1, 1, 1])], 1, [target]);

    expect(comparisons).toEqual([]);
  });
});

describe("spreadOf", () => {
  test.each([
    { values: [3], median: 3 },
    { values: [4, 1, 2], median: 2 },
    { values: [1, 2, 3, 10], median: 2.5 },
  ])("takes the middle of $values as their median", ({ values, median }) => {
    expect(spreadOf(values).median).toBe(median);
  });
});
