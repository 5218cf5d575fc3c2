import { z } from "zod";
import { ProblemError } from "../../http/problem-document.ts";
import type { Page, PagePosition } from "../paging-ports.ts";

/** The list and order that a cursor belongs to. It is refused anywhere else. */
export type CursorList = (typeof listsByTime)[number] | "cases-urgency";

/** Sorted by an instant only. */
const listsByTime = [
  "cases",
  "cases-departure",
  "notifications",
  "shadow-differences",
  "blocked-orders",
  "tasks",
  "tasks-due",
  "bulk-actions",
] as const;

const microsecondInstant = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const at = z.string().regex(microsecondInstant).refine(isRealInstant);

const cursorContent = z.union([
  z.tuple([z.enum(listsByTime), at, z.guid()]),
  z.tuple([z.literal("cases-urgency"), at, z.guid(), z.int().min(0).max(9)]),
]);

/** The page begins after this position; null for the first page. @throws ProblemError if the cursor is not of this list */
export function positionAfter(list: CursorList, cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  const position = readCursor(list, cursor);
  if (position !== null) return position;
  throw new ProblemError({
    status: 400,
    code: "api.cursor_invalid",
    title: "The cursor cannot be read",
    detail:
      "'cursor' must be the nextCursor of an earlier response of this list. Leave it out to start at the beginning.",
  });
}

export function pageFrom<Item>(list: CursorList, { items, next }: Page<Item>) {
  return { items, nextCursor: next === null ? null : writeCursor(list, next) };
}

/** Opaque to callers, so its content may change. */
export function writeCursor(list: CursorList, position: PagePosition): string {
  const { at, id, priority } = position;
  return Buffer.from(JSON.stringify([list, at, id, ...(priority === undefined ? [] : [priority])])).toString(
    "base64url",
  );
}

/** Returns null if it is not a cursor of this list. */
export function readCursor(list: CursorList, cursor: string): PagePosition | null {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  const parsed = cursorContent.safeParse(content);
  if (!parsed.success || parsed.data[0] !== list) return null;
  const [, at, id, priority] = parsed.data;
  return { at, id, ...(priority === undefined ? {} : { priority }) };
}

/** JavaScript reads 31 February as 3 March; PostgreSQL would refuse it. */
function isRealInstant(at: string): boolean {
  const milliseconds = Date.parse(at);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 19) === at.slice(0, 19);
}
