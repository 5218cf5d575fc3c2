import { expect, test } from "@jest/globals";
import { caseStateNames } from "../../../src/dashboard/case-state.ts";
import { type CaseAction, caseActionNames } from "../../../src/dashboard/ports.ts";
import { caseStates } from "../../../src/desk/lifecycle.ts";
import type { PersonAction } from "../../../src/desk/ports.ts";

test("the API knows exactly the case states of the desk", () => {
  expect([...caseStateNames].sort()).toEqual([...caseStates].sort());
});

test("an action of the API is an action of the desk", () => {
  const action: CaseAction = { caseId: "1", action: "accept", note: null, version: null, actor: "person:api" };
  const understood: PersonAction = action;

  expect(caseActionNames).toContain(understood.action);
});
