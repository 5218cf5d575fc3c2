import { csvLine } from "../kernel/csv.ts";
import type { ChainedAuditEntry } from "../store/audit/audit-reading.ts";

const columns = [
  "block",
  "id",
  "at",
  "recordedAt",
  "kind",
  "actor",
  "source",
  "orderId",
  "caseId",
  "caseEventId",
  "refs",
  "detailDigest",
] as const satisfies readonly (keyof ChainedAuditEntry)[];

export const auditCsvHeader = columns.join(",");

/** A line without its line end. `refs` is JSON. */
export function toAuditCsv(entry: ChainedAuditEntry): string {
  return csvLine(
    columns.map((column) => {
      const value = entry[column];
      return value !== null && typeof value === "object" && !(value instanceof Date) ? JSON.stringify(value) : value;
    }),
  );
}
