import type { Command } from "commander";
import { AppError } from "../../kernel/app-error.ts";
import { commandContext } from "../command-context.ts";
import { readInput } from "../read-input.ts";
import { printResponse, type Terminal } from "../terminal.ts";

export function addZonesCommand(program: Command, terminal: Terminal): void {
  const zones = program.command("zones").description("time zones: which release of the tz database counts");
  zones
    .command("load")
    .description("load a newer table of time zones, for all processes at once; no restart is needed")
    .argument("<file>", "zones.json of a newer version, or data/packed/latest.json of the npm package moment-timezone")
    .option("--json", "print the version in force as one JSON document")
    .action(async (file: string, options: { readonly json?: boolean }) => {
      const bytes = await readInput(file, terminal);
      const { loadConfiguredTimeZones } = await import("../../app/zones-command.ts");
      const version = await loadConfiguredTimeZones(commandContext(terminal), readDocument(bytes));
      printResponse({ version }, options, terminal, `In force: ${version}.`);
    });
}

function readDocument(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new AppError("zones.invalid", "This is no table of time zones: it is not JSON.");
  }
}
