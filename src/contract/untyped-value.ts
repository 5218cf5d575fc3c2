import { isRecord } from "../kernel/record.ts";
import { textOf } from "./lenient-value.ts";

/** Deeper than anything a gateway sends; what is read must not be nested so that writing it again fails. */
const depthMax = 32;

/**
 * A value of which the interface document shows no form: as sent, but for what is null, blank or nested too deep, and for
 * characters that cannot be stored. Undefined when nothing is left. Doing it twice is the same as once.
 */
export function untypedValueOf(value: unknown, depth = 0): unknown {
  if (depth > depthMax) return undefined;
  if (typeof value === "string") return textOf(value) ?? undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) {
    return value.map((item) => untypedValueOf(item, depth + 1)).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const name = textOf(key);
      const read = untypedValueOf(entry, depth + 1);
      return name === null || name === "__proto__" || read === undefined ? [] : [[name, read]];
    }),
  );
}
