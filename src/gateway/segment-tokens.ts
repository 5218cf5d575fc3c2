import { type FareComponentElement, keysIn } from "./order-content.ts";

/**
 * The token of each segment in a value of a fare component, such as its booking classes. Null if the value has more or
 * fewer tokens than the component has segments, because none of them is certain to be that of a segment then.
 * @see interface document, "Order / offer object", FareComponent
 */
export function tokenPerSegment(component: FareComponentElement, value: unknown): ReadonlyMap<string, string> | null {
  const pairs = pairTokens(component, value);
  return pairs === null ? null : new Map(pairs);
}

/**
 * Puts other tokens, none or several, in place of each segment's own. Values without one token per segment stay as they
 * are.
 */
export function mapTokens(
  component: FareComponentElement,
  value: unknown,
  change: (segmentKey: string, token: string) => readonly string[],
): unknown {
  const pairs = pairTokens(component, value);
  return pairs === null ? value : pairs.flatMap(([segmentKey, token]) => change(segmentKey, token)).join(" ");
}

function pairTokens(component: FareComponentElement, value: unknown): readonly (readonly [string, string])[] | null {
  if (typeof value !== "string") return null;
  const tokens = keysIn(value);
  const keys = keysIn(component.SegmentRefs);
  return tokens.length === keys.length ? keys.map((key, position) => [key, tokens[position]!]) : null;
}
