import { formatAutomation, percentOf } from "../../src/cli/automation-page.ts";
import { styleFor } from "../../src/cli/style.ts";
import { formatTable } from "../../src/cli/table.ts";
import { describeUnread } from "./automation-page.ts";
import { dialects } from "./dialects.ts";
import type { MixReport, WrongAccept } from "./run-mix.ts";

/** Lists of single changes are cut after so many; the JSON has all. */
const listedMax = 20;

/** The report for a terminal. */
export function renderMixReport(report: MixReport, seed: number): string {
  const { count, policies } = report;
  const style = styleFor({ stdout: process.stdout, environment: process.env });
  const page = { style, width: null };
  return [
    `${count} changes of seed ${seed}, each in ${dialects.length} dialects. Shares are of all of them.`,
    "",
    ...formatAutomation(policies, page),
    "",
    style.bold("Accepted, by dialect"),
    ...formatTable(
      [{ title: "Policy" }, ...dialects.map((title) => ({ title }))],
      policies.map(({ policy, byDialect }) => [
        policy,
        ...dialects.map((dialect) => percentOf(byDialect[dialect].accepted, byDialect[dialect].decided)),
      ]),
      { width: null, titleStyle: style.dim, indent: "  " },
    ),
    "",
    ...differenceLines(report),
    "",
    `${describeUnread(report.unread).replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")}`,
    "",
    ...judgementLines(report),
  ].join("\n");
}

function differenceLines({ differences }: MixReport): readonly string[] {
  if (differences.length === 0) return ["Every change is decided alike in all dialects."];
  return [
    `Decided otherwise in one dialect than in another: ${differences.length} decisions.`,
    ...differences
      .slice(0, listedMax)
      .map(
        ({ index, kind, policy, decisions }) =>
          `  ${index}, ${kind}, ${policy}: ${dialects.map((dialect) => `${dialect} ${decisions[dialect]}`).join("; ")}`,
      ),
    ...restOf(differences.length),
  ];
}

function judgementLines({ accepts, wrongAccepts }: MixReport): readonly string[] {
  if (wrongAccepts.length === 0) return [`The judge finds nothing wrong with any of ${accepts} accepts.`];
  return [
    `The judge finds ${wrongAccepts.length} of ${accepts} accepts wrong:`,
    ...wrongAccepts.slice(0, listedMax).map((wrong) => `  ${describeWrongAccept(wrong)}`),
    ...restOf(wrongAccepts.length),
  ];
}

/** One line that says how to make it again, and what it breaks. */
export function describeWrongAccept({ seed, index, dialect, kind, policy, rule, breaches }: WrongAccept): string {
  const broken = breaches.map(({ breaks, text }) => `${breaks} (${text})`).join(", ");
  return `seed ${seed}, change ${index} (${kind}), ${dialect}: ${policy} accepts by ${rule} and breaks ${broken}`;
}

function restOf(length: number): readonly string[] {
  return length > listedMax ? [`  and ${length - listedMax} more; --json lists them`] : [];
}
