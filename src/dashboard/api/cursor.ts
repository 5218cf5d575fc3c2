import { z } from "zod";
import { ProblemError } from "../../http/problem-document.ts";
import type { Page, PagePosition } from "../ports.ts";

/** Which list, in which order, a cursor belongs to: a cursor of one means nothing in another. */
export type CursorList = (typeof listsByTime)[number] | "cases-due";

/** Sorted by nothing but an instant. */
const listsByTime = [
  "cases",
  "notifications",
  "shadow-differences",
  "lanes",
  "tasks",
  "tasks-due",
  "bulk-actions",
] as const;

const microsecondInstant = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const at = z.string().regex(microsecondInstant).refine(isRealInstant);

const cursorContent = z.union([
  z.tuple([z.enum(listsByTime), at, z.guid()]),
  z.tuple([z.literal("cases-due"), at, z.guid(), z.int().min(0).max(9)]),
]);

/**
 * Where the page of a list begins: after the position of its cursor; null for the first one.
 *
 * @throws ProblemError when the cursor is none of this list.
 */
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

/** A page as lists are returned. */
export function pageFrom<Item>(list: CursorList, { items, next }: Page<Item>) {
  return { items, nextCursor: next === null ? null : writeCursor(list, next) };
}

/** The cursor that callers hand back for the next page. What is in it is ours to change. */
export function writeCursor(list: CursorList, position: PagePosition): string {
  const { at, id, priority } = position;
  return Buffer.from(JSON.stringify([list, at, id, ...(priority === undefined ? [] : [priority])])).toString(
    "base64url",
  );
}

/** The position that the cursor stands for, or null when it is not a cursor of this list. */
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

/** Refuses 31 February, which PostgreSQL would refuse and JavaScript reads as 3 March. */
function isRealInstant(at: string): boolean {
  const milliseconds = Date.parse(at);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 19) === at.slice(0, 19);
}
