import type { ChainedAuditEntry } from "../store/audit/audit-reading.ts";

const columns = [
  "seq",
  "hash",
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

/** A line by RFC 4180, without its line end. `refs` is JSON. */
export function toAuditCsv(entry: ChainedAuditEntry): string {
  return columns
    .map((column) => {
      const value = entry[column];
      if (value === null) return "";
      return toCell(typeof value === "object" ? JSON.stringify(value) : String(value));
    })
    .join(",");
}

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula, because OrderIDs come from outside.
 * Programs that read the file must remove it.
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
