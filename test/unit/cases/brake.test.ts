import { describe, expect, test } from "vitest";
import { type AutomaticOutcome, type Contradiction, whyLimited, whyToBrake } from "../../../src/cases/brake.ts";

/** Newest first: `.` ended as expected, `n` not carried out, `u` unknown, `o` shown otherwise. */
function outcomes(pattern: string): AutomaticOutcome[] {
  const contradictions: Readonly<Record<string, Contradiction>> = {
    n: "not-carried-out",
    u: "unknown",
    o: "shown-otherwise",
  };
  return [...pattern].map((letter, index) => ({
    orderId: `ORDER${index + 1}`,
    action: index === 1 ? "cancel" : "accept",
    contradiction: contradictions[letter] ?? null,
  }));
}

describe("the brake", () => {
  test.each(["", "n", "nn", "nn.", "nn.n", ".nnn", "n.n.n.n", "..........nnn"])("lets go on after %j", (pattern) => {
    expect(whyToBrake(outcomes(pattern))).toBeNull();
  });

  test.each(["nnn", "uuu", "ooo", "nuo", "nnn.........", "n.n.n.n.n", `.${"n.".repeat(5)}`, `${".".repeat(95)}nnnnn`])(
    "stops after %j",
    (pattern) => {
      expect(whyToBrake(outcomes(pattern))).not.toBeNull();
    },
  );

  test("names the orders, what became of each, and what to do", () => {
    expect(whyToBrake(outcomes("nuo.n"))).toBe(
      "The last 3 automatic accepts and cancels of this source ended otherwise than the statuses read before let expect: ORDER1 (accept not carried out), ORDER2 (outcome of the cancel unknown), ORDER3 (the status after the accept shows something else). Check these orders with the gateway, and resume when the cause is gone.",
    );
  });

  test("says among how many it counted", () => {
    expect(whyToBrake(outcomes(".n.n.n.n.n."))).toMatch(/^5 of the last 11 automatic accepts and cancels/);
  });
});

test("a limit says that it is one, and that it can be raised", () => {
  expect(whyLimited(1)).toMatch(/^1 automatic accept or cancel of this source within an hour: that is its limit\./);
  expect(whyLimited(200)).toMatch(/^200 automatic accepts and cancels .* or raise the limit\.$/);
});
