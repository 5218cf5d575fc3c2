import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseJson } from "../../../src/contract/json.ts";
import { bytesOf } from "../../builders/order-view.ts";

function parse(text: string): unknown {
  const parsed = parseJson(bytesOf(text));
  return parsed.ok ? parsed.value : parsed;
}

describe("parseJson", () => {
  test("keeps every digit of a long number, as text", () => {
    expect(parse('{"OrderID":1724067361311310318,"ids":[172406736131131031801,-1234567890123456789]}')).toEqual({
      OrderID: "1724067361311310318",
      ids: ["172406736131131031801", "-1234567890123456789"],
    });
  });

  test("keeps a long decimal that a double cannot hold, as text", () => {
    expect(parse('{"a": 0.12345678901234567891, "b": 38.686200000000000}')).toEqual({
      a: "0.12345678901234567891",
      b: 38.6862,
    });
  });

  test("leaves numbers that a double holds exactly as numbers", () => {
    expect(parse("[9007199254740992, 999999999999999, 134.953532, 1e21, 0, -0.5]")).toEqual([
      9007199254740992, 999999999999999, 134.953532, 1e21, 0, -0.5,
    ]);
  });

  test("finds the first number that loses digits on both sides of the boundary", () => {
    expect(parse("[9007199254740991]")).toEqual([9007199254740991]);
    expect(parse("[9007199254740993]")).toEqual(["9007199254740993"]);
  });

  test("does not touch digits inside text, escaped quotes included", () => {
    const value = { a: 'say \\" : 12345678901234567890, "', b: ["x,1724067361311310318"], c: "\\" };
    expect(parse(`{"long":1724067361311310318,${JSON.stringify(value).slice(1)}`)).toEqual({
      long: "1724067361311310318",
      ...value,
    });
  });

  test("skips a byte order mark", () => {
    expect(parse("\u{feff}{}")).toEqual({});
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["text", bytesOf("hello")],
    ["a truncated body", bytesOf('{"a":1')],
    ["broken UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ])("says that %s is not JSON", (_, bytes) => {
    expect(parseJson(bytes)).toEqual({ ok: false });
  });

  test("survives a nesting of a million levels", () => {
    const depth = 1_000_000;
    expect(parseJson(bytesOf(`${"[".repeat(depth)}12345678901234567890${"]".repeat(depth)}`)).ok).toBe(true);
  });

  test("reads any JSON as JSON.parse does when no number is long", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        fc.pre(!/\d{15}/.test(text.replaceAll(".", "")));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });
});
