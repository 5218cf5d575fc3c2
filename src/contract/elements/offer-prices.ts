import { z } from "zod";
import { element, field } from "../element.ts";
import { yesNo } from "./codes.ts";
import { moneyFields, moneyObject, penaltyMoney } from "./money.ts";

const section = "Order / offer object";

/** What the agency earns. Some fare details lack the commission on carrier surcharges (YQ). */
export const commission = element(
  "Commission",
  section,
  z.strictObject({
    AgencyCommission: field(moneyObject, "commission of the agency").optional(),
    AgencyYqCommission: field(moneyObject, "commission of the agency on carrier surcharges").optional(),
  }),
);

/** What the gateway adds and takes off. May be empty in fare details. */
export const portalCharges = element(
  "PortalCharges",
  section,
  z.strictObject({
    Markup: field(moneyObject, "amount that the gateway adds").optional(),
    Surcharge: field(moneyObject, "surcharge of the gateway").optional(),
    Discount: field(moneyObject, "amount that the gateway takes off").optional(),
  }),
);

/** What the agency adds and takes off. Gateways also use the names OnflyMarkup, OnflyDiscount and OnflyHst. */
export const agentMarkupInfo = element(
  "AgentMarkupInfo",
  section,
  z.strictObject({
    AgentMarkup: field(moneyObject, "amount that the agency adds", { aliases: ["OnflyMarkup"] }).optional(),
    AgentDiscount: field(moneyObject, "amount that the agency takes off", { aliases: ["OnflyDiscount"] }).optional(),
    AgentHst: field(moneyObject, "sales tax on what the agency adds", { aliases: ["OnflyHst"] }).optional(),
    PromoDiscount: field(
      z.strictObject({
        ...moneyFields,
        PromoCode: field(z.string(), "code of the promotion; empty without one").optional(),
      }),
      "discount of a promotion",
    ).optional(),
  }),
);

export const bookingFeeInfo = element(
  "BookingFeeInfo",
  section,
  z.strictObject({
    FeeType: field(z.string(), "kind of fee, in the gateway's words").optional(),
    ...moneyFields,
  }),
  { bare: "BookingCurrencyPrice" },
);

const beforeAndAfter = z.strictObject({
  Before: field(penaltyMoney, "fee before departure").optional(),
  After: field(penaltyMoney, "fee after departure").optional(),
});

/** Fees for changing and cancelling. `NA` is unavailable. */
export const penalty = element(
  "Penalty",
  section,
  z.strictObject({
    ChangeFee: field(beforeAndAfter, "fee for changing").optional(),
    CancelationFee: field(beforeAndAfter, "fee for cancelling").optional(),
  }),
);

/** Whether and how points are earned or spent. */
export const rewardSettings = element(
  "RewardSettings",
  section,
  z.strictObject({
    RewardAvailable: field(yesNo, "whether points are available").optional(),
    PointTypes: field(z.array(z.unknown()), "kinds of points; may be empty").optional(),
    PointValues: field(z.record(z.string(), z.unknown()), "values of points; may be empty").optional(),
  }),
);

export const tax = element(
  "Tax",
  section,
  z.strictObject({ TaxCode: field(z.string().min(1), "code of the tax"), ...moneyFields }),
);

/** Before or after a change. */
const priceTriple = z.strictObject({
  TotalPrice: field(moneyObject, "base and taxes"),
  BasePrice: field(moneyObject, "fare without taxes").optional(),
  TaxPrice: field(moneyObject, "taxes").optional(),
});

/** What an exchange costs. `ReshopDue` may be negative, or a cent off zero by rounding if nothing changed. */
export const reshopDifferential = element(
  "ReshopDifferential",
  section,
  z.strictObject({
    OriginalOrder: field(priceTriple, "price of the order as it is"),
    NewOffer: field(priceTriple, "price of the new offer"),
    PenaltyAmount: field(
      z.strictObject({ TotalPrice: field(moneyObject, "penalty for the exchange") }),
      "what the airline charges for changing",
    ).optional(),
    ReshopDue: field(
      z.strictObject({ TotalPrice: field(moneyObject, "amount to be paid; paid back when negative") }),
      "what remains to be paid",
    ),
  }),
);
