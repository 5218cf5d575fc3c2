import type { Command } from "commander";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { valueDigestOf } from "../../itinerary/member-marks.ts";
import { counted } from "../../kernel/counted.ts";
import { type ApiClient, createApiClient } from "../api-client.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { type Columns, printTable } from "../table.ts";
import { printAside, printJson, printResponse, type Terminal } from "../terminal.ts";

type Listed = ApiTypes["GET /members/{source}"]["response"];
type Preview = Extract<ApiTypes["POST /members/{source}/marks"]["response"], { readonly waiting: number }>;
type Changed = Extract<ApiTypes["POST /members/{source}/marks"]["response"], { readonly casesDue: number }>;

interface SourceOptions extends ServerOptions {
  readonly source: string;
}

interface ListOptions extends SourceOptions {
  readonly state?: "open" | "marked";
  readonly path?: string;
}

interface MarkOptions extends SourceOptions {
  readonly value?: readonly string[];
  readonly reason: string;
  readonly yes?: boolean;
}

export function addMembersCommand(program: Command, terminal: Terminal): void {
  const members = program
    .command("members")
    .description("list what a source sends and nobody reads, and mark what of it is harmless");

  addSource(members.command("list"), terminal)
    .description("members that are not marked, those with the most waiting cases first")
    .option("--state <state>", "open or marked", "open")
    .option("--path <part>", "only paths that hold this")
    .action(async ({ source, ...options }: ListOptions) => {
      const { state, path } = options;
      const api = createApiClient(terminal, options);
      const listed = await api.call("GET /members/{source}", { params: { source }, query: { state, path } });
      if (options.json === true) printJson(terminal, listed);
      else printMembers(listed, terminal);
    });

  addMarkOptions(addSource(members.command("mark <path>"), terminal))
    .description("call a member harmless for a source; shows what would follow, and does it with --yes")
    .option("--yes", "mark it")
    .action(async (path: string, { source, value = [], reason, yes, ...options }: MarkOptions) => {
      const api = createApiClient(terminal, options);
      const body = { path, valueDigests: value.map(digestOf), reason, replaces: await numberOf(api, source) };
      const dryRun = yes !== true;
      const response = await api.call("POST /members/{source}/marks", {
        params: { source },
        body: { ...body, dryRun },
      });
      const isChanged = "casesDue" in response;
      printResponse(response, options, terminal, isChanged ? describeChange(response) : describePreview(response));
      if (!isChanged && options.json !== true) printAside(terminal, "Nothing is changed. Add --yes to mark it.");
    });

  addMarkOptions(addSource(members.command("unmark <path>"), terminal))
    .description("withdraw a mark: what it covered stops automatic actions again")
    .action(async (path: string, { source, value = [], reason, ...options }: MarkOptions) => {
      const api = createApiClient(terminal, options);
      const body = { path, valueDigests: value.map(digestOf), reason, replaces: await numberOf(api, source) };
      const response = await api.call("POST /members/{source}/marks/withdraw", { params: { source }, body });
      printResponse(response, options, terminal, `The mark is withdrawn. ${numbered(response)}`);
    });
}

function addSource(command: Command, terminal: Terminal): Command {
  return addAgencyOptions(command, terminal).option("--source <source>", "the source", "default");
}

function addMarkOptions(command: Command): Command {
  return command
    .option("--value <value>", "only this value, or its digest as listed; may be repeated", collect)
    .requiredOption("--reason <text>", "the reason, for those who read it later");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A value that is masked is known by its digest only. */
function digestOf(value: string): string {
  return /^[0-9a-f]{32}$/.test(value) ? value : valueDigestOf(value);
}

/** Returns the number of the marks now, so that the server refuses if somebody else marks something meanwhile. */
async function numberOf(api: ApiClient, source: string): Promise<number> {
  return (await api.call("GET /members/{source}/marks", { params: { source } })).number;
}

function printMembers({ items, total, learning, hasMorePaths }: Listed, terminal: Terminal): void {
  if (learning !== null) {
    const { observed, wanted } = learning;
    printAside(terminal, `This source is still learning: ${observed} of ${counted(wanted, "order")} observed.`);
  }
  // A line for each of its values, or for the whole member.
  const lines = items.flatMap(({ values, ...member }) =>
    values.length === 0
      ? [{ ...member, valueDigest: "" }]
      : values.map(({ class: ofValue, example, word, valueDigest }) => {
          return { ...member, class: ofValue, example: example ?? word, valueDigest };
        }),
  );
  if (lines.length === 0) printAside(terminal, "Nothing.");
  else {
    const columns: Columns<(typeof lines)[number]> = {
      Path: { flexible: ({ path }) => path },
      Class: (line) => line.class,
      Waiting: ({ waitingCount }) => waitingCount,
      Orders: ({ orders }) => orders,
      Unchanged: ({ unchangedOrders }) => unchangedOrders,
      Example: { flexible: ({ example }) => example },
      Digest: ({ valueDigest }) => valueDigest,
    };
    printTable(lines, columns, terminal, { wrap: true });
  }
  if (total > items.length) printAside(terminal, `${total - items.length} more; narrow them with --path.`);
  if (hasMorePaths) printAside(terminal, "The source states more paths than are kept.");
}

function describePreview({ waiting, tried, released, actions }: Preview): string {
  const ends = Object.entries(actions).map(([action, count]) => `${count} ${action}`);
  const of = tried < waiting ? ` Of the ${tried} most urgent of them` : " Of them";
  const what = ends.length === 0 ? "" : `: ${ends.join(", ")}`;
  return `${cases(waiting)} would be decided anew.${of}, ${released} would no longer wait for a member${what}.`;
}

function describeChange(changed: Changed): string {
  return `It is marked. ${counted(changed.casesDue, "waiting case is", "waiting cases are")} decided anew. ${numbered(changed)}`;
}

function cases(count: number): string {
  return counted(count, "waiting case");
}

function numbered({ number }: Pick<Changed, "number">): string {
  return `The marks of the source have number ${number} now.`;
}
