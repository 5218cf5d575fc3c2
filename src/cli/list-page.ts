import type { Command } from "commander";
import { addAgencyOptions, type ServerOptions } from "./server-options.ts";
import { styleFor } from "./style.ts";
import { type Column, printTable } from "./table.ts";
import { printAside, type Terminal } from "./terminal.ts";

export interface PageChoice {
  readonly limit?: string;
  readonly cursor?: string;
}

export interface PageOptions extends ServerOptions, PageChoice {}

export function addPageChoice(command: Command): Command {
  return command
    .option("--limit <n>", "number of items, up to 200")
    .option("--cursor <cursor>", "the cursor that the page before printed");
}

export function addPageOptions(command: Command, terminal: Terminal): Command {
  return addAgencyOptions(addPageChoice(command), terminal);
}

/** Prints a page as a table, and how to see the next page if there is one. */
export function printPage(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { terminal, nextCursor }: { readonly terminal: Terminal; readonly nextCursor: string | null },
): void {
  printTable(columns, rows, terminal, { wrap: true });
  if (nextCursor === null) return;
  printAside(terminal, styleFor(terminal).dim(`There are more: add --cursor ${nextCursor}`));
}
