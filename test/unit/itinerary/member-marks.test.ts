import { expect, test } from "vitest";
import type { UnreadStatement } from "../../../src/contract/unread-members.ts";
import {
  isMarked,
  type MemberMark,
  memberMarksOf,
  noMarks,
  shippedMarks,
  valueDigestOf,
  withShipped,
} from "../../../src/itinerary/member-marks.ts";

const statement = (kind: UnreadStatement["class"], value: string | null = "A"): UnreadStatement => ({
  path: "Order.Extra.Name",
  class: kind,
  value,
  word: null,
});
const mark = (path: string, value: string | null): MemberMark => ({
  path,
  valueDigest: value === null ? null : valueDigestOf(value),
  reason: "because",
});

test.each<[UnreadStatement["class"], MemberMark, boolean]>([
  ["stop", mark("Order.Extra.Name", "A"), true],
  ["stop", mark("Order.Extra.Name", null), false],
  ["stop", mark("Order", null), false],
  ["code", mark("Order.Extra.Name", "a "), true],
  ["code", mark("Order.Extra.Name", "B"), false],
  ["code", mark("Order.Extra", "A"), false],
  ["code", mark("Order.Extra.Name", null), false],
  ["other", mark("Order.Extra.Name", null), true],
  ["other", mark("Order.Extra", null), true],
  ["other", mark("Order.Ext", null), false],
  ["other", mark("Order.Extra.Name.Of", null), false],
  ["other", mark("Order.Extra.Name", "A"), true],
])("a statement of class %s with the mark %j is harmless: %s", (kind, given, expected) => {
  expect(isMarked(statement(kind), memberMarksOf([given]))).toBe(expected);
});

test.each<[UnreadStatement["class"], string, boolean]>([
  ["code", "KQBX", true],
  ["code", "KQB", false],
  ["code", "Kqbx", false],
  ["stop", "HOLD", false],
])("of a path with keys of the form XXXX a %s %s is harmless: %s", (kind, value, expected) => {
  const keys = { ...mark("Order.Extra.Name", null), keyForms: ["XXXX"] };

  expect(isMarked(statement(kind, value), memberMarksOf([keys]))).toBe(expected);
  expect(isMarked({ ...statement(kind, value), path: "Order.Extra.Name.Of" }, memberMarksOf([keys]))).toBe(false);
});

test.each(["Payments.Refund.Amount", "Payments.PaymentDeadline", "MetaData.ActionTimeLimitDateTime"])(
  "the shipped marks leave %s to people",
  (path) => {
    expect(isMarked({ path, class: "other", value: "200.5", word: null }, shippedMarks)).toBe(false);
  },
);

test("what is stated twice cannot be marked", () => {
  expect(isMarked(statement("code", null), memberMarksOf([mark("Order.Extra.Name", "A")]))).toBe(false);
});

test("the version follows the content", () => {
  const one = memberMarksOf([mark("A", null)]);

  expect(memberMarksOf([]).version).toBe("none");
  expect(memberMarksOf([mark("A", null)]).version).toBe(one.version);
  expect(memberMarksOf([mark("B", null)]).version).not.toBe(one.version);
  expect(withShipped(noMarks)).toBe(shippedMarks);
  expect(withShipped(one).marks).toEqual([...shippedMarks.marks, ...one.marks]);
});
