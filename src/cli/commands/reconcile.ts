import { type Command, Option } from "commander";
import { inconsistencyKinds } from "../../cases/inconsistency.ts";
import type { HandledInconsistency, ReconciliationReport } from "../../worker/reconciliation.ts";
import { commandContext } from "../command-context.ts";
import { type Style, styleFor } from "../style.ts";
import { type Finish, printJson, printLine, type Terminal } from "../terminal.ts";

interface ReconcileOptions {
  readonly repair?: boolean;
  readonly recheck?: boolean;
  readonly json?: boolean;
}

/** Exit codes: 0 nothing is wrong; 1 something was repaired, or can be with --repair; 2 people are needed. */
export function addReconcileCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("reconcile")
    .description("check the stored data for inconsistencies. Nothing is sent to a gateway")
    .addOption(new Option("--repair", "repair what is safe to repair; workers then continue"))
    .addOption(new Option("--dry-run", "only report (default)").conflicts("repair"))
    .option("--recheck", "have workers read the status of every case that waits for people, as after a restore")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      "\nExit code: 0 if nothing is wrong; 1 if something was repaired, or would be with --repair; 2 if an agent must act.",
    )
    .action(async ({ repair = false, recheck = false, json = false }: ReconcileOptions) => {
      const { reconcileConfigured } = await import("../../app/reconcile-command.ts");
      const report = await reconcileConfigured({ ...commandContext(terminal), repair, recheck });
      if (json) printJson(terminal, report);
      else {
        printReport(report, terminal);
        if (recheck) printLine(terminal.stdout, `Workers read the status of ${report.rechecked} waiting cases.`);
      }
      finish(exitCodeOf(report));
    });
}

export function exitCodeOf({ counts, acknowledged }: ReconciliationReport): 0 | 1 | 2 {
  if (counts["needs-person"] > 0) return 2;
  if (counts.repaired > 0 || counts.found > 0) return 1;
  return acknowledged.withoutCase + acknowledged.withoutProgress > 0 ? 2 : 0;
}

function printReport(report: ReconciliationReport, terminal: Terminal): void {
  const style = styleFor(terminal);
  const { acknowledged, counts, inconsistencies } = report;
  const { examined, withoutCase, withoutProgress } = acknowledged;
  printLine(
    terminal.stdout,
    withoutCase + withoutProgress === 0
      ? style.good(`All of ${examined} acknowledged notifications are decided or visibly waiting.`)
      : style.bad(
          `Of ${examined} acknowledged notifications, ${withoutCase} have no case and the case of ${withoutProgress} makes no progress.`,
        ),
  );
  for (const line of describeInconsistencies(inconsistencies, style)) printLine(terminal.stdout, line);
  const { found, repaired } = counts;
  const needsPerson = counts["needs-person"];
  if (found + repaired + needsPerson === 0) {
    printLine(terminal.stdout, "No inconsistencies found.");
    return;
  }
  printLine(terminal.stdout);
  if (found > 0) printLine(terminal.stdout, style.warn(`${found} can be repaired: skedchange reconcile --repair`));
  if (repaired > 0) printLine(terminal.stdout, style.good(`${repaired} repaired; workers continue with them.`));
  if (needsPerson > 0) printLine(terminal.stdout, style.bad(`${needsPerson} need an agent.`));
}

function describeInconsistencies(inconsistencies: readonly HandledInconsistency[], style: Style): readonly string[] {
  const kinds = [...new Set(inconsistencies.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [
    "",
    style.bold(kind),
    inconsistencyKinds[kind].text,
    ...inconsistencies
      .filter((one) => one.kind === kind)
      .map((one) => {
        const names = [
          `source ${one.source}`,
          one.orderId === null ? null : `order ${one.orderId}`,
          one.caseId === null ? null : `case ${one.caseId}`,
          one.effectId === null ? null : `effect ${one.effectId}`,
          one.notificationId === null ? null : `notification ${one.notificationId}`,
          one.since === null ? null : `since ${one.since.toISOString()}`,
        ].filter((name) => name !== null);
        return `  ${one.outcome.padEnd("needs-person".length)}  ${names.join(", ")}`;
      }),
  ]);
}
