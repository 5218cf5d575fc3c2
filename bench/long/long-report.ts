import { formatNumber, renderTable } from "../text-report.ts";
import type { GrowingStatement } from "./growing-statements.ts";
import { flatMax, type SoakResult } from "./soak.ts";
import { findFailures, type StormResult } from "./storm.ts";
import type { TimedRead } from "./time-reads.ts";

export function describeGrowing(statements: readonly GrowingStatement[]): string {
  return [
    "Statements that took most of the time on the full database",
    renderTable(
      ["", "of all", "calls", "full, ms", "empty, ms"],
      statements.map(({ statement, calls, fullMs, emptyMs, share }) => [
        statement.replaceAll(/\s+/g, " ").trim().slice(0, 90),
        `${(share * 100).toFixed(1)} %`,
        String(calls),
        fullMs.toFixed(2),
        emptyMs === null ? "–" : emptyMs.toFixed(2),
      ]),
    ),
  ].join("\n\n");
}

export function describeReads(reads: readonly TimedRead[]): string {
  return [
    "What is read beside the work, on the full database",
    renderTable(
      ["", "ms"],
      reads.map(({ what, ms }) => [what, formatNumber(ms)]),
    ),
  ].join("\n\n");
}

export function describeSoak({ perSecond, minutes, samples, refused, leftOver, growth }: SoakResult): string {
  const last = samples.at(-1)!;
  const left = Object.entries(leftOver).map(([state, count]) => `${count} ${state}`);
  return [
    `Soak: ${formatNumber(perSecond)} notifications a second for ${minutes} minutes, to the full database`,
    renderTable(
      ["", "last third / first third", `flat is at most ${flatMax}`],
      Object.entries(growth).map(([what, ratio]) => [what, ratio.toFixed(2), ratio <= flatMax ? "flat" : "grows"]),
    ),
    `  With the last push ${last.behind} orders were not done, half a minute later ${left.join(", ") || "none"}. ` +
      `Not acknowledged: ${describeRefused(refused)}.`,
  ].join("\n\n");
}

export function describeStorm(result: StormResult): string {
  const { notifications, seconds, acknowledged, refused, stored, cases, openedSeconds, p50Ms, p99Ms } = result;
  return [
    `Storm: ${notifications.toLocaleString("en-GB")} notifications in ${seconds} s, to the full database`,
    renderTable(
      ["", "measured", "wanted"],
      [
        ["acknowledged", String(acknowledged), String(notifications)],
        ["not acknowledged, by status", describeRefused(refused), "none"],
        ["stored", String(stored), String(acknowledged)],
        ["cases opened", String(cases), String(acknowledged)],
        ["seconds until every notification was pushed", formatNumber(result.pushedSeconds), String(seconds)],
        ["seconds until the last response", formatNumber(result.respondedSeconds), ""],
        ["seconds until every case was open", openedSeconds === null ? "never" : formatNumber(openedSeconds), ""],
        ["p50 ms", formatNumber(p50Ms), ""],
        ["p99 ms", formatNumber(p99Ms), ""],
      ],
    ),
    ...findFailures(result).map((failure) => `  ${failure}`),
  ].join("\n\n");
}

function describeRefused(refused: Readonly<Record<number, number>>): string {
  const parts = Object.entries(refused).map(([status, count]) => `${count} with ${status}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}
