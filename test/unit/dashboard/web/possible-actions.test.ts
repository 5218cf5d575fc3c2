import { describe, expect, test } from "@jest/globals";
import { type ActionSubject, possibleActions } from "../../../../src/dashboard/web/words/possible-actions.ts";
import { known, unknown } from "../../../../src/kernel/fact.ts";

const waiting: ActionSubject = {
  state: "awaiting-agent",
  flags: { accept: known("Y"), cancel: known("Y") },
  proposalDigest: "a".repeat(64),
  effects: [],
};

function namesOf(subject: ActionSubject, role: Parameters<typeof possibleActions>[1]): readonly string[] {
  return possibleActions(subject, role).map(({ action, obstacle }) => `${action}${obstacle === null ? "" : ": no"}`);
}

describe("what a person can do with a case", () => {
  test("follows the role", () => {
    expect(namesOf(waiting, "viewer")).toEqual([]);
    expect(namesOf(waiting, "agent")).toEqual(["accept", "close", "recheck"]);
    expect(namesOf(waiting, "supervisor")).toEqual(["accept", "cancel", "close", "recheck"]);
  });

  test("is nothing on a finished case", () => {
    for (const state of ["done", "resolved-elsewhere", "closed"]) {
      expect(namesOf({ ...waiting, state }, "admin")).toEqual([]);
    }
  });

  test("is only recheck while a worker has it", () => {
    expect(namesOf({ ...waiting, state: "accepting" }, "agent")).toEqual(["accept: no", "close: no", "recheck"]);
  });

  test("follows the flags, and names the one that is missing", () => {
    const flags = { accept: known("N" as const), cancel: unknown("missing-flag") };

    const obstacles = possibleActions({ ...waiting, flags }, "supervisor").map(({ obstacle }) => obstacle);

    expect(obstacles).toEqual([
      "The gateway does not offer to accept this change.",
      "Whether the gateway offers to cancel is unknown: the gateway did not say.",
      null,
      null,
    ]);
  });

  test("a flag that differs by booking reference allows the action for those that have it", () => {
    const flags = { accept: unknown("differs-by-reference"), cancel: known("N" as const) };

    expect(namesOf({ ...waiting, flags }, "agent")).toContain("accept");
  });

  test("needs a status that was read", () => {
    expect(possibleActions({ ...waiting, flags: null }, "agent")[0]).toEqual({
      action: "accept",
      obstacle: "The reservation's status could not be read. Recheck first.",
    });
  });

  test("is to settle an unknown outcome before anything else, which takes a supervisor", () => {
    const subject = { ...waiting, effects: [{ state: "unknown" }] };

    expect(namesOf(subject, "supervisor")).toEqual(["confirm-effect", "refute-effect", "recheck"]);
    expect(namesOf(subject, "agent")).toEqual(["recheck"]);
  });
});
