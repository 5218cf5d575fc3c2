import type { Command } from "commander";
import { createApiClient } from "../api-client.ts";
import { addPageOptions, type PageOptions, printList } from "../list-page.ts";
import type { Terminal } from "../terminal.ts";

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
  printList(page, options, terminal, {
    empty: "No order is blocked.",
    columns: {
      Source: ({ source }) => source,
      Order: ({ orderId }) => orderId,
      Code: ({ reason }) => reason.code,
      Since: ({ since }) => since.slice(0, 16),
      Attempts: ({ failures }) => (failures === 0 ? "" : `${failures} failed`),
      "Next attempt": ({ nextTryAt }) => nextTryAt?.slice(0, 16),
      "Reason and next step": { flexible: ({ reason }) => reason.text },
    },
  });
}
