import { type MinorUnits, percentOf } from "../../travel/money.ts";
import { moneyIn } from "../booking/money-element.ts";

/** In percent, by card type. */
const creditCards = { VI: 1.5, CA: 1.5, AX: 2.4, DC: 2.4 } as const;
const debitCards = { VI: 0.5, CA: 0.5 } as const;

/** How the offer can be paid, and what each type of card costs. @see interface document, "DataLists" */
export function formsOfPayment(total: MinorUnits, currency: string) {
  const types = (cards: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(cards).map(([code, percent]) => [code, chargesOf(total, currency, percent)]));
  return {
    CC: { Allowed: "Y", Types: types(creditCards) },
    DC: { Allowed: "Y", Types: types(debitCards) },
    CASH: { Allowed: "Y", Types: {} },
    CHEQUE: { Allowed: "N", Types: {} },
    ACH: { Allowed: "N", Types: {} },
    PG: { Allowed: "N", Types: {} },
  } as const;
}

function chargesOf(total: MinorUnits, currency: string, percent: number) {
  const money = moneyIn(currency);
  return { F: money(0), P: percent, Charges: money(percentOf(total, percent)) };
}
