import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import type { UnreadStatement } from "../../../src/contract/unread-members.ts";
import { aMinorDelay, type Json } from "../../builders/order-view.ts";

function statementsIn(order: Json): readonly UnreadStatement[] {
  const reading = readOrderView(aMinorDelay({ order }));
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view.unread.statements;
}

function classesIn(order: Json): readonly string[] {
  return statementsIn(order).map((statement) => statement.class);
}

/** A value in so many objects that nobody knows. */
function nested(depth: number, value: unknown): unknown {
  let inner = value;
  for (let level = 0; level < depth; level += 1) inner = level % 2 === 0 ? { Extension: inner } : [inner];
  return inner;
}

const stops: readonly (readonly [string, unknown])[] = [
  ["SellerFollowUpAction", { ActionCode: "ContactAirline" }],
  ["follow_up", "Y"],
  ["reshopRequired", true],
  ["Warnings", [{ Text: "Ticket not in sync" }]],
  ["errors", 3],
  ["PnrRemarks", ["CALL AIRLINE"]],
  ["OSI", ["LH PAX IS DEAF"]],
  ["Requests", [{ Ssr: { Code: "WCHC" } }]],
  ["Disability", "BLIND"],
  ["MEDICAL-CASE", "1"],
  ["noShow", "true"],
  ["ChangeType", "VOLUNTARY"],
  ["waitlisted", 1],
  ["OnHold", "Y"],
  ["cancelledAt", "2027-03-01T10:00:00Z"],
  ["refused", true],
  ["SegmentStatus", "HX"],
  ["Segments", [{ Status: { Value: "UN1" } }]],
  ["adviceCode", "UC"],
  ["Status", "NO"],
  ["CouponInfo", [{ CouponStatus: "F" }]],
  ["Kommentar", "Bitte beim Kunden anrufen"],
  ["Info", "DO NOT ACCEPT"],
  ["state", "Suspended"],
];

describe.each([0, 1, 5, 29, 60, 400])("at a depth of %i", (depth) => {
  test.each(stops)("%s: %j is an order to stop", (name, value) => {
    expect(classesIn({ Beside: nested(depth, { [name]: value }) })).toContain("stop");
  });
});

test.each<[string, unknown]>([
  ["Warnings", "none"],
  ["Errors", 0],
  ["NoShow", "N"],
  ["NoShow", false],
  ["SegmentStatus", "HK"],
  ["SegmentStatus", "TK"],
  ["SegmentStatus", "KK1"],
  ["SegmentStatus", "KL"],
  ["SegmentStatus", "SC"],
  ["Cancelable", true],
  ["CancellationPolicy", "FLEX"],
  ["RefundAmount", "120.00"],
  ["CancellationFee", 45],
  ["involuntary", true],
  ["StopQuantity", 1],
  ["HouseholdId", "A1B2C3D4"],
  ["MessageId", "9f1c7a52-8f0e-4b51-9a57-1df0b9e0f6aa"],
  ["Contact", "desk"],
])("%s: %j is no order to stop", (name, value) => {
  expect(classesIn({ [name]: value })).not.toContain("stop");
});

test.each<[string, unknown, string]>([
  ["TraceId", "9f1c7a52-8f0e-4b51-9a57-1df0b9e0f6aa", "other"],
  ["Ledger", "20270314000017", "other"],
  ["Folio", "K7X2M9QP", "other"],
  ["Weight", "23 KG", "other"],
  ["Total", 12.5, "other"],
  ["Made", "2027-05-05T10:00:00Z", "other"],
  ["Page", "https://example.com/a?b=1", "other"],
  ["Desk", "desk@example.com", "other"],
  ["Length", "PT2H50M", "other"],
  ["ReferenceId", "ABCDEF", "other"],
  ["Channel", "WEB", "code"],
  ["Loyal", true, "code"],
  ["Loyal", "Y", "code"],
  ["StatusCode", 7, "code"],
  ["Colour", "light blue", "code"],
])("%s: %j has the class of its shape", (name, value, expected) => {
  expect(classesIn({ [name]: value })).toEqual([expected]);
});

test.each([{}, [], null, "", "  ", [null, {}, [""]]])("%j states nothing", (value) => {
  expect(statementsIn({ Warnings: value })).toEqual([]);
});

test("keeps values of any length apart, in 200 characters", () => {
  const [one, other] = ["a", "b"].map((end) => statementsIn({ Story: `${"tale ".repeat(200)}${end}` })[0]?.value);

  expect(one).toHaveLength(200);
  expect(other).toHaveLength(200);
  expect(one).not.toBe(other);
});

test("reads a member of a hundred thousand levels", () => {
  const deep = nested(100_000, { Status: "HX" });

  expect(classesIn({ Deep: deep })).toEqual(["stop"]);
});

test.each<[string, Json, boolean]>([
  ["a fare that is cancelled", { OfferItemID: "O1", PassengerType: "ADT", Status: "CANCELLED" }, true],
  ["a fare that failed", { OfferItemID: "O1", PassengerType: "ADT", Status: "FAILED" }, true],
  ["a fare that stands", { OfferItemID: "O1", PassengerType: "ADT", Status: "SUCCESS" }, false],
  ["a fare with a confirmed new time", { OfferItemID: "O1", PassengerType: "ADT", Status: "TK" }, false],
  ["a service that is refused", { OfferItemID: "SRV-1", ServiceDefinitionRef: "S1", Status: "UC" }, true],
  ["a service that was never booked", { OfferItemID: "SRV-1", ServiceDefinitionRef: "S1", Status: "FAILED" }, false],
])("the status of %s counts", (_, item, isStop) => {
  expect(classesIn({ OfferItem: [item] })).toEqual(isStop ? ["stop"] : []);
});
