import { Command, CommanderError } from "commander";
import { version } from "../app/version.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import { addAuditCommand } from "./commands/audit.ts";
import { addAutomationCommand } from "./commands/automation.ts";
import { addBulkCommand } from "./commands/bulk.ts";
import { addCaseCommand } from "./commands/case.ts";
import { addCasesCommand } from "./commands/cases.ts";
import { addDeliveriesCommand } from "./commands/deliveries.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addEventsCommand } from "./commands/events.ts";
import { addFactsCommand } from "./commands/facts.ts";
import { addHashSecretCommand } from "./commands/hash-secret.ts";
import { addKeysCommand } from "./commands/keys.ts";
import { addLanesCommand } from "./commands/lanes.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addOrdersCommand } from "./commands/orders.ts";
import { addPolicyCommand } from "./commands/policy/policy.ts";
import { addQuarantineCommand } from "./commands/quarantine.ts";
import { addRecipientsCommand } from "./commands/recipients.ts";
import { addReconcileCommand } from "./commands/reconcile.ts";
import { addScenarioCommand } from "./commands/scenario.ts";
import { addSendOcnCommand } from "./commands/send-ocn.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addTasksCommand } from "./commands/tasks.ts";
import { addUsersCommand } from "./commands/users.ts";
import { styleFor, toOneLine } from "./style.ts";
import { printLine, type Terminal } from "./terminal.ts";

const commands = [
  addServeCommand,
  addSendOcnCommand,
  addCasesCommand,
  addCaseCommand,
  addTasksCommand,
  addBulkCommand,
  addLanesCommand,
  addQuarantineCommand,
  addOrdersCommand,
  addReconcileCommand,
  addFactsCommand,
  addPolicyCommand,
  addAutomationCommand,
  addScenarioCommand,
  addRecipientsCommand,
  addDeliveriesCommand,
  addEventsCommand,
  addUsersCommand,
  addMigrateCommand,
  addDoctorCommand,
  addAuditCommand,
  addHashSecretCommand,
  addKeysCommand,
];

/** Codes of mistakes in the call itself that the parser of options cannot see. */
const misuse: ReadonlySet<string> = new Set([
  "cli.bad_basic",
  "cli.bad_recipient",
  "cli.bad_url",
  "cli.note_alone",
  "cli.policy_choice",
  "cli.quarantine_choice",
  "cli.scenario_choice",
  "cli.two_actions",
  "cli.two_credentials",
  "cli.two_inputs",
]);

/**
 * Runs the `skedchange` command and answers its exit code: 0 when it did what was asked, 1 when not, 2 when it was called
 * wrongly.
 *
 * @param args what stands after the name of the program.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const finish = (code: number): void => {
    exitCode = code;
  };
  const program = new Command("skedchange")
    .description("Automates involuntary airline schedule changes for travel agencies.")
    .version(version)
    .showHelpAfterError("(add --help for what is possible)")
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  try {
    for (const addCommand of commands) addCommand(program, terminal, finish);
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const style = styleFor({ stdout: terminal.stderr, environment: terminal.environment });
    const message = messageOf(error).split("\n").map(toOneLine).join("\n");
    printLine(terminal.stderr, `${style.bad("Error:")} ${message}`);
    // What nobody foresaw needs the stack to be mended; what was foreseen says what to do.
    if (!(error instanceof AppError) && error instanceof Error && error.stack !== undefined) {
      printLine(terminal.stderr, style.dim(error.stack));
    }
    return misuse.has(codeOf(error)) ? 2 : 1;
  }
}
