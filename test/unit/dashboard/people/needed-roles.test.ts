import { describe, expect, test } from "@jest/globals";
import { neededCaseActionRoles, neededRoles } from "../../../../src/dashboard/people/needed-roles.ts";
import { isRoleAtLeast, lesserRole, userRoleNames } from "../../../../src/dashboard/people/role.ts";
import { caseActionNames } from "../../../../src/dashboard/ports.ts";

describe("roles", () => {
  test("are as agreed, thing by thing", () => {
    expect(neededRoles).toEqual({
      readCases: "viewer",
      readNotifications: "viewer",
      readReconciliation: "viewer",
      followEvents: "viewer",
      readBodies: "agent",
      replayNotification: "supervisor",
      readPolicies: "viewer",
      changePolicies: "supervisor",
      manageUsers: "admin",
      ownTokens: "viewer",
      tokensOfOthers: "admin",
    });
    expect(neededCaseActionRoles).toEqual({
      accept: "agent",
      close: "agent",
      recheck: "agent",
      cancel: "supervisor",
      "confirm-effect": "supervisor",
      "refute-effect": "supervisor",
    });
  });

  test("are said for every action on a case", () => {
    expect(Object.keys(neededCaseActionRoles).sort()).toEqual([...caseActionNames].sort());
  });

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
