import { describe, expect, test } from "vitest";
import type { ActionSubject } from "../../../src/cases/case-actions.ts";
import { caseStates } from "../../../src/cases/lifecycle.ts";
import {
  contactRefusal,
  needsSecondPerson,
  obstacleInState,
  possibleActions,
  snoozeRefusal,
} from "../../../src/cases/possible-actions.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";

const now = new Date("2027-03-01T12:00:00Z");
const after = (ms: number) => new Date(now.getTime() + ms);
const day = 24 * 60 * 60_000;

describe("a second person", () => {
  const worth = (value: string) => ({ orderValue: known(value) });

  test.each([
    ["999.99", false],
    ["1000", false],
    ["1000.00", false],
    ["1000.01", true],
    ["10000", true],
  ])("for an order worth %s with the limit 1000: %s", (value, needed) => {
    expect(needsSecondPerson(worth(value), "1000")).toBe(needed);
  });

  test("is never needed without a limit", () => {
    expect(needsSecondPerson(worth("1000000"), null)).toBe(false);
    expect(needsSecondPerson(null, null)).toBe(false);
  });

  test("is needed when nobody knows what the order is worth", () => {
    expect(needsSecondPerson({ orderValue: unknown("missing-order") }, "1000")).toBe(true);
    expect(needsSecondPerson(worth("a lot"), "1000")).toBe(true);
    expect(needsSecondPerson(null, "1000")).toBe(true);
  });
});

describe("a snooze", () => {
  const open = { caseId: "c", now, departureAt: null, dueBy: null };

  test.each([
    ["now itself", after(0), "desk.snooze_past"],
    ["a moment later", after(1), null],
    ["30 days", after(30 * day), null],
    ["a moment more", after(30 * day + 1), "desk.snooze_too_long"],
  ])("until %s is possible only within its limits", (_, until, code) => {
    expect(snoozeRefusal(until, open)?.code ?? null).toBe(code);
  });

  test.each([
    ["departureAt", "desk.snooze_past_departure"],
    ["dueBy", "desk.snooze_past_due"],
  ])("ends with %s at the latest", (name, code) => {
    const bounded = { ...open, [name]: after(day) };

    expect(snoozeRefusal(after(day), bounded)).toBeNull();
    expect(snoozeRefusal(after(day + 1), bounded)?.code).toBe(code);
  });
});

describe("a contact", () => {
  test.each([
    ["now", after(0), null],
    ["in a moment", after(1), "desk.contact_in_future"],
    ["a year ago", after(-365 * day), null],
    ["a moment before", after(-365 * day - 1), "desk.contact_too_old"],
  ])("cannot be recorded for the future: %s", (_, happenedAt, code) => {
    expect(contactRefusal(happenedAt, now)?.code ?? null).toBe(code);
  });
});

describe("what is possible", () => {
  type Flags = NonNullable<ActionSubject["flags"]>;
  const flags: Flags = { accept: known("Y"), cancel: known("Y"), reSchedule: known("N") };
  const subject = (changes: Partial<ActionSubject> = {}): ActionSubject => ({
    state: "awaiting-agent",
    flags,
    proposalDigest: "now",
    effects: [],
    isApprovalPending: false,
    undoUntil: null,
    isPostponed: false,
    isJustCarriedOut: false,
    orderHasOpenCase: true,
    now,
    ...changes,
  });

  const cases: readonly (readonly [Partial<ActionSubject>, boolean])[] = [
    [{}, true],
    [{ flags: { ...flags, accept: known("N") } }, false],
    [{ flags: { ...flags, accept: unknown("missing-flag") } }, false],
    [{ flags: { ...flags, accept: unknown("differs-by-reference") } }, true],
    [{ flags: null }, false],
    [{ proposalDigest: null }, false],
    [{ state: "checking" as const }, false],
    [{ effects: [{ action: "accept", state: "unknown", proposalDigest: "now" }] }, false],
    [{ effects: [{ action: "accept", state: "succeeded", proposalDigest: "now" }] }, false],
    [{ effects: [{ action: "accept", state: "succeeded", proposalDigest: "before" }] }, true],
    [{ effects: [{ action: "accept", state: "failed", proposalDigest: "now" }] }, true],
    [{ isJustCarriedOut: true }, false],
  ];

  test.each(cases)("accept with %j: %s", (changes, possible) => {
    expect(possibleActions(subject(changes)).includes("accept")).toBe(possible);
  });

  test("is to settle an effect only while one is unknown", () => {
    const unsettled = subject({ effects: [{ action: "cancel", state: "unknown", proposalDigest: "now" }] });

    expect(possibleActions(unsettled)).toEqual(expect.arrayContaining(["confirm-effect", "refute-effect"]));
    expect(possibleActions(unsettled)).not.toContain("close");
    expect(possibleActions(subject())).not.toContain("confirm-effect");
  });

  test("is to stop until the very moment at which it is sent", () => {
    const checking = { state: "checking" as const };

    expect(possibleActions(subject({ ...checking, undoUntil: after(1) }))).toContain("stop");
    expect(possibleActions(subject({ ...checking, undoUntil: after(0) }))).not.toContain("stop");
    expect(possibleActions(subject({ ...checking, isPostponed: true }))).toContain("stop");
  });

  test("is to reopen a finished case whose order has no open one", () => {
    expect(possibleActions(subject({ state: "closed", orderHasOpenCase: false }))).toEqual([
      "note",
      "reopen",
      "traveller-informed",
    ]);
    expect(possibleActions(subject({ state: "closed" }))).toEqual(["note", "traveller-informed"]);
  });

  test.each(caseStates)("is never what the state %s forbids", (state) => {
    for (const action of possibleActions(subject({ state, undoUntil: after(1), orderHasOpenCase: false }))) {
      expect(obstacleInState(action, state, "c")).toBeNull();
    }
  });
});
