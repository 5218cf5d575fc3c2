import { member, memberAt, textOf } from "../../contract/lenient-value.ts";
import { type MinorUnits, minorDigitsOf, toMinorUnits } from "../../travel/money.ts";
import { OperationRefusal } from "../operation.ts";
import { keysIn, type OfferItemElement, type OrderElement } from "../order-content.ts";
import type { GatewayOrder } from "../ports.ts";
import type { Exchange } from "../supply/extras.ts";
import type { ExchangedPassenger } from "./find-exchanged-order.ts";

export type PaidFares = Pick<Exchange, "paid" | "changeFee">;

/**
 * Returns what one passenger of each type paid over all booking references, and the fee for a change before departure.
 * @throws OperationRefusal 15 if the order was paid in another currency, 31 if its fares are unreadable
 */
export function paidFares(order: GatewayOrder, passengers: readonly ExchangedPassenger[], currency: string): PaidFares {
  const elements = order.content.Order;
  if (elements.some((element) => element.BookingCurrencyCode !== currency)) {
    const message = `Order ${order.orderId} was not paid in ${currency}. Search in the currency of the order.`;
    throw new OperationRefusal("gateway.currency_of_another_order", message, { httpStatus: 400, gatewayCode: "15" });
  }
  const firstOfType = [...new Map(passengers.toReversed().map((one) => [one.ptc, one])).values()];
  return {
    paid: firstOfType.map(({ ptc, bookedId }) => ({ ptc, ...fareOf(order, bookedId, minorDigitsOf(currency)) })),
    changeFee: changeFeeOf(elements, minorDigitsOf(currency)),
  };
}

function fareOf(order: GatewayOrder, bookedId: string, minorDigits: number) {
  const items = order.content.Order.flatMap((element) => element.OfferItem).filter((item) =>
    keysIn(item.FareDetail?.PassengerRefs).includes(bookedId),
  );
  const fares = items.map((item) => readFare(item, minorDigits)).filter((fare) => fare !== null);
  if (fares.length === 0 || fares.length < items.length) {
    const message = `The fares of order ${order.orderId} cannot be read, so no exchange can be priced.`;
    throw new OperationRefusal("gateway.fares_not_readable", message, { httpStatus: 400, gatewayCode: "31" });
  }
  const sumOf = (part: "base" | "tax") => fares.reduce((sum, fare) => sum + fare[part], 0);
  return { base: sumOf("base"), tax: sumOf("tax") };
}

function readFare(item: OfferItemElement, minorDigits: number) {
  const amount = (name: string) =>
    toMinorUnits(memberAt(item.FareDetail, "Price", name, "BookingCurrencyPrice"), minorDigits);
  const [total, tax] = [amount("TotalAmount"), amount("TaxAmount")];
  return total === null || tax === null ? null : { base: total - tax, tax };
}

/** The sum over all bookings; null if one states no fee. */
function changeFeeOf(elements: readonly OrderElement[], minorDigits: number): MinorUnits | null {
  const fees = elements.map((element) => {
    const before = memberAt(element["Penalty"], "ChangeFee", "Before");
    return toMinorUnits(textOf(member(before, "BookingCurrencyPrice")), minorDigits);
  });
  return fees.reduce((sum, fee) => (sum === null || fee === null ? null : sum + fee), 0 as MinorUnits | null);
}
