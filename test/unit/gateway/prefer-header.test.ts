import { expect, test } from "vitest";
import { handlingOf } from "../../../src/gateway/prefer-header.ts";

test.each([
  [undefined, null],
  ["", null],
  ["respond-async", null],
  ["handling=strict", "strict"],
  ["Handling = Lenient", "lenient"],
  ['respond-async, handling="strict"; a=b', "strict"],
  ["handling=lenient, handling=strict", "lenient"],
  ["handling=harsh", null],
  ["xhandling=strict", null],
])("the header Prefer: %s asks for the handling %s", (header, handling) => {
  expect(handlingOf(header)).toBe(handling);
});
