import type { z } from "zod";
import type { aLaCarteOfferItem } from "../elements/service-offers.ts";

interface ExamplePrice {
  readonly passengers: string;
  readonly segments: string;
  readonly base: number;
  readonly tax: number;
  readonly total: number;
}

/** Both currencies are the same. */
export function offerItem(offerItemId: string, price: ExamplePrice): z.infer<typeof aLaCarteOfferItem> {
  return {
    OfferItemID: offerItemId,
    Eligibility: { PassengerRefs: price.passengers, SegmentRefs: price.segments },
    Price: { Base: money(price.base), Tax: money(price.tax), Total: money(price.total) },
  };
}

function money(amount: number) {
  return { BookingCurrencyPrice: amount, EquivCurrencyPrice: amount };
}
