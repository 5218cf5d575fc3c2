import { toOneLine } from "../kernel/visible-text.ts";
import { styleFor, widthOf } from "./style.ts";
import { withoutMarks } from "./style-marks.ts";
import { printCells, printLine, type Terminal } from "./terminal.ts";

export interface Column {
  readonly title: string;
  /** Is cut if the table is wider than the terminal; other columns keep their width. */
  readonly flexible?: boolean;
}

/** What each column of a list shows of an item, by its title. A flexible one is cut or wrapped; false is left out. */
export type Columns<Item> = Readonly<Record<string, Cell<Item> | { readonly flexible: Cell<Item> } | false>>;

type Cell<Item> = (item: Item) => string | number | null | undefined;

export interface TableOptions {
  /** Columns of the terminal; null cuts nothing. */
  readonly width: number | null;
  readonly titleStyle?: (text: string) => string;
  readonly indent?: string;
  /** Wraps a long cell between words instead of cutting it. */
  readonly wrap?: boolean;
}

const gap = "  ";

/** A narrower column would be useless. */
const flexibleWidthMin = 12;

/** A table cut to the width of the terminal; in a pipe each row is a line of whole cells between tabs, without titles. */
export function printTable<Item>(
  items: readonly Item[],
  columns: Columns<Item>,
  terminal: Pick<Terminal, "stdout" | "environment">,
  options: { readonly wrap?: boolean } = {},
): void {
  const { stdout } = terminal;
  const shown = Object.entries(columns).flatMap(([title, column]) => {
    if (column === false) return [];
    if (typeof column === "function") return [{ title, cell: column, flexible: false }];
    return [{ title, cell: column.flexible, flexible: true }];
  });
  const rows = items.map((item) => shown.map(({ cell }) => String(cell(item) ?? "")));
  if (stdout.isTTY !== true) {
    for (const row of rows) printCells(stdout, row.map(toOneLine));
    return;
  }
  const lines = formatTable(shown, rows, {
    width: stdout.columns ?? 80,
    titleStyle: styleFor(terminal).dim,
    ...options,
  });
  for (const line of lines) printLine(stdout, line);
}

/** Whether so many columns of text fit side by side. A pipe has room for everything. */
export function hasRoom({ stdout }: Pick<Terminal, "stdout">, columns: number): boolean {
  return stdout.isTTY !== true || (stdout.columns ?? 80) >= columns;
}

/** Columns that are empty in every row are left out. Each cell is cleaned first, so that it is as wide as it looks. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string[] {
  const shown = columns
    .map((column, index) => ({ ...column, cells: rows.map((row) => toOneLine(row[index] ?? "")) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const indent = options.indent ?? "";
  const natural = shown.map(({ title, cells }) => Math.max(widthOf(title), ...cells.map(widthOf)));
  const widths =
    options.width === null
      ? natural
      : shrink(
          natural,
          shown.map(({ flexible }) => flexible === true),
          options.width - widthOf(indent) - gap.length * (shown.length - 1),
        );
  const line = (cells: readonly string[]): string =>
    (indent + cells.map((cell, index) => fit(cell, widths[index]!)).join(gap)).trimEnd();

  const titleStyle = options.titleStyle ?? ((text: string) => text);
  return [
    line(shown.map(({ title }) => titleStyle(title))),
    ...rows.flatMap((_, row) => {
      const cells = shown.map((column) => column.cells[row]!);
      return options.wrap === true ? wrapRow(cells, widths).map(line) : [line(cells)];
    }),
  ];
}

function wrapRow(cells: readonly string[], widths: readonly number[]): readonly (readonly string[])[] {
  const columns = cells.map((cell, index) => wrap(cell, widths[index]!));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => columns.map((lines) => lines[index] ?? ""));
}

function wrap(cell: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of cell.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Narrows the widest flexible column, character by character, until the table fits or all have their minimum. */
function shrink(natural: readonly number[], flexible: readonly boolean[], available: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    let widest = -1;
    widths.forEach((width, index) => {
      if (flexible[index] === true && width > flexibleWidthMin && (widest < 0 || width > widths[widest]!))
        widest = index;
    });
    if (widest < 0) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

function fit(cell: string, width: number): string {
  const missing = width - widthOf(cell);
  if (missing >= 0) return cell + " ".repeat(missing);
  // Without its styles: a cut between their marks would colour the rest of the screen.
  return `${[...withoutMarks(cell)].slice(0, Math.max(0, width - 1)).join("")}…`;
}
