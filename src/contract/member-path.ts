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
export const pathStepOf = remembered((key): string => {
  if (isIdName(key)) return "*";
  return textOf(key.slice(0, stepMax))?.replaceAll(/[.…]/g, "_") ?? "?";
});

/** Adds a name. What there is no room for is one last step, a digest, so that no two paths are the same. */
export function pathBelow(path: string, key: string): string {
  const step = pathStepOf(key);
  const below = path === "" ? step : `${path}.${step}`;
  // No step of its own has the sign that a digest begins with.
  const [, above = path, digest = ""] = path.includes("…") ? (digestAtEnd.exec(path) ?? []) : [];
  if (digest === "" && Buffer.byteLength(below) <= pathBytesMax - digestBytes) return below;
  return `${above}.…${digestOfValue(`${digest}.${step}`).slice(0, digestLength)}`;
}

const digestLength = 16;

/** With the point and the three bytes before it. */
const digestBytes = digestLength + 4;

const digestAtEnd = /^(.*)\.…([0-9a-f]{16})$/s;

/** Names of elements never begin with a digit, and seldom have three in a row or, in capitals, one among letters. */
function isIdName(name: string): boolean {
  return /^\d|\d{3}(?!\d*[A-Z]?[a-z]{2})|^[\da-f]{8}-|^(?=[A-Z\d]{5,}$)[A-Z]+\d+[A-Z]/.test(name);
}
