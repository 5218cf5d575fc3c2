import { describe, expect, test } from "vitest";
import { describeOrdersToStop, isAnyToContact } from "../../../src/itinerary/order-to-stop-words.ts";

const read =
  "Only what is in brackets was recognised: read what stands there, as received, before you answer the change.";

describe("an order to stop is described", () => {
  test.each([
    ["Order.RemarkText: ring", "asks to call or contact somebody (“ring” in Order.RemarkText)"],
    [
      "Order.ContactAirline: contact airline",
      "asks to call or contact somebody (“contact airline” in Order.ContactAirline)",
    ],
  ])("as what asks for a call, which comes first: %s", (order, clause) => {
    expect(describeOrdersToStop([order])).toBe(
      `The gateway ${clause}. ${read} Phone the airline first if it asks for that.`,
    );
  });

  test.each([
    ["Order.Advice: do not", "says what not to do (“do not” in Order.Advice)"],
    ["Order.Advice: don t", "says what not to do (“don t” in Order.Advice)"],
    ["Order.Needs: wheelchair", "names somebody's need (“wheelchair” in Order.Needs)"],
    ["Order.WheelchairRequired: required", "names somebody's need (“required” in Order.WheelchairRequired)"],
    [
      "Order.Leg.Status: HX",
      "says that something is cancelled, refused, refunded or not confirmed (“HX” in Order.Leg.Status)",
    ],
    [
      "Order.Remarks: cancel",
      "says that something is cancelled, refused, refunded or not confirmed (“cancel” in Order.Remarks)",
    ],
    ["Order.State: pending", "says to wait, or that something is pending (“pending” in Order.State)"],
    ["Order.Bemerkung: bemerkung", "has a text for people (“bemerkung” in Order.Bemerkung)"],
    ["Order.Warnings: warn", "tells to do something, or warns (“warn” in Order.Warnings)"],
    ["Order.FollowUp", "tells to do something, or warns (Order.FollowUp)"],
  ])("by what was recognised of it, and where it stands: %s", (order, clause) => {
    expect(describeOrdersToStop([order])).toBe(`The gateway ${clause}. ${read}`);
  });

  test("together with the others of its kind", () => {
    expect(describeOrdersToStop(["A: do not", "B: wait", "C: do not"])).toBe(
      `The gateway says what not to do (“do not” in A, “do not” in C) and says to wait, or that something is pending (“wait” in B). ${read}`,
    );
  });

  test.each([
    [6, [], "1 more of this kind"],
    [20, [], "15 more of this kind"],
    [20, ["and 7 more"], "22 more of this kind"],
  ])("with how many others there are than the five that are named: %i, %j", (count, more, others) => {
    const orders = Array.from({ length: count }, (_, at) => `Hint${at}`);

    expect(describeOrdersToStop([...orders, ...more])).toBe(
      `The gateway tells to do something, or warns (Hint0, Hint1, Hint2, Hint3, Hint4) and states ${others}. ${read}`,
    );
  });
});

test("a call is found among other orders", () => {
  expect(isAnyToContact(["A: wait", "B: anrufen"])).toBe(true);
  expect(isAnyToContact(["A: wait", "Contact", "and 3 more"])).toBe(false);
});
