import { describe, expect, test } from "@jest/globals";
import type { ContactAnswer } from "../../../src/cases/case-command.ts";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import type { ChangeFacts } from "../../../src/itinerary/fact-catalogue.ts";
import { known } from "../../../src/kernel/fact.ts";
import { anAccept, anOrder, cancelled, delay, now, proposalOf, withOrder } from "../../builders/order-context.ts";
import { type Brief, briefAfter, settingsWith, statusRead } from "../../builders/order-step.ts";
import { type OrderViewBody, withDeparture, withFlags } from "../../builders/sample-notification.ts";
import { policyOf } from "../policy/policies.ts";

const another = withDeparture(delay, "07:20:00");
const accepting = settingsWith();
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
  test.each<[string, OrderContext, ReturnType<typeof before>, Partial<Brief>, typeof accepting]>([
    ["is sent when the status shows the same", byRule(), before(), sent, accepting],
    ["is decided anew when the proposal is another one", byRule(), before(another), asked("r1"), reviewing],
    [
      "is decided anew when it is not offered any more",
      byRule(),
      before(withFlags(delay, { Accept: "N" })),
      asked("guard:flags"),
      accepting,
    ],
    ["is decided anew when the rules have changed", byRule(), before(), asked("r1"), reviewing],
    [
      "is decided anew, and sent at once, when the rules accept the other one",
      byRule(),
      before(another, 2),
      { id: "decided", next: "send accept" },
      accepting,
    ],
    [
      "is a person's when a third status in a row shows another",
      byRule(),
      before(another, 3),
      asked("check:proposal-unsettled"),
      accepting,
    ],
    [
      "is a person's when the status does not show the order",
      byRule(),
      before(withOrder(delay, { OrderID: "ELSE" })),
      asked("check:status", "unreadable-status"),
      accepting,
    ],
    [
      "is a person's when automation was stopped meanwhile",
      byRule({ automationStoppedAt: now }),
      before(),
      asked("check:automation-stopped", "automation-stopped"),
      accepting,
    ],
    [
      "waits until its undo window ends",
      byRule({ case: { undoLeftMs: 7_000 } }),
      before(),
      { id: "undo-window", next: "undo-window", state: "checking", dueInMs: 7_000 },
      accepting,
    ],
    ["of a person is sent whatever the rules would do", byPerson(), before(), sent, reviewing],
    [
      "of a person is sent while automation is stopped",
      byPerson({ automationStoppedAt: now }),
      before(),
      sent,
      accepting,
    ],
    [
      "of a person is asked about again when the proposal is another one",
      byPerson(),
      before(another),
      changed,
      accepting,
    ],
    ["of a person is so by whatever a rule wants of the other one", byPerson(), before(another), changed, closing],
    [
      "of a person is so when the flags are others",
      byPerson(),
      before(withFlags(delay, { Accept: "N" })),
      changed,
      accepting,
    ],
  ])("%s", (_, context, event, brief, settings) => {
    expect(briefAfter(context, event, settings)).toMatchObject(brief);
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
