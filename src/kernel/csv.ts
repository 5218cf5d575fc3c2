import { toVisible } from "./visible-text.ts";

export type CsvValue = string | number | boolean | Date | null | undefined;

/** With the mark of UTF-8, because Excel takes other text for the local code page. */
export const csvStart = "\uFEFF";

/** One record with its line end. What stands in it may come from anybody, and no spreadsheet runs it. @see RFC 4180 */
export function csvRecord(values: readonly CsvValue[]): string {
  return `${csvLine(values)}\r\n`;
}

/** As `csvRecord`, without the line end. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvCell).join(",");
}

function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value);
  const text = value.replaceAll(betweenLineEnds, toVisible).replaceAll(beforeFormula, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const betweenLineEnds = /[^\t\r\n]+/g;

/**
 * Finds each place where a program may see a formula: a sign that begins one, or its full-width form, at the beginning of
 * a cell or behind blanks and quotes there. A program may also separate cells by `;`, tabs or `|`, and so see our quotes
 * within a cell. A text that begins with a tab or a line end counts as well, because some programs leave those out.
 */
const beforeFormula = /(?<=^|[,;|\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;
