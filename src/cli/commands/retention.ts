import type { Command } from "commander";
import type { PeriodsWarning } from "../../app/stored-periods.ts";
import { counted } from "../../kernel/counted.ts";
import type { RetentionLimits, RetentionPreview } from "../../store/retention/preview-retention.ts";
import { commandContext } from "../command-context.ts";
import { styleFor } from "../style.ts";
import { formatTable } from "../table.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";

export function addRetentionCommand(program: Command, terminal: Terminal): void {
  program
    .command("retention")
    .description("delete now what is older than RETENTION_BODIES_DAYS and RETENTION_CASES_DAYS, as workers do each day")
    .option("--dry-run", "delete nothing; show how much would go, and the oldest that stays")
    .option("--json", "print the result as JSON")
    .action(async ({ dryRun = false, json = false }: { readonly dryRun?: boolean; readonly json?: boolean }) => {
      const { previewConfiguredRetention, runConfiguredRetention } = await import("../../app/retention-command.ts");
      const context = commandContext(terminal);
      if (dryRun) {
        const preview = await previewConfiguredRetention(context);
        if (json) printJson(terminal, preview);
        else if (printPeriods(preview, terminal)) printPreview(preview.previews, terminal);
        return;
      }
      const result = await runConfiguredRetention(context, (totals) =>
        printLine(
          terminal.stderr,
          `${counted(totals["cases"] ?? 0, "case")}, ${totals["casesWithoutBodies"] ?? 0} without bodies`,
        ),
      );
      if (json) printJson(terminal, result);
      else if (printPeriods(result, terminal)) printDeleted(result.deleted, terminal);
    });
}

/** Returns whether retention is on. */
function printPeriods(
  { periods, warning }: { readonly periods: RetentionLimits; readonly warning: PeriodsWarning | null },
  terminal: Terminal,
): boolean {
  if (warning !== null) printLine(terminal.stdout, `${warning.detail} ${warning.advice}`);
  const { bodiesBefore, casesBefore } = periods;
  if (bodiesBefore === null && casesBefore === null) {
    const advice = warning === null ? " Set RETENTION_BODIES_DAYS or RETENTION_CASES_DAYS to delete by age." : "";
    printLine(terminal.stdout, `Retention is off.${advice}`);
    return false;
  }
  const day = (at: Date | null): string => (at === null ? "never" : `if over before ${at.toISOString().slice(0, 10)}`);
  printLine(terminal.stdout, `Bodies and notes: ${day(bodiesBefore)}. Cases: ${day(casesBefore)}.`);
  return true;
}

function printPreview(previews: readonly RetentionPreview[], terminal: Terminal): void {
  const rows = previews.map(({ what, goes, oldestThatStays }) => [
    what,
    String(goes),
    oldestThatStays === null ? "none" : `${oldestThatStays.toISOString().slice(0, 16)}Z`,
  ]);
  const columns = [{ title: "What" }, { title: "Would go" }, { title: "Oldest that stays" }];
  const { bold } = styleFor(terminal);
  for (const line of formatTable(columns, rows, { width: terminal.stdout.columns ?? null, titleStyle: bold })) {
    printLine(terminal.stdout, line);
  }
}

function printDeleted(deleted: Readonly<Record<string, number>>, terminal: Terminal): void {
  const some = Object.entries(deleted).filter(([, count]) => count > 0);
  if (some.length === 0) printLine(terminal.stdout, "Nothing has expired.");
  for (const [what, count] of some) printLine(terminal.stdout, `${what}: ${count}`);
}
