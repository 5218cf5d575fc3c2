import { describe, expect, test } from "vitest";
import type { ContactAnswer } from "../../../src/cases/case-command.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { ChangeFacts } from "../../../src/itinerary/fact-catalogue.ts";
import { known } from "../../../src/kernel/fact.ts";
import { anAccept, anOrder, cancelled, delay, now, proposalOf, withOrder } from "../../builders/order-context.ts";
import { type Brief, briefAfter, settingsWith, statusRead } from "../../builders/order-step.ts";
import { type OrderViewBody, withDeparture, withFlags } from "../../builders/sample-notification.ts";
import { policyOf } from "../policy/policies.ts";

const another = withDeparture(delay, "07:20:00");
const reviewing = settingsWith({}, policyOf({ when: "true", do: "review" }));
const closing = settingsWith({}, policyOf({ when: "true", do: "none" }));

type Changes = NonNullable<Parameters<typeof anOrder>[0]>;
const byRule = (changes: Changes = {}) => anOrder({ decision: anAccept(), ...changes });
const byPerson = (changes: Changes = {}) => anOrder({ decision: anAccept({ decidedBy: "person:ana" }), ...changes });
const before = (body: OrderViewBody = delay, round = 1) => statusRead("before-effect", body, { round });

const sent = { id: "send", next: "send accept" };
const asked = (rule: string, question: string | null = null) => ({
  next: "decided",
  state: "awaiting-agent",
  queue: "agent",
  action: "review",
  rule,
  question,
});
const changed = asked("check:proposal-changed", "proposal-changed");

describe("an accept that is decided and not sent yet", () => {
  const notOffered = withFlags(delay, { Accept: "N" });
  const elsewhere = withOrder(delay, { OrderID: "ELSE" });
  const inWindow = { id: "undo-window", next: "undo-window", state: "checking", dueInMs: 7_000 };
  const decidedAnew = { id: "decided", next: "send accept" };
  const stopped = { automationStoppedAt: now };
  const automation = asked("check:automation-stopped", "automation-stopped");

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["is sent when the status shows the same", byRule(), delay, sent],
    ["is decided anew when it is not offered any more", byRule(), notOffered, asked("guard:flags")],
    ["is decided anew when another change is shown, and sent at once", byRule(), another, decidedAnew],
    ["is a person's when the order is not shown", byRule(), elsewhere, asked("check:status", "unreadable-status")],
    ["is a person's when automation was stopped meanwhile", byRule(stopped), delay, automation],
    ["waits until its undo window ends", byRule({ case: { undoLeftMs: 7_000 } }), delay, inWindow],
    ["of a person is sent while automation is stopped", byPerson(stopped), delay, sent],
    ["of a person is asked about again when another change is shown", byPerson(), another, changed],
    ["of a person is asked about again when it is not offered", byPerson(), notOffered, changed],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, before(body))).toMatchObject(brief);
  });

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>, typeof reviewing]>([
    ["is decided anew when the rules have changed", byRule(), delay, asked("r1"), reviewing],
    ["is decided anew when another change is shown", byRule(), another, asked("r1"), reviewing],
    ["of a person is sent whatever the rules would do", byPerson(), delay, sent, reviewing],
    ["of a person is asked about again whatever they would do", byPerson(), another, changed, closing],
  ])("%s by other rules", (_, context, body, brief, settings) => {
    expect(briefAfter(context, before(body), settings)).toMatchObject(brief);
  });

  test("is a person's when a third status in a row shows another change", () => {
    expect(briefAfter(byRule(), before(another, 2))).toMatchObject(decidedAnew);
    expect(briefAfter(byRule(), before(another, 3))).toMatchObject(asked("check:proposal-unsettled"));
  });

  test("and is none any more leaves the run without an effect", () => {
    const decision = anAccept({ action: "review" });
    expect(briefAfter(anOrder({ decision }), before())).toMatchObject({ id: "no-effect-decided", state: undefined });
  });

  test("of a person is not sent when the status says more than they knew", () => {
    const knowing = (status: string) => {
      const facts: Partial<ChangeFacts> = { scheduleChangeStatus: known(status) };
      return anOrder({ decision: anAccept({ decidedBy: "person:ana", facts }) });
    };
    const rejected = before(withOrder(delay, { ScheduleChangeStatus: "Rejected" }));
    expect(briefAfter(knowing("Initiated"), rejected)).toMatchObject(
      asked("check:status-says-more", "status-says-more"),
    );
    expect(briefAfter(knowing("Rejected"), rejected)).toMatchObject(sent);
  });
});

describe("what a person decided and nobody could send, when the traveller", () => {
  const answered = (action: "accept" | "cancel", answer: ContactAnswer, about: OrderViewBody): OrderContext => {
    const { digest } = proposalOf(about);
    const contact = { kind: "answered", proposalDigest: digest, happenedAt: now, answer } as const;
    const decision = anAccept({ action, decidedBy: "person:ana" }, action === "cancel" ? cancelled : delay);
    return anOrder({ decision, lastContact: "answered", travellerContacts: [contact] });
  };
  const theirs = asked("check:traveller-answered", "traveller-answered");

  test.each<[string, ContactAnswer, "accept" | "cancel", Partial<Brief>]>([
    ["refuses", "refuses", "accept", theirs],
    ["accepts", "accepts", "accept", sent],
    ["is undecided", "undecided", "accept", theirs],
    ["wants a refund", "wants-refund", "cancel", { ...sent, next: "send cancel" }],
    ["wants other flights", "wants-rerouting", "cancel", theirs],
  ])("%s: of a %s %s is the outcome", (_, answer, action, brief) => {
    const body = action === "cancel" ? cancelled : delay;
    expect(briefAfter(answered(action, answer, body), before(body))).toMatchObject(brief);
  });
});
