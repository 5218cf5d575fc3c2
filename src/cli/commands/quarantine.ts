import type { Command } from "commander";
import { whatHelps } from "../../contract/what-helps.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { AppError } from "../../kernel/app-error.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { styleFor } from "../style.ts";
import { printTable } from "../table.ts";
import { printAside, printJson, printLine, type Terminal } from "../terminal.ts";

interface QuarantineOptions extends ServerOptions {
  readonly source?: string;
}

type Notification = ApiTypes["GET /notifications"]["response"]["items"][number];

export function addQuarantineCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const quarantine = program
    .command("quarantine")
    .description("list and reprocess notifications that could not be processed");
  const withServer = (command: Command): Command =>
    addAgencyOptions(command, terminal).option("--source <source>", "only this source");

  withServer(quarantine.command("list"))
    .description("list the notifications in quarantine, newest first, with the failing path")
    .action((options: QuarantineOptions) => listQuarantine(options, terminal));

  withServer(quarantine.command("reprocess [id]").alias("replay"))
    .description("reprocess the stored bytes. If they are usable now, their cases are opened")
    .option("--all", "all notifications in quarantine")
    .action(async (id: string | undefined, options: QuarantineOptions & { all?: boolean }) => {
      if ((id === undefined) === (options.all !== true)) {
        throw new AppError("cli.quarantine_choice", "Name one notification, or give --all.");
      }
      const api = createApiClient(terminal, options);
      const parts = id === undefined ? reprocessAll(api, options.source) : [reprocessOne(api, id)];
      finish(await report(parts, options, terminal));
    });
}

async function listQuarantine(options: QuarantineOptions, terminal: Terminal): Promise<void> {
  const items: Notification[] = [];
  for await (const item of readQuarantine(createApiClient(terminal, options), options)) items.push(item);
  if (options.json === true) return printJson(terminal, items);
  if (items.length === 0) {
    printAside(terminal, "The quarantine is empty.");
    return;
  }
  printTable(
    items,
    {
      Notification: ({ id }) => id,
      Source: ({ source }) => source,
      Received: ({ receivedAt }) => receivedAt,
      Problem: { flexible: describe },
    },
    terminal,
  );
  for (const advice of new Set(items.map(({ problem }) => whatHelps(problem?.code ?? ""))))
    printAside(terminal, advice);
}

function describe({ problem }: Notification): string {
  if (problem === null) return "";
  return problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`;
}

const pageSize = "200";

/** Notifications released meanwhile neither repeat nor hide others, because pages start after a cursor. */
async function* readQuarantine(api: ApiClient, { source }: QuarantineOptions): AsyncGenerator<Notification> {
  let cursor: string | undefined;
  do {
    const page = await api.call("GET /notifications", {
      query: { state: "quarantined", source, limit: pageSize, cursor },
    });
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

interface Reprocessed {
  readonly released: readonly { readonly id: string; readonly orderIds: readonly string[] }[];
  readonly unusable: readonly { readonly id: string; readonly code: string; readonly message: string }[];
}

async function reprocessOne(api: ApiClient, id: string): Promise<Reprocessed> {
  try {
    const { cases } = await api.call("POST /notifications/{id}/replay", { params: { id } });
    return { released: [{ id, orderIds: orderIdsOf(cases) }], unusable: [] };
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith("ocn.")) throw error;
    return { released: [], unusable: [{ id, code: error.code, message: error.message }] };
  }
}

async function* reprocessAll(api: ApiClient, source: string | undefined): AsyncGenerator<Reprocessed> {
  let cursor: string | undefined;
  do {
    const part = await api.call("POST /quarantine/reprocess", { body: { source, cursor } });
    yield {
      released: part.released.map(({ id, cases }) => ({ id, orderIds: orderIdsOf(cases) })),
      unusable: part.unusable.map(({ id, code, message }) => {
        return { id, code, message: `Notification still not usable. ${message} It stays in quarantine.` };
      }),
    };
    cursor = part.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function orderIdsOf(cases: readonly { readonly orderId: string }[]): readonly string[] {
  return cases.map(({ orderId }) => orderId);
}

/** Returns the exit code: 1 if any still cannot be used. */
async function report(
  parts: AsyncIterable<Reprocessed> | Iterable<Promise<Reprocessed>>,
  { json }: QuarantineOptions,
  terminal: Terminal,
): Promise<number> {
  const style = styleFor(terminal);
  const print = (line: string): void => printLine(json === true ? terminal.stderr : terminal.stdout, line);
  const released: Reprocessed["released"][number][] = [];
  const unusable: Reprocessed["unusable"][number][] = [];
  for await (const part of parts) {
    released.push(...part.released);
    unusable.push(...part.unusable);
    for (const { id, message } of part.unusable) print(`${id}  ${style.bad("unusable")}  ${message}`);
    for (const { id, orderIds } of part.released) print(`${id}  ${style.good("released")}  ${orderIds.join(",")}`);
  }
  print(`${released.length} released, ${unusable.length} still unusable.`);
  if (json === true) printJson(terminal, { released, unusable });
  return unusable.length === 0 ? 0 : 1;
}
