import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type BenchReport,
  describeComparison,
  describeLoad,
  formatDuration,
  formatNumber,
  formatRange,
} from "./text-report.ts";

const page = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const begin = "<!-- generated: last run -->";
const end = "<!-- end of generated -->";

/**
 * Puts the ratios of a run into docs/performance.md.
 *
 * @throws when the page has lost its markers
 */
export async function writePerformancePage(report: BenchReport): Promise<void> {
  const text = await readFile(page, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${renderTable(report)}\n\n${text.slice(to)}`);
}

function renderTable(report: BenchReport): string {
  const { machine, rounds, seconds, startedAt, tookSeconds, benchmarks } = report;
  const rows = benchmarks.flatMap(({ name, unit, comparisons }) =>
    comparisons.map((comparison) => {
      const { measured, atLeast, aim } = comparison;
      const targets = [atLeast, aim].map((target) => (target === null ? "" : formatNumber(target)));
      const cells = [name, describeComparison(comparison, unit), formatNumber(measured.median), formatRange(measured)];
      return `| ${[...cells, ...targets].join(" | ")} |`;
    }),
  );
  const commit = machine.commit === null ? "" : `, commit ${machine.commit}`;
  return `${startedAt.slice(0, 10)}, ${machine.cores} cores (${machine.processor}), Node.js ${machine.node}${commit}: ${rounds} rounds of ${seconds} s, ${formatDuration(tookSeconds)} in all. ${describeLoad(machine)}

| | | median | range | at least | aim |
|---|---|---|---|---|---|
${rows.join("\n")}`;
}
