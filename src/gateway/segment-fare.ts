import { keysIn, type OfferItemElement, type OrderContent, type OrderElement } from "./order-content.ts";
import type { ChangedSegment, SegmentFare } from "./ports.ts";

/** Returns the fare of the first fare component that names the segment. */
export function fareOfSegment(content: OrderContent, segmentKey: string): SegmentFare {
  for (const component of content.Order.flatMap((order) => order.OfferItem).flatMap(
    (item) => item.FareComponent ?? [],
  )) {
    const keys = keysIn(component.SegmentRefs);
    const position = keys.indexOf(segmentKey);
    if (position === -1) continue;
    const token = (value: unknown): string | null => {
      const tokens = tokensOf(value);
      return tokens?.length === keys.length ? (tokens[position] ?? null) : null;
    };
    return { rbd: token(component.FareBasis?.RBD), cabin: token(component.FareBasis?.CabinType) };
  }
  return { rbd: null, cabin: null };
}

/**
 * Replaces booking classes and cabins of changed segments in the fare components, which have one token per segment.
 * @param appliesTo the booking references whose fares change.
 * @see interface document, "Order / offer object", FareComponent
 */
export function withNewFares(
  content: OrderContent,
  changed: readonly ChangedSegment[],
  appliesTo: (gdsBookingReference: string) => boolean,
): OrderContent {
  const fares = new Map(changed.flatMap(({ segmentKey, fare }) => (fare ? [[segmentKey, fare] as const] : [])));
  if (fares.size === 0) return content;
  return {
    ...content,
    Order: content.Order.map(
      (order): OrderElement =>
        appliesTo(order.GdsBookingReference)
          ? { ...order, OfferItem: order.OfferItem.map((item) => renewFares(item, fares)) }
          : order,
    ),
  };
}

function renewFares(item: OfferItemElement, fares: ReadonlyMap<string, SegmentFare>): OfferItemElement {
  if (item.FareComponent === undefined) return item;
  return {
    ...item,
    FareComponent: item.FareComponent.map((component) => {
      const { FareBasis } = component;
      if (!FareBasis) return component;
      const keys = keysIn(component.SegmentRefs);
      const renewed = (value: unknown, name: keyof SegmentFare): unknown => {
        const tokens = tokensOf(value);
        if (tokens?.length !== keys.length) return value;
        return tokens.map((token, position) => fares.get(keys[position]!)?.[name] ?? token).join(" ");
      };
      const members = Object.entries({ RBD: "rbd", CabinType: "cabin" } as const)
        .filter(([member]) => member in FareBasis)
        .map(([member, name]) => [member, renewed(FareBasis[member], name)]);
      return { ...component, FareBasis: { ...FareBasis, ...Object.fromEntries(members) } };
    }),
  };
}

function tokensOf(value: unknown): readonly string[] | null {
  return typeof value === "string" ? keysIn(value) : null;
}
