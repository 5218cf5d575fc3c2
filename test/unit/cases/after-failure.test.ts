import { describe, expect, test } from "vitest";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { OrderEvent } from "../../../src/cases/step.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import {
  afterMs,
  anAccept,
  anEffect,
  anOrder,
  aReview,
  delay,
  proposalOf,
  viewOf,
} from "../../builders/order-context.ts";
import { type Brief, briefAfter, gatewayFailure, stepAfter } from "../../builders/order-step.ts";
import { withDeparture } from "../../builders/sample-notification.ts";

const failed = (error: unknown): OrderEvent => ({ kind: "failed", error });
const away = failed(gatewayFailure("before-sending"));
const refused = failed(gatewayFailure("responded"));
const bug = failed(new Error("bug"));

type Changes = Omit<NonNullable<Parameters<typeof anOrder>[0]>, "case">;
/** An order whose runs have failed so often, and for so long. */
const failing = (failures: number, forMs = 0, changes: Changes = {}) =>
  anOrder({ ...changes, case: { failures, failingSince: afterMs(-forMs) } });
const anHour = defaultTiming.escalateAfterMs;

const retried = (dueInMs: number, state = "checking") => ({
  id: "postponed",
  next: "postponed",
  state,
  dueInMs,
  rule: undefined,
});
const asked = (reason: string, question: string, dueInMs: number | null = null) => ({
  next: "postponed",
  state: "awaiting-agent",
  queue: "agent",
  action: "review",
  question,
  reasons: [reason],
  dueInMs,
});

describe("a run that failed", () => {
  const databaseAway = failed(Object.assign(new Error("away"), { code: "57P01" }));
  const unreachable = asked("gateway-unreachable", "unreachable-gateway", 8_000);

  test.each<[string, OrderContext, OrderEvent, Partial<Brief>]>([
    ["is tried again", failing(0), away, retried(1_000)],
    ["is tried again after twice the time", failing(1), away, retried(2_000)],
    ["is tried again after four times the time", failing(2), away, retried(4_000)],
    ["is tried again after half a minute at most", failing(20), away, retried(30_000)],
    ["is a person's when the gateway refuses", failing(0), refused, asked("status-refused", "unreadable-status")],
    ["is not yet a person's while the gateway is away", failing(3, anHour - 1), away, retried(8_000)],
    ["is a person's, and tried again, when it is away for long", failing(3, anHour), away, unreachable],
    ["is not a person's the seventh time for a failure of our own", failing(6), bug, retried(30_000)],
    ["is a person's the eighth time", failing(7), bug, asked("processing-failed", "failed-processing")],
    ["never is because of the database", failing(70), databaseAway, retried(30_000)],
  ])("%s", (_, context, event, brief) => {
    expect(briefAfter(context, event)).toMatchObject(brief);
  });

  test("is shown to people with the facts of the notification", () => {
    const { save } = stepAfter(failing(3, anHour, { notification: viewOf(delay) }), away);
    const facts = { departureLaterMinutes: { known: true, value: 20 } };
    expect(save).toMatchObject({ decision: { facts, proposalDigest: proposalOf(delay).digest } });
  });
});

describe("while the gateway fails", () => {
  const contact = {
    kind: "asked",
    proposalDigest: proposalOf(delay).digest,
    happenedAt: afterMs(-60_000),
    answer: null,
  } as const;
  const traveller: Changes = {
    decision: aReview({ action: "ask-traveller", decidedBy: "person:ana", reviewQueue: null }),
    travellerContacts: [contact],
    earlierProposals: [
      { proposed: proposalOf(delay).proposed, decidedAt: afterMs(-60_000).toISOString(), isBlank: false },
    ],
  };
  const stopped: Changes = { ...traveller, decision: aReview({ decidedBy: "person:ana" }), travellerContacts: [] };
  const snoozed: Changes = { ...stopped, decision: aReview(), snoozedUntil: afterMs(9_000) };
  const notified: Changes = { ...traveller, notification: viewOf(withDeparture(delay, "10:10:00")) };
  const effect = (changes: Parameters<typeof anEffect>[0]) => ({ decision: anAccept(), liveEffect: anEffect(changes) });

  const byPerson: Changes = { decision: anAccept({ decidedBy: "person:ana" }) };
  const waits = (state: string) => ({ id: "postponed", state, rule: undefined });
  const asks = (rule: string) => ({ state: "awaiting-agent", rule });
  const unknown = asked("effect-outcome-unknown", "effect-outcome");
  const sent = effect({ state: "sent" });

  test.each<[string, OrderContext, OrderEvent, Partial<Brief>]>([
    ["a case waits on for the traveller", failing(0, 0, traveller), away, retried(1_000, "awaiting-traveller")],
    ["a case waits on so when it refuses", failing(0, 0, traveller), refused, waits("awaiting-traveller")],
    ["a snoozed case stays so", failing(0, 0, snoozed), away, retried(1_000, "snoozed")],
    ["a case that a person stopped stays theirs", failing(0, 0, stopped), refused, waits("awaiting-agent")],
    ["a case that a person stopped stays so for long", failing(3, anHour, stopped), away, waits("awaiting-agent")],
    ["a person is asked about a change that is notified", failing(0, 0, notified), refused, asks("check:status")],
    ["a person is asked about their accept after long", failing(3, anHour, byPerson), away, asks("check:gateway")],
    ["an unknown effect is looked for later", failing(0, 0, effect({})), away, retried(1_000)],
    ["an unknown effect is a person's when it refuses", failing(0, 0, effect({})), refused, unknown],
    ["an effect that was just sent is not", failing(0, 0, sent), refused, retried(30_000)],
  ])("%s", (_, context, event, brief) => {
    expect(briefAfter(context, event)).toMatchObject(brief);
  });

  test("a finished case is tried again, and opens another one when nobody may read it", () => {
    const done = (failures: number, forMs: number) =>
      anOrder({ case: { state: "done", failures, failingSince: afterMs(-forMs) } });
    expect(briefAfter(done(3, anHour), away)).toMatchObject(retried(8_000, "done"));
    expect(stepAfter(done(0, 0), refused)).toMatchObject({ save: { kind: "next-case" } });
  });
});
