import { z } from "zod";
import { element, field } from "../element.ts";
import { reference, yesNo } from "./codes.ts";
import { moneyAmount, moneyObject } from "./money.ts";

const section = "DataLists";

const cardType = element(
  "CardTypeCharges",
  section,
  z.strictObject({
    F: field(moneyObject, "fixed charge"),
    P: field(moneyAmount, "percentage"),
    Charges: field(moneyObject, "charge for this offer").optional(),
  }),
);

/** `Types` is keyed by the code of a card type. */
const cardPayment = element(
  "CardPaymentForm",
  section,
  z.strictObject({
    Allowed: field(yesNo, "whether it may be used"),
    Types: field(z.record(z.string(), cardType), "by card-type code, such as VI"),
  }),
);

const otherPayment = element(
  "OtherPaymentForm",
  section,
  z.strictObject({
    Allowed: field(yesNo, "whether it may be used"),
    Types: field(z.union([z.strictObject({}), z.array(z.never())]), "empty"),
  }),
);

/** One element of `FopList`. */
const formsOfPayment = element(
  "FormsOfPayment",
  section,
  z.strictObject({
    CC: field(cardPayment, "credit card"),
    DC: field(cardPayment, "debit card"),
    CASH: field(otherPayment, "cash"),
    CHEQUE: field(otherPayment, "cheque"),
    ACH: field(otherPayment, "bank transfer through a clearing house"),
    PG: field(otherPayment, "payment gateway"),
    FopKey: field(reference, "key that FopRef names"),
  }),
);

export const fopList = field(z.array(formsOfPayment), "forms of payment", { section });
