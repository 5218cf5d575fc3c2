import type { FareComponent, OrderRecord, PriceClass, SegmentValues } from "../contract/order-view.ts";

/** A segment as it is listed, with what the fare says of it. */
export interface SoldSegment extends SegmentValues {
  readonly priceClass?: string | null;
}

/**
 * Adds cabin, booking class and price class of the fare components to the segments. Where they and the segment itself, or
 * two passengers, state several, they are joined by a slash: none of them is known to be wrong. Where one cannot be read,
 * nothing is known.
 */
export function withFares(
  segments: ReadonlyMap<string, SegmentValues>,
  records: readonly OrderRecord[],
  priceClasses: readonly PriceClass[],
): ReadonlyMap<string, SoldSegment> {
  const names = new Map(priceClasses.map(({ priceClassId, name, code }) => [priceClassId, name ?? code]));
  const fares = new Map([...segments].map(([key, { rbd, cabinType }]) => [key, aFare(rbd, cabinType)]));
  for (const component of records.flatMap((record) => record.fareComponents)) {
    const priceClass = names.get(component.priceClassRef ?? "");
    for (const [position, key] of component.segmentKeys.entries()) {
      const fare = fares.get(key);
      fare?.rbds.add(tokenAt(component, component.rbds, position));
      fare?.cabinTypes.add(tokenAt(component, component.cabinTypes, position));
      fare?.priceClasses.add(priceClass);
    }
  }
  return new Map([...segments].map(([key, segment]) => [key, { ...segment, ...toValues(fares.get(key)!) }]));
}

type Stated = string | null | undefined | typeof unassignable;

interface Fare {
  readonly rbds: Set<Stated>;
  readonly cabinTypes: Set<Stated>;
  readonly priceClasses: Set<Stated>;
}

function aFare(rbd: string | null | undefined, cabinType: string | null | undefined): Fare {
  return { rbds: new Set([rbd]), cabinTypes: new Set([cabinType]), priceClasses: new Set() };
}

function toValues({ rbds, cabinTypes, priceClasses }: Fare): Pick<SoldSegment, "rbd" | "cabinType" | "priceClass"> {
  return { rbd: joined(rbds), cabinType: joined(cabinTypes), priceClass: joined(priceClasses) };
}

/** One token for each segment, or a single one for all; of any other number it is not known which segment has which. */
function tokenAt(component: FareComponent, tokens: readonly string[], position: number): Stated {
  if (tokens.length <= 1) return tokens[0];
  return tokens.length === component.segmentKeys.length ? tokens[position] : unassignable;
}

const unassignable = Symbol("unassignable");

function joined(values: ReadonlySet<Stated>): string | null {
  if (values.has(unassignable)) return null;
  const stated = [...values].filter((value) => typeof value === "string");
  return stated.length === 0 ? null : stated.sort().join("/");
}
