import { expect, test } from "vitest";
import { actorOf } from "../../../../src/dashboard/web/audit/audit-words.ts";

test.each([
  ["ann", "person:ann"],
  [" ann ", "person:ann"],
  ["person:ann", "person:ann"],
  ["worker", "worker"],
  ["", ""],
])("who is typed as '%s' is looked for in the audit as '%s'", (typed, actor) => {
  expect(actorOf(typed)).toBe(actor);
});
