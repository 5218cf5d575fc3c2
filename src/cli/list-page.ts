import type { Command } from "commander";
import type { ApiOptions } from "./api-client.ts";
import { defaultServerUrl } from "./own-settings.ts";
import { styleFor } from "./style.ts";
import { type Column, formatTable } from "./table.ts";
import { printLine, type Terminal } from "./terminal.ts";

/** Options of a command that prints one page of a list of the API. */
export interface PageOptions extends ApiOptions {
  readonly limit?: string;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Lets a command say which server it asks, and that its response is wanted as it comes. */
export function addApiOptions(command: Command, terminal: Terminal): Command {
  return command
    .option("--url <url>", "URL of the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)")
    .option("--json", "print the response of the API");
}

/** The same, and which page. */
export function addPageOptions(command: Command, terminal: Terminal): Command {
  return addApiOptions(
    command
      .option("--limit <n>", "number of items, up to 200")
      .option("--cursor <cursor>", "the cursor that the page before printed"),
    terminal,
  );
}

/** Prints the rows of a page, cut where the terminal is too narrow for them, and how to see more. */
export function printPage(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { terminal, nextCursor }: { readonly terminal: Terminal; readonly nextCursor: string | null },
): void {
  const style = styleFor(terminal);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  for (const line of formatTable(columns, rows, { width, titleStyle: style.dim })) printLine(terminal.stdout, line);
  if (nextCursor !== null) printLine(terminal.stdout, style.dim(`There are more: add --cursor ${nextCursor}`));
}
