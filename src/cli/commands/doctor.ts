import type { Command } from "commander";
import type { Finding } from "../../app/finding.ts";
import { assertNever } from "../../kernel/app-error.ts";
import { counted } from "../../kernel/counted.ts";
import { type Style, styleFor } from "../style.ts";
import { type Finish, printJson, printLine, type Terminal } from "../terminal.ts";

/** Exit code 1 if there is a problem. */
export function addDoctorCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("doctor")
    .description("check the settings and everything that they refer to, and print what to fix")
    .option("--json", "print the findings as JSON")
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { examine } = await import("../../app/doctor.ts");
      const findings = await examine({ ...terminal.environment });
      if (json === true) {
        printJson(terminal, findings);
        finish(findings.some(({ state }) => state === "problem") ? 1 : 0);
      } else finish(reportFindings(findings, terminal));
    });
}

/** Returns the exit code. */
export function reportFindings(
  findings: readonly Finding[],
  terminal: Pick<Terminal, "stdout" | "environment">,
): number {
  const style = styleFor(terminal);
  const subjectWidth = Math.max(...findings.map(({ subject }) => subject.length));
  for (const { subject, state, detail, lastAt, advice } of findings) {
    const last = lastAt === undefined ? "" : ` Last: ${lastAt.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
    printLine(terminal.stdout, `${mark(state, style)}  ${style.bold(subject.padEnd(subjectWidth))}  ${detail + last}`);
    if (advice !== undefined) {
      printLine(terminal.stdout, `${" ".repeat(9 + subjectWidth + 2)}→ ${advice}`);
    }
  }
  const problems = findings.filter(({ state }) => state === "problem").length;
  const warnings = findings.filter(({ state }) => state === "warning").length;
  printLine(terminal.stdout);
  printLine(
    terminal.stdout,
    problems === 0
      ? warnings === 0
        ? "No problems found."
        : `No problems found, but ${counted(warnings, "warning")}: see above.`
      : style.bad(`${counted(problems, "problem")} to fix.`),
  );
  return problems === 0 ? 0 : 1;
}

/** Seven columns wide. */
function mark(state: Finding["state"], style: Style): string {
  switch (state) {
    case "ok":
      return style.good("ok     ");
    case "warning":
      return style.warn("warning");
    case "problem":
      return style.bad("problem");
    case "off":
      return style.dim("off    ");
    default:
      return assertNever(state);
  }
}
