import { writeFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import { backtestFolder, type OnProgress } from "../../../app/backtest/run-backtest.ts";
import { readPolicyFile } from "../../../app/policy-file.ts";
import { AppError } from "../../../kernel/app-error.ts";
import { counted } from "../../../kernel/counted.ts";
import { type BacktestReport, defaultBacktestSettings } from "../../../policy/backtest.ts";
import type { Policy } from "../../../policy/policy.ts";
import { formatAutomation } from "../../automation-page.ts";
import { renderAutomation, renderBacktest } from "../../backtest-html.ts";
import { formatBacktest } from "../../backtest-page.ts";
import { commandContext } from "../../command-context.ts";
import { createProgressBar } from "../../progress-bar.ts";
import { plainStyle, styleFor } from "../../style.ts";
import { printLine, type Terminal, toJson, toTerminalLine, writeDocument } from "../../terminal.ts";

export interface BacktestOptions {
  readonly policy: string;
  readonly against: string;
  readonly folder?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly now?: Date;
  readonly source?: string;
  readonly minutesPerReview?: number;
  readonly report: "differences" | "automation";
  readonly json?: boolean;
  readonly html?: boolean;
  readonly out?: string;
}

export function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("Give minutes, such as 6 or 7.5.");
  return minutes;
}

export async function backtest(options: BacktestOptions, terminal: Terminal): Promise<void> {
  const report = await runBacktest(options, terminal);
  const isAutomation = options.report === "automation";
  const text = isAutomation
    ? renderAutomationReport(report, options, terminal)
    : renderDifferences(report, options, terminal);
  if (options.out === undefined) return await writeDocument(terminal, `${text}\n`);
  await writeFile(options.out, `${text}\n`);
  const { decided, accepted } = report.automation.after;
  const summary = isAutomation
    ? `${accepted} of ${counted(decided, "change")} would be accepted.`
    : `${report.flipped} of ${counted(report.compared, "decision")} would differ.`;
  printLine(terminal.stdout, `${summary} The report is in ${options.out}.`);
}

async function runBacktest(options: BacktestOptions, terminal: Terminal): Promise<BacktestReport> {
  const { against, folder, since = null, until = null, source = null, now = null } = options;
  if (folder === undefined && now !== null) {
    throw new AppError(
      "cli.backtest_choice",
      "Stored notifications are decided as of their own time. Remove --now, or name a folder with --folder.",
    );
  }
  const candidate = readPolicyFile(options.policy).policy;
  const { minutesPerReview = defaultBacktestSettings.minutesPerReview } = options;
  const settings = { ...defaultBacktestSettings, minutesPerReview };
  const bar = createProgressBar(terminal, "{bar} {percentage}% {value} of {total}, {eta_formatted} left");
  const onProgress: OnProgress = (done, total) => {
    if (total !== null) bar.update(done, total);
  };
  try {
    if (folder !== undefined) {
      const policies = { before: policyForFolder(against), after: candidate };
      return await backtestFolder({ folder, source: source ?? "default", now, policies, settings, onProgress });
    }
    const { backtestConfiguredDatabase } = await import("../../../app/backtest/backtest-command.ts");
    return await backtestConfiguredDatabase({
      ...commandContext(terminal),
      candidate,
      against,
      range: { since, until, source },
      settings,
      onProgress,
    });
  } finally {
    bar.stop();
  }
}

function policyForFolder(against: string): Policy {
  if (against === "stored") {
    throw new AppError("cli.backtest_choice", "Files of a folder have no stored decisions. Remove --against stored.");
  }
  return readPolicyFile(against === "active" ? null : against).policy;
}

function renderDifferences(
  report: BacktestReport,
  { json, html, out, policy, against }: BacktestOptions,
  terminal: Terminal,
): string {
  if (json === true) return toJson(report, 2);
  if (html === true) return renderBacktest(report, { policy, against });
  return formatBacktest(report, pageFor(out, terminal)).map(toTerminalLine).join("\n");
}

/** How much each of the two policies decides without a person. */
function renderAutomationReport(
  { automation, unreadable }: BacktestReport,
  { json, html, out, policy, against }: BacktestOptions,
  terminal: Terminal,
): string {
  const { before, after } = automation;
  if (json === true) return toJson({ policy, against, unreadable, after, before }, 2);
  const policies = [
    { policy, report: after },
    { policy: against, report: before },
  ];
  if (html === true) return renderAutomation(policies, unreadable);
  const page = pageFor(out, terminal);
  return [
    ...formatAutomation(policies, page),
    ...(unreadable === 0 ? [] : ["", page.style.warn(`${unreadable} could not be read and are not counted.`)]),
  ]
    .map(toTerminalLine)
    .join("\n");
}

function pageFor(out: string | undefined, terminal: Terminal) {
  const isScreen = out === undefined && terminal.stdout.isTTY === true;
  return isScreen
    ? { style: styleFor(terminal), width: terminal.stdout.columns ?? 80 }
    : { style: plainStyle, width: null };
}
