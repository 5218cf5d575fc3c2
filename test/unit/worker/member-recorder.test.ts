import { expect, test } from "vitest";
import { bitOf } from "../../../src/kernel/distinct-count.ts";
import { createMemberRecorder } from "../../../src/worker/member-recorder.ts";

const statement = { path: "Order.Tier", valueDigest: null, class: "other", word: null, example: "x" } as const;
const sighting = (orderId: string, isCounted: boolean) => ({
  source: "default",
  orderId,
  statements: [statement],
  isUnchanged: false,
  isCounted,
});

test("a view that may have been noted before counts its order, and no view", () => {
  const recorder = createMemberRecorder();
  recorder.remember("default", [statement]);

  recorder.note(sighting("A", true));
  recorder.note(sighting("A", false));
  recorder.note(sighting("B", false));

  expect(recorder.takeCounts()).toMatchObject([{ views: 1, orders: new Set([bitOf("A"), bitOf("B")]) }]);
});
