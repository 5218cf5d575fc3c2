import { AppError } from "../src/kernel/app-error.ts";

/** One question about speed, answered by contenders that do the same work in one run. */
export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** What one piece of work is, in the plural. */
  readonly unit: string;
  /** How many of them each contender does before its first round, so that its code is compiled. */
  readonly warmUp: number;
  /** Starts every process and server that the contenders need. */
  start(setting: BenchSetting): Promise<StartedBenchmark>;
}

/** What a benchmark is started with. */
export interface BenchSetting {
  /** Connections of the load generator of `acknowledge`. */
  readonly connections: number;
  /** Orders that each contender of `decide` works on at the same time. */
  readonly atOnce: number;
  /** Whether `decide` also runs beside the programs that are installed for it. */
  readonly withPeers: boolean;
}

export interface StartedBenchmark {
  /** How the work was set up, in sentences for the report. */
  readonly setup: readonly string[];
  readonly contenders: readonly Contender[];
  readonly targets: readonly Target[];
  /** Contenders that cannot run on this machine. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  stop(): Promise<void>;
}

export interface Contender<Done extends Work = Work> {
  readonly name: string;
  readonly description: string;
  /** Does work for about so long, and measures it. */
  work(pace: Pace): Promise<Done>;
  /** Looks from outside for what was not done, in sentences. Asked after each round, outside the measured time. */
  findMissing(done: Done): Promise<readonly string[]>;
}

/** A contender with what was started for it. */
export interface StartedContender<Done extends Work = Work> {
  readonly contender: Contender<Done>;
  stop(): Promise<void>;
}

export interface Pace {
  readonly seconds: number;
  /** What this contender reached before; null at its first warm-up. */
  readonly perSecond: number | null;
}

/** What one contender did in one round. */
export interface Work {
  readonly count: number;
  readonly seconds: number;
  /** Further figures of the round, by the name under which the report shows them. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** What is expected of a contender's rate, or of its ratio to another's. */
export interface Target {
  readonly subject: string;
  /** Null: its own rate. */
  readonly comparedWith: string | null;
  readonly atLeast: number | null;
  readonly aim: number | null;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface BenchmarkResult {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly setup: readonly string[];
  readonly contenders: readonly ContenderResult[];
  readonly comparisons: readonly Comparison[];
  readonly leftOut: StartedBenchmark["leftOut"];
}

export interface ContenderResult {
  readonly name: string;
  readonly description: string;
  readonly perSecond: Spread & { readonly rounds: readonly number[] };
  readonly figures: Readonly<Record<string, Spread>>;
}

/** A target with what was measured. A ratio is taken within each round; the median is that of the ratios. */
export interface Comparison extends Target {
  readonly measured: Spread;
}

export interface RoundSettings {
  readonly rounds: number;
  readonly seconds: number;
  /** Null: as many as the benchmark says. */
  readonly warmUp: number | null;
  /** Ends the run before the next contender's turn. */
  readonly signal?: AbortSignal;
}

export const workSkipped = "bench.work_skipped";

const warmUpRounds = 2;

/**
 * Runs every contender once in each round. The order moves on by one from round to round, so that nobody always has the
 * same one before it. Rounds before the first are not counted: at least two, and until each contender has warmed up.
 *
 * @throws AppError `bench.work_skipped` as soon as a contender has not done its work; then there are no results.
 */
export async function runRounds(
  benchmark: Benchmark,
  started: StartedBenchmark,
  { rounds, seconds, warmUp, signal }: RoundSettings,
  onProgress: (line: string) => void,
): Promise<BenchmarkResult> {
  const { contenders, targets, leftOut, setup } = started;
  const works = new Map<string, Work[]>(contenders.map(({ name }) => [name, []]));
  const lastRates = new Map<string, number>();
  const warmedUp = new Map<string, number>(contenders.map(({ name }) => [name, 0]));
  const enough = warmUp ?? benchmark.warmUp;
  const isWarm = (): boolean => [...warmedUp.values()].every((count) => count >= enough);
  let turnsBefore = 0;

  async function runRound(label: string, onWork: (name: string, work: Work) => void): Promise<void> {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      signal?.throwIfAborted();
      const contender = contenders[(turn + turnsBefore) % contenders.length]!;
      const { name } = contender;
      const work = await contender.work({ seconds, perSecond: lastRates.get(name) ?? null });
      const missing = await contender.findMissing(work);
      if (missing.length > 0) throw skipped(benchmark, contender, missing);
      lastRates.set(name, rateOf(work));
      onWork(name, work);
      onProgress(`${benchmark.name}, ${label}: ${name}, ${Math.round(rateOf(work))} ${benchmark.unit} per second`);
    }
    turnsBefore += 1;
  }

  for (let round = 0; round < warmUpRounds || !isWarm(); round += 1) {
    await runRound("warm-up", (name, { count }) => warmedUp.set(name, warmedUp.get(name)! + count));
  }
  for (let round = 1; round <= rounds; round += 1) {
    await runRound(`round ${round} of ${rounds}`, (name, work) => works.get(name)?.push(work));
  }
  const results = contenders.map((contender) => summarize(contender, works.get(contender.name) ?? []));
  return {
    name: benchmark.name,
    title: benchmark.title,
    unit: benchmark.unit,
    setup,
    contenders: results,
    comparisons: targets.flatMap((target) => compare(target, results)),
    leftOut,
  };
}

/** Orders with successive numbers, for the work of one turn. */
export interface Orders {
  readonly first: number;
  readonly count: number;
}

/** Gives each turn orders that no turn before it had: so many as take about the wanted time at the rate that was reached before. */
export function createOrderNumbers(bounds: { readonly first: number; readonly max: number }): (pace: Pace) => Orders {
  let next = 1;
  return ({ seconds, perSecond }) => {
    const first = next;
    const count =
      perSecond === null ? bounds.first : Math.min(Math.max(Math.round(seconds * perSecond), 8), bounds.max);
    next += count;
    return { first, count };
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

function rateOf({ count, seconds }: Work): number {
  return count / seconds;
}

function skipped(benchmark: Benchmark, contender: Contender, missing: readonly string[]): AppError {
  return new AppError(
    workSkipped,
    `${benchmark.name}: "${contender.name}" did not do its work, so its speed says nothing. ${missing.join(" ")}`,
  );
}

function summarize({ name, description }: Contender, works: readonly Work[]): ContenderResult {
  const rates = works.map(rateOf);
  const figureNames = Object.keys(works[0]?.figures ?? {});
  return {
    name,
    description,
    perSecond: { ...spreadOf(rates), rounds: rates },
    figures: Object.fromEntries(
      figureNames.map((figure) => [figure, spreadOf(works.map(({ figures }) => figures?.[figure] ?? Number.NaN))]),
    ),
  };
}

function compare(target: Target, results: readonly ContenderResult[]): readonly Comparison[] {
  const ratesOf = (name: string) => results.find((result) => result.name === name)?.perSecond.rounds;
  const rates = ratesOf(target.subject);
  if (rates === undefined) return [];
  if (target.comparedWith === null) return [{ ...target, measured: spreadOf(rates) }];
  const others = ratesOf(target.comparedWith);
  // It was left out on this machine.
  if (others === undefined) return [];
  return [{ ...target, measured: spreadOf(rates.map((rate, round) => rate / others[round]!)) }];
}
