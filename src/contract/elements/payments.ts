import { z } from "zod";
import { element, field } from "../element.ts";

const section = "Payments (in order views and notifications)";

/** A card number: 13 to 19 digits in any grouping. It is refused, and not repeated in the error. */
const cardSubstitute = z.string().refine((value) => !/^\d{13,19}$/.test(value.replace(/[\s-]/g, "")), {
  error: "This looks like a real card number. Only opaque substitutes may be sent.",
});

/** Card number, security code and holder name are substitutes without meaning. */
const paymentCard = element(
  "PaymentCard",
  section,
  z.strictObject({
    CardCode: field(z.string(), "code of the card type, such as VI"),
    CardNumber: field(cardSubstitute, "opaque substitute of the card number"),
    SeriesCode: field(cardSubstitute, "opaque substitute of the security code"),
    CardHolderName: field(cardSubstitute, "opaque substitute of the holder name"),
    EffectiveExpireDate: field(
      z.strictObject({
        Effective: field(z.string(), "may be empty"),
        Expiration: field(z.string(), "opaque substitute; may be empty"),
      }),
      "validity of the card",
    ),
  }),
);

export const payment = element(
  "Payment",
  section,
  z.strictObject({
    Type: field(z.string(), "CARD and CHECK occur"),
    PassengerID: field(z.string(), "whom it is for; ALL occurs").optional(),
    Amount: field(z.union([z.string().regex(/^-?\d+(\.\d+)?$/), z.number()]), "amount paid", { reads: "decimal" }),
    ChequeNumber: field(z.string(), "cheque payments only").optional(),
    Method: field(z.strictObject({ PaymentCard: field(paymentCard, "the card") }), "card payments only").optional(),
  }),
);

export const payments = element(
  "Payments",
  section,
  z.strictObject({ Payment: field(z.array(payment), "one entry for each payment") }),
);
