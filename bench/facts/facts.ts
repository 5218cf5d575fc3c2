import type { Benchmark, Contender, Work } from "../benchmark.ts";
import { type Programs, type RemoteProcess, startProcess } from "../remote-process.ts";
import type { FactsCalls, Stage } from "./facts-process.ts";

/** What one order adds up to over the five samples in a row: what a stage that did its work must have found. */
interface StagePlan {
  readonly stage: Stage;
  readonly name: string;
  readonly description: string;
  readonly foundInFive: number;
}

const plans: readonly StagePlan[] = [
  { stage: "parse", name: "JSON.parse", description: "Parses the same bytes, nothing else.", foundInFive: 5 },
  {
    stage: "facts",
    name: "reading and facts",
    description: "Reads the order view and computes the facts.",
    foundInFive: 5,
  },
  {
    stage: "factsOfLargeOrder",
    name: "reading and facts, large order",
    description: "The same for 9 passengers on 8 flights, all of them retimed.",
    foundInFive: 40,
  },
  {
    stage: "decision",
    name: "reading, facts, law, policy",
    description: "A decision with its explanation.",
    foundInFive: 1,
  },
  {
    stage: "backtest",
    name: "backtest, one thread",
    description: "Decrypts, decompresses, and decides by two policies, without explanations.",
    foundInFive: 1,
  },
];

/** What the computing part of a decision costs, in one thread. */
export function createFacts(programs: Programs): Benchmark {
  return {
    name: "facts",
    title: "Reading, facts, law and policy of one order, in one thread",
    unit: "orders",
    warmUp: 0,
    async start() {
      const process = await startProcess<FactsCalls>(programs, "bench/facts/facts-process");
      await process.call("prepare");
      return {
        setup: [
          "500 notifications made from the five samples, 10.6 to 16.1 KB, without a database and without a gateway.",
        ],
        contenders: plans.map((plan) => stageContender(process, plan)),
        targets: [
          { subject: "reading and facts", comparedWith: null, atLeast: 1_000, aim: null },
          { subject: "backtest, one thread", comparedWith: null, atLeast: 2_000, aim: 2_500 },
        ],
        leftOut: [],
        stop: process.stop,
      };
    },
  };
}

interface Computed extends Work {
  readonly sum: number;
}

function stageContender(process: RemoteProcess<FactsCalls>, plan: StagePlan): Contender<Computed> {
  const { stage, name, description, foundInFive } = plan;
  return {
    name,
    description,
    async work({ seconds }) {
      // Nothing but one thread is measured, so half of the time tells as much.
      const computed = await process.call("run", { stage, seconds: seconds / 2 });
      return { ...computed, figures: { "µs an order": (computed.seconds * 1e6) / computed.count } };
    },
    async findMissing({ count, sum }) {
      const wanted = (count / 5) * foundInFive;
      return sum === wanted ? [] : [`What it found in ${count} orders should add up to ${wanted} and is ${sum}.`];
    },
  };
}
