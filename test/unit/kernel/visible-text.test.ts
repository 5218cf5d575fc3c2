import { describe, expect, test } from "vitest";
import { escapeInvisible, hasInvisible, toOneLine, toVisible } from "../../../src/kernel/visible-text.ts";

describe("a character that nobody sees", () => {
  test.each([
    ["ESC", "\u001b", " "],
    ["BEL", "\u0007", " "],
    ["a tab", "\t", " "],
    ["CR LF", "\r\n", "  "],
    ["DEL", "\u007f", " "],
    ["CSI of C1", "\u009b", " "],
    ["a line separator", "\u2028", " "],
    ["a soft hyphen", "\u00ad", ""],
    ["a zero-width space", "\u200b", ""],
    ["an override of direction", "\u202e", ""],
    ["a mark of direction", "\u061c", ""],
    ["a mark of byte order", "\ufeff", ""],
    ["a Hangul filler", "\u3164", ""],
    ["a selector of a variation", "\ufe0f", ""],
    ["a tag", "\u{e0041}", ""],
  ])("is found and taken out, and escaped in JSON: %s", (_, character, instead) => {
    const json = JSON.stringify(`a${character}b`);

    expect(hasInvisible(`a${character}b`)).toBe(true);
    expect(toVisible(`a${character}b`)).toBe(`a${instead}b`);
    expect(escapeInvisible(json)).toMatch(/^[ -~]+$/);
    expect(JSON.parse(escapeInvisible(json))).toBe(`a${character}b`);
  });

  test("is none that people read", () => {
    const readable = "Zoë Ångström, 東京 – “ok” ✈ \u{1f6eb} -1";

    expect(hasInvisible(readable)).toBe(false);
    expect(toVisible(readable)).toBe(readable);
    expect(escapeInvisible(readable)).toBe(readable);
  });
});

test("one line has one blank between words", () => {
  expect(toOneLine(" a\r\n\r\nb\u00a0\t c ")).toBe("a b c");
});
