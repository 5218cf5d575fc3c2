import { describe, expect, test } from "vitest";
import { readDeadlines } from "../../../src/contract/read-deadlines.ts";
import type { Json } from "../../builders/order-view.ts";

const at = "2026-12-02T23:59:59Z";
const read = { purpose: "act", at: "2026-12-02T23:59:59", utcOffset: 0, consequence: "not-stated" };

describe("readDeadlines", () => {
  test("reads the limit of a follow-up action with what happens then", () => {
    const SellerFollowUpAction = {
      ActionCode: "Accept",
      ActionTimeLimitDateTime: at,
      ConsequenceOfInactionCode: "Auto-cancellation",
    };

    expect(readDeadlines({ OrderID: "O1", OfferItem: [{ SellerFollowUpAction }] })).toEqual([
      { ...read, consequence: "cancelled" },
    ]);
  });

  test.each<[string, Json]>([
    ["in the order", { ActionTimeLimit: at }],
    ["in another letter case", { action_time_limit: at }],
    ["in a list, deep below", { A: [{ B: { C: [{ D: { timeLimit: at } }] } }] }],
    ["as the value of an object", { ActionTimeLimit: { DateTime: at } }],
    ["under other names", { ResponseDeadline: at }],
    ["as a due date", { FollowUp: { DueDate: at } }],
    ["as an end", { AcceptBy: at }],
    ["as an expiry of an action", { SellerAction: { ExpiryDateTime: at } }],
  ])("reads a limit to act %s", (_, order) => {
    expect(readDeadlines(order)).toEqual([read]);
  });

  test.each(["PaymentTimeLimit", "PaymentDueDateTime", "TicketingTimeLimit", "PayBy", "LastTicketingDate"])(
    "reads %s as a limit to pay",
    (name) => {
      expect(readDeadlines({ Payments: [{ [name]: at }] })).toEqual([{ ...read, purpose: "pay" }]);
    },
  );

  test.each<[string, string, number | null]>([
    ["2026-12-02T23:59:59+05:30", "2026-12-02T23:59:59", 330],
    ["2026-12-02 23:59", "2026-12-02T23:59:00", null],
    ["2026-12-02", "2026-12-02T00:00:00", null],
    ["20261202T235959Z", "2026-12-02T23:59:59", 0],
    ["02DEC2026 23:59", "2026-12-02T23:59:00", null],
    ["1796255999000", "2026-12-02T23:59:59", 0],
  ])("reads %s with the zone that it states", (text, printed, utcOffset) => {
    expect(readDeadlines({ TimeLimit: text })).toEqual([{ ...read, at: printed, utcOffset }]);
  });

  test.each<[unknown, string]>([
    ["AUTO_CANCEL", "cancelled"],
    ["Cancelled", "cancelled"],
    ["Auto-acceptance", "accepted"],
    ["NOT CANCELLED", "unknown-code"],
    ["ZX9", "unknown-code"],
    [{ Code: "Auto-cancellation" }, "cancelled"],
    [["CNL"], "cancelled"],
    ["Order will be cancelled", "cancelled"],
    ["Stornierung", "cancelled"],
    ["XX", "cancelled"],
    ["Cancellation fee applies", "unknown-code"],
    ["", "not-stated"],
  ])("reads the consequence %j as %s", (ConsequenceOfInaction, consequence) => {
    const SellerFollowUpAction = { ActionTimeLimit: { DateTime: at }, ConsequenceOfInaction };

    expect(readDeadlines({ SellerFollowUpAction })).toEqual([{ ...read, consequence }]);
  });

  test.each<[string, Json]>([
    ["a limit of the offer that was booked", { TimeLimits: { OfferExpirationDateTime: at } }],
    ["the payment time limit, which is read by itself", { TimeLimits: { PaymentExpirationDateTime: at } }],
    ["the expiry of a document or a card", { TravelDocument: { ExpiryDate: at }, PaymentCard: { ExpirationDate: at } }],
    ["the times of flights", { Departure: { Date: at, Time: "07:10:00" }, CreatedDateTime: at }],
  ])("leaves out %s", (_, order) => {
    expect(readDeadlines(order)).toEqual([]);
  });

  test("reads a date of which day and month may be either way round as the earlier one", () => {
    expect(readDeadlines({ ActionTimeLimit: "05/12/2026 10:00" })).toEqual([
      { ...read, at: "2026-05-12T10:00:00", otherAt: "2026-12-05T10:00:00", utcOffset: null },
    ]);
  });

  test("joins a date and a time that stand beside each other", () => {
    expect(readDeadlines({ ActionTimeLimit: { Date: "2026-12-02", Time: "23:59:59Z" } })).toEqual([read]);
  });

  test("returns a limit that cannot be read as it stands", () => {
    expect(readDeadlines({ ActionTimeLimit: "soon" })).toEqual([
      { ...read, at: "", utcOffset: null, unread: "ActionTimeLimit is “soon”" },
    ]);
  });

  test.each<[string, Json]>([
    ["an attribute", { TicketingTimeLimits: { TimeLimit: { "@Timestamp": at } } }],
    ["a snake case name", { payment_status: { payment_required_by: at } }],
  ])("reads a limit to pay in %s", (_, order) => {
    expect(readDeadlines(order)).toEqual([{ ...read, purpose: "pay" }]);
  });

  test.each([null, "text", 7, [], { "": { "": null } }])("reads nothing from %j", (order) => {
    expect(readDeadlines(order)).toEqual([]);
  });
});
