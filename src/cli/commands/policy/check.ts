import { systemClock } from "../../../kernel/clock.ts";
import { counted } from "../../../kernel/counted.ts";
import { formatPolicyProblem, loadPolicy } from "../../../policy/load-policy.ts";
import { readInput } from "../../read-input.ts";
import { styleFor } from "../../style.ts";
import { printJson, printLine, type Terminal } from "../../terminal.ts";

export interface CheckOptions {
  readonly json?: boolean;
}

/** What is no policy at all has a mistake in every line. */
const problemsMax = 10;

/** Returns the exit code: 1 if the policy has a mistake; warnings do not count. */
export async function check(file: string, { json }: CheckOptions, terminal: Terminal): Promise<number> {
  const text = Buffer.from(await readInput(file, terminal)).toString("utf8");
  const today = systemClock.now().toISOString().slice(0, 10);
  const loaded = loadPolicy(text, file, { today, isNew: true });
  if (json === true) {
    const { ok, warnings } = loaded;
    printJson(
      terminal,
      loaded.ok ? { ok, warnings, version: loaded.policy.version } : { ok, warnings, problems: loaded.problems },
    );
    return ok ? 0 : 1;
  }
  const style = styleFor(terminal);
  for (const warning of loaded.warnings) {
    printLine(terminal.stdout, `${style.warn("warning")} ${formatPolicyProblem(warning)}`);
  }
  if (!loaded.ok) {
    for (const problem of loaded.problems.slice(0, problemsMax)) {
      printLine(terminal.stdout, `${style.bad("error")} ${formatPolicyProblem(problem)}`);
    }
    const count = loaded.problems.length;
    const left = count - problemsMax;
    if (left > 0) printLine(terminal.stdout, `${left} more. Mend the first ones: others often follow from them.`);
    printLine(terminal.stdout, `${counted(count, "mistake")}. The policy cannot be used.`);
    return 1;
  }
  const { name, version, rules } = loaded.policy;
  printLine(terminal.stdout, `${name} can be used: ${counted(rules.length, "rule")}, version ${version.slice(0, 12)}.`);
  return 0;
}
