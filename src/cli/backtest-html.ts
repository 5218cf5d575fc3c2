import { counted } from "../kernel/counted.ts";
import type { BacktestReport, NamedCount } from "../policy/backtest.ts";
import { countCells, countColumns, type PolicyAutomation, reasonRows } from "./automation-page.ts";
import { describeMinutes, describeValue, percent } from "./backtest-page.ts";

/** A page without scripts and external files, so that it can be mailed and archived. */
export function renderBacktest(
  report: BacktestReport,
  { policy, against }: { readonly policy: string; readonly against: string },
): string {
  const { compared, flipped, unreadable, manual, minutesSaved, minutesPerReview, flips } = report;
  const stake =
    report.valueAtStake.length === 0 ? "" : ` Value of these orders: ${describeValue(report.valueAtStake)}.`;
  return page(
    `Backtest of ${policy}`,
    `<p>Compared with: ${escape(against)}.</p>
<p><strong>${flipped} of ${counted(compared, "decision")} would differ (${percent({ compared, flipped })}).</strong>${escape(stake)}</p>
<p>People decide ${manual.after} instead of ${manual.before}: ${describeMinutes(minutesSaved)} at ${counted(minutesPerReview, "minute")} each.</p>
${unreadable === 0 ? "" : `<p>${unreadable} could not be read and are not counted.</p>\n`}<h2>What would differ</h2>
${flips.length === 0 ? "<p>Nothing.</p>" : flipTable(flips)}
<h2>By rule of the new policy</h2>
${countTable("Rule", report.byRule)}
<h2>By airline</h2>
${countTable("Airline", report.byAirline)}
<h2>By severity</h2>
${countTable("Severity", report.bySeverity)}`,
  );
}

export function renderAutomation(policies: readonly PolicyAutomation[], unreadable: number): string {
  const titles = countColumns.map(({ title }) => title);
  const overview = policies.map(({ policy, report }) => [policy, ...countCells(report)]);
  const details = policies.flatMap(({ policy, report }) => {
    const kinds = report.byKind.map((each) => [each.kind, ...countCells(each)]);
    return [
      `<h2>${escape(policy)}: by kind of change</h2>`,
      table(["Kind", ...titles], kinds),
      `<h2>${escape(policy)}: what costs most reviews</h2>`,
      table(["Rule", "Reason", "Reviews", "Of all"], reasonRows(report)),
    ];
  });
  const unread = unreadable === 0 ? [] : [`<p>${unreadable} could not be read and are not counted.</p>`];
  return page("What each policy would do", [table(["Policy", ...titles], overview), ...unread, ...details].join("\n"));
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0 0 2rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8886; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
</style>
</head>
<body>
<h1>${escape(title)}</h1>
${body}
</body>
</html>`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${escape(title)}</th>`).join("");
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>
${lines.join("\n")}
</tbody></table>`;
}

function flipTable(flips: BacktestReport["flips"]): string {
  const rows = flips.map(({ from, to, count, value, examples }) => {
    const shown = examples.map(
      (each) =>
        `${escape(each.orderId)} <code>${escape(each.beforeRule)}</code> → <code>${escape(each.afterRule)}</code> (${escape(each.id)})`,
    );
    return `<tr><td>${escape(from)}</td><td>${escape(to)}</td><td class="number">${count}</td><td>${escape(describeValue(value))}</td><td>${shown.join("<br>")}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="number">Count</th><th scope="col">Value</th><th scope="col">Examples</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function countTable(title: string, counts: readonly NamedCount[]): string {
  const rows = counts.map(
    (each) =>
      `<tr><td>${escape(each.name)}</td><td class="number">${each.compared}</td><td class="number">${each.flipped}</td><td class="number">${percent(each)}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">${title}</th><th scope="col" class="number">Decisions</th><th scope="col" class="number">Differ</th><th scope="col" class="number">Share</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
