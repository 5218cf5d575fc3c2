import type { Command } from "commander";
import { createApiClient } from "../api-client.ts";
import { addPageOptions, type PageOptions, printPage } from "../list-page.ts";
import { printAside, printJson, type Terminal } from "../terminal.ts";

interface BlockedOrdersOptions extends PageOptions {
  readonly source?: string;
}

export function addBlockedOrdersCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("blocked-orders")
    .alias("lanes")
    .description("list blocked orders and the reasons, longest blocked first")
    .option("--source <source>", "only this source");
  addPageOptions(command, terminal).action((options: BlockedOrdersOptions) => listBlockedOrders(options, terminal));
}

async function listBlockedOrders(options: BlockedOrdersOptions, terminal: Terminal): Promise<void> {
  const page = await createApiClient(terminal, options).call("GET /blocked-orders", {
    query: { state: "blocked", source: options.source, limit: options.limit, cursor: options.cursor },
  });
  if (options.json === true) return printJson(terminal, page);
  if (page.items.length === 0) {
    printAside(terminal, "No order is blocked.");
    return;
  }
  printPage(
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
      reason.text,
    ]),
    { terminal, nextCursor: page.nextCursor },
  );
}
