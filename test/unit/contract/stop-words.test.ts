import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import type { UnreadStatement } from "../../../src/contract/unread-members.ts";
import { aMinorDelay, type Json } from "../../builders/order-view.ts";

/** What is stated by a member of the order, given by the path below it; `true` and `false` are no text. */
function statedBy(path: string, text: string): readonly UnreadStatement[] {
  const value: unknown = text === "true" || text === "false" ? text === "true" : text;
  const member = path.split(".").reduceRight((below, name) => ({ [name]: below }), value) as Json;
  const reading = readOrderView(aMinorDelay({ order: member }));
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view.unread.statements;
}

function rowsOf(file: string): readonly (readonly [string, string])[] {
  const lines = readFileSync(`test/fixtures/members/${file}`, "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t") as unknown as [string, string]);
}

test.each([
  ["2027-03-14 07:10"],
  ["2027-03-14T07:10:00.000+01:00"],
  ["14.03.2027 07:10 Uhr"],
  ["EUR 12.50"],
  ["€ 1.200,50"],
  ["1.200,50 €"],
  ["DE12****3456"],
  ["38 °"],
])("the value %s is an amount, a time or a key", (value) => {
  expect(statedBy("Extra", value)).toMatchObject([{ class: "other" }]);
});

describe("an order to stop", () => {
  test.each(rowsOf("orders-to-stop.tsv"))("is %s with the value %s", (path, value) => {
    expect(statedBy(path, value)).toEqual([expect.objectContaining({ class: "stop" })]);
  });

  test.each(rowsOf("harmless.tsv"))("is not %s with the value %s", (path, value) => {
    for (const statement of statedBy(path, value)) expect(statement).not.toMatchObject({ class: "stop" });
  });

  test.each([
    ["NoFly", "Y"],
    ["AtRisk", "Y"],
    ["OnRequestList", "KQ"],
    ["Decision", "2027-03-14 NOGO"],
    ["Deal", "REJ 12"],
  ])("may be %s with the value %s, so its value counts", (path, value) => {
    expect(statedBy(path, value)).toEqual([expect.objectContaining({ class: "code" })]);
  });

  test.each([
    ["SegmentStatus", "HX", "stop"],
    ["CarrierStatus", "UN", "stop"],
    ["CarrierCode", "UN", "code"],
    ["CouponStatus", "F", "stop"],
    ["Coupon", "F", "stop"],
    ["Coupon.Row", "F", "code"],
  ])("is a code of segments and coupons, but not that of another thing: %s %s is %s", (path, value, kind) => {
    expect(statedBy(path, value)).toEqual([expect.objectContaining({ class: kind })]);
  });

  test("is a name even if it is an id", () => {
    expect(statedBy("Rooms.CANCEL2027.Floor", "3")).toMatchObject([{ class: "stop", word: "cancel" }]);
  });
});
