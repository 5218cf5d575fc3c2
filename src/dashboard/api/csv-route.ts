import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { z } from "zod";
import {
  placeOf,
  type ResponseDescription,
  type Route,
  type RouteName,
  type RouteRequest,
  success,
} from "../../http/route.ts";
import { type CsvValue, csvRecord, csvStart } from "../../kernel/csv.ts";
import { escapeInvisible } from "../../kernel/visible-text.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { RecordExport } from "../audit-ports.ts";
import { pageLimitMax } from "../request-fields.ts";
import type { Needed } from "./api-surface.ts";
import type { Identity } from "./identity.ts";

/** In one file. A spreadsheet holds about ten times as many. */
export const exportRowsMax = 100_000;

/** The route of a list, in pages. */
interface ListRoute<Name extends RouteName, Item, Needs> extends Pick<Route<Needed>, "role" | "tag" | "summary"> {
  readonly name: Name;
  readonly query?: z.ZodObject | undefined;
  /** The body of a search: what is looked for must not stand in an address. */
  readonly body?: z.ZodObject | undefined;
  handle(
    request: RouteRequest<unknown, never, never, Identity>,
    needs: Needs,
  ): Promise<{ readonly body: { readonly items: readonly Item[]; readonly nextCursor: string | null } }>;
}

export type Columns<Item> = Readonly<Record<string, (item: Item) => CsvValue>>;

type Exporting = { readonly recordExport: RecordExport; readonly logger: Logger };

/** How a list is written as a file. */
interface FileFormat<Item, Extension extends string> {
  readonly extension: Extension;
  /** As in "Tasks, as CSV". */
  readonly title: string;
  readonly mediaType: string;
  readonly response: ResponseDescription;
  readonly head: string;
  rows(items: readonly Item[]): string;
  /** The last line of a file that does not hold the whole list. */
  lastLine(text: string): string;
}

export function csvRoute<const Name extends RouteName, Item, Needs>(
  list: ListRoute<Name, Item, Needs>,
  columns: Columns<Item>,
) {
  return exportRoute(list, {
    extension: "csv",
    title: "CSV",
    mediaType: csvType,
    response: csvResponse,
    head: csvHead(columns),
    rows: (items) => csvRows(items, columns),
    lastLine: (text) => csvRecord([text]),
  });
}

/** An item of the list as JSON on each line. */
export function jsonLinesRoute<const Name extends RouteName, Item, Needs>(
  list: ListRoute<Name, Item, Needs>,
  toLine: (item: Item) => object,
) {
  return exportRoute(list, {
    extension: "jsonl",
    title: "JSON lines",
    mediaType: "application/x-ndjson",
    response: { ...success("The file: UTF-8, a line for each item."), content: { "application/x-ndjson": z.string() } },
    head: "",
    rows: (items) => items.map((item) => jsonLine(toLine(item))).join(""),
    lastLine: (note) => jsonLine({ note }),
  });
}

/** With every character that nobody sees escaped, as the command line writes it. */
function jsonLine(value: object): string {
  return `${escapeInvisible(JSON.stringify(value))}\n`;
}

/** A list as a file: the same filters, order, role and visible rows, because the handler of the list reads every page. */
function exportRoute<const Name extends RouteName, Item, Needs, const Extension extends string>(
  list: ListRoute<Name, Item, Needs>,
  format: FileFormat<Item, Extension>,
) {
  const { role, tag, summary } = list;
  const { method, path } = placeOf(list);
  const place = method === "GET" ? "query" : "body";
  const filters = list[place]!;
  const listName = path.split("/")[1]!;
  const own = filters.omit({ cursor: true, limit: true }) as z.ZodObject;
  return {
    name: `${list.name}.${format.extension}` as const,
    role,
    tag,
    summary: `${summary}, as ${format.title}`,
    description: `At most ${exportRowsMax} rows. The export is audited.`,
    query: method === "GET" ? own : undefined,
    body: method === "POST" ? own : undefined,
    responses: { 200: format.response },
    async handle(request: RouteRequest<unknown, unknown, unknown, Identity>, needs: Needs & Exporting) {
      const readPage = async (cursor: string | undefined) => {
        const paging = { cursor: (filters.shape["cursor"] as z.ZodType).parse(cursor), limit: pageLimitMax };
        const asked = { ...request, [place]: { ...(request[place] as object), ...paging } };
        return (await list.handle(asked as Parameters<typeof list.handle>[0], needs)).body;
      };
      // Before anything is sent, so that a search that takes too long has a problem document.
      const first = await readPage(undefined);
      await needs.recordExport(listName, request.caller);
      return (response: Response): void => {
        sendFile(response, { list: listName, ...format }, linesOf(first, readPage, format), needs.logger);
      };
    },
  };
}

const csvType = "text/csv; charset=utf-8; header=present";

export const csvResponse = {
  ...success("The file: UTF-8, a line of headings, then one line for each row (RFC 4180)."),
  content: { "text/csv": z.string() },
};

type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

async function* linesOf<Item>(
  first: ListPage<Item>,
  readPage: (cursor: string) => Promise<ListPage<Item>>,
  format: FileFormat<Item, string>,
): AsyncGenerator<string> {
  yield format.head;
  let page = first;
  let rows = 0;
  while (true) {
    yield format.rows(page.items);
    rows += page.items.length;
    if (page.nextCursor === null) return;
    if (rows >= exportRowsMax) break;
    page = await readPage(page.nextCursor);
  }
  yield format.lastLine(`Only the first ${rows} rows are in this file. Narrow the filters for the others.`);
}

export function csvHead(columns: Columns<never>): string {
  return csvStart + csvRecord(Object.keys(columns));
}

export function csvRows<Item>(items: readonly Item[], columns: Columns<Item>): string {
  const values = Object.values(columns);
  return items.map((item) => csvRecord(values.map((valueOf) => valueOf(item)))).join("");
}

export function sendCsv(response: Response, list: string, lines: string[], logger: Logger): void {
  sendFile(response, { list, extension: "csv", mediaType: csvType }, lines, logger);
}

function sendFile(
  response: Response,
  file: Pick<FileFormat<unknown, string>, "extension" | "mediaType"> & { readonly list: string },
  lines: AsyncIterable<string> | string[],
  logger: Logger,
): void {
  const { list, extension, mediaType } = file;
  response.setHeader("Content-Type", mediaType);
  response.setHeader("Content-Disposition", `attachment; filename="skedchange-${list}.${extension}"`);
  response.setHeader("X-Content-Type-Options", "nosniff");
  // The connection is cut when a later page fails or the caller leaves: half a file must not look like a whole one.
  pipeline(Readable.from(lines), response).catch((error: unknown) => {
    logger.warn({ error, list }, "list.export_failed");
  });
}
