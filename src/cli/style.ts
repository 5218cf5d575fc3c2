import { mark, withoutMarks } from "./style-marks.ts";
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
/** Without colours, as for a file. */
export const plainStyle: Style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const colourStyle: Style = {
  bold: (text) => `${mark(1)}${text}${mark(22)}`,
  dim: (text) => `${mark(2)}${text}${mark(22)}`,
  good: (text) => `${mark(32)}${text}${mark(39)}`,
  warn: (text) => `${mark(33)}${text}${mark(39)}`,
  bad: (text) => `${mark(31)}${text}${mark(39)}`,
};

/** Colours on a terminal only, and never where NO_COLOR is set. @see https://no-color.org */
export function styleFor({ stdout, environment }: Pick<Terminal, "stdout" | "environment">): Style {
  const input = stdout.isTTY === true && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
  return input ? colourStyle : plainStyle;
}

/** In columns of a terminal; styles take none. */
export function widthOf(text: string): number {
  return [...withoutMarks(text)].length;
}
