import type { Command } from "commander";
import { systemClock } from "../../kernel/clock.ts";
import { counted } from "../../kernel/counted.ts";
import { createEncryptionKey } from "../../kernel/encryption-keys.ts";
import { commandContext } from "../command-context.ts";
import { styleFor } from "../style.ts";
import { formatTable } from "../table.ts";
import { type Finish, printJson, printLine, type Terminal } from "../terminal.ts";

export function addKeysCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const keys = program.command("keys").description("manage the keys that sign access tokens and encrypt stored data");
  keys
    .command("new")
    .description("print a new key for ENCRYPTION_KEYS. To replace a key, put the new one before it")
    .action(() => printLine(terminal.stdout, createEncryptionKey(systemClock.now())));
  keys
    .command("rotate")
    .description(
      "create a new key to sign access tokens of POST /oauth/token. Tokens signed with the old key stay valid until they expire",
    )
    .option("--json", "print the result as JSON")
    .action(async ({ json }: ReencryptOptions) => {
      const { rotateSigningKeys } = await import("../../app/rotate-keys.ts");
      const { kid, retired } = await rotateSigningKeys({ ...terminal.environment }, (line) =>
        printLine(terminal.stderr, line),
      );
      if (json === true) return printJson(terminal, { kid, retired });
      printLine(terminal.stdout, `Tokens are signed with ${kid} from now on.`);
      if (retired === null) return;
      printLine(terminal.stdout, `${retired.kid} stays published until ${retired.publishedUntil.toISOString()}.`);
    });
  keys
    .command("reencrypt")
    .description(
      "encrypt everything that is stored with the first key of ENCRYPTION_KEYS, so that the others can be taken out. Servers may run meanwhile. Stopped, it goes on when it is started again",
    )
    .option("--dry-run", "change nothing; count what each key encrypts")
    .option("--json", "print the result as JSON")
    .action(async (options: ReencryptOptions) => {
      if (options.dryRun) await printReport(options, terminal);
      else await reencryptAll(options, terminal, finish);
    });
}

interface ReencryptOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

async function printReport({ json }: ReencryptOptions, terminal: Terminal): Promise<void> {
  const { reportKeys, toDo } = await import("../../app/reencrypt-command.ts");
  const report = await reportKeys(commandContext(terminal));
  if (json) return printJson(terminal, report);
  const rows = report.uses.map(({ column, keyId, rows: count, unbound }) => [
    column,
    keyId ?? "none",
    String(count),
    String(unbound),
  ]);
  const columns = [{ title: "What" }, { title: "Key" }, { title: "Rows" }, { title: "Not bound to their row" }];
  const { bold } = styleFor(terminal);
  const table = formatTable(columns, rows, { width: terminal.stdout.columns ?? null, titleStyle: bold });
  if (rows.length > 0) for (const line of table) printLine(terminal.stdout, line);
  const left = report.uses.reduce((total, use) => total + toDo(use, report.current), 0);
  const advice =
    left === 0 ? "Nothing is to be encrypted anew." : `${counted(left, "row is", "rows are")} to be encrypted anew.`;
  printLine(terminal.stdout, `New data is encrypted with ${report.current}. ${advice}`);
  for (const key of report.older) {
    const isUsed = report.uses.some(({ keyId }) => keyId === key);
    const what = isUsed ? "is still needed" : "encrypts nothing in this database; backups may need it";
    printLine(terminal.stdout, `Key ${key} ${what}.`);
  }
}

async function reencryptAll({ json }: ReencryptOptions, terminal: Terminal, finish: Finish): Promise<void> {
  const { reencryptStored } = await import("../../app/reencrypt-command.ts");
  const results = await reencryptStored(commandContext(terminal), ({ column, done, left }) =>
    printLine(terminal.stderr, `${column}: ${counted(done, "row")} done, ${left} left`),
  );
  const unreadable = results.filter(({ unreadableIds }) => unreadableIds.length > 0);
  if (unreadable.length > 0) finish(1);
  if (json) return printJson(terminal, results);
  const total = results.reduce((sum, { done }) => sum + done, 0);
  printLine(
    terminal.stdout,
    total === 0 ? "Nothing is to be encrypted anew." : `Encrypted ${counted(total, "row")} anew.`,
  );
  if (unreadable.length === 0) return;
  for (const { column, unreadableIds } of unreadable) {
    printLine(terminal.stderr, `${column} cannot be read and was not changed in: ${unreadableIds.join(", ")}.`);
  }
  printLine(terminal.stderr, "Add their keys to ENCRYPTION_KEYS, or restore these rows from a backup.");
}
