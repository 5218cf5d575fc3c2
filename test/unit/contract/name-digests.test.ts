import { expect, test } from "vitest";
import { readFirstName } from "../../../src/contract/name-digests.ts";

test.each([
  ["Ana", "Ana"],
  ["ANA", "Ana"],
  ["ANA MARIA", "Ana Maria"],
  ["JEAN-LUC MR", "Jean-Luc"],
  ["ana mrs", "ana"],
  ["MR JOÃO", "João"],
  ["ANA(INFSILVA/TIM)", "Ana"],
  ["McKenzie", "McKenzie"],
  // Nothing but a title may be a name.
  ["MR", "Mr"],
  ["", null],
  ["  ", null],
])("the first name %j is written %j", (stated, written) => {
  expect(readFirstName({ FirstName: stated, LastName: "SILVA" })).toBe(written);
});

test("a first name that stands behind the last name is not written, because the last name might be", () => {
  expect(readFirstName({ LastName: "SILVA/ANA MRS" })).toBeNull();
});
