import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "./terminal.ts";

/** Each function returns the text unchanged where no colours are shown. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

const plain = (text: string): string => text;
const plainStyle: Style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const colourStyle: Style = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  warn: (text) => `\u001b[33m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
};

/** Colours on a terminal only, and never where NO_COLOR is set. @see https://no-color.org */
export function styleFor({ stdout, environment }: Pick<Terminal, "stdout" | "environment">): Style {
  const input = stdout.isTTY === true && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
  return input ? colourStyle : plainStyle;
}

/** In columns of a terminal; colour codes take none. */
export function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/**
 * Makes foreign text, such as a gateway's error message, safe for a terminal: control characters could move the cursor
 * or overwrite what was printed.
 */
export function toOneLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are exactly what must not get through
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
}
