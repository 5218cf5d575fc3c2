import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { countCells, countColumns, percentOf, reasonRows } from "../../src/cli/automation-page.ts";
import { dialects } from "./dialects.ts";
import type { MixReport } from "./run-mix.ts";

const page = fileURLToPath(new URL("../../docs/automation.md", import.meta.url));
const begin = "<!-- generated: mix -->\n";
const end = "<!-- end of generated -->";

/** Puts the figures of a run into docs/automation.md. @throws when the page has lost its markers */
export async function writeAutomationPage(report: MixReport, seed: number): Promise<void> {
  await writeFile(page, withFigures(await readFile(page, "utf8"), report, seed));
}

/** The page with the figures of that run in their place. */
export function withFigures(text: string, report: MixReport, seed: number): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the figures: ${begin.trim()} … ${end}`);
  return `${text.slice(0, from)}${begin}\n${renderFigures(report, seed)}\n\n${text.slice(to)}`;
}

function renderFigures(
  { count, policies, differences, unread, accepts, wrongAccepts }: MixReport,
  seed: number,
): string {
  const titles = countColumns.map(({ title }) => title);
  return [
    `${count} changes of seed ${seed}, each in ${dialects.length} dialects.`,
    table(
      ["Policy", ...titles],
      policies.map(({ policy, report }) => [`\`${policy}\``, ...countCells(report)]),
    ),
    `Accepted by dialect; ${differences.length} of ${count * policies.length} decisions depend on it:`,
    table(
      ["Policy", ...dialects.map((dialect) => `\`${dialect}\``)],
      policies.map(({ policy, byDialect }) => [
        `\`${policy}\``,
        ...dialects.map((dialect) => percentOf(byDialect[dialect].accepted, byDialect[dialect].decided)),
      ]),
    ),
    describeUnread(unread),
    wrongAccepts.length === 0
      ? `The judge finds nothing wrong with any of the ${accepts} accepts.`
      : `The judge finds ${wrongAccepts.length} of the ${accepts} accepts wrong.`,
    ...policies.flatMap(({ policy, report }) => [
      `### \`${policy}\``,
      table(
        ["Kind of change", ...titles],
        report.byKind.map((each) => [each.kind, ...countCells(each)]),
      ),
      "What costs most reviews:",
      table(
        ["Rule", "Reason", "Reviews", "Of all"],
        reasonRows(report).map(([rule = "", reason = "", ...figures]) => [code(rule), code(reason), ...figures]),
      ),
    ]),
  ].join("\n\n");
}

/** What the list of harmless members costs, and what it saves. */
export function describeUnread({ statuses, withMembers, notListed }: MixReport["unread"]): string {
  return `${withMembers} of the ${statuses} statuses state something that Skedchange does not read. ${notListed === 0 ? "None of them goes" : notListed === 1 ? "One goes" : `${notListed} go`} to a person for it, because the shipped list of [harmless members](members-of-a-source.md) names ${notListed === 0 ? "all of it" : "the rest"}; without the list all ${withMembers} would.`;
}

function code(name: string): string {
  return name === "" || name.includes(" ") ? name : `\`${name}\``;
}

/** Columns without any value are left out. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = titles.flatMap((_, column) => (rows.some((row) => row[column] !== "") ? [column] : []));
  const line = (cells: readonly string[]): string => `| ${shown.map((column) => cells[column] ?? "").join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}
