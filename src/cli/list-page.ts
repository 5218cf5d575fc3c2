import type { Command } from "commander";
import { addAgencyOptions, type ServerOptions } from "./server-options.ts";
import { styleFor } from "./style.ts";
import { type Columns, printTable } from "./table.ts";
import { printAside, printJson, type Terminal } from "./terminal.ts";

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

/** A list as the API returns it. One without pages has no cursor. */
interface List {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | null;
}

/** Prints a list as JSON if asked to, else as a table, and how to see the next page if there is one. */
export function printList<Listed extends List>(
  list: Listed,
  { json }: Pick<ServerOptions, "json">,
  terminal: Terminal,
  table: {
    readonly empty: string;
    readonly columns: Columns<Listed["items"][number]>;
    /** Default: true. */
    readonly wrap?: boolean;
  },
): void {
  const { items, nextCursor = null } = list;
  if (json === true) return printJson(terminal, list);
  if (items.length === 0) return printAside(terminal, table.empty);
  printTable(items, table.columns, terminal, { wrap: table.wrap ?? true });
  if (nextCursor === null) return;
  printAside(terminal, styleFor(terminal).dim(`There are more: add --cursor ${nextCursor}`));
}
