import { keysIn, type OfferItemElement, type OrderContent, type OrderElement } from "./order-content.ts";
import type { ChangedSegment, SegmentFare } from "./ports.ts";
import { mapTokens, tokenPerSegment } from "./segment-tokens.ts";

/** Returns the fare of the first fare component that names the segment. */
export function fareOfSegment(orders: readonly OrderElement[], segmentKey: string): SegmentFare {
  const component = orders
    .flatMap((order) => order.OfferItem)
    .flatMap((item) => item.FareComponent ?? [])
    .find(({ SegmentRefs }) => keysIn(SegmentRefs).includes(segmentKey));
  if (component === undefined) return { rbd: null, cabin: null };
  const tokenOf = (value: unknown): string | null => tokenPerSegment(component, value)?.get(segmentKey) ?? null;
  return { rbd: tokenOf(component.FareBasis?.["RBD"]), cabin: tokenOf(component.FareBasis?.["CabinType"]) };
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
      const renewed = (value: unknown, name: keyof SegmentFare): unknown =>
        mapTokens(component, value, (segmentKey, token) => [fares.get(segmentKey)?.[name] ?? token]);
      const members = Object.entries({ RBD: "rbd", CabinType: "cabin" } as const)
        .filter(([member]) => member in FareBasis)
        .map(([member, name]) => [member, renewed(FareBasis[member], name)]);
      return { ...component, FareBasis: { ...FareBasis, ...Object.fromEntries(members) } };
    }),
  };
}
