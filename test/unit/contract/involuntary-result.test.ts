import { describe, expect, test } from "vitest";
import { involuntaryAcceptResult, involuntaryCancelResult } from "../../../src/contract/elements/results.ts";
import { readInvoluntaryResults } from "../../../src/contract/involuntary-result.ts";
import { aCancelResponse } from "../../builders/order-view-operations.ts";

const root = "OrderInvoluntaryCancelRS";
const result = {
  OrderID: "QX7R2M1A",
  GdsBookingReference: ["LHSKD1"],
  ErrorMsg: "",
  Status: "SUCCESS",
};
const refund = {
  RefundAmount: 486.66,
  RefundText: "Full refund",
  RefundPaxWiseFare: [{ TicketNumber: "2202100000001", Amount: 486.66 }],
};

describe("a refund", () => {
  test.each([
    [486.66, "486.66"],
    ["486.60", "486.60"],
    ["12345678901234567.89", "12345678901234567.89"],
    [0, "0"],
    [1e-7, "0.0000001"],
    ["NA", null],
    ["", null],
    [null, null],
    [true, null],
  ])("of %j is %j: its digits stay as sent", (sent, refundAmount) => {
    const amount = { RefundAmount: sent, RefundPaxWiseFare: [{ TicketNumber: "2202100000001", Amount: sent }] };

    expect(readInvoluntaryResults(aCancelResponse([amount]), root)).toMatchObject({
      ok: true,
      result: [{ refundAmount, refundPaxWiseFare: [{ ticketNumber: "2202100000001", amount: refundAmount }] }],
    });
  });
});

describe("an involuntary result that is served", () => {
  test("is the order, its references and the status; a cancelled one also carries the refund", () => {
    expect(involuntaryAcceptResult.safeParse(result).error).toBeUndefined();
    expect(involuntaryCancelResult.safeParse({ ...result, ...refund }).error).toBeUndefined();
    expect(
      involuntaryCancelResult.safeParse({ ...result, Status: "FAILED", ErrorMsg: "too late" }).error,
    ).toBeUndefined();
  });

  test.each<[string, object]>([
    ["a refund as text", { ...refund, RefundAmount: "486.66" }],
    ["a status that is not documented", { Status: "PENDING" }],
    ["no reference", { GdsBookingReference: [] }],
    ["its reference as text", { GdsBookingReference: "LHSKD1" }],
    ["a key nobody knows", { RefundCurrency: "EUR" }],
    ["a refund of a ticket without its number", { RefundPaxWiseFare: [{ Amount: 1 }] }],
  ])("never has %s", (_, members) => {
    expect(involuntaryCancelResult.safeParse({ ...result, ...members }).success).toBe(false);
  });

  test("has no refund when it was accepted", () => {
    expect(involuntaryAcceptResult.safeParse({ ...result, ...refund }).success).toBe(false);
  });
});
