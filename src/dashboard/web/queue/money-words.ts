import { counted } from "../../../kernel/counted.ts";
import { formatMoney } from "../../../travel/money.ts";

interface Money {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
}

// Made once: a list has many rows.
const rounded = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** `USD 1,413`, where there is little room. */
export function formatRoundly({ amount, currency }: Money): string {
  return `${currency} ${rounded.format(Number(amount))}`;
}

/** `3 travellers, order value USD 1412.50` */
export function describeWorth(passengerCount: number | null, value: Money | null): string {
  const who = passengerCount === null ? "Number of travellers not known" : counted(passengerCount, "traveller");
  return `${who}, order value ${value === null ? "not known" : formatMoney(value.amount, value.currency)}`;
}
