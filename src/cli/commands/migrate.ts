import type { Command } from "commander";
import { printJson, printLine, type Terminal } from "../terminal.ts";

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description(
      "give the database the schema of this version, and RETENTION_BODIES_DAYS and RETENTION_CASES_DAYS (with DATABASE_OWNER_URL, else DATABASE_URL)",
    )
    .option("--json", "print the result as JSON")
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { migrateDatabase } = await import("../../app/migrate.ts");
      const place = await migrateDatabase({ ...terminal.environment }, (line) =>
        printLine(json === true ? terminal.stderr : terminal.stdout, line),
      );
      if (json === true) printJson(terminal, { database: place, state: "up-to-date" });
      else printLine(terminal.stdout, `${place} is up to date.`);
    });
}
