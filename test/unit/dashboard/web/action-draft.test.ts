import { describe, expect, test } from "vitest";
import { type CaseActionName, caseActionNames } from "../../../../src/cases/case-actions.ts";
import { caseActionParameters } from "../../../../src/cases/case-command.ts";
import { emptyDraft, readDraft } from "../../../../src/dashboard/web/case/action-draft.ts";
import { type ActionDraft, actionWords } from "../../../../src/dashboard/web/case/case-actions.ts";

const at = "2026-11-21T09:30";
const instant = new Date(at).toISOString();

function read(action: CaseActionName, draft: Partial<ActionDraft> = {}) {
  return readDraft(action, { ...emptyDraft, ...draft }, "QX7R2M1A");
}

describe("the draft of an action", () => {
  test("is sent without a note when there is none but blanks", () => {
    expect(read("accept", { note: "  " })).toEqual({ action: "accept" });
    expect(read("accept", { note: " agreed " })).toEqual({ action: "accept", note: "agreed" });
  });

  test("cancels only with the order id typed out in full, in upper or lower case", () => {
    expect(read("cancel", { confirm: "QX7R2M1" })).toBeNull();
    expect(read("cancel", { confirm: "qx7r2m1a" })).toEqual({ action: "cancel", confirm: "QX7R2M1A" });
    expect(read("cancel", { confirm: " QX7R2M1A " })).toEqual({ action: "cancel", confirm: "QX7R2M1A" });
  });

  test("snoozes until an instant", () => {
    expect(read("snooze")).toBeNull();
    expect(read("snooze", { until: "soon" })).toBeNull();
    expect(read("snooze", { until: at })).toEqual({ action: "snooze", until: instant });
  });

  test("assigns to a user name, and gives back when it is empty", () => {
    expect(read("assign", { assignee: " ann " })).toEqual({ action: "assign", assignee: "ann" });
    expect(read("assign", { assignee: " " })).toEqual({ action: "assign", assignee: null });
  });

  test("a note needs words", () => {
    expect(read("note", { note: " " })).toBeNull();
    expect(read("note", { note: "called" })).toEqual({ action: "note", note: "called" });
  });

  test("closes with a reason; another reason than the usual ones needs words", () => {
    expect(read("close")).toBeNull();
    expect(read("close", { reasonCode: "duplicate" })).toEqual({ action: "close", reasonCode: "duplicate" });
    expect(read("close", { reasonCode: "other" })).toBeNull();
    expect(read("close", { reasonCode: "other", note: "test order" })).toEqual({
      action: "close",
      reasonCode: "other",
      note: "test order",
    });
  });

  test("a contact says when and by which channel, and an answer what it was", () => {
    const contact = { channel: "email", happenedAt: at };

    expect(read("traveller-informed", { happenedAt: "" })).toBeNull();
    expect(read("traveller-asked", contact)).toEqual({
      action: "traveller-asked",
      channel: "email",
      happenedAt: instant,
    });
    expect(read("traveller-answered", contact)).toBeNull();
    expect(read("traveller-answered", { ...contact, answer: "accepts" })).toEqual({
      action: "traveller-answered",
      channel: "email",
      happenedAt: instant,
      answer: "accepts",
    });
  });

  test("an approval names what it answers", () => {
    expect(read("approve", { approvalId: "approval-1" })).toEqual({ action: "approve", approvalId: "approval-1" });
    expect(read("approve")).toBeNull();
  });

  test.each(caseActionNames)("the dialog of %s asks for everything that the action takes", (name) => {
    const asked = (actionWords[name].fields ?? []).flat();

    expect([...asked].sort()).toEqual(Object.keys(caseActionParameters[name]).sort());
  });
});
