import { stat } from "node:fs/promises";
import type { Command } from "commander";
import type { OrderToImport } from "../../contract/imported-order.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { readOrdersFile } from "../import/orders-file.ts";
import { createProgressBar } from "../progress-bar.ts";
import { openInput } from "../reread-input.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { styleFor } from "../style.ts";
import { type Finish, printJsonLine, printLine, type Terminal } from "../terminal.ts";

interface ImportOptions extends ServerOptions {
  readonly source: string;
  readonly dryRun?: boolean;
  readonly replace?: boolean;
}

type Outcome = ApiTypes["POST /orders"]["response"]["results"][number]["outcome"];

/** The API accepts 64 KiB and 100 orders. */
const batchBytesMax = 48 * 1024;
const batchOrdersMax = 100;

export function addOrdersCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const orders = program.command("orders").description("import orders as they were sold; a supervisor may");
  addAgencyOptions(orders.command("import <file>"), terminal, "print a line of JSON for each order")
    .description("import booked flights from CSV, JSON lines or an order view of the gateway; - reads standard input")
    .option("--source <source>", "the source that the orders belong to", "default")
    .option("--dry-run", "show what would happen and change nothing")
    .option("--replace", "also replace booked flights on which decisions are based")
    .addHelpText(
      "after",
      "\nExit code: 0 if every order was added, replaced, unchanged or kept; 1 if some were refused.",
    )
    .action(async (file: string, options: ImportOptions) => finish(await importOrders(file, options, terminal)));
}

async function importOrders(file: string, options: ImportOptions, terminal: Terminal): Promise<number> {
  const api = createApiClient(terminal, options);
  const style = styleFor(terminal);
  const counts: Record<Outcome, number> = { added: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };
  const input = await openInput(file, terminal);
  const progress = await showProgress(file, terminal);
  const report = (line: number, orderId: string | null, outcome: Outcome, message: string | null): void => {
    counts[outcome] += 1;
    if (options.json === true) {
      printJsonLine(terminal, { line, orderId, outcome, message });
    } else if (message !== null) {
      const text = `line ${line}: ${orderId ?? "?"} ${outcome}: ${message}`;
      printLine(terminal.stderr, outcome === "refused" ? style.bad(text) : text);
    }
  };
  const send = async (batch: readonly Placed[]): Promise<void> => {
    if (batch.length === 0) return;
    const results = await post(api, batch, options);
    for (const [position, { orderId, outcome, message }] of results.entries()) {
      report(batch[position]?.line ?? 0, orderId, outcome, message);
    }
  };
  try {
    let batch: Placed[] = [];
    let bytes = 0;
    for await (const read of readOrdersFile(() => progress.watch(input.read()))) {
      if (!read.ok) {
        report(read.line, read.orderId, "refused", read.problems.join("; "));
        continue;
      }
      const { order, line } = read;
      const size = Buffer.byteLength(JSON.stringify(order));
      const isRepeated = batch.some((other) => other.order.orderId === order.orderId);
      if (bytes + size > batchBytesMax || batch.length === batchOrdersMax || isRepeated) {
        await send(batch);
        batch = [];
        bytes = 0;
      }
      batch.push({ order, line });
      bytes += size + 1;
    }
    await send(batch);
  } finally {
    progress.stop();
    await input.close();
  }
  const { added, replaced, unchanged, kept, refused } = counts;
  const summary = `${options.dryRun === true ? "Dry run: " : ""}${added} added, ${replaced} replaced, ${unchanged} unchanged, ${kept} kept, ${refused} refused.`;
  printLine(options.json === true ? terminal.stderr : terminal.stdout, summary);
  return refused === 0 ? 0 : 1;
}

interface Placed {
  readonly order: OrderToImport;
  readonly line: number;
}

async function post(api: ApiClient, batch: readonly Placed[], options: ImportOptions) {
  const { results } = await api.call("POST /orders", {
    body: {
      source: options.source,
      orders: batch.map(({ order }) => order),
      replace: options.replace === true,
      dryRun: options.dryRun === true,
    },
  });
  return results;
}

/** Shows a progress bar, which starts again with each reading of the file. */
async function showProgress(file: string, terminal: Terminal) {
  if (terminal.stderr.isTTY !== true || file === "-") {
    return { watch: (chunks: AsyncIterable<Uint8Array>) => chunks, stop: () => {} };
  }
  const total = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const bar = createProgressBar(terminal, "{bar} {percentage} %");
  return {
    watch: async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let done = 0;
      for await (const chunk of chunks) {
        yield chunk;
        done += chunk.length;
        bar.update(done, total);
      }
    },
    stop: bar.stop,
  };
}
