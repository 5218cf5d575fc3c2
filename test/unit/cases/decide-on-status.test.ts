import { describe, expect, test } from "vitest";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import type { OrderContext, ReservedDecision } from "../../../src/cases/order-context.ts";
import { defaultStatusLagMs } from "../../../src/cases/timing.ts";
import {
  afterMs,
  anOrder,
  aReview,
  aSuccess,
  cancelled,
  changeOf,
  delay,
  now,
  proposalOf,
  taken,
  takenOtherwise,
  viewOf,
  withOrder,
} from "../../builders/order-context.ts";
import { type Brief, briefAfter, settings, settingsWith, statusRead, stepAfter } from "../../builders/order-step.ts";
import { type OrderViewBody, withDeparture, withFlags } from "../../builders/sample-notification.ts";
import { policyFrom, policyOf, shippedPolicy } from "../policy/policies.ts";

const another = withDeparture(delay, "07:25:00");

const cautious = settingsWith({}, shippedPolicy());
const cancelAll = `version: 1
name: cancelling
settings: { orderValue: { USD: 5000 } }
rules:
  - name: withdrawn
    when: cancelled && !partiallyCancelled && ticketed && departedFlightCount == 0
    do: cancel
    reason: withdrawn
`;
const seen = (body: OrderViewBody = delay) => statusRead("decide", body);
const accepted = {
  id: "decided",
  next: "send accept",
  state: "checking",
  dueInMs: 0,
  action: "accept",
  question: null,
};
const asked = (...reasons: readonly string[]) => ({
  next: "decided",
  state: "awaiting-agent",
  dueInMs: null,
  action: "review",
  reasons,
});
const elsewhere = { next: "decided", state: "resolved-elsewhere", dueInMs: null, queue: null, action: "none" };
const waits = (rule: string, dueInMs = defaultStatusLagMs) => ({ state: "snoozed", dueInMs, action: "wait", rule });

describe("by the policy of an agency that has chosen none, a change", () => {
  test.each([
    ["minor-delay", "accept", "small-retiming", null],
    ["misconnection", "review", "connection-broken", "agent"],
    ["replaced-by-two", "review", "connection-broken", "agent"],
    ["cancelled", "review", "cancelled", "agent"],
    ["flight-number-only", "review", "flight-number-only", "agent"],
  ] as const)("(%s) is decided as %s by %s", (sample, action, rule, queue) => {
    expect(briefAfter(anOrder(), seen(changeOf(sample)), cautious)).toMatchObject({
      action,
      rule,
      queue,
      question: null,
    });
  });

  test("of a trip of which every flight has left closes the case, unless a refund may be claimed", () => {
    const yearsLater = new Date("2030-01-01T00:00:00Z");
    const closed = {
      state: "closed",
      queue: null,
      dueInMs: null,
      action: "none",
      rule: "departed",
      reasons: ["departed"],
    };
    expect(briefAfter(anOrder(), seen(), cautious, yearsLater)).toMatchObject(closed);
    expect(briefAfter(anOrder(), seen(cancelled), cautious, yearsLater)).toMatchObject({
      state: "awaiting-agent",
      action: "review",
    });
  });
});

describe("an accept that the rules want", () => {
  test.each([
    [{ Accept: "N", Cancel: "Y", ReSchedule: "N" }, "accept-not-offered", "agent"],
    [{ Accept: "N", Cancel: "N", ReSchedule: "Y" }, "reschedule-only", "reschedule"],
    [{ Accept: "N", Cancel: "N", ReSchedule: "N" }, "no-action-offered", "agent"],
    [{ Cancel: "Y", ReSchedule: "N" }, "flag-unknown", "agent"],
  ])("is stopped by the flags %j: %s", (flags, reason, queue) => {
    expect(briefAfter(anOrder(), seen(withFlags(delay, flags)))).toMatchObject({ ...asked(reason, "reason-1"), queue });
  });

  test("is a person's while automation is stopped, with the reasons of the rules behind it", () => {
    const stopped = anOrder({ automationStoppedAt: now });
    const brief = { ...asked("automation-stopped", "reason-1"), question: "automation-stopped", queue: "agent" };
    expect(briefAfter(stopped, seen())).toMatchObject({ ...brief, rule: "check:automation-stopped" });
    const text = `Automation has been stopped since ${now.toISOString()}. The policy would accept this change.`;
    expect(stepAfter(stopped, seen()).save).toMatchObject({ decision: { reasons: [{ text }, {}] } });
  });

  test("is so as a cancel", () => {
    const paid = withOrder(cancelled, { TotalPrice: { BookingCurrencyPrice: 1134.38 }, BookingCurrencyCode: "USD" });
    const cancelling = settingsWith({}, policyFrom(cancelAll));
    expect(briefAfter(anOrder(), seen(paid), cancelling)).toMatchObject({
      ...accepted,
      next: "send cancel",
      action: "cancel",
    });
    const stopped = anOrder({ automationStoppedAt: now });
    expect(briefAfter(stopped, seen(paid), cancelling)).toMatchObject(asked("automation-stopped", "withdrawn"));
  });

  test("leaves the question of a rule as it is while automation is stopped", () => {
    const brief = { action: "review", rule: "cancelled", question: null };
    expect(briefAfter(anOrder({ automationStoppedAt: now }), seen(cancelled), cautious)).toMatchObject(brief);
  });

  const windowed = settingsWith({ undoWindowMs: 600_000 });
  test("waits for the undo window, but not near departure", () => {
    expect(briefAfter(anOrder(), seen(), windowed)).toMatchObject({
      ...accepted,
      next: "undo-window",
      dueInMs: 600_000,
    });
    const near = new Date("2027-03-13T11:00:00Z");
    const nearby = { ...seen(), askedAt: near, readAt: near } as const;
    expect(briefAfter(anOrder(), nearby, windowed, near)).toMatchObject({ id: "decided", next: "send accept" });
  });

  test("waits for the undo window anew when it is of another proposal", () => {
    const decided = anOrder({
      decision: aReview({ action: "accept" }),
      decisionHasEffect: true,
      case: { undoLeftMs: 1_000 },
    });
    expect(briefAfter(decided, seen(another), windowed)).toMatchObject({ next: "undo-window", dueInMs: 600_000 });
  });
});

