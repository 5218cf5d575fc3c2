import { type Command, Option } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { bulkActionStateNames } from "../../dashboard/bulk-ports.ts";
import { createApiClient } from "../api-client.ts";
import { addPageOptions, type PageOptions, printList } from "../list-page.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { type Style, styleFor } from "../style.ts";
import { formatTable } from "../table.ts";
import { printJson, printLine, printResponse, type Terminal } from "../terminal.ts";

type BulkActionItem = ApiTypes["GET /bulk-actions"]["response"]["items"][number];

/** Shows and stops bulk actions. They are started in the dashboard or by the API, with a dry run first. */
export function addBulkCommand(program: Command, terminal: Terminal): void {
  const bulk = program.command("bulk").description("list, follow and stop actions on many cases");
  const id = ["<id>", "the id of the bulk action, as `bulk list` shows it"] as const;

  const list = bulk
    .command("list")
    .description("list actions on many cases and their progress, newest first")
    .addOption(new Option("--state <state>", "only these").choices(bulkActionStateNames));
  addPageOptions(list, terminal).action((options: ListOptions) => listBulkActions(options, terminal));

  addAgencyOptions(bulk.command("show"), terminal)
    .description("show the outcome of each case of one action")
    .argument(...id)
    .action((given: string, options: ServerOptions) => showBulkAction(given, options, terminal));

  addAgencyOptions(bulk.command("stop"), terminal)
    .description("stop before the remaining cases. Cases that are done stay done")
    .argument(...id)
    .action((given: string, options: ServerOptions) => stopBulkAction(given, options, terminal));
}

type ListOptions = PageOptions & { readonly state?: string };

async function listBulkActions(options: ListOptions, terminal: Terminal): Promise<void> {
  const { state, limit, cursor } = options;
  const api = createApiClient(terminal, options);
  const page = await api.call("GET /bulk-actions", { query: { state, limit, cursor } });
  const style = styleFor(terminal);
  printList(page, options, terminal, {
    empty: state === undefined ? "No bulk actions yet." : "No bulk action matches.",
    columns: {
      "Bulk action": ({ id }) => id,
      State: (action) => paint(action.state, style),
      Started: ({ askedAt }) => askedAt.slice(0, 16),
      By: ({ askedBy }) => askedBy,
      Cases: ({ counts }) => counts.total,
      Accepted: ({ counts }) => counts.accepted,
      Skipped: ({ counts }) => counts.refused + counts.conflict + counts.notFound,
      Remaining: ({ counts }) => counts.waiting,
      Action: { flexible: ({ command }) => describeCommand(command) },
    },
  });
}

async function showBulkAction(id: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const found = await createApiClient(terminal, options).call("GET /bulk-actions/{id}", { params: { id } });
  const print = (text: string): void => printLine(terminal.stdout, text);
  if (options.json === true) return printJson(terminal, found);
  const style = styleFor(terminal);
  const { counts, state } = found;
  print(`${style.bold(describeCommand(found.command))}  ${paint(state, style)}`);
  print(`Started by ${found.askedBy}, ${found.askedAt}.`);
  print(
    `${counts.accepted} of ${counts.total} accepted, ${counts.refused} not possible, ${counts.conflict} changed meanwhile, ` +
      `${counts.notFound} not found, ${counts.waiting} ${state === "running" ? "waiting" : "not changed"}.`,
  );
  print("");
  const table = formatTable(
    [{ title: "Order" }, { title: "Outcome" }, { title: "Case" }, { title: "Reason", flexible: true }],
    found.rows.map((row) => [
      row.orderId ?? "unknown",
      paint(row.outcome ?? (state === "running" ? "waiting" : "left"), style),
      row.caseId,
      row.message ?? "",
    ]),
    { width: terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? 80) : null, titleStyle: style.dim },
  );
  for (const line of table) print(line);
  if (state === "running") print(style.dim(`Stop it with: npx skedchange bulk stop ${found.id}`));
}

async function stopBulkAction(id: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const response = await createApiClient(terminal, options).call("POST /bulk-actions/{id}/stop", { params: { id } });
  const shown = `npx skedchange bulk show ${response.id}`;
  printResponse(response, options, terminal, `Stopped. Cases that are done stay done. See them with: ${shown}`);
}

/** Members that are shown elsewhere, or of no interest later. */
const ignored: ReadonlySet<string> = new Set(["action", "note", "confirm"]);

/** `assign assignee=ana (Yours from today on.)` */
function describeCommand(command: BulkActionItem["command"]): string {
  const given = Object.entries(command).flatMap(([name, value]) =>
    ignored.has(name) || value === undefined ? [] : [`${name}=${value === null ? "nobody" : String(value)}`],
  );
  const note = typeof command["note"] === "string" ? [`(${command["note"]})`] : [];
  return [command.action, ...given, ...note].join(" ");
}

const marks: Readonly<Record<string, keyof Style>> = {
  running: "bold",
  stopped: "warn",
  finished: "good",
  accepted: "good",
  conflict: "warn",
  refused: "bad",
  "not-found": "bad",
};

/** A word that only a newer server has is shown without colour. */
function paint(word: string, style: Style): string {
  const mark = marks[word];
  return mark === undefined ? word : style[mark](word);
}
