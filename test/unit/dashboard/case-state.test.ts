import { expect, test } from "@jest/globals";
import { caseStateNames } from "../../../src/dashboard/case-state.ts";
import { type CaseAction, type CaseCommand, caseActionNames, closeReasonNames } from "../../../src/dashboard/ports.ts";
import { caseStates } from "../../../src/desk/lifecycle.ts";
import { closeReasonTexts, type PersonAction, type PersonCommand, personActionNames } from "../../../src/desk/ports.ts";

test("the API knows exactly the case states of the desk", () => {
  expect([...caseStateNames].sort()).toEqual([...caseStates].sort());
});

test("the API knows exactly the actions of the desk", () => {
  expect([...caseActionNames].sort()).toEqual([...personActionNames].sort());
});

test("an action of the API is an action of the desk", () => {
  const action: CaseAction = { caseId: "1", action: "accept", note: null, version: null, actor: "person:api" };
  const understood: PersonAction = action;
  const command: PersonCommand = action satisfies CaseCommand;

  expect(caseActionNames).toContain(understood.action);
  expect(closeReasonNames.toSorted()).toEqual(Object.keys(closeReasonTexts).sort());
  expect(command.action).toBe("accept");
});
