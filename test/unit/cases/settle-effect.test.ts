import { describe, expect, test } from "vitest";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import {
  anAccept,
  anEffect,
  anOrder,
  cancelled,
  delay,
  now,
  settledAs,
  taken,
  underTwo,
  withOrder,
} from "../../builders/order-context.ts";
import { type Brief, briefAfter, settings, settingsWith, statusRead, stepAfter } from "../../builders/order-step.ts";
import { type OrderViewBody, withBlankStatus, withDeparture, withFlags } from "../../builders/sample-notification.ts";
import { policyOf } from "../policy/policies.ts";

const another = withDeparture(delay, "07:35:00");
const saying = (status: string) => withOrder(delay, { ScheduleChangeStatus: status });

/** Nothing is known of the accept of the delay. */
function unknown(effect: Partial<EffectSnapshot> = {}, changes: Partial<OrderContext> = {}): OrderContext {
  const liveEffect = anEffect(effect);
  return anOrder({
    decision: anAccept(),
    decisionHasEffect: true,
    liveEffect,
    ...changes,
    case: { state: "accepting" },
  });
}

/** The last read that may settle it, when nobody can be sending it any more. */
const last = { settleReads: 2, unchangedReads: 2, sentAgoMs: 600_000 };
const settling = (dueInMs: number) => ({ id: "settle-read-counted", next: "settling", state: "accepting", dueInMs });
const confirmed = { id: "effect-confirmed", next: "load", outcome: "succeeded", state: "accepting" };
const resend = { id: "read-status-send-again", next: "read send-again" };
const asked = {
  id: "escalated",
  next: "decided",
  state: "awaiting-agent",
  queue: "agent",
  dueInMs: null,
  question: "effect-outcome",
  reasons: ["effect-outcome-unknown"],
};

describe("an accept of which nothing is known, and a status", () => {
  test.each<[string, Partial<EffectSnapshot>, OrderViewBody, Partial<Brief>]>([
    ["that shows it: is confirmed", {}, taken, confirmed],
    ["with the change as before: waits", {}, delay, settling(30_000)],
    ["with the change as before again: waits longer", { settleReads: 1, unchangedReads: 1 }, delay, settling(120_000)],
    ["with the change as before for the whole lag: is sent again", last, delay, resend],
    ["with the change as before, but not always: is a person's", { ...last, unchangedReads: 1 }, delay, asked],
    ["with the change as before, sent twice: is a person's", { ...last, sends: 2 }, delay, asked],
    ["with another change: is a person's", last, another, asked],
    ["that is blank: is a person's", last, withBlankStatus(delay), asked],
    ["that says Accepted beside the flags, as it may be left over: is a person's", last, saying("Accepted"), asked],
    ["that says Partially-Accepted: is a person's", last, saying("Partially-Accepted"), asked],
    ["that says Rejected: is a person's", last, settledAs(delay, "Rejected"), asked],
    ["that says Accepted beside other flights: is a person's", last, settledAs(delay, "Accepted"), asked],
    ["without the order: is a person's", last, withOrder(delay, { OrderID: "ELSE" }), asked],
  ])("%s", (_, effect, body, brief) => {
    expect(briefAfter(unknown(effect), statusRead("settle", body))).toMatchObject(brief);
  });

  test.each([
    ["as before", delay, "unchanged"],
    ["of another change", another, "otherwise"],
    ["that is blank", withBlankStatus(delay), "otherwise"],
    ["that says Accepted", saying("Accepted"), "otherwise"],
    ["that says Partially-Accepted", saying("Partially-Accepted"), "otherwise"],
    ["that no longer offers it", withFlags(delay, { Accept: "N" }), "otherwise"],
  ])("%s is counted so", (_, body, shown) => {
    expect(stepAfter(unknown(), statusRead("settle", body)).save).toMatchObject({ kind: "settle-read", shown });
  });

  test("that shows it confirms it while automation is stopped as well", () => {
    expect(briefAfter(unknown({}, { automationStoppedAt: now }), statusRead("settle", taken))).toMatchObject(confirmed);
  });

  test("of a part says for which reference it is still open", () => {
    const effect = { ...last, gdsBookingReferences: ["A", "B"] };
    const partly = underTwo((reference) => (reference === "A" ? settledAs(delay, "Accepted") : delay));
    const { save } = stepAfter(unknown(effect), statusRead("settle", partly));
    const text = expect.stringContaining("shows it in part: it is still open for B");
    expect(save).toMatchObject({ followUp: { reasons: [{ text }] } });
  });

  test("after a person was asked keeps the question, and is never followed by a second request", () => {
    const decision = { ...anAccept(), id: "decision-2", action: "review", question: "effect-outcome" } as const;
    const step = stepAfter(unknown(last, { decision }), statusRead("settle"));
    expect(step).toMatchObject({ id: "escalated", save: { followUp: null, move: { state: "awaiting-agent" } } });
  });
});

