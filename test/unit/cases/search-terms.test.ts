import { describe, expect, test } from "vitest";
import { memberTerm, memberValueTerm } from "../../../src/cases/search-terms.ts";

describe("a term to find cases by", () => {
  test("is a path as it is", () => {
    expect(memberTerm("Order.Tours")).toBe("member:Order.Tours");
    expect(memberValueTerm("Order.Tours=0f")).toBe("member-value:Order.Tours=0f");
  });

  test.each(["x", "ü", "予", "🧳"])("has at most as many bytes as an index holds, of letters such as %s", (letter) => {
    const terms = [letter.repeat(2_000), letter.repeat(2_001)].map(memberTerm);

    expect(new Set(terms).size).toBe(2);
    for (const term of terms) {
      expect(Buffer.byteLength(term)).toBeLessThanOrEqual(1_000);
      expect(term).not.toContain("\uFFFD");
      expect(memberTerm(term.slice("member:".length))).toBe(term);
    }
  });

  test("of 1,000 bytes is not cut", () => {
    const path = "x".repeat(1_000 - "member:".length);

    expect(memberTerm(path)).toBe(`member:${path}`);
    expect(memberTerm(`${path}x`)).not.toContain(path);
  });
});
