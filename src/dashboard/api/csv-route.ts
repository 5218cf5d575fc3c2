import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { z } from "zod";
import { placeOf, type Route, type RouteName, type RouteRequest, success } from "../../http/route.ts";
import { type CsvValue, csvRecord, csvStart } from "../../kernel/csv.ts";
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
  /** Of a search: what is looked for must not stand in an address. */
  readonly body?: z.ZodObject | undefined;
  handle(
    request: RouteRequest<unknown, never, never, Identity>,
    needs: Needs,
  ): Promise<{ readonly body: { readonly items: readonly Item[]; readonly nextCursor: string | null } }>;
}

export type Columns<Item> = Readonly<Record<string, (item: Item) => CsvValue>>;

type Exporting = { readonly recordExport: RecordExport; readonly logger: Logger };

/** A list as a file: the same filters, order, role and visible rows, because the handler of the list reads every page. */
export function csvRoute<const Name extends RouteName, Item, Needs>(
  list: ListRoute<Name, Item, Needs>,
  columns: Columns<Item>,
) {
  const { role, tag, summary } = list;
  const { method, path } = placeOf(list);
  const place = method === "GET" ? "query" : "body";
  const filters = list[place]!;
  const listName = path.split("/")[1]!;
  const own = filters.omit({ cursor: true, limit: true }) as z.ZodObject;
  return {
    name: `${list.name}.csv` as const,
    role,
    tag,
    summary: `${summary}, as CSV`,
    description: `At most ${exportRowsMax} rows. The export is audited.`,
    query: method === "GET" ? own : undefined,
    body: method === "POST" ? own : undefined,
    responses: { 200: csvResponse },
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
        sendCsv(response, listName, csvOf(first, readPage, columns), needs.logger);
      };
    },
  };
}

export const csvResponse = {
  ...success("The file: UTF-8, a line of headings, then one line for each row (RFC 4180)."),
  content: { "text/csv": z.string() },
};

type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

async function* csvOf<Item>(
  first: ListPage<Item>,
  readPage: (cursor: string) => Promise<ListPage<Item>>,
  columns: Columns<Item>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let page = first;
  let rows = 0;
  while (true) {
    yield csvRows(page.items, columns);
    rows += page.items.length;
    if (page.nextCursor === null) return;
    if (rows >= exportRowsMax) break;
    page = await readPage(page.nextCursor);
  }
  yield csvRecord([`Only the first ${rows} rows are in this file. Narrow the filters for the others.`]);
}

export function csvHead(columns: Columns<never>): string {
  return csvStart + csvRecord(Object.keys(columns));
}

export function csvRows<Item>(items: readonly Item[], columns: Columns<Item>): string {
  const values = Object.values(columns);
  return items.map((item) => csvRecord(values.map((valueOf) => valueOf(item)))).join("");
}

export function sendCsv(
  response: Response,
  name: string,
  lines: AsyncIterable<string> | string[],
  logger: Logger,
): void {
  response.setHeader("Content-Type", "text/csv; charset=utf-8; header=present");
  response.setHeader("Content-Disposition", `attachment; filename="skedchange-${name}.csv"`);
  response.setHeader("X-Content-Type-Options", "nosniff");
  // The connection is cut when a later page fails or the caller leaves: half a file must not look like a whole one.
  pipeline(Readable.from(lines), response).catch((error: unknown) => {
    logger.warn({ error, list: name }, "list.export_failed");
  });
}
