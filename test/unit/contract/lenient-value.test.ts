import { expect, test } from "vitest";
import { textOf } from "../../../src/contract/lenient-value.ts";

const hex = (codePoint: number) => codePoint.toString(16);

test.each([0, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map(hex))(
  "a text is read without U+%s, with which it would be shown in another order or not stored",
  (codePoint) => {
    expect(textOf(`a${String.fromCodePoint(Number.parseInt(codePoint, 16))}b`)).toBe("ab");
  },
);

test.each([1, 0x2029, 0x202f, 0x2065, 0x206a, 0x5d0, 0x627].map(hex))("a text keeps U+%s", (codePoint) => {
  const text = `a${String.fromCodePoint(Number.parseInt(codePoint, 16))}b`;

  expect(textOf(text)).toBe(text);
});
