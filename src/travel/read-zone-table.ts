import { z } from "zod";
import { AppError } from "../kernel/app-error.ts";
import { firstYear, minutesAt, weekdays, type ZoneTable } from "./zone-table.ts";

const offset = z
  .int()
  .min(-18 * 60)
  .max(18 * 60);
const day = z.string().regex(/^\d{2}-\d{2}$/);
const time = z.string().regex(/^\d{2}:\d{2}$/);
const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
const yearly = z.strictObject({
  from: z.int().min(firstYear),
  changes: z.array(z.tuple([day, z.enum(weekdays), time, offset])).min(1),
});
const zoneOffsets = z.strictObject({
  start: offset,
  changes: z.array(z.tuple([instant, offset])),
  yearly: yearly.optional(),
});
const zoneTable: z.ZodType<ZoneTable> = z.strictObject({
  release: z.string().regex(/^20\d{2}[a-z]{1,2}$/),
  published: z.iso.date(),
  source: z.string(),
  zones: z.record(z.string(), zoneOffsets),
  links: z.record(z.string(), z.string()),
});

/**
 * Reads a table.
 * @throws AppError `zones.invalid` with the first problem: another form, a link to nothing, a name that is a zone and a
 * link, changes that are not in order
 */
export function readZoneTable(document: unknown): ZoneTable {
  const read = zoneTable.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`${issue?.path.join(".") || "the document"}: ${issue?.message ?? "has another form"}`);
  }
  const { zones, links } = read.data;
  for (const [name, target] of Object.entries(links)) {
    if (Object.hasOwn(zones, name)) throw invalid(`${name} is a zone and a link to ${target}, and can be only one`);
    if (!Object.hasOwn(zones, target)) throw invalid(`${name} is linked to ${target}, which the table lacks`);
  }
  for (const [name, { changes }] of Object.entries(zones)) {
    const isOrdered = changes.every(
      ([at], i) => Number.isFinite(minutesAt(at)) && (i === 0 || changes[i - 1]![0] < at),
    );
    if (!isOrdered) throw invalid(`${name}: the changes are not in the order of time`);
  }
  return read.data;
}

function invalid(problem: string): AppError {
  return new AppError("zones.invalid", `This is no table of time zones: ${problem}.`);
}
