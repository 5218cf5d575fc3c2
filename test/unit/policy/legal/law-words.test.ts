import { describe, expect, test } from "vitest";
import { nameLaw, namePlace } from "../../../../src/policy/legal/law-words.ts";
import { legalPresets } from "../../../../src/policy/legal/presets.ts";

describe("the words for a law", () => {
  test.each(legalPresets.map(({ id }) => id))("name %s and whose law it is", (id) => {
    expect(nameLaw(id)).not.toBe(id);
    expect(namePlace(id, null)).not.toBe(id);
  });

  test("have an article where people say one", () => {
    expect([namePlace("eu-261", "The"), namePlace("eu-261", "the"), namePlace("eu-261", null)]).toEqual([
      "The EU",
      "the EU",
      "EU",
    ]);
    expect([namePlace("in-dgca", "The"), namePlace("in-dgca", "the")]).toEqual(["India", "India"]);
  });

  test("are the id for a law of a later version", () => {
    expect([nameLaw("xx-1"), namePlace("xx-1", "The")]).toEqual(["xx-1", "xx-1"]);
  });
});
