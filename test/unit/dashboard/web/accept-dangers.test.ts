import { describe, expect, test } from "@jest/globals";
import { acceptDangers } from "../../../../src/dashboard/web/words/accept-dangers.ts";

describe("before an accept, the orders to stop", () => {
  const described = (orders: readonly string[]) =>
    acceptDangers({
      decision: null,
      decisions: [],
      journeyTimes: null,
      facts: { ordersToStop: { known: true, value: orders } },
    } as never);
  const orders = (count: number) => Array.from({ length: count }, (_, at) => `Order.Hints.Hint${at}`);

  test.each([
    [1, [], ""],
    [5, [], ""],
    [6, [], ", and 1 more"],
    [20, [], ", and 15 more"],
    [20, ["and 7 more"], ", and 22 more"],
  ])("are five of %i by name, and how many others there are: %j", (count, more, others) => {
    const [sentence] = described([...orders(count), ...more]);

    const named = orders(count).slice(0, 5).join(", ");
    expect(sentence).toBe(`The gateway states something to look at first: ${named}${others}.`);
  });

  test("are named with the word that makes them one", () => {
    expect(described(["Order.Remarks: cancel"])).toEqual([
      "The gateway states something to look at first: “cancel” in Order.Remarks.",
    ]);
  });
});
