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

/** One entry as a line of RFC 4180, without its end. `refs` is JSON. */
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
 * Spreadsheets run a cell that begins like a formula, and OrderIDs come from outside. An apostrophe in front makes it text
 * again; whoever reads the file with a program takes it off.
 */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
