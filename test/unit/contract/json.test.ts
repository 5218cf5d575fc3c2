import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import { bytesOf } from "../../builders/order-view.ts";

function parse(text: string): unknown {
  const parsed = parseJson(bytesOf(text));
  return parsed.ok ? parsed.value : parsed;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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

  test("keeps the sign and the digits of a number after blanks, before the end and between line breaks", () => {
    expect(parse("[\t-1234567890123456789 ,\r\n1724067361311310318\n]")).toEqual([
      "-1234567890123456789",
      "1724067361311310318",
    ]);
    expect(parse(" 1724067361311310318 ")).toBe("1724067361311310318");
    expect(parse("-1724067361311310318")).toBe("-1724067361311310318");
  });

  test("keeps the digits of a long number with an exponent, and reads a long exponent as JSON.parse does", () => {
    expect(parse('{"a":12345678901234567e2,"b":1.00000000000000000E+1}')).toEqual({ a: "12345678901234567e2", b: 10 });
    expect(parse("[1e-1234567890123456,12345678901234567890]")).toEqual([0, "12345678901234567890"]);
  });

  test("finds a long number wherever it begins", () => {
    for (let before = 0; before < 40; before += 1) {
      expect(parse(`[${" ".repeat(before)}9007199254740993]`)).toEqual(["9007199254740993"]);
    }
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

  test.each([
    ["a long number as a key", "{12345678901234567:1}"],
    ["a long number as a later key", '{"a":1,12345678901234567 : 2}'],
    ["a long number with a leading zero", "[01234567890123456789]"],
    ["a long number with two points", "[1234567.8901234567.89]"],
    ["a long number without a fraction", "[12345678901234567.]"],
    ["a long number without a whole part", "[.12345678901234567]"],
    ["a long number with two signs", "[--12345678901234567]"],
    ["a long number without an exponent", "[12345678901234567e]"],
    ["two long numbers without a comma", "[12345678901234567 12345678901234567]"],
    ["a long number behind a text", '["a"12345678901234567]'],
    ["a long number behind a list", "[[]12345678901234567]"],
    ["a long number behind a text that does not end", '["a,12345678901234567]'],
    ["a long number and no end", "[12345678901234567"],
    ["a word behind a long number", "[12345678901234567x]"],
  ])("says that %s is not JSON", (_, text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(parseJson(bytesOf(text))).toEqual({ ok: false });
  });

  test("survives a nesting of a million levels", () => {
    const depth = 1_000_000;
    expect(parseJson(bytesOf(`${"[".repeat(depth)}12345678901234567890${"]".repeat(depth)}`)).ok).toBe(true);
  });

  test.each([
    ["a number of a million digits", `[1${"0".repeat(1_000_000)}1]`],
    ["many long numbers", `[${"12345678901234567,".repeat(60_000)}1]`],
    ["a million backslashes", `["${"\\\\".repeat(500_000)}",12345678901234567]`],
    ["many runs of digits in one text", `["${",1234567890123456e".repeat(60_000)}",12345678901234567]`],
    ["a million blanks before a long number", `[${" ".repeat(1_000_000)}12345678901234567]`],
  ])("reads %s without delay", (_, text) => {
    const startedAt = performance.now();

    expect(parseJson(bytesOf(text)).ok).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test("takes for JSON exactly what JSON.parse does, however the text is damaged around long numbers", () => {
    const token = fc.constantFrom(...'[]{},:"\\ -.e0'.split(""), '"a"', "12345678901234567", "1724067361311310318");
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join("");
        expect(parseJson(bytesOf(text)).ok).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test("changes no value but the numbers that lose digits", () => {
    const long = fc.bigInt({ min: 10n ** 18n, max: 10n ** 28n }).map((id) => ({ long: String(id) }));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: fc.constantFrom("1234567890123456", ",", ":", '"', "\\", "[", "ł") }),
        fc.integer(),
        long,
        fc.array(tie("any"), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie("any"), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (json) => {
        // The marked numbers are sent as numbers and expected as text.
        const sent = JSON.stringify(json).replaceAll(/\{"long":"(\d+)"\}/g, "$1");
        const expected: unknown = JSON.parse(JSON.stringify(json).replaceAll(/\{"long":"(\d+)"\}/g, '"$1"'));
        fc.pre(!/1(?:0{16,})\b/.test(sent));
        expect(parse(sent)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
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
