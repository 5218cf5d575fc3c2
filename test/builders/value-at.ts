/**
 * A copy of a body with one value replaced: `withValueAt(body, "AirSeatMapRS/SeatMap/0/Deck", "Upper")`. `undefined`
 * removes the key.
 */
export function withValueAt<Body>(body: Body, path: string, value: unknown): Body {
  const copy = structuredClone(body);
  const keys = path.split("/");
  const last = keys.pop()!;
  const holder = keys.reduce((place: unknown, key) => (place as Record<string, unknown>)[key], copy) as Record<
    string,
    unknown
  >;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
