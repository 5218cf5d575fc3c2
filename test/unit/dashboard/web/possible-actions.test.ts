import { describe, expect, test } from "vitest";
import type { CaseActionName } from "../../../../src/cases/case-actions.ts";
import { type ActionSubject, canAct, possibleActions } from "../../../../src/dashboard/web/case/possible-actions.ts";
import { known, unknown } from "../../../../src/kernel/fact.ts";

const traveller = ["traveller-informed", "traveller-asked", "traveller-answered"] as const;
const working = ["assign", "snooze", "note", "recheck"] as const;

const waiting: ActionSubject = {
  state: "awaiting-agent",
  flags: { accept: known("Y"), cancel: known("Y") },
  proposalDigest: "a".repeat(64),
  effects: [],
  approval: null,
  possibleActions: ["accept", "cancel", "reschedule", "resolved-elsewhere", "close", ...traveller, ...working],
};

/** `accept`, or `accept: no` when it is shown and cannot be taken. */
function namesOf(subject: ActionSubject, role: Parameters<typeof possibleActions>[1]): readonly string[] {
  return possibleActions(subject, role).flatMap(({ actions }) =>
    actions.map(({ action, obstacle }) => `${action}${obstacle === null ? "" : ": no"}`),
  );
}

function obstaclesOf(subject: ActionSubject, ...names: readonly string[]): readonly (string | null)[] {
  const shown = possibleActions(subject, "supervisor").flatMap(({ actions }) => actions);
  return names.map((name) => shown.find(({ action }) => action === name)?.obstacle ?? null);
}

describe("what a person can do with a case", () => {
  test("follows the role of the user", () => {
    expect(namesOf(waiting, "viewer")).toEqual([]);
    expect(namesOf(waiting, "agent")).toEqual(["accept", "reschedule", "close", ...traveller, ...working]);
    expect(namesOf(waiting, "supervisor")).toEqual(waiting.possibleActions);
  });

  test("is only what the server would take on once the case is finished", () => {
    for (const state of ["done", "resolved-elsewhere", "closed"] as const) {
      expect(namesOf({ ...waiting, state, possibleActions: ["reopen", "note"] }, "admin")).toEqual(["reopen", "note"]);
      expect(namesOf({ ...waiting, state, possibleActions: ["note"] }, "admin")).toEqual(["note"]);
    }
  });

  test("is greyed out with one reason while a worker has the case", () => {
    const subject: ActionSubject = { ...waiting, state: "accepting", possibleActions: ["note", "recheck"] };

    expect(namesOf(subject, "agent")).toEqual([
      ...["accept: no", "reschedule: no", "close: no"],
      ...traveller.map((name) => `${name}: no`),
      ...["assign: no", "snooze: no", "note", "recheck"],
    ]);
    expect(obstaclesOf(subject, "accept", "close")).toEqual([
      "The case is being processed. Wait until it needs action.",
      "The case is being processed. Wait until it needs action.",
    ]);
  });

  test("follows the flags, and names the one that is missing", () => {
    const flags = { accept: known("N" as const), cancel: unknown("missing-flag") };
    const possible = waiting.possibleActions.filter((name) => name !== "accept" && name !== "cancel");

    expect(obstaclesOf({ ...waiting, flags, possibleActions: possible }, "accept", "cancel", "close")).toEqual([
      "The gateway does not allow accepting this change.",
      "It is unknown whether the gateway allows cancelling the order: the gateway does not state it.",
      null,
    ]);
  });

  test("is not asked for again while a second person is asked for it", () => {
    const possible = waiting.possibleActions.filter((name) => name !== "cancel");

    expect(obstaclesOf({ ...waiting, approval: { action: "cancel" }, possibleActions: possible }, "cancel")).toEqual([
      "Approval was requested already. A second person can approve or reject it above.",
    ]);
  });

  test("needs a status that was read", () => {
    const possible: CaseActionName[] = ["close", "recheck"];

    expect(obstaclesOf({ ...waiting, flags: null, possibleActions: possible }, "accept")).toEqual([
      "The booking could not be read. Re-check it first.",
    ]);
  });

  test("is to settle an unknown outcome before anything else, which takes a supervisor", () => {
    const subject: ActionSubject = {
      ...waiting,
      effects: [{ state: "unknown" }],
      possibleActions: ["confirm-effect", "refute-effect", "note", "recheck"],
    };

    expect(namesOf(subject, "supervisor")).toEqual(["confirm-effect", "refute-effect", "note", "recheck"]);
    expect(namesOf(subject, "agent")).toEqual(["note", "recheck"]);
  });

  test("what stands beside a question is offered to those who may answer it, while it is asked", () => {
    const asked: Pick<ActionSubject, "possibleActions"> = { possibleActions: ["approve"] };

    expect(canAct("approve", asked, "supervisor")).toBe(true);
    expect(canAct("approve", asked, "agent")).toBe(false);
    expect(canAct("approve", { possibleActions: [] }, "supervisor")).toBe(false);
  });
});
