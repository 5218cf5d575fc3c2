import { describe, expect, test } from "vitest";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import {
  afterMs,
  anAccept,
  anEffect,
  anOrder,
  aSuccess,
  delay,
  proposalOf,
  viewOf,
} from "../../builders/order-context.ts";
import { type Brief, briefAfter, requeued, settingsWith, statusRead, stepAfter } from "../../builders/order-step.ts";

const reading = (why: string) => ({ id: `read-status-${why}`, next: `read ${why}`, state: undefined });

describe("a run begins", () => {
  const accepting = { state: "accepting" } as const;
  const nameless = { gdsBookingReferences: [] };
  const dropped = { id: "plan-dropped", next: "postponed", outcome: "failed", state: "checking", dueInMs: 0 };
  const noted = {
    id: "interruption-recorded",
    next: "settling",
    outcome: "unknown",
    state: "accepting",
    dueInMs: 5_000,
  };
  const nothing = { id: "no-new-work", state: "done", dueInMs: null };
  const asked = { next: "decided", action: "review", rule: "check:reference", reasons: ["no-booking-reference"] };
  const live = (state: "planned" | "sent" | "unknown") =>
    anOrder({ decision: anAccept(), liveEffect: anEffect({ state }), case: accepting });
  const succeeded = (caseId: string) => anOrder({ lastSuccess: aSuccess({ caseId }), case: accepting });

  test.each<[string, OrderContext, Partial<Brief>]>([
    ["with the status of a case that is open", anOrder(), reading("decide")],
    ["with the status right before an effect", anOrder({ decision: anAccept() }), reading("before-effect")],
    [
      "with the status as ever once that is sent",
      anOrder({ decision: anAccept(), decisionHasEffect: true }),
      reading("decide"),
    ],
    ["with an effect whose outcome is not known, before anything else", live("unknown"), reading("settle")],
    ["with dropping an effect that was only planned", live("planned"), dropped],
    ["with noting that a process died while it sent one", live("sent"), noted],
    ["with the status after an effect that has succeeded", succeeded("case-1"), reading("after-effect")],
    [
      "afresh after one that has ended otherwise",
      succeeded("case-0"),
      { id: "requeued", state: "checking", dueInMs: 0 },
    ],
    ["with another look at a finished case", anOrder({ case: { state: "done" } }), reading("recheck-finished")],
    ["with none at one without a booking reference", anOrder({ case: { state: "done", ...nameless } }), nothing],
    ["with a person when an open one has no booking reference", anOrder({ case: nameless }), asked],
  ])("%s", (_, context, brief) => {
    expect(briefAfter(context, requeued)).toMatchObject(brief);
  });
});

describe("an accept that was decided on a status", () => {
  test("is sent at once while that status is younger than two seconds, and after another look from then on", () => {
    expect(stepAfter(anOrder(), statusRead("decide", undefined, { ageMs: 1_999 }))).toMatchObject({
      save: { kind: "decision", decision: { action: "accept" } },
      next: { kind: "send", attempt: { action: "accept", freshUntil: afterMs(2_000) } },
    });
    expect(stepAfter(anOrder(), statusRead("decide", undefined, { ageMs: 2_000 }))).toMatchObject({
      save: { kind: "decision", decision: { action: "accept" } },
      contextAfterSave: { case: { decisionId: "decision-2" }, decision: { action: "accept" } },
      next: { kind: "read-status", why: "before-effect", round: 1 },
    });
  });

  test("waits for people who may stop it, however young that status is", () => {
    const inUndoWindow = settingsWith({ undoWindowMs: 1 });
    const brief = { action: "accept", next: "undo-window" };
    expect(briefAfter(anOrder(), statusRead("decide"), inUndoWindow)).toMatchObject(brief);
  });
});

describe("an order without a booking reference", () => {
  const asked = (snoozedForMs: number) =>
    anOrder({
      decision: anAccept({ action: "review", rule: "check:reference", reviewQueue: "agent" }),
      snoozedUntil: afterMs(snoozedForMs),
      case: { gdsBookingReferences: [] },
    });

  test("rests where it waits when it is notified again", () => {
    const waits = { id: "already-asked", next: "unchanged", rule: undefined };
    expect(briefAfter(asked(9_000), requeued)).toMatchObject({ ...waits, state: "snoozed", dueInMs: 9_000 });
    expect(briefAfter(asked(0), requeued)).toMatchObject({ ...waits, state: "awaiting-agent", queue: "agent" });
  });

  test("comes back to people when another change is notified", () => {
    const notified = { ...asked(9_000), notification: viewOf(delay) };
    const brief = { id: "escalated", state: "awaiting-agent", rule: "check:reference" };
    expect(briefAfter(notified, requeued)).toMatchObject(brief);
    const known = [{ proposed: proposalOf(delay).proposed, decidedAt: "2027-01-31T00:00:00Z", isBlank: false }];
    expect(briefAfter({ ...notified, earlierProposals: known }, requeued)).toMatchObject({ state: "snoozed" });
  });
});
