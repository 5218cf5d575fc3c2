export type CsvValue = string | number | boolean | Date | null | undefined;

/** With the mark of UTF-8, because Excel takes other text for the local code page. */
export const csvStart = "\uFEFF";

/** One record. @see RFC 4180 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run it. What stands in a list may come from anybody. */
const formulaStart = /^[=+\-@\t\r]/;
