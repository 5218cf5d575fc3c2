import { describe, expect, test } from "@jest/globals";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import { nextStep } from "../../../src/cases/next-step.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { SourceSettings } from "../../../src/cases/source-settings.ts";
import type { OrderEvent, Step } from "../../../src/cases/step.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { GatewayError, type GatewayPhase } from "../../../src/contract/failed-call.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { noMarks } from "../../../src/itinerary/member-marks.ts";
import { datedSample } from "../../builders/sample-notification.ts";
import { policyOf } from "../policy/policies.ts";

const now = new Date("2027-03-01T00:00:00Z");
const settings: SourceSettings = {
  policy: policyOf({ when: "true", do: "accept" }),
  shadow: null,
  customerAgreement: false,
  marks: noMarks,
  timing: { ...defaultTiming, retry: { baseMs: 1_000, capMs: 30_000, jitter: 0 } },
  versions: {},
};

const anOpenCase: OrderContext["case"] = {
  id: "case-1",
  state: "checking",
  reviewQueue: null,
  gdsBookingReferences: ["REF1"],
  requeueCount: 1,
  failures: 0,
  failingSince: null,
  proposalDigest: null,
  openedAt: now,
  notifiedAt: now,
  decisionId: null,
  undoLeftMs: null,
  clockRanOutAt: null,
};

function anOrder(changes: Partial<Omit<OrderContext, "case">> & { case?: Partial<OrderContext["case"]> } = {}) {
  const context: OrderContext = {
    source: "default",
    orderId: "ORDER1",
    decision: null,
    decisionHasEffect: false,
    reserved: [],
    temporaryRefusals: 0,
    liveEffect: null,
    lastSuccess: null,
    booked: null,
    bookedFrom: null,
    accepted: null,
    earlierProposals: [],
    storedDigests: [],
    travellerContacts: [],
    lastContact: "none",
    isRestated: false,
    isTakenOver: false,
    snoozedUntil: null,
    automationStoppedAt: null,
    notification: null,
    ...changes,
    case: { ...anOpenCase, ...changes.case },
  };
  return context;
}

const anAccept: OrderContext["decision"] = {
  id: "decision-1",
  action: "accept",
  decidedBy: "policy",
  rule: "small-retiming",
  question: null,
  reviewQueue: null,
  proposalDigest: "digest",
  policyVersion: "v1",
  marksVersion: null,
  onStatus: true,
  proposed: null,
  facts: null,
};

const anEffect: EffectSnapshot = {
  id: "effect-1",
  caseId: "case-1",
  action: "accept",
  state: "unknown",
  proposalDigest: "digest",
  gdsBookingReferences: ["REF1"],
  decisionId: "decision-1",
  settleReads: 0,
  unchangedReads: 0,
  sends: 1,
  sentAt: now,
  sentAgoMs: 0,
  finishedAt: null,
  proposed: null,
  acceptedBefore: null,
  ancillariesAtRisk: [],
  expectedRefund: null,
  refundCheck: null,
  legal: null,
  otherFlightsAskedIn: null,
  notifiedSince: false,
  contradicted: false,
  confirmedByPerson: false,
};

function stepAfter(context: OrderContext, event: OrderEvent): Step {
  return nextStep(context, event, settings, { now, random: 0.5, newDecisionId: "decision-2" });
}

const requeued: OrderEvent = { kind: "loaded", after: "start" };
const reading = (why: string, round = 1) => ({ save: null, next: { kind: "read-status", why, round } });

