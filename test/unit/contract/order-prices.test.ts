import { describe, expect, test } from "vitest";
import { orderView } from "../../../src/contract/elements/order.ts";
import { airDocRetreive } from "../../../src/contract/operations/air-doc-retreive.ts";
import type { OrderRecord } from "../../../src/contract/order-view.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { anOrderView, type Json } from "../../builders/order-view.ts";

function orderWith(order: Json): OrderRecord {
  const read = readOrderView(anOrderView({ order }));
  if (!read.ok) throw new Error(read.problem.message);
  return read.view.orders[0]!;
}

describe("the total price of an order", () => {
  test.each([
    ["a number", { BookingCurrencyPrice: 486.66 }, "486.66"],
    ["text, with its zeros", { BookingCurrencyPrice: "486.60" }, "486.60"],
    ["a bare number", 57.581132, "57.581132"],
    ["a number in scientific notation", { BookingCurrencyPrice: 1e21 }, "1000000000000000000000"],
    ["a tiny number", { BookingCurrencyPrice: 1e-7 }, "0.0000001"],
    ["a key in another letter case", { bookingcurrencyprice: "1.5e2" }, "150"],
  ])("is read from %s", (_, TotalPrice, amount) => {
    expect(orderWith({ TotalPrice, BookingCurrencyCode: "eur" }).totalPrice).toEqual({
      known: true,
      value: { amount, currency: "EUR" },
    });
  });

  test("is unknown when it is missing or no amount", () => {
    expect(orderWith({}).totalPrice).toEqual({ known: false, reason: "missing-total-price" });
    expect(orderWith({ TotalPrice: { BookingCurrencyPrice: "NA" } }).totalPrice).toEqual({
      known: false,
      reason: "unavailable-total-price",
    });
  });
});

describe("the cancellation fee of an order", () => {
  const feeOf = (Before: unknown) => orderWith({ Penalty: { CancelationFee: { Before } } }).cancellationFee;

  test("is what cancelling costs before departure", () => {
    expect(feeOf({ BookingCurrencyPrice: 70 })).toEqual({ known: true, value: { amount: "70", currency: null } });
  });

  test("is unknown when it is NA", () => {
    expect(feeOf({ BookingCurrencyPrice: "NA" })).toEqual({ known: false, reason: "unavailable-cancellation-fee" });
  });
});

describe("an order is refundable", () => {
  const refundable = (...values: unknown[]) =>
    orderWith({ OfferItem: values.map((Refundable) => ({ Refundable, FareComponent: [] })) }).refundable;

  test.each([[true], ["true"], ["1"]])("when its fare says %j", (value) => {
    expect(refundable(value)).toEqual({ known: true, value: true });
  });

  test.each([[false], ["false"], ["0"]])("not when its fare says %j", (value) => {
    expect(refundable(value)).toEqual({ known: true, value: false });
  });

  test("or not, which is unknown when fares differ or one says nothing", () => {
    expect(refundable("true", "false")).toEqual({ known: false, reason: "mixed-refundability" });
    expect(refundable("true", "")).toEqual({ known: false, reason: "missing-refundable" });
  });

  test("whatever stands on its services", () => {
    const service = { OfferItemID: "SRV-OfferItem-1", Status: "FAILED", Price: { Total: 38.6862 } };
    const order = orderWith({ OfferItem: [{ Refundable: true, FareComponent: [] }, service] });

    expect(order.refundable).toEqual({ known: true, value: true });
    expect(order.services).toEqual([
      { serviceDefinitionRef: null, passengerRefs: [], segmentKeys: [], status: "FAILED" },
    ]);
  });
});

test("the payment time limit of an order may have a blank between date and time", () => {
  const limitOf = (text: string) => orderWith({ TimeLimits: { PaymentExpirationDateTime: text } }).paymentTimeLimit;

  expect(limitOf("2027-03-01 17:30:00")).toEqual({ known: true, value: "2027-03-01T17:30:00" });
  expect(limitOf("2027-03-01T17:30:00")).toEqual({ known: true, value: "2027-03-01T17:30:00" });
  expect(limitOf("2027-03-01")).toEqual({ known: false, reason: "missing-payment-time-limit" });
});

test("ticket documents are read with their numbers, beside the lists or among them", () => {
  const document = { TicketDocument: { TicketDocNbr: 2202100000001, Type: "tkt" }, PassengerReference: "T1" };
  const expected = [
    { ticketNumber: "2202100000001", type: "TKT", passengerReference: "T1", gdsBookingReference: null },
  ];
  const beside = anOrderView({ view: { TicketDocInfos: { TicketDocInfo: document } } });
  const among = anOrderView({ ticketed: false, dataLists: { TicketDocInfos: { TicketDocInfo: [document] } } });

  expect(airDocRetreive.interpret(beside)).toMatchObject({ ok: true, result: { documents: expected } });
  expect(airDocRetreive.interpret(among.OrderViewRS)).toMatchObject({ ok: true, result: { documents: expected } });
});

test.each([["4111 1111 1111 1111"], ["4111111111111111"], ["4222222222222"]])(
  "an order view that holds the card number %s is not sent",
  (CardNumber) => {
    const card = { CardCode: "VI", CardNumber, SeriesCode: "cvv_1", CardHolderName: "holder_1" };
    const validity = { EffectiveExpireDate: { Effective: "", Expiration: "" } };
    const Payments = { Payment: [{ Type: "CARD", Amount: "1.00", Method: { PaymentCard: { ...card, ...validity } } }] };
    const paid = { ...anOrderView().OrderViewRS, Payments };

    const issues = orderView.safeParse(paid).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toEqual(["Payments.Payment.0.Method.PaymentCard.CardNumber"]);
    expect(JSON.stringify(issues)).not.toContain(CardNumber);
  },
);
