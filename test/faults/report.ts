import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promises, type Violation } from "./find-violations.ts";
import type { RunResult } from "./run-faults.ts";

const page = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));
const begins = {
  postgresql: "<!-- generated: last run on PostgreSQL -->",
  redis: "<!-- generated: last run on Redis -->",
} as const;
const end = "<!-- end of generated -->";

/** Violations of one promise that are printed; the file holds all. */
const shownMax = 8;

/** What happened in one run, as a table for the terminal, and what was broken. */
export function printRun({ seed, queue, counts, violations }: RunResult): string {
  const width = Math.max(...counts.map(([name]) => name.length));
  const lines = [["seed", `${seed}, queue on ${queue}`] as const, ...counts].map(
    ([name, value]) => `${name.padEnd(width)}  ${value}`,
  );
  return [...lines, ...printViolations(violations)].join("\n");
}

function printViolations(violations: readonly Violation[]): readonly string[] {
  if (violations.length === 0) return [`Every promise was kept (${Object.keys(promises).length}).`];
  return Object.entries(promises).flatMap(([promise, words]) => {
    const broken = violations.filter((violation) => violation.promise === promise);
    if (broken.length === 0) return [];
    const shown = broken.slice(0, shownMax).map(({ subject, text }) => `  ${subject}: ${text}`);
    const more = broken.length > shownMax ? [`  and ${broken.length - shownMax} more`] : [];
    return [`BROKEN ${broken.length} times: ${words}`, ...shown, ...more];
  });
}

/** The generated part of the page: each run in a line, and the table of the last one. */
export function describeRuns(results: readonly RunResult[]): string {
  const [first] = results;
  const last = results.at(-1);
  if (first === undefined || last === undefined) return "";
  const { orders, notifications } = last.size;
  const command = `npm run test:faults -- --seed ${first.seed} --runs ${results.length} --queue ${last.queue} --orders ${orders} --notifications ${notifications} --write`;
  const broken = results.filter(({ violations }) => violations.length > 0);
  const stored =
    broken.length === 0
      ? "All of them kept every promise."
      : `Broken with seed ${broken.map(({ seed }) => seed).join(", ")}.`;
  return [
    "```sh",
    command,
    "```",
    "",
    `Seeds ${first.seed} to ${last.seed}. ${stored} The last one, seed ${last.seed}, queue on ${last.queue}:`,
    "",
    "| | |",
    "|---|---|",
    ...last.counts.map(([name, value]) => `| ${name} | ${value} |`),
  ].join("\n");
}

/**
 * Puts the runs in the place of those on the same queue.
 *
 * @throws when the page has lost its markers
 */
export async function writeReliabilityPage(results: readonly RunResult[]): Promise<void> {
  const [first] = results;
  if (first === undefined) return;
  const text = await readFile(page, "utf8");
  const begin = begins[first.queue];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${describeRuns(results)}\n\n${text.slice(to)}`);
}