describe("a change that was answered", () => {
  const answered = (effect: Partial<EffectSnapshot>, body: OrderViewBody) =>
    anOrder({ case: { id: "case-2" }, lastSuccess: aSuccess(effect, body) });
  const accept = answered({}, delay);
  const cancel = answered({ action: "cancel" }, cancelled);
  const longAgo = { finishedAt: afterMs(-defaultStatusLagMs) };
  const acceptLongAgo = answered(longAgo, delay);
  const cancelLongAgo = answered({ action: "cancel", ...longAgo }, cancelled);
  const askedElsewhere = answered({ otherFlightsAskedIn: "case-1" }, delay);
  const sentYesterday = answered({ sentAt: afterMs(-24 * 60 * 60_000) }, delay);

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["by an accept, and is still open, is waited for", accept, delay, waits("check:already-accepted")],
    ["by a cancel, and is still open, is waited for", cancel, cancelled, waits("check:already-cancelled")],
    ["by an accept long ago, and is open, is a person's", acceptLongAgo, delay, asked("accepted-but-still-open")],
    ["by a cancel long ago, and is open, is a person's", cancelLongAgo, cancelled, asked("cancelled-but-still-open")],
    ["by an accept is none of the next change", accept, another, accepted],
    ["by an accept of other flights is a person's", accept, takenOtherwise, asked("accepted-other-flights")],
    ["by an accept of other flights is asked about in one case", askedElsewhere, takenOtherwise, elsewhere],
    ["by an accept a day ago says nothing of the flights now", sentYesterday, takenOtherwise, elsewhere],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, seen(body))).toMatchObject(brief);
  });

  test("by an accept is not suspected of a change that was open afterwards and was settled at the airline", () => {
    const { current: proposed } = proposalOf(takenOtherwise);
    const openAt = (at: Date) => ({
      ...accept,
      earlierProposals: [{ proposed, decidedAt: at.toISOString(), isBlank: false }],
    });
    expect(briefAfter(openAt(afterMs(defaultStatusLagMs + 1)), seen(takenOtherwise))).toMatchObject(elsewhere);
    expect(briefAfter(openAt(afterMs(defaultStatusLagMs)), seen(takenOtherwise))).toMatchObject(
      asked("accepted-other-flights"),
    );
  });
});

