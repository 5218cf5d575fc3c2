import type { Command } from "commander";
import { createApiClient } from "../api-client.ts";
import { defaultServerUrl } from "../own-settings.ts";
import { styleFor, toOneLine } from "../style.ts";
import { formatTable } from "../table.ts";
import { printLine, type Terminal } from "../terminal.ts";

interface BlockedOrdersOptions {
  readonly url: string;
  readonly token?: string;
  readonly source?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** `skedchange blocked-orders`: the orders on which no work gets done, and why. */
export function addBlockedOrdersCommand(program: Command, terminal: Terminal): void {
  program
    .command("blocked-orders")
    .alias("lanes")
    .description("list blocked orders and the reasons, longest blocked first")
    .option("--source <source>", "only this source")
    .option("--limit <n>", "number of items, up to 200")
    .option("--cursor <cursor>", "the cursor that the page before printed")
    .option("--url <url>", "URL of the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)")
    .option("--json", "print the response of the API")
    .action((options: BlockedOrdersOptions) => listBlockedOrders(options, terminal));
}

async function listBlockedOrders(options: BlockedOrdersOptions, terminal: Terminal): Promise<void> {
  const page = await createApiClient(terminal, options).call("GET /blocked-orders", {
    query: { state: "blocked", source: options.source, limit: options.limit, cursor: options.cursor },
  });
  if (options.json === true) {
    printLine(terminal.stdout, JSON.stringify(page, null, 2));
    return;
  }
  if (page.items.length === 0) {
    printLine(terminal.stdout, "No order is blocked.");
    return;
  }
  const style = styleFor(terminal);
  const width = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null;
  const lines = formatTable(
    [
      { title: "Source" },
      { title: "Order" },
      { title: "Code" },
      { title: "Since" },
      { title: "Attempts" },
      { title: "Next attempt" },
      { title: "Reason and next step", flexible: true },
    ],
    page.items.map(({ source, orderId, reason, since, failures, nextTryAt }) => [
      source,
      orderId,
      reason.code,
      since.slice(0, 16),
      failures === 0 ? "" : `${failures} failed`,
      nextTryAt?.slice(0, 16) ?? "",
      toOneLine(reason.text),
    ]),
    { width, titleStyle: style.dim },
  );
  for (const line of lines) printLine(terminal.stdout, line);
  const count = page.items.length;
  printLine(terminal.stdout, style.dim(`${count === 1 ? "1 order is" : `${count} orders are`} listed.`));
  if (page.nextCursor !== null) {
    printLine(terminal.stdout, style.dim(`There are more: add --cursor ${page.nextCursor}`));
  }
}
