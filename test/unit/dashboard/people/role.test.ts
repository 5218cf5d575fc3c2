import { describe, expect, test } from "vitest";
import { isRoleAtLeast, lesserRole, userRoleNames } from "../../../../src/dashboard/people/role.ts";

describe("roles", () => {
  test("may each do what the ones before may, and nothing of the ones after", () => {
    for (const [mine, role] of userRoleNames.entries()) {
      for (const [theirs, needed] of userRoleNames.entries()) expect(isRoleAtLeast(role, needed)).toBe(mine >= theirs);
    }
  });

  test.each([
    ["viewer", "admin", "viewer"],
    ["admin", "agent", "agent"],
    ["agent", "agent", "agent"],
  ] as const)("of %s and %s the lesser one is %s", (one, other, lesser) => {
    expect(lesserRole(one, other)).toBe(lesser);
  });
});
