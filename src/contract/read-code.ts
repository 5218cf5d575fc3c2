import { isPlaceholder, statedText } from "./lenient-value.ts";

export interface ReadCode {
  /** In upper case. Undefined if the member is absent, null if it holds no code. */
  readonly code: string | null | undefined;
  /** What is stated instead of a code. A placeholder states nothing. */
  readonly unread?: string;
}

/** By IATA: three letters. */
export function readAirportCode(json: unknown): ReadCode {
  return readCode(statedText(json), /^[A-Z]{3}$/i);
}

/** By IATA or ICAO: two or three letters and digits. */
export function readAirlineCode(json: unknown): ReadCode {
  return readCode(statedText(json), /^[A-Z\d]{2,3}$/i);
}

/** Any other text is no code: what it stands for is unknown, and it is nowhere shown as one. */
function readCode(stated: string | null | undefined, pattern: RegExp): ReadCode {
  if (stated === null || stated === undefined) return { code: stated };
  if (pattern.test(stated)) return { code: stated.toUpperCase() };
  return isPlaceholder(stated) ? { code: null } : { code: null, unread: stated };
}
