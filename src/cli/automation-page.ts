import type { AutomationCounts, AutomationReport } from "../policy/automation-report.ts";
import type { Style } from "./style.ts";
import { type Column, formatTable } from "./table.ts";

export interface PolicyAutomation {
  readonly policy: string;
  readonly report: AutomationReport;
}

interface PageOptions {
  readonly style: Style;
  /** Columns of the terminal; null if the output is none. */
  readonly width: number | null;
}

/** One table of all policies, then one section for each. */
export function formatAutomation(
  policies: readonly PolicyAutomation[],
  { style, width }: PageOptions,
): readonly string[] {
  const table = (columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] =>
    formatTable(columns, rows, { width, titleStyle: style.dim, indent: "  " });
  return [
    style.bold("What each policy would do"),
    ...table(
      [{ title: "Policy" }, ...countColumns],
      policies.map(({ policy, report }) => [policy, ...countCells(report)]),
    ),
    ...policies.flatMap(({ policy, report }) => [
      "",
      style.bold(`${policy}: by kind of change`),
      ...table(
        [{ title: "Kind" }, ...countColumns],
        report.byKind.map((each) => [each.kind, ...countCells(each)]),
      ),
      ...(report.reasons.length === 0
        ? []
        : [
            "",
            style.bold(`${policy}: what costs most reviews`),
            ...table(
              [{ title: "Rule" }, { title: "Reason" }, { title: "Reviews" }, { title: "Of all" }],
              reasonRows(report),
            ),
          ]),
    ]),
  ];
}

export const countColumns: readonly Column[] = [
  "Decisions",
  "Accepted",
  "To ask",
  "Waited",
  "Reviewed",
  "Cancelled",
  "Closed",
].map((title) => ({ title }));

export function countCells(counts: AutomationCounts): readonly string[] {
  const { decided, accepted, asked, waited, reviewed, cancelled, closed } = counts;
  return [
    String(decided),
    ...[accepted, asked, waited, reviewed].map((count) => percentOf(count, decided)),
    // Empty cells, because columns that are empty in every row are left out.
    ...[cancelled, closed].map((count) => (count === 0 ? "" : percentOf(count, decided))),
  ];
}

export function reasonRows({ reasons, otherReviews, decided }: AutomationReport): readonly (readonly string[])[] {
  const rows = reasons.map(({ rule, reason, count, share }) => [rule, reason, String(count), percentOf(share, 1)]);
  return otherReviews === 0
    ? rows
    : [...rows, ["all others", "", String(otherReviews), percentOf(otherReviews, decided)]];
}

export function percentOf(count: number, all: number): string {
  return all === 0 ? "0 %" : `${((100 * count) / all).toFixed(1)} %`;
}
