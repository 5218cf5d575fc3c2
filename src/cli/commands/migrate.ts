import type { Command } from "commander";
import { printLine, type Terminal } from "../terminal.ts";

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description("apply the migrations of this version to the database (with DATABASE_OWNER_URL, else DATABASE_URL)")
    .action(async () => {
      const { migrateDatabase } = await import("../../app/migrate.ts");
      const place = await migrateDatabase({ ...terminal.environment }, (line) => printLine(terminal.stdout, line));
      printLine(terminal.stdout, `${place} is up to date.`);
    });
}
