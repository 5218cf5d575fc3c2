import type { FareComponent, OrderRecord } from "../contract/order-view.ts";

/** Cabin and booking class of one segment; several values, as of an adult and a child, joined by a slash. */
export interface SegmentFare {
  readonly cabinType: string | null;
  readonly rbd: string | null;
}

/** Cabin and booking class by segment key, from all fare components of an order. */
export function fareOfSegments(records: readonly OrderRecord[]): ReadonlyMap<string, SegmentFare> {
  const cabins = new Map<string, Set<string>>();
  const classes = new Map<string, Set<string>>();
  const keys = new Set<string>();
  for (const component of records.flatMap((record) => record.fareComponents)) {
    for (const [position, key] of component.segmentKeys.entries()) {
      keys.add(key);
      collect(cabins, key, tokenAt(component, component.cabinTypes, position));
      collect(classes, key, tokenAt(component, component.rbds, position));
    }
  }
  return new Map([...keys].map((key) => [key, { cabinType: joined(cabins.get(key)), rbd: joined(classes.get(key)) }]));
}

/** One token for each segment, or a single one for all; any other number cannot be assigned. */
function tokenAt(component: FareComponent, tokens: readonly string[], position: number): string | undefined {
  if (tokens.length === 1) return tokens[0];
  return tokens.length === component.segmentKeys.length ? tokens[position] : undefined;
}

function collect(values: Map<string, Set<string>>, key: string, value: string | undefined): void {
  if (value !== undefined) values.set(key, (values.get(key) ?? new Set()).add(value));
}

function joined(values: Set<string> | undefined): string | null {
  return values === undefined ? null : [...values].sort().join("/");
}
