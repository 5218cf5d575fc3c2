import type { z } from "zod";
import type { reshopOffer } from "../elements/offer.ts";
import { exampleFareItem, exampleOffer, inbound, money, outbound, outboundFlex } from "./offers.ts";

const before = { offerId: "172406736131131031840271", journeys: [outbound, inbound] };
const after = { offerId: "172406736131131031850399", journeys: [outboundFlex, inbound] };

/** In cents, for each type of passenger; none for the infant. */
const penalties = [7_000, 7_000, 0];

/** The outbound journey changes to a dearer brand, so each passenger owes the difference and a penalty. */
export const reshopOfferExample: z.infer<typeof reshopOffer> = {
  ...exampleOffer(after),
  ReshopDifferential: differential(
    exampleOffer(before),
    exampleOffer(after),
    penalties.reduce((sum, penalty, position) => sum + penalty * exampleFareItem(after, position).PassengerQuantity, 0),
  ),
  AddOfferItem: penalties.map((penalty, position) => {
    const oldItem = exampleFareItem(before, position);
    const newItem = exampleFareItem(after, position);
    return {
      ...newItem,
      ReshopDifferential: differential(pricesOf(oldItem), pricesOf(newItem), penalty * newItem.PassengerQuantity),
    };
  }),
};

type Prices = Pick<ReturnType<typeof exampleOffer>, "TotalPrice" | "BasePrice" | "TaxPrice">;

function pricesOf(item: ReturnType<typeof exampleFareItem>): Prices {
  const { BaseAmount, TaxAmount } = item.FareDetail?.Price ?? {};
  const times = (amount: typeof BaseAmount) =>
    money(Math.round(Number(amount?.BookingCurrencyPrice) * 100) * item.PassengerQuantity);
  return { TotalPrice: item.TotalPriceDetail.TotalAmount, BasePrice: times(BaseAmount), TaxPrice: times(TaxAmount) };
}

function differential(original: Prices, next: Prices, penalty: number) {
  const centsOf = (prices: Prices) => Math.round(Number(prices.TotalPrice.BookingCurrencyPrice) * 100);
  return {
    OriginalOrder: only(original),
    NewOffer: only(next),
    PenaltyAmount: { TotalPrice: money(penalty) },
    ReshopDue: { TotalPrice: money(centsOf(next) - centsOf(original) + penalty) },
  };
}

function only({ TotalPrice, BasePrice, TaxPrice }: Prices) {
  return { TotalPrice, BasePrice, TaxPrice };
}
