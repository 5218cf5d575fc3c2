import { randomBytes } from "node:crypto";

/** No foreign text has it, so only what is styled here becomes a code of the terminal. */
const secret = randomBytes(12).toString("base64url");

/** Made of characters that stay when foreign text is cleaned; `U+FDD0` and `U+FDD1` are no characters of any script. */
const markPattern = new RegExp(`\u{fdd0}${secret}:(\\d+)\u{fdd1}`, "gu");

/** Stands in a text for a code of the terminal (SGR) until the line is written. */
export function mark(code: number): string {
  return `\u{fdd0}${secret}:${code}\u{fdd1}`;
}

export function paintMarks(text: string): string {
  return text.replaceAll(markPattern, "\u001b[$1m");
}

export function withoutMarks(text: string): string {
  return text.replaceAll(markPattern, "");
}
