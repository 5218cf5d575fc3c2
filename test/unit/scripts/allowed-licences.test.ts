import { expect, test } from "vitest";
import { isAllowedLicence } from "../../../scripts/allowed-licences.ts";

test.each(["MIT", "(MIT OR GPL-3.0-only)", "GPL-3.0-only OR MIT", "MIT AND ISC", "(MIT AND (ISC OR AGPL-3.0-only))"])(
  "%s allows to pass a package on",
  (expression) => {
    expect(isAllowedLicence(expression)).toBe(true);
  },
);

test.each([
  "GPL-3.0-only",
  "MIT AND GPL-3.0-only",
  "(MIT OR ISC) AND AGPL-3.0-only",
  "MIT OR ISC AND",
  "(MIT",
  "MIT)",
  "MIT ISC",
  "SEE LICENSE IN LICENSE.md",
  "UNLICENSED",
  "",
])("'%s' does not", (expression) => {
  expect(isAllowedLicence(expression)).toBe(false);
});
