import { createHash } from "node:crypto";

/**
 * The card values are substitutes without meaning.
 * @param amount decimal text with all digits of the currency.
 * @see interface document, "Payments (in order views and notifications)"
 */
export function buildPayment(orderId: string, amount: string) {
  const token = createHash("sha256").update(`${orderId} card`).digest("hex").slice(0, 16);
  return {
    Type: "CARD",
    Amount: amount,
    Method: {
      PaymentCard: {
        CardCode: "VI",
        CardNumber: `card_number_${token}`,
        SeriesCode: `cvv_${token}`,
        CardHolderName: `card_holder_name_${token}`,
        EffectiveExpireDate: { Effective: "", Expiration: `exp_year_${token}` },
      },
    },
  };
}
