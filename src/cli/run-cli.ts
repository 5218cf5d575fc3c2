import { Command, CommanderError } from "commander";
import { version } from "../app/version.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import { examples } from "./examples.ts";
import { styleFor } from "./style.ts";
import { type Finish, printLines, type Terminal } from "./terminal.ts";

type AddCommand = (program: Command, terminal: Terminal, finish: Finish) => void;

/** Only the command that is called is loaded: all of them take longer to load than most take to run. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./commands/serve.ts")).addServeCommand,
  sandbox: async () => (await import("./commands/sandbox.ts")).addSandboxCommand,
  "send-ocn": async () => (await import("./commands/send-ocn.ts")).addSendOcnCommand,
  cases: async () => (await import("./commands/cases.ts")).addCasesCommand,
  case: async () => (await import("./commands/case.ts")).addCaseCommand,
  tasks: async () => (await import("./commands/tasks.ts")).addTasksCommand,
  bulk: async () => (await import("./commands/bulk.ts")).addBulkCommand,
  "blocked-orders": async () => (await import("./commands/blocked-orders.ts")).addBlockedOrdersCommand,
  quarantine: async () => (await import("./commands/quarantine.ts")).addQuarantineCommand,
  orders: async () => (await import("./commands/orders.ts")).addOrdersCommand,
  reconcile: async () => (await import("./commands/reconcile.ts")).addReconcileCommand,
  retention: async () => (await import("./commands/retention.ts")).addRetentionCommand,
  erase: async () => (await import("./commands/erase.ts")).addEraseCommand,
  facts: async () => (await import("./commands/facts.ts")).addFactsCommand,
  policy: async () => (await import("./commands/policy/policy.ts")).addPolicyCommand,
  members: async () => (await import("./commands/members.ts")).addMembersCommand,
  automation: async () => (await import("./commands/automation.ts")).addAutomationCommand,
  scenario: async () => (await import("./commands/scenario.ts")).addScenarioCommand,
  trigger: async () => (await import("./commands/trigger.ts")).addTriggerCommand,
  listen: async () => (await import("./commands/listen.ts")).addListenCommand,
  recipients: async () => (await import("./commands/recipients.ts")).addRecipientsCommand,
  deliveries: async () => (await import("./commands/deliveries.ts")).addDeliveriesCommand,
  events: async () => (await import("./commands/events.ts")).addEventsCommand,
  users: async () => (await import("./commands/users.ts")).addUsersCommand,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrateCommand,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
  audit: async () => (await import("./commands/audit.ts")).addAuditCommand,
  "hash-secret": async () => (await import("./commands/hash-secret.ts")).addHashSecretCommand,
  completion: async () => (await import("./commands/completion.ts")).addCompletionCommand,
  zones: async () => (await import("./commands/zones.ts")).addZonesCommand,
  keys: async () => (await import("./commands/keys.ts")).addKeysCommand,
};

/** Codes of wrong usage that commander does not detect. */
const misuse: ReadonlySet<string> = new Set([
  "cli.backtest_choice",
  "cli.bad_basic",
  "cli.bad_recipient",
  "cli.bad_url",
  "cli.erase_choice",
  "cli.note_alone",
  "cli.policy_choice",
  "cli.quarantine_choice",
  "cli.resend_choice",
  "cli.scenario_choice",
  "cli.two_actions",
  "cli.two_credentials",
  "cli.two_inputs",
]);

/** Returns the exit code: 0 done, 1 not done, 2 wrong usage. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  try {
    const program = await createProgram(args[0], terminal, (code) => {
      exitCode = code;
    });
    await program.parseAsync(unknownCommandIn(args, program) ?? args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const style = styleFor({ stdout: terminal.stderr, environment: terminal.environment });
    // Ours may have several lines; in any other, a line end is not ours.
    const lines = error instanceof AppError ? error.message.split("\n") : [messageOf(error)];
    printLines(terminal.stderr, [`${style.bad("Error:")} ${lines[0]}`, ...lines.slice(1)]);
    // Expected errors say what to do; only unexpected ones need a stack.
    if (!(error instanceof AppError) && error instanceof Error && error.stack !== undefined) {
      const calls = error.stack.split("\n").filter((line) => /^\s+at /.test(line));
      printLines(terminal.stderr, calls.map(style.dim));
    }
    return misuse.has(codeOf(error)) ? 2 : 1;
  }
}

/** `help` before it, or `--help` after it, would have commander print the whole help and not say that it is unknown. */
function unknownCommandIn(args: readonly string[], program: Command): readonly string[] | null {
  const name = args[0] === "help" ? args[1] : args[0];
  if (name === undefined || name.startsWith("-") || name === "help") return null;
  const isKnown = program.commands.some((command) => command.name() === name || command.aliases().includes(name));
  return isKnown ? null : [name];
}

/** @param name of the command that is called. Without one, or for another name, all commands are loaded. */
export async function createProgram(name: string | undefined, terminal: Terminal, finish: Finish): Promise<Command> {
  const program = new Command("skedchange")
    .description("Automates involuntary airline schedule changes for travel agencies.")
    .version(version)
    .showHelpAfterError("(add --help for what is possible)")
    .configureOutput({
      writeOut: (text) => printLines(terminal.stdout, linesOf(text)),
      writeErr: (text) => printLines(terminal.stderr, linesOf(text)),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  for (const load of commandsFor(name)) (await load())(program, terminal, finish);
  for (const { command, path } of leavesOf(program)) {
    const example = examples[path];
    if (example !== undefined) command.addHelpText("after", `\nExample:\n  ${example}`);
  }
  return program;
}

/** Commander writes whole lines. */
function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** The commands that do something, each with its name as it is typed: `policy check`. */
export function leavesOf(
  program: Command,
  path: readonly string[] = [],
): readonly { readonly command: Command; readonly path: string }[] {
  return program.commands.flatMap((command) => {
    const below = [...path, command.name()];
    return command.commands.length === 0 ? [{ command, path: below.join(" ") }] : leavesOf(command, below);
  });
}

/** All commands if the name is missing, unknown or an alias, or help is asked for; also for `completion`, which names all. */
function commandsFor(name: string | undefined): readonly (() => Promise<AddCommand>)[] {
  if (name === "--version" || name === "-V") return [];
  const isOne = name !== undefined && name !== "completion" && Object.hasOwn(commands, name);
  return isOne ? [commands[name]!] : Object.values(commands);
}
