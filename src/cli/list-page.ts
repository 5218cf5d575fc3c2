import type { Command } from "commander";
import type { ApiOptions } from "./api-client.ts";
import { defaultServerUrl } from "./own-settings.ts";
import { styleFor } from "./style.ts";
import { type Column, printTable } from "./table.ts";
import { printAside, type Terminal } from "./terminal.ts";

export interface PageChoice {
  readonly limit?: string;
  readonly cursor?: string;
}

export interface PageOptions extends ApiOptions, PageChoice {
  readonly json?: boolean;
}

export function addPageChoice(command: Command): Command {
  return command
    .option("--limit <n>", "number of items, up to 200")
    .option("--cursor <cursor>", "the cursor that the page before printed");
}

export function addApiOptions(command: Command, terminal: Terminal): Command {
  return command
    .option("--url <url>", "URL of the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)")
    .option("--json", "print the response of the API");
}

export function addPageOptions(command: Command, terminal: Terminal): Command {
  return addApiOptions(addPageChoice(command), terminal);
}

/** Prints a page as a table, and how to see the next page if there is one. */
export function printPage(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { terminal, nextCursor }: { readonly terminal: Terminal; readonly nextCursor: string | null },
): void {
  printTable(columns, rows, terminal);
  if (nextCursor === null) return;
  printAside(terminal, styleFor(terminal).dim(`There are more: add --cursor ${nextCursor}`));
}