describe("an order", () => {
  /** The airline tells of flights that are listed already. */
  const unchanged = (PnrStatus: string) => {
    const body = withOrder(withFlags(withDeparture(delay, "07:10:00"), {}), {
      ScheduleChangeStatus: "Accepted",
      PnrStatus,
    });
    body.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment[0]!.SegmentDetails = [
      { Departure: { Time: "07:10:00" } },
    ];
    return body;
  };
  const notified = (body: OrderViewBody) => anOrder({ notification: viewOf(body) });
  const partly = withOrder(delay, { ScheduleChangeStatus: "Partially-Accepted" });
  const open = { state: "awaiting-agent" };
  const unlisted = { ...asked("order-not-in-status"), question: "unreadable-status" };

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["that is settled elsewhere is closed", notified(delay), taken, { ...elsewhere, reasons: ["accepted-elsewhere"] }],
    ["that is CANCELLED is not closed by that alone", anOrder(), cancelled, { state: "awaiting-agent" }],
    ["that is partly accepted is a person's", anOrder(), partly, asked("partially-accepted", "reason-1")],
    ["that says Accepted without flags and CONFIRMED is settled", anOrder(), unchanged("CONFIRMED"), elsewhere],
    ["that says Accepted without flags and nothing else is settled", anOrder(), unchanged(""), elsewhere],
    ["that says Accepted without flags and SCHEDULE CHANGED is not", anOrder(), unchanged("SCHEDULE CHANGED"), open],
    ["whose status is older than its notification waits", notified(another), taken, waits("check:not-shown-yet")],
    ["that the status does not show is a person's", anOrder(), withOrder(delay, { OrderID: "ELSE" }), unlisted],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, seen(body))).toMatchObject(brief);
  });

  test("does not end while another change is shown, though the status says Accepted beside the flights decided about", () => {
    const decided = anOrder({ decision: aReview({}, unchanged("CONFIRMED")) });
    const shown = withOrder(withFlags(withDeparture(delay, "07:05:00"), {}), { ScheduleChangeStatus: "Accepted" });
    expect(briefAfter(decided, seen(shown))).toMatchObject({ state: "awaiting-agent" });
  });

  test("waits for its notification for as long as a status may be an old one, and not longer by a second one", () => {
    const at = (ms: number) => briefAfter(notified(another), seen(taken), settings, afterMs(ms));
    expect(at(defaultStatusLagMs - 1)).toMatchObject(waits("check:not-shown-yet"));
    expect(at(defaultStatusLagMs)).toMatchObject(elsewhere);
  });

  test("that drifts is measured against what was booked, not against what was accepted last", () => {
    const drifted = withDeparture(delay, "07:50:00");
    const accepted = proposalOf(delay).proposed;
    const { save } = stepAfter(
      anOrder({ booked: proposalOf(delay).current, bookedFrom: "notification", accepted }),
      seen(drifted),
      cautious,
    );
    const facts = { departureLaterMinutes: { value: 40 }, sinceAcceptedDepartureLaterMinutes: { value: 20 } };
    expect(save).toMatchObject({ decision: { action: "review", facts } });
  });
});

describe("somebody who is asked about a change", () => {
  const policyVersion = settings.policy.version;
  const asking = (decision: Parameters<typeof aReview>[0] = {}, changes: Partial<Omit<OrderContext, "case">> = {}) =>
    anOrder({ decision: aReview({ policyVersion, ...decision }), ...changes });
  const stays = { id: "already-asked", next: "unchanged", state: "awaiting-agent", queue: "agent", rule: undefined };
  const stopped = { question: "automation-stopped", rule: "check:automation-stopped" } as const;
  const byPerson = { decidedBy: "person:ana" };
  const old = { policyVersion: "old" };
  const snoozed = { ...stays, state: "snoozed", dueInMs: 9_000 };

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["stays asked while nothing has changed", asking(), delay, stays],
    ["is not when the airline proposes something else", asking(), another, accepted],
    ["is not when the policy is another one", asking(old), delay, accepted],
    ["is not when members were marked since", asking({ marksVersion: "old" }), delay, accepted],
    ["is not when the agency has stated the booked flights since", asking({}, { isRestated: true }), delay, accepted],
    ["is not when the traveller was informed since", asking({}, { lastContact: "informed" }), delay, accepted],
    ["is not when there was no status", asking({ onStatus: false }), delay, accepted],
    ["is not when the status could not be read", asking({ question: "unreadable-status" }), delay, accepted],
    ["stays asked about an effect by any policy", asking({ ...old, question: "effect-outcome" }), delay, stays],
    ["stays asked by a person by any policy", asking({ ...old, ...byPerson }), delay, stays],
    ["stays so when the traveller was informed", asking(byPerson, { lastContact: "informed" }), delay, stays],
    ["is not when the traveller has answered", asking(byPerson, { lastContact: "answered" }), delay, accepted],
    ["stays asked while automation is stopped", asking(stopped, { automationStoppedAt: now }), delay, stays],
    ["is not when automation goes on", asking(stopped), delay, accepted],
    ["stays asked when they have taken the case over", asking(stopped, { isTakenOver: true }), delay, stays],
    ["has a snoozed case back when that is over", asking({}, { snoozedUntil: now }), delay, stays],
    ["has a case snoozed until then", asking({}, { snoozedUntil: afterMs(9_000) }), delay, snoozed],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, seen(body))).toMatchObject(brief);
  });
});

describe("what belongs to a person", () => {
  const { digest } = proposalOf(delay);
  const theirs = (changes: Partial<ReservedDecision> = {}) =>
    anOrder({ reserved: [{ proposalDigest: digest, isUnsent: false, isQuestion: false, ...changes }] });
  const question = { isQuestion: true, isUnsent: true };
  const forThem = { ...asked("person-decided", "reason-1"), rule: "check:person-decided", question: "person-decided" };

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["is decided by no rule", theirs(), delay, forThem],
    ["is not another change", theirs(), another, accepted],
    ["is every later change while theirs was never sent", theirs({ isUnsent: true }), another, forThem],
    ["is not another change because they were asked about one", theirs(question), another, accepted],
    ["is nothing that is settled elsewhere", theirs(), taken, { state: "resolved-elsewhere" }],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, seen(body))).toMatchObject(brief);
  });

  test("stays with them when a rule wants nothing done", () => {
    const idle = settingsWith({}, policyOf({ when: "true", do: "none" }));
    expect(briefAfter(theirs(), seen(), idle)).toMatchObject({ state: "awaiting-agent", rule: "check:person-decided" });
  });
});
