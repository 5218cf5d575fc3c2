import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../kernel/record.ts";
import type { FlightSegmentElement } from "./order-content.ts";

/**
 * Whether two segments say the same of a flight. Keys and names of airports, airlines and aircraft do not count, nor
 * does how a value is spelled: systems spell the same flight differently, and that is no change of the airline.
 */
export function isSameFlight(one: FlightSegmentElement, other: FlightSegmentElement): boolean {
  return isDeepStrictEqual(withoutSpelling(one), withoutSpelling(other));
}

export function areSameFlights(
  some: readonly FlightSegmentElement[],
  others: readonly FlightSegmentElement[],
): boolean {
  return some.length === others.length && some.every((segment, position) => isSameFlight(segment, others[position]!));
}

/** Members that only name what a code says. */
const named = new Set(["MarketingCarrier", "OperatingCarrier", "Equipment"]);

function withoutSpelling(value: unknown, inside = ""): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutSpelling(item));
  if (!isRecord(value)) return withoutForm(value);
  const members = Object.entries(value)
    .filter(([name]) => name !== "SegmentKey" && name !== "AirportName" && !(name === "Name" && named.has(inside)))
    .map(([name, member]) => [name, withoutSpelling(member, name)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** `07:10:00` is `07:10`, 0 is "0", and an empty text says nothing. */
function withoutForm(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  const text = String(value).trim();
  if (text === "") return undefined;
  return /^\d\d:\d\d:00$/.test(text) ? text.slice(0, 5) : text;
}
