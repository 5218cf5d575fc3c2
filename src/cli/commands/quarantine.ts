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
      const ids = id === undefined ? idsInQuarantine(api, options) : [id];
      finish(await reprocessEach(ids, { api, terminal, json: options.json === true }));
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

async function* idsInQuarantine(api: ApiClient, options: QuarantineOptions): AsyncGenerator<string> {
  for await (const { id } of readQuarantine(api, options)) yield id;
}

/** Returns the exit code: 1 if any still cannot be used. */
async function reprocessEach(
  ids: AsyncIterable<string> | Iterable<string>,
  { api, terminal, json }: { readonly api: ApiClient; readonly terminal: Terminal; readonly json: boolean },
): Promise<number> {
  const style = styleFor(terminal);
  const print = (line: string): void => printLine(json ? terminal.stderr : terminal.stdout, line);
  const released: { id: string; orderIds: readonly string[] }[] = [];
  const unusable: { id: string; code: string; message: string }[] = [];
  for await (const id of ids) {
    try {
      const { cases } = await api.call("POST /notifications/{id}/replay", { params: { id } });
      const orderIds = cases.map(({ orderId }) => orderId);
      released.push({ id, orderIds });
      print(`${id}  ${style.good("released")}  ${orderIds.join(",")}`);
    } catch (error) {
      // Other errors, such as an unreachable server, would meet the next one as well.
      if (!(error instanceof AppError) || !error.code.startsWith("ocn.")) throw error;
      unusable.push({ id, code: error.code, message: error.message });
      print(`${id}  ${style.bad("unusable")}  ${error.message}`);
    }
  }
  print(`${released.length} released, ${unusable.length} still unusable.`);
  if (json) printJson(terminal, { released, unusable });
  return unusable.length === 0 ? 0 : 1;
}
