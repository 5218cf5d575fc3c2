import { z } from "zod";
import { element, field } from "../element.ts";
import { currencyCode } from "./codes.ts";

const section = "Money object";

const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);

/** Read as text, so that no digit is lost. */
export const moneyAmount = field(z.union([z.number(), decimalText]), "amount", { section, reads: "decimal" });

/** For objects that carry an amount beside other members. */
export const moneyFields = {
  BookingCurrencyPrice: field(moneyAmount, "amount in the currency of the booking"),
  EquivCurrencyPrice: field(moneyAmount, "the same amount in the equivalent currency"),
};

/** Some gateways send a bare number instead. */
export const moneyObject = element("Money", section, z.strictObject(moneyFields), { bare: "BookingCurrencyPrice" });

/** `NA` is unavailable. */
const penaltyAmount = z.union([z.literal("NA"), moneyAmount]);

/** A money object of `Penalty`. */
export const penaltyMoney = element(
  "PenaltyMoney",
  section,
  z.strictObject({
    BookingCurrencyPrice: field(penaltyAmount, "amount in the currency of the booking, or NA when unavailable"),
    EquivCurrencyPrice: field(penaltyAmount, "the same amount in the equivalent currency, or NA when unavailable"),
  }),
  { bare: "BookingCurrencyPrice" },
);

export const currencyFields = {
  BookingCurrencyCode: field(currencyCode, "currency of the booking", { section }),
  EquivCurrencyCode: field(currencyCode, "equivalent currency", { section }),
};

export const exchangeRate = field(moneyAmount, "rate from the currency of the booking to the equivalent one");
