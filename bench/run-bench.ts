import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { codeOf, messageOf } from "../src/kernel/app-error.ts";
import { type Benchmark, type BenchmarkResult, runRounds, workSkipped } from "./benchmark.ts";
import { renderHtmlReport } from "./html-report.ts";
import { describeMachine } from "./machine.ts";
import { writePerformancePage } from "./performance-page.ts";
import { type BenchReport, renderTextReport } from "./text-report.ts";

const ownResults = fileURLToPath(new URL("results/", import.meta.url));

export interface BenchOptions {
  readonly benchmarks: readonly Benchmark[];
  /** Given the figures. */
  readonly print: (text: string) => void;
  readonly onProgress: (line: string) => void;
  /** Ends the run, and everything that it started. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the benchmarks that are named, or all of them, prints their figures, and writes them as JSON and as a page.
 *
 * @returns the exit code: 1 when a contender did not do its work, 130 when it was interrupted. Then there are no figures at all.
 */
export async function runBench(
  parameters: readonly string[],
  { benchmarks, print, onProgress, signal }: BenchOptions,
): Promise<number> {
  const settings = readParameters(parameters, benchmarks);
  const startedAt = new Date();
  const machine = await describeMachine();
  const results: BenchmarkResult[] = [];
  for (const benchmark of settings.chosen) {
    onProgress(`${benchmark.name}: starting`);
    const started = await benchmark.start(settings);
    try {
      results.push(await runRounds(benchmark, started, { ...settings, ...(signal && { signal }) }, onProgress));
    } catch (error) {
      if (signal?.aborted === true) {
        onProgress("Interrupted. There are no figures.");
        return 130;
      }
      if (codeOf(error) !== workSkipped) throw error;
      onProgress(messageOf(error));
      return 1;
    } finally {
      await started.stop();
    }
  }
  const { rounds, seconds } = settings;
  const report: BenchReport = {
    startedAt: startedAt.toISOString(),
    tookSeconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    rounds,
    seconds,
    machine,
    benchmarks: results,
  };
  await mkdir(settings.out, { recursive: true });
  await writeFile(join(settings.out, "bench.json"), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(settings.out, "bench.html"), renderHtmlReport(report));
  if (settings.write) await writePerformancePage(report);
  print(renderTextReport(report));
  print(`The rounds are in ${join(settings.out, "bench.json")}, and drawn in ${join(settings.out, "bench.html")}`);
  return 0;
}

function readParameters(parameters: readonly string[], benchmarks: readonly Benchmark[]) {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "4" },
      connections: { type: "string", default: "64" },
      "at-once": { type: "string", default: "8" },
      "warm-up": { type: "string" },
      peers: { type: "boolean", default: false },
      out: { type: "string", default: ownResults },
      write: { type: "boolean", default: false },
    },
  });
  const chosen = positionals.map((name) => {
    const benchmark = benchmarks.find((candidate) => candidate.name === name);
    if (benchmark === undefined) {
      throw new Error(`There is no benchmark ${name}: ${benchmarks.map((known) => known.name).join(", ")}`);
    }
    return benchmark;
  });
  if (values.write && chosen.length > 0) throw new Error("--write needs all benchmarks: name none.");
  return {
    chosen: chosen.length === 0 ? benchmarks : chosen,
    rounds: positive(values.rounds, "--rounds", Number.isInteger),
    seconds: positive(values.seconds, "--seconds", Number.isFinite),
    connections: positive(values.connections, "--connections", Number.isInteger),
    atOnce: positive(values["at-once"], "--at-once", Number.isInteger),
    warmUp: values["warm-up"] === undefined ? null : positive(values["warm-up"], "--warm-up", Number.isInteger),
    withPeers: values.peers,
    out: values.out,
    write: values.write,
  };
}

function positive(text: string, option: string, isAllowed: (value: number) => boolean): number {
  const value = Number(text);
  if (!isAllowed(value) || value <= 0) throw new Error(`${option} takes a positive number, not '${text}'`);
  return value;
}
