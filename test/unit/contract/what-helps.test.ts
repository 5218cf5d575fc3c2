import { expect, test } from "vitest";
import { whatHelps } from "../../../src/contract/what-helps.ts";

test("what only the sender can mend is not promised by reading it again", () => {
  expect(whatHelps("ocn.no_order")).toMatch(/^The sender has to send it otherwise/);
  expect(whatHelps("ocn.not_json")).toBe(whatHelps("ocn.no_order"));
});

test("what a setting or a repair mends is read again afterwards", () => {
  expect(whatHelps("ocn.too_many_orders")).toBe("Once OCN_ORDER_LIMIT is raised, reprocess it.");
  expect(whatHelps("receiver.body_not_readable")).toContain("reprocess it");
});
