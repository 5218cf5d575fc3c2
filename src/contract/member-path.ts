import { digestOfValue } from "../kernel/digest.ts";
import { textOf } from "./lenient-value.ts";
import { remembered } from "./words-in.ts";

/**
 * Paths of members that nobody knows, such as `Order.Rooms.*.Floor`, in the form in which they are kept: indexes have
 * them as keys, so that each is short, whatever the gateway names its members.
 */

/** The longest path, in UTF-8. */
export const pathBytesMax = 600;

/** An unknown key may have any length. */
const stepMax = 60;

/** A key of a map, such as an id or a date, is a position. */
const pathStepOf = remembered((key): string => {
  if (idPatterns.some((pattern) => pattern.test(key))) return "*";
  return textOf(key.slice(0, stepMax))?.replaceAll(/[.…]/g, "_") ?? "?";
});

/** Adds a name. A name without room becomes a digest of all steps from there on. */
export function pathBelow(path: string, key: string): string {
  const step = pathStepOf(key);
  const below = path === "" ? step : `${path}.${step}`;
  // Steps never contain `…`, so it marks the digest.
  const [, above = path, digest = ""] = path.includes("…") ? (digestAtEnd.exec(path) ?? []) : [];
  if (digest === "" && Buffer.byteLength(below) <= pathBytesMax - digestBytes) return below;
  return `${above}.…${digestOfValue(`${digest}.${step}`).slice(0, digestLength)}`;
}

const digestLength = 16;

/** With the point and the three bytes before it. */
const digestBytes = digestLength + 4;

const digestAtEnd = /^(.*)\.…([0-9a-f]{16})$/s;

/** `2026-11-30`. Names of elements never begin with a digit. */
const startsWithDigit = /^\d/;

/** `SEG0001`, unless a word follows the number, as in `Line100Text`. */
const hasLongNumber = /\d{3}(?!\d*[A-Z]?[a-z]{2})/;

/** `c0ffee12-7b1d-…` */
const beginsLikeUuid = /^[\da-f]{8}-/;

/** `QX7RMA`: capitals only, with digits among them. */
const looksLikeLocator = /^(?=[A-Z\d]{5,}$)[A-Z]+\d+[A-Z]/;

const idPatterns = [startsWithDigit, hasLongNumber, beginsLikeUuid, looksLikeLocator];