describe("an accept that may be sent once more", () => {
  const sent = { id: "send-again", next: "send accept" };
  const byPerson = anAccept({ decidedBy: "person:ana" });
  const lagMs = defaultTiming.settleReadsMs.reduce((sum, waitMs) => sum + waitMs, 0);

  test.each<[string, number, number, Partial<Brief>]>([
    ["waits for the lag of a stored status", lagMs - 1, 0, settling(1)],
    ["is sent when that is over", lagMs, 0, resend],
    ["waits for the longest call and a lease", 299_999, 300_000 - defaultTiming.leaseMs, settling(1)],
    ["is sent when those are over", 300_000, 300_000 - defaultTiming.leaseMs, resend],
  ])("%s", (_, sentAgoMs, callMaxMs, brief) => {
    expect(
      briefAfter(unknown({ ...last, sentAgoMs }), statusRead("settle"), settingsWith({ callMaxMs })),
    ).toMatchObject(brief);
  });

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["is sent when the status right before shows it unchanged", unknown(last), delay, sent],
    ["is sent so as well when a person decided it", unknown(last, { decision: byPerson }), delay, sent],
    ["is not sent when that status shows it as done", unknown(last), taken, confirmed],
    ["is not sent when that status shows another proposal", unknown(last), another, asked],
    ["is not sent when automation was stopped", unknown(last, { automationStoppedAt: now }), delay, asked],
    ["is not sent when that status is blank", unknown(last), withBlankStatus(delay), asked],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, statusRead("send-again", body))).toMatchObject(brief);
  });

  test("is not sent when the policy would no longer accept it", () => {
    const strict = settingsWith({}, policyOf({ when: "true", do: "review" }));
    expect(briefAfter(unknown(last), statusRead("send-again"), strict)).toMatchObject(asked);
  });

  test("is sent as the same effect, for the same references", () => {
    const { next } = stepAfter(unknown(last), statusRead("send-again"), settings);
    const attempt = { effectId: "effect-1", action: "accept", gdsBookingReferences: ["REF1"], freshUntil: null };
    expect(next).toMatchObject({ kind: "send", attempt });
  });
});

describe("a cancel of which nothing is known", () => {
  const unknownCancel = (effect: Partial<EffectSnapshot> = {}) =>
    anOrder({
      decision: anAccept({ action: "cancel" }, cancelled),
      liveEffect: anEffect({ action: "cancel", ...effect }, cancelled),
      case: { state: "cancelling" },
    });
  const rejected = (flags: Parameters<typeof withFlags>[1]) =>
    withOrder(withFlags(cancelled, flags), { ScheduleChangeStatus: "Rejected" });
  const gone = (flags: Parameters<typeof withFlags>[1]) =>
    withOrder(withFlags(cancelled, flags), { PnrStatus: "CANCELLED" });
  const done = { ...confirmed, state: "cancelling" };

  test.each<[string, OrderViewBody, Partial<Brief>]>([
    ["is never sent again", cancelled, asked],
    ["is not confirmed by Rejected without flags", rejected({}), asked],
    ["is not confirmed by Rejected while it is offered", rejected({ Accept: "N", Cancel: "Y" }), asked],
    ["is confirmed by Rejected with the flag N", rejected({ Accept: "N", Cancel: "N" }), done],
    ["is confirmed by CANCELLED with the flag N", gone({ Cancel: "N" }), done],
    ["is not confirmed by CANCELLED without flags", gone({}), asked],
  ])("%s", (_, body, brief) => {
    expect(briefAfter(unknownCancel(last), statusRead("settle", body))).toMatchObject(brief);
  });

  test("leaves a task for its refund when a status confirms it", () => {
    const brief = { ...done, refund: "unknown", tasks: ["check-refund: refund-not-stated"] };
    expect(briefAfter(unknownCancel(), statusRead("settle", rejected({ Cancel: "N" })))).toMatchObject(brief);
  });
});
