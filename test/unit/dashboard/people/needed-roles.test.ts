import { describe, expect, test } from "@jest/globals";
import { caseActionNames, caseActions } from "../../../../src/cases/case-actions.ts";
import { requiredRoles } from "../../../../src/dashboard/people/needed-roles.ts";
import { isRoleAtLeast, lesserRole, userRoleNames } from "../../../../src/dashboard/people/role.ts";

describe("roles", () => {
  test("are as agreed, thing by thing", () => {
    expect(requiredRoles).toEqual({
      readCases: "viewer",
      readNotifications: "viewer",
      readReconciliation: "viewer",
      followEvents: "viewer",
      readBodies: "agent",
      replayNotification: "supervisor",
      actOnManyCases: "supervisor",
      closeTasks: "agent",
      readBulkActions: "viewer",
      readTasks: "viewer",
      importOrders: "supervisor",
      readPolicies: "viewer",
      changePolicies: "supervisor",
      readAutomation: "viewer",
      changeAutomation: "supervisor",
      readAudit: "admin",
      changeOutgoingEvents: "admin",
      readOutgoingEvents: "supervisor",
      manageUsers: "admin",
      ownTokens: "viewer",
      tokensOfOthers: "admin",
    });
    expect(Object.fromEntries(caseActionNames.map((name) => [name, caseActions[name].role]))).toEqual({
      accept: "agent",
      close: "agent",
      recheck: "agent",
      reopen: "agent",
      reschedule: "agent",
      snooze: "agent",
      assign: "agent",
      note: "agent",
      stop: "agent",
      "traveller-informed": "agent",
      "traveller-asked": "agent",
      "traveller-answered": "agent",
      cancel: "supervisor",
      approve: "supervisor",
      "refuse-approval": "supervisor",
      "resolved-elsewhere": "supervisor",
      "confirm-effect": "supervisor",
      "refute-effect": "supervisor",
    });
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