describe("a run begins", () => {
  test("with the status of a case that is open", () => {
    expect(stepAfter(anOrder(), requeued)).toMatchObject(reading("decide"));
  });

  test("with the status right before an effect that is decided and not sent", () => {
    expect(stepAfter(anOrder({ decision: anAccept }), requeued)).toMatchObject(reading("before-effect"));
    expect(stepAfter(anOrder({ decision: anAccept, decisionHasEffect: true }), requeued)).toMatchObject(
      reading("decide"),
    );
  });

  test("with an effect whose outcome is not known, before anything else", () => {
    const context = anOrder({ decision: anAccept, liveEffect: anEffect, case: { state: "accepting" } });
    expect(stepAfter(context, requeued)).toMatchObject(reading("settle"));
    const planned = anOrder({ liveEffect: { ...anEffect, state: "planned" }, case: { state: "accepting" } });
    expect(stepAfter(planned, requeued)).toMatchObject({ id: "plan-dropped", next: { outcome: "postponed" } });
    const sent = anOrder({ liveEffect: { ...anEffect, state: "sent" }, case: { state: "accepting" } });
    expect(stepAfter(sent, requeued)).toMatchObject({
      id: "interruption-recorded",
      save: { outcome: { state: "unknown" }, ending: { move: { state: "accepting" } } },
    });
  });

  test("with the status after an effect that has succeeded, and afresh after one that has ended otherwise", () => {
    const succeeded = { ...anEffect, state: "succeeded", finishedAt: now } as const;
    const context = anOrder({ lastSuccess: succeeded, case: { state: "accepting" } });
    expect(stepAfter(context, requeued)).toMatchObject(reading("after-effect"));
    const another = anOrder({ lastSuccess: { ...succeeded, caseId: "case-0" }, case: { state: "accepting" } });
    expect(stepAfter(another, requeued)).toMatchObject({ id: "requeued", save: { move: { state: "checking" } } });
  });

  test("with another look at a finished case, which cannot be asked about without a booking reference", () => {
    expect(stepAfter(anOrder({ case: { state: "done" } }), requeued)).toMatchObject(reading("recheck-finished"));
    const unasked = anOrder({ case: { state: "done", gdsBookingReferences: [] } });
    expect(stepAfter(unasked, requeued)).toMatchObject({ save: { move: { state: "done", dueAt: null } } });
  });

  test("with a person when an open case has no booking reference", () => {
    expect(stepAfter(anOrder({ case: { gdsBookingReferences: [] } }), requeued)).toMatchObject({
      save: { kind: "decision", decision: { action: "review", rule: "check:reference" } },
      next: { kind: "end", outcome: "decided" },
    });
  });
});

describe("an accept that was decided on a status", () => {
  const reading = readNotification(Buffer.from(JSON.stringify(datedSample("minor-delay", { orderId: "ORDER1" }))));
  if (!reading.ok) throw new Error(reading.problem.message);
  const seen = (ageMs: number): OrderEvent => ({
    kind: "status-read",
    why: "decide",
    round: 1,
    view: reading.view,
    statusViewId: "view-1",
    askedAt: new Date(now.getTime() - ageMs),
    readAt: now,
  });

  test("is sent at once while that status is younger than two seconds, and after another look from then on", () => {
    expect(stepAfter(anOrder(), seen(1_999))).toMatchObject({
      save: { kind: "decision", decision: { action: "accept" } },
      next: { kind: "send", attempt: { action: "accept", freshUntil: new Date(now.getTime() + 2_000) } },
    });
    expect(stepAfter(anOrder(), seen(2_000))).toMatchObject({
      save: { kind: "decision", decision: { action: "accept" } },
      contextAfterSave: { case: { decisionId: "decision-2" }, decision: { action: "accept" } },
      next: { kind: "read-status", why: "before-effect", round: 1 },
    });
  });

  test("waits for people who may stop it, however young that status is", () => {
    const inUndoWindow = { ...settings, timing: { ...settings.timing, undoWindowMs: 1 } };
    expect(nextStep(anOrder(), seen(0), inUndoWindow, { now, random: 0.5, newDecisionId: "decision-2" })).toMatchObject(
      {
        save: { kind: "decision", decision: { action: "accept" } },
        next: { kind: "end", outcome: "undo-window" },
      },
    );
  });
});

describe("a run that failed", () => {
  const failed = (error: unknown): OrderEvent => ({ kind: "failed", error });
  const failure = (phase: GatewayPhase, retryable: boolean) =>
    new GatewayError("gateway.unreachable", "away", { operation: "AirReservationStatus", phase, retryable });

  test("is tried again after a wait that grows", () => {
    const dueAfter = (failures: number) => {
      const step = stepAfter(anOrder({ case: { failures, failingSince: now } }), failed(failure("unknown", true)));
      return step.save?.kind === "move" ? step.save.move.dueAt!.getTime() - now.getTime() : null;
    };
    expect([0, 1, 2].map(dueAfter)).toEqual([1_000, 2_000, 4_000]);
  });

  test("asks a person at once when the gateway refuses, and after long when it is away", () => {
    const asks = (context: OrderContext, error: unknown) => {
      const { save } = stepAfter(context, failed(error));
      return save?.kind === "decision" ? save.decision.question : null;
    };
    expect(asks(anOrder(), failure("responded", false))).toBe("unreadable-status");
    const since = (ms: number) =>
      anOrder({ case: { failures: 3, failingSince: new Date(now.getTime() - settings.timing.escalateAfterMs + ms) } });
    expect(asks(since(1), failure("unknown", true))).toBeNull();
    expect(asks(since(0), failure("unknown", true))).toBe("unreachable-gateway");
  });

  test("asks a person about a failure of our own only the eighth time", () => {
    const asks = (failures: number) =>
      stepAfter(anOrder({ case: { failures } }), failed(new Error("bug"))).save?.kind === "decision";
    expect([6, 7].map(asks)).toEqual([false, true]);
  });
});
