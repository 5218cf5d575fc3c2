import { expect, test } from "vitest";
import { orderQueue } from "../../../src/app/worker-runtime.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";

test("the queue of orders gets ids, whatever else is known of what is due", async () => {
  const loaded = loadSettings({}, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join(" "));
  const order = { source: "default", orderId: "A1", traveller: "Silva" };
  const { takeDue } = orderQueue(
    {
      takeDue: async () => [order],
      workOn: async () => "not-due",
      act: async () => Promise.reject(new Error("unused")),
    },
    loaded.configuration,
    { dispatchMs: 15_000 },
  );

  expect(await takeDue(10)).toEqual([{ source: "default", orderId: "A1" }]);
});
