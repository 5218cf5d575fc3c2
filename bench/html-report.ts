import type { BenchmarkResult, Comparison, ContenderResult } from "./benchmark.ts";
import {
  type BenchReport,
  describeComparison,
  describeLoad,
  figureNames,
  formatDuration,
  formatNumber,
  formatRange,
  isBusy,
  isMet,
  subjectsOf,
} from "./text-report.ts";

/** The report as one page that needs no other file. */
export function renderHtmlReport(report: BenchReport): string {
  const { machine, rounds, seconds, tookSeconds, benchmarks } = report;
  const facts = [
    ["Measured", `${report.startedAt.slice(0, 16).replace("T", " ")} UTC, in ${formatDuration(tookSeconds)}`],
    ["Machine", `${machine.cores} cores, ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.platform}`],
    ["Software", `Node.js ${machine.node}${machine.commit === null ? "" : `, commit ${machine.commit}`}`],
    ["Rounds", `${rounds} of about ${seconds} s for each contender, in turn, after 2 that do not count`],
    [
      "Load before",
      `${machine.loadBefore} (what other programs used of the ${machine.cores} cores over the last minute)`,
    ],
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Skedchange: speed</title>
<style>${style}</style>
<main>
<h1>How fast Skedchange is beside others that do the same work</h1>
<dl>${facts.map(([name, text]) => `<dt>${escape(name!)}</dt><dd>${escape(text!)}</dd>`).join("")}</dl>
<p class="${isBusy(machine) ? "warning" : "quiet"}">${escape(describeLoad(machine))}</p>
<p>Ratios count, numbers per second belong to the machine. Everything runs on it: database, gateway, recipient and load
generator share the cores with the contender. A ratio is taken within each round; its median and range are shown. Each
contender was checked after each round for having done its work.</p>
${renderSummary(benchmarks)}
${benchmarks.map(renderBenchmark).join("\n")}
</main>
</html>
`;
}

function renderSummary(benchmarks: readonly BenchmarkResult[]): string {
  const rows = benchmarks.flatMap(({ name, unit, comparisons }) =>
    comparisons.map((comparison) => {
      const { measured, atLeast, aim } = comparison;
      return `<tr><td><a href="#${name}">${escape(name)}</a></td><td>${escape(describeComparison(comparison, unit))}</td>
<td class="number"><strong>${formatNumber(measured.median)}</strong></td><td class="number quiet">${formatRange(measured)}</td>
<td class="number">${atLeast === null ? "–" : formatNumber(atLeast)}</td><td class="number">${aim === null ? "–" : formatNumber(aim)}</td>
<td>${renderVerdict(comparison)}</td></tr>`;
    }),
  );
  return `<h2>Ratios and targets</h2>
<div class="wide"><table><thead><tr><th></th><th></th><th class="number">median</th><th class="number">range</th><th class="number">at least</th><th class="number">aim</th><th></th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}

function renderVerdict(comparison: Comparison): string {
  const met = isMet(comparison);
  if (met === null) return `<span class="quiet">no target</span>`;
  return met ? `<span class="met">✓ met</span>` : `<span class="missed">✗ below</span>`;
}

function renderBenchmark(benchmark: BenchmarkResult): string {
  const { name, title, unit, setup, contenders, comparisons, leftOut } = benchmark;
  const figures = figureNames(contenders);
  const rows = contenders.map(
    (
      contender,
    ) => `<tr><td><strong>${escape(contender.name)}</strong><br><span class="quiet">${renderSentence(contender.description)}</span></td>
<td class="number"><strong>${formatNumber(contender.perSecond.median)}</strong></td><td class="number quiet">${formatRange(contender.perSecond)}</td>
${figures.map((figure) => `<td class="number">${formatFigure(contender, figure)}</td>`).join("")}</tr>`,
  );
  const aimed = comparisons.filter(({ atLeast }) => atLeast !== null);
  return `<section id="${name}">
<h2>${escape(title)}</h2>
${setup.map((sentence) => `<p>${renderSentence(sentence)}</p>`).join("\n")}
${aimed.length === 0 ? "" : `<h3>Against the targets</h3>${aimed.map((comparison) => renderTargetChart(comparison, unit)).join("")}`}
<h3>${escape(capitalize(unit))} per second</h3>
${renderRateChart(contenders, subjectsOf(benchmark))}
<p class="quiet">A dot is a round, the bar their median. The scale is logarithmic: each labelled step is ten times the one before.</p>
<div class="wide"><table><thead><tr><th></th><th class="number">${escape(unit)} per second</th><th class="number">range</th>${figures.map((figure) => `<th class="number">${escape(figure)}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>
${leftOut.map((left) => `<p class="warning">Left out: ${escape(left.name)}. ${escape(left.why)}</p>`).join("")}
</section>`;
}

function formatFigure({ figures }: ContenderResult, figure: string): string {
  const spread = figures[figure];
  return spread === undefined ? "" : formatNumber(spread.median);
}

const chart = { width: 860, left: 270, right: 90, row: 34 } as const;

/** The rates of each contender's rounds on one logarithmic scale. */
function renderRateChart(contenders: readonly ContenderResult[], subjects: ReadonlySet<string>): string {
  const from = Math.floor(Math.log10(Math.min(...contenders.map(({ perSecond }) => perSecond.min))));
  const to = Math.max(Math.ceil(Math.log10(Math.max(...contenders.map(({ perSecond }) => perSecond.max)))), from + 1);
  const xOf = (value: number): number =>
    chart.left + ((Math.log10(value) - from) / (to - from)) * (chart.width - chart.left - chart.right);
  const height = contenders.length * chart.row + 26;
  const axisY = height - 22;
  const decades = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step));
  const minor = decades.slice(0, -1).flatMap((decade) => [2, 3, 4, 5, 6, 7, 8, 9].map((factor) => factor * decade));
  const grid = [
    ...minor.map((value) => line(xOf(value), 0, xOf(value), axisY, "grid faint")),
    ...decades.map((value) => line(xOf(value), 0, xOf(value), axisY, "grid")),
    ...decades.map((value) => label(xOf(value), height - 6, formatNumber(value), "tick middle")),
  ];
  const rows = contenders.map(({ name, perSecond }, index) => {
    const y = (index + 0.5) * chart.row;
    const kind = subjects.has(name) ? "subject" : "other";
    const dots = perSecond.rounds.map((rate) => `<circle class="${kind}" cx="${round(xOf(rate))}" cy="${y}" r="5"/>`);
    return [
      label(chart.left - 12, y + 5, name, `name ${kind}`),
      ...dots,
      line(xOf(perSecond.median), y - 12, xOf(perSecond.median), y + 12, `median ${kind}`),
      label(chart.width - 4, y + 5, formatNumber(perSecond.median), `value ${kind}`),
    ].join("");
  });
  return svg(height, `Rates of ${contenders.map(({ name }) => name).join(", ")}`, [...grid, ...rows]);
}

/** One ratio or rate with where it should be. */
function renderTargetChart(comparison: Comparison, unit: string): string {
  const { measured, atLeast, aim } = comparison;
  const to = Math.max(measured.max, aim ?? 0, atLeast ?? 0) * 1.1;
  const xOf = (value: number): number => chart.left + (value / to) * (chart.width - chart.left - chart.right);
  const y = 17;
  const marks = [
    ...(atLeast === null ? [] : [{ value: atLeast, text: "at least" }]),
    ...(aim === null ? [] : [{ value: aim, text: "aim" }]),
  ];
  const kind = isMet(comparison) === false ? "missed" : "met";
  const [first, second] = splitLabel(describeComparison(comparison, unit));
  return svg(52, `${first} ${second}`, [
    label(chart.left - 12, second === "" ? y + 5 : y - 2, first, "name subject"),
    label(chart.left - 12, y + 14, second, "name other"),
    line(chart.left, y, chart.width - chart.right, y, "track"),
    line(chart.left, y, xOf(measured.median), y, `bar ${kind}`),
    line(xOf(measured.min), y, xOf(measured.max), y, "whisker"),
    ...marks.flatMap(({ value, text }) => [
      line(xOf(value), y - 13, xOf(value), y + 13, "target"),
      label(xOf(value), y + 28, `${text} ${formatNumber(value)}`, "tick middle"),
    ]),
    label(chart.width - 4, y + 5, formatNumber(measured.median), `value ${kind}`),
  ]);
}

/** `Skedchange / bare node:http` as two lines. */
function splitLabel(text: string): readonly [string, string] {
  const at = text.search(/ \/ |, (?=[a-z]+ per second)/);
  if (at === -1) return [text, ""];
  const rest = text.slice(at).replace(/^, /, "").replace(/^ \/ /, "÷ ");
  return [text.slice(0, at), rest];
}

function svg(height: number, description: string, parts: readonly string[]): string {
  return `<div class="wide"><svg viewBox="0 0 ${chart.width} ${height}" role="img" aria-label="${escape(description)}">${parts.join("")}</svg></div>`;
}

function line(x1: number, y1: number, x2: number, y2: number, kind: string): string {
  return `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

function label(x: number, y: number, text: string, kind: string): string {
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}">${escape(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With what stands in backticks as code. */
function renderSentence(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const style = `
:root { color-scheme: light dark; --page: #fff; --text: #1c2330; --quiet: #5d6778; --line: #d9dee6; --faint: #eef1f5;
  --subject: #1f5fd0; --other: #7b8797; --met: #18794e; --missed: #b3261e; --warning: #fff4d6; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181f; --text: #e4e8ee; --quiet: #9aa5b5; --line: #343c49; --faint: #222833;
    --subject: #7fb0ff; --other: #8e9aab; --met: #5fce96; --missed: #ff8a80; --warning: #3a3216; }
}
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 900px; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 75ch; }
a { color: var(--subject); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; }
th.number, td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th:last-child, td:last-child { padding-right: 0; }
.quiet { color: var(--quiet); font-size: .88rem; }
.met { color: var(--met); white-space: nowrap; }
.missed { color: var(--missed); white-space: nowrap; }
.warning { background: var(--warning); padding: .6rem .9rem; border-radius: 6px; }
svg { display: block; width: 100%; min-width: 640px; font: 14px system-ui, sans-serif; fill: var(--text); }
.grid { stroke: var(--line); } .grid.faint { stroke: var(--faint); }
.tick { fill: var(--quiet); font-size: 12px; } .middle { text-anchor: middle; }
.name, .value { text-anchor: end; } .name.other { fill: var(--quiet); }
.value { font-weight: 600; } .name.subject { font-weight: 600; }
text.met { fill: var(--met); } text.missed { fill: var(--missed); } text.value.subject { fill: var(--subject); }
circle { fill-opacity: .55; } circle.subject { fill: var(--subject); } circle.other { fill: var(--other); }
.median { stroke-width: 3; } .median.subject { stroke: var(--subject); } .median.other { stroke: var(--other); }
.track { stroke: var(--faint); stroke-width: 14; } .bar { stroke-width: 14; }
.bar.met { stroke: var(--met); } .bar.missed { stroke: var(--missed); }
.whisker { stroke: var(--text); stroke-width: 2; } .target { stroke: var(--text); stroke-width: 2; stroke-dasharray: 3 2; }
`;
