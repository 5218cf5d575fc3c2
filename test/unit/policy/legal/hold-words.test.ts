import { describe, expect, test } from "vitest";
import { describeHold } from "../../../../src/policy/legal/hold-words.ts";

describe("a legal hold", () => {
  test("keeps a change from being accepted as long as that is possible", () => {
    expect(describeHold({ held: true }, true)).toBe("Legal hold: an agent must review it before it is accepted.");
    expect(describeHold({ held: false }, true)).toBe("No legal hold.");
  });

  test("is a right that is open once nothing is left to accept", () => {
    expect(describeHold({ held: true }, false)).toBe("A right to a refund or another flight is open, or may be.");
    expect(describeHold({ held: false }, false)).toBeNull();
  });
});
