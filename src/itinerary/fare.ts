import type { FareComponent, OrderRecord, PriceClass, SegmentValues } from "../contract/order-view.ts";
import { extend } from "../kernel/extend.ts";
import type { UnreadValues } from "./itinerary.ts";

export interface SoldSegment extends SegmentValues {
  readonly priceClass?: string | null;
  readonly unread?: UnreadValues;
}

/**
 * Adds cabin, booking class and price class of the fare components to the segments. Different values, of the segment
 * and the fare or of two passengers, are joined by a slash: none is known to be wrong. If one is unreadable, or may
 * belong to any segment, the value is unknown.
 */
export function withFares(
  segments: ReadonlyMap<string, SegmentValues>,
  records: readonly OrderRecord[],
  priceClasses: readonly PriceClass[],
): ReadonlyMap<string, SoldSegment> {
  const names = new Map(priceClasses.map(({ priceClassId, name, code }) => [priceClassId, name ?? code]));
  const fares = new Map([...segments].map(([key, { rbd, cabinType }]) => [key, fareOf(rbd, cabinType)]));
  for (const component of records.flatMap((record) => record.fareComponents)) {
    const rbds = tokensPerSegment(component.rbds, component.segmentKeys.length);
    const cabinTypes = tokensPerSegment(component.cabinTypes, component.segmentKeys.length);
    for (const [position, key] of component.segmentKeys.entries()) {
      const fare = fares.get(key);
      if (fare === undefined) continue;
      addToken(fare.rbd, rbds, position);
      addToken(fare.cabinType, cabinTypes, position);
      addPriceClass(fare.priceClass, component.priceClassRef, names);
    }
  }
  const components = records.flatMap(({ fareComponents }) => unassignedComponents(fareComponents, fares));
  const unassigned: UnassignedTexts = {
    rbd: new Set(components.flatMap(({ rbds }) => rbds ?? ["?"])),
    cabinType: new Set(components.flatMap(({ cabinTypes }) => cabinTypes ?? ["?"])),
    priceClass: new Set(
      components.flatMap(({ priceClassRef }) =>
        priceClassRef === null ? [] : (names.get(priceClassRef) ?? priceClassRef),
      ),
    ),
  };
  return new Map([...segments].map(([key, segment]) => [key, extend(segment, toValues(fares.get(key)!, unassigned))]));
}

interface Stated {
  readonly read: Set<string>;
  readonly unread: Set<string>;
}

const aspects = ["rbd", "cabinType", "priceClass"] as const;
type Aspect = (typeof aspects)[number];
type Fare = Readonly<Record<Aspect, Stated>>;
type UnassignedTexts = Readonly<Record<Aspect, ReadonlySet<string>>>;

function fareOf(rbd?: string | null, cabinType?: string | null): Fare {
  const stated = (own?: string | null) => ({ read: new Set(own == null ? [] : [own]), unread: new Set<string>() });
  return { rbd: stated(rbd), cabinType: stated(cabinType), priceClass: stated() };
}

/** Returns one token per segment, or the same for all; null if the assignment is unknown. */
function tokensPerSegment(tokens: readonly string[] | null, count: number): readonly string[] | null {
  if (tokens === null || tokens.length === 0 || tokens.length === count) return tokens;
  return new Set(tokens).size === 1 ? Array<string>(count).fill(tokens[0]!) : null;
}

function addToken(stated: Stated, tokens: readonly string[] | null, position: number): void {
  const token = tokens === null ? null : tokens[position];
  if (token === null) stated.unread.add("?");
  else if (token !== undefined) stated.read.add(token);
}

/** A listed price class without name and code is ignored; of an unlisted one only the key is known. */
function addPriceClass(stated: Stated, reference: string | null, names: ReadonlyMap<string, string | null>): void {
  if (reference === null) return;
  const name = names.get(reference);
  if (name === undefined) stated.unread.add(reference);
  else if (name !== null) stated.read.add(name);
}

/**
 * Returns the fare components without listed segments, which may belong to any flight. Omits one with unlisted segments
 * if the other components of its offer item cover all listed ones: its segments are flown.
 */
function unassignedComponents(components: readonly FareComponent[], listed: ReadonlyMap<string, unknown>) {
  const laid = new Map<number, Set<string>>();
  for (const { offerItem, segmentKeys } of components) {
    const keys = laid.get(offerItem) ?? new Set();
    laid.set(offerItem, keys);
    for (const key of segmentKeys) if (listed.has(key)) keys.add(key);
  }
  return components.filter(({ offerItem, segmentKeys }) => {
    const isFlown = segmentKeys.length > 0 && laid.get(offerItem)!.size === listed.size;
    return !isFlown && !segmentKeys.some((key) => listed.has(key));
  });
}

/** An unassigned text adds nothing to a flight that states the same itself. */
function toValues(fare: Fare, unassigned: UnassignedTexts): Pick<SoldSegment, Aspect | "unread"> {
  const values: Record<Aspect, string | null> = { rbd: null, cabinType: null, priceClass: null };
  const unread: Partial<Record<Aspect, string>> = {};
  for (const aspect of aspects) {
    const { read, unread: own } = fare[aspect];
    const isUnassigned = !isWithin(unassigned[aspect], read);
    if (isUnassigned) unread[aspect] = "?";
    else if (own.size > 0) unread[aspect] = joined(new Set([...read, ...own]));
    values[aspect] = isUnassigned || own.size > 0 || read.size === 0 ? null : joined(read);
  }
  return { rbd: values.rbd, cabinType: values.cabinType, priceClass: values.priceClass, unread };
}

function isWithin(texts: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (texts.size > others.size) return false;
  return [...texts].every((text) => others.has(text));
}

function joined(texts: ReadonlySet<string>): string {
  return [...texts].sort().join("/");
}
