import { counted } from "../kernel/counted.ts";
import type { BacktestCount, BacktestReport, NamedCount } from "../policy/backtest.ts";
import { formatMoney } from "../travel/money.ts";
import type { Style } from "./style.ts";
import { formatTable } from "./table.ts";

interface PageOptions {
  readonly style: Style;
  /** Columns of the terminal; null if the output is none. */
  readonly width: number | null;
}

/** Per table; the report as JSON has all rows. */
const rowsMax = 20;

export function formatBacktest(report: BacktestReport, options: PageOptions): readonly string[] {
  const { style } = options;
  const { compared, flipped, unreadable, manual, minutesSaved, minutesPerReview } = report;
  return [
    style.bold(`${flipped} of ${counted(compared, "decision")} would differ (${percent({ compared, flipped })}).`),
    `Agents handle ${manual.after} instead of ${manual.before}, to review or to ask the traveller: ${describeMinutes(minutesSaved)} at ${counted(minutesPerReview, "minute")} each.`,
    ...(report.valueAtStake.length === 0
      ? []
      : [`Value of the orders that differ: ${describeValue(report.valueAtStake)}.`]),
    ...(unreadable === 0 ? [] : [style.warn(`${unreadable} could not be read and are not counted.`)]),
    ...section("What would differ", flipLines(report, options), style),
    ...section("By rule of the new policy", countLines("Rule", report.byRule, options), style),
    ...section("By airline", countLines("Airline", report.byAirline, options), style),
    ...section("By severity", countLines("Severity", report.bySeverity, options), style),
  ];
}

/** `2 h 30 min saved`, `6 min more` */
export function describeMinutes(minutes: number): string {
  const whole = Math.round(Math.abs(minutes));
  const hours = Math.floor(whole / 60);
  const words = hours === 0 ? `${whole} min` : `${hours} h ${whole % 60} min`;
  return minutes < 0 ? `${words} more` : `${words} saved`;
}

export function describeValue(values: BacktestReport["valueAtStake"]): string {
  return values.map(({ currency, amount }) => formatMoney(amount, currency)).join(", ");
}

export function percent({ compared, flipped }: BacktestCount): string {
  return compared === 0 ? "0 %" : `${((100 * flipped) / compared).toFixed(1)} %`;
}

function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ["", style.bold(title), ...lines];
}

function flipLines({ flips }: BacktestReport, { style, width }: PageOptions): readonly string[] {
  if (flips.length === 0) return [];
  return formatTable(
    [{ title: "From" }, { title: "To" }, { title: "Count" }, { title: "Value" }, { title: "Examples", flexible: true }],
    flips.map(({ from, to, count, value, examples }) => [
      from,
      to,
      String(count),
      describeValue(value),
      examples
        .map(({ id, orderId, beforeRule, afterRule }) => `${orderId} in ${id}: ${beforeRule} → ${afterRule}`)
        .join("; "),
    ]),
    { width, titleStyle: style.dim, indent: "  ", wrap: true },
  );
}

function countLines(title: string, counts: readonly NamedCount[], { style, width }: PageOptions): readonly string[] {
  if (counts.length === 0) return [];
  const hidden = counts.length - rowsMax;
  return [
    ...formatTable(
      [{ title }, { title: "Decisions" }, { title: "Differ" }, { title: "" }],
      counts.slice(0, rowsMax).map((each) => [each.name, String(each.compared), String(each.flipped), percent(each)]),
      { width, titleStyle: style.dim, indent: "  " },
    ),
    ...(hidden > 0 ? [style.dim(`  ${hidden} more; --json lists them.`)] : []),
  ];
}
