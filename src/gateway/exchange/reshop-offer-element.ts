import type { MinorUnits } from "../../travel/money.ts";
import { moneyIn } from "../booking/money-element.ts";
import type { offerElement } from "../shopping/offer-element.ts";
import type { ExchangeFee } from "../supply/extras.ts";
import type { Offer } from "../supply/offer.ts";
import { type Price, passengerPrice } from "../supply/offer-price.ts";
import type { PaidFares } from "./paid-fares.ts";

/**
 * Renders what the exchange costs, in total and by type of passenger: the new price less the old one, plus the fees. A
 * negative amount is paid back. Without a stated fee there is no `PenaltyAmount`.
 * @see interface document, "Order / offer object", ReshopDifferential
 */
export function reshopOfferElement(
  element: ReturnType<typeof offerElement>,
  offer: Offer,
  { paid }: PaidFares,
  fees: readonly ExchangeFee[],
) {
  const items = offer.fares.map((fare) => {
    const before = paid.find(({ ptc }) => ptc === fare.ptc)!;
    const fee = fees.find(({ ptc }) => ptc === fare.ptc)?.fee ?? null;
    return {
      original: times({ ...before, total: before.base + before.tax }, fare.quantity),
      next: times(passengerPrice(fare), fare.quantity),
      fee: fee === null ? null : fee * fare.quantity,
    };
  });
  const whole = {
    original: items.map(({ original }) => original).reduce(plus),
    next: items.map(({ next }) => next).reduce(plus),
    fee: items.map(({ fee }) => fee).reduce((sum, fee) => (sum === null || fee === null ? null : sum + fee)),
  };
  return {
    ...element,
    ReshopDifferential: differential(whole, offer.currency),
    AddOfferItem: element.OfferItem.map((item, position) => ({
      ...item,
      ReshopDifferential: differential(items[position]!, offer.currency),
    })),
  };
}

interface Difference {
  readonly original: Price;
  readonly next: Price;
  readonly fee: MinorUnits | null;
}

function differential({ original, next, fee }: Difference, currency: string) {
  const money = moneyIn(currency);
  const prices = ({ base, tax, total }: Price) => ({
    TotalPrice: money(total),
    BasePrice: money(base),
    TaxPrice: money(tax),
  });
  return {
    OriginalOrder: prices(original),
    NewOffer: prices(next),
    ...(fee === null ? {} : { PenaltyAmount: { TotalPrice: money(fee) } }),
    ReshopDue: { TotalPrice: money(next.total - original.total + (fee ?? 0)) },
  };
}

function times({ base, tax, total }: Price, quantity: number): Price {
  return { base: base * quantity, tax: tax * quantity, total: total * quantity };
}

function plus(one: Price, other: Price): Price {
  return { base: one.base + other.base, tax: one.tax + other.tax, total: one.total + other.total };
}
