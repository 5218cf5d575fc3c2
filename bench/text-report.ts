import type { BenchmarkResult, Comparison, Spread } from "./benchmark.ts";
import type { Machine } from "./machine.ts";

/** Everything that was measured in one run, as it is written to `bench.json`. */
export interface BenchReport {
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly rounds: number;
  /** For each contender and round. */
  readonly seconds: number;
  readonly machine: Machine;
  readonly benchmarks: readonly BenchmarkResult[];
}

/** The report for a terminal: ratios first, because they say something on any machine. */
export function renderTextReport(report: BenchReport): string {
  const { machine, rounds, seconds } = report;
  return [
    `${machine.cores} cores (${machine.processor}), Node.js ${machine.node}; ${rounds} rounds of ${seconds} s, ` +
      `${formatDuration(report.tookSeconds)} in all. ${describeLoad(machine)}\n` +
      "Medians, and in brackets the range of the rounds.",
    ...report.benchmarks.map(renderBenchmark),
  ].join("\n\n");
}

export function renderBenchmark({ title, unit, contenders, comparisons, leftOut }: BenchmarkResult): string {
  return [
    title,
    renderTable(
      ["", "measured", "", "at least", "aim"],
      comparisons.map((comparison) => [
        describeComparison(comparison, unit),
        ...spreadCells(comparison.measured),
        numberOrDash(comparison.atLeast),
        numberOrDash(comparison.aim),
      ]),
    ),
    renderTable(
      [`${unit} per second`, "median", "", ...figureNames(contenders)],
      contenders.map(({ name, perSecond, figures }) => [
        name,
        ...spreadCells(perSecond),
        ...figureNames(contenders).map((figure) => {
          const spread = figures[figure];
          return spread === undefined ? "" : formatNumber(spread.median);
        }),
      ]),
    ),
    ...leftOut.map(({ name, why }) => `  Left out: ${name}. ${why}`),
  ].join("\n\n");
}

export function describeComparison({ subject, comparedWith }: Comparison, unit: string): string {
  return comparedWith === null ? `${subject}, ${unit} per second` : `${subject} / ${comparedWith}`;
}

/** Whether the target was met at the median; null when there is none. */
export function isMet({ measured, atLeast }: Comparison): boolean | null {
  return atLeast === null ? null : measured.median >= atLeast;
}

/** The contenders that targets are about. */
export function subjectsOf({ comparisons }: BenchmarkResult): ReadonlySet<string> {
  return new Set(comparisons.map(({ subject }) => subject));
}

export function figureNames(contenders: BenchmarkResult["contenders"]): readonly string[] {
  return [...new Set(contenders.flatMap(({ figures }) => Object.keys(figures)))];
}

/** Two significant digits or a little more below ten, whole numbers from there on. */
export function formatNumber(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString("en-GB");
  if (value >= 1) return value.toFixed(1);
  return value >= 0.1 ? value.toFixed(2) : value.toFixed(3);
}

export function formatDuration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Half a core that others keep busy is half a core that no contender has. */
export function isBusy({ cores, loadBefore }: Machine): boolean {
  return loadBefore > cores / 4;
}

export function describeLoad(machine: Machine): string {
  const { cores, loadBefore } = machine;
  const load = `In the minute before, ${formatNumber(loadBefore)} processes wanted the ${cores} cores.`;
  return isBusy(machine)
    ? `${load} So other programs were in the way: do not compare these figures with other runs.`
    : load;
}

export function formatRange({ min, max }: Spread): string {
  return `${formatNumber(min)} to ${formatNumber(max)}`;
}

function spreadCells(spread: Spread): readonly [string, string] {
  return [formatNumber(spread.median), `(${formatRange(spread)})`];
}

function numberOrDash(value: number | null): string {
  return value === null ? "–" : formatNumber(value);
}

/** The first column to the left, the others to the right. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join("\n");
}
