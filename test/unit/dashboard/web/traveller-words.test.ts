import { describe, expect, test } from "vitest";
import { describeContact } from "../../../../src/dashboard/web/case/traveller-words.ts";

describe("a contact with travellers", () => {
  test("is described by its kind and its channel", () => {
    expect(describeContact({ kind: "informed", channel: "sms", answer: null })).toBe("Informed (text message)");
    expect(describeContact({ kind: "asked", channel: "email", answer: null })).toBe("Asked (email)");
  });

  test("is described with the answer that was given", () => {
    expect(describeContact({ kind: "answered", channel: "phone", answer: "wants-refund" })).toBe(
      "Answered (phone): wants a refund",
    );
  });

  test("has no colon if no answer is stored", () => {
    expect(describeContact({ kind: "answered", channel: "phone", answer: null })).toBe("Answered (phone)");
  });
});
