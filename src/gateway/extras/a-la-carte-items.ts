import { moneyIn } from "../booking/money-element.ts";
import type { ExtraPrice } from "../supply/extras.ts";

/** A price, with the passengers and segment that it is for. */
export interface PricedEligibility {
  readonly passengerIds: readonly string[];
  readonly segmentKey: string;
  readonly price: ExtraPrice;
}

/**
 * Collects the elements of `ALaCarteOfferItem`. Equal prices for the same passengers on the same segment share an item.
 * @see interface document, "Service and seat offers"
 */
export interface ALaCarteItems {
  /** Returns the key of its item. */
  add(eligibility: PricedEligibility): string;
  /** Returns the items in the order of their keys. */
  elements(): ReturnType<typeof itemElement>[];
}

/** @param prefix of the keys, such as `SeatItem`; numbers from 1 follow. */
export function createALaCarteItems(prefix: string, currency: string): ALaCarteItems {
  const money = moneyIn(currency);
  const items = new Map<string, ReturnType<typeof itemElement>>();
  return {
    add(eligibility) {
      const { passengerIds, segmentKey, price } = eligibility;
      const content = [segmentKey, price.base, price.tax, ...passengerIds].join(" ");
      const item = items.get(content) ?? itemElement(`${prefix}${items.size + 1}`, eligibility, money);
      items.set(content, item);
      return item.OfferItemID;
    },
    elements: () => [...items.values()],
  };
}

function itemElement(
  key: string,
  { passengerIds, segmentKey, price }: PricedEligibility,
  money: ReturnType<typeof moneyIn>,
) {
  return {
    OfferItemID: key,
    Eligibility: { PassengerRefs: passengerIds.join(" "), SegmentRefs: segmentKey },
    Price: { Base: money(price.base), Tax: money(price.tax), Total: money(price.base + price.tax) },
  };
}
