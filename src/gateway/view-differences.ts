import { toPointer } from "../http/request-problems.ts";
import { isRecord } from "../kernel/record.ts";

/** A member that two order views show differently. A missing value is null. */
export interface ViewDifference {
  /** JSON Pointer into the order view. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** In the order of the members. Both are compared as JSON. */
export function viewDifferences(before: unknown, after: unknown): readonly ViewDifference[] {
  return compare([], JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)));
}

function compare(path: readonly string[], before: unknown, after: unknown): readonly ViewDifference[] {
  const names = membersOf(before, after);
  if (names !== null) {
    return names.flatMap((name) => compare([...path, name], valueAt(before, name), valueAt(after, name)));
  }
  return before === after ? [] : [{ path: toPointer(path), before: before ?? null, after: after ?? null }];
}

/** Returns null if the values are not of the same structure. */
function membersOf(before: unknown, after: unknown): readonly string[] | null {
  const isSame = Array.isArray(before) ? Array.isArray(after) : isRecord(before) && isRecord(after);
  if (!isSame) return null;
  return [...new Set([...Object.keys(before as object), ...Object.keys(after as object)])];
}

function valueAt(value: unknown, name: string): unknown {
  return Object.hasOwn(value as object, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
