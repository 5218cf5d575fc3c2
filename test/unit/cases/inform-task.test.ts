import { describe, expect, test } from "vitest";
import { informDueBy } from "../../../src/cases/clocks.ts";
import type { EffectSnapshot } from "../../../src/cases/effect-snapshot.ts";
import { informTasks } from "../../../src/cases/effect-tasks.ts";
import type { TravellerContact } from "../../../src/cases/order-context.ts";
import type { InformChoice } from "../../../src/policy/inform.ts";
import { afterMs, anAccept, anOrder, aSuccess, cancelled, taken } from "../../builders/order-context.ts";
import { briefAfter, documentsRead, settings, settingsWith, statusRead } from "../../builders/order-step.ts";
import { flightsLeaving, lawWith } from "../../builders/task-clocks.ts";
import { policyOf } from "../policy/policies.ts";

const now = afterMs(0);
const digest = aSuccess().proposalDigest;

function contact(kind: TravellerContact["kind"], about: string | null = digest, agoMs = 1_000): TravellerContact {
  return { kind, proposalDigest: about, happenedAt: afterMs(-agoMs), answer: kind === "answered" ? "accepts" : null };
}

interface Given {
  /** What the rule that decided says; null: nothing. */
  readonly rule?: InformChoice | null;
  readonly source?: InformChoice;
  readonly decidedBy?: "rule" | "person";
  readonly contacts?: readonly TravellerContact[];
  readonly effect?: Partial<EffectSnapshot>;
}

function given({ rule = null, source = "task", decidedBy = "rule", contacts = [], effect = {} }: Given) {
  const policy = policyOf({ name: "small", when: "true", do: "accept", more: rule === null ? "" : `inform: ${rule}` });
  const decision = anAccept({ rule: "small", decidedBy: decidedBy === "rule" ? "policy" : "person:ana" });
  const context = anOrder({ decision, lastSuccess: aSuccess(effect), travellerContacts: contacts });
  return informTasks(context, { ...settingsWith({}, policy), inform: source }, now);
}

const codesOf = (tasks: ReturnType<typeof given>) => tasks.flatMap(({ reasons }) => reasons.map(({ code }) => code));

describe("the traveller of an accepted change", () => {
  test.each<[string, Given, readonly string[]]>([
    ["is to be informed, as the source says, by a rule that says nothing", {}, ["traveller-not-informed"]],
    ["is not to be informed where the source says nobody", { source: "nobody" }, []],
    ["is not to be informed where the rule says nobody", { rule: "nobody" }, []],
    ["is to be informed where the rule says so", { rule: "task", source: "nobody" }, ["traveller-not-informed"]],
    [
      "is to be informed of what a person accepted, whatever rules say",
      { rule: "nobody", decidedBy: "person" },
      ["traveller-not-informed"],
    ],
    ["is not to be informed again once somebody has", { contacts: [contact("informed")] }, []],
    ["is not to be informed again once they have answered", { contacts: [contact("answered")] }, []],
    [
      "is to be informed when they were only asked, because nobody knows what they heard",
      { contacts: [contact("asked")] },
      ["traveller-not-informed"],
    ],
    [
      "is to be informed of a small change, too, when they were told of another one",
      { rule: "nobody", contacts: [contact("informed", "another")] },
      ["traveller-knows-otherwise"],
    ],
    [
      "is to be informed again when they were informed of another change since",
      { contacts: [contact("informed", digest, 2_000), contact("asked", "another")] },
      ["traveller-knows-otherwise"],
    ],
    [
      "is not to be informed again when they were informed of another change before",
      { rule: "nobody", contacts: [contact("informed", "another", 2_000), contact("informed")] },
      [],
    ],
  ])("%s", (_, how, codes) => {
    expect(codesOf(given(how))).toEqual(codes);
  });

  test.each<[string, Given, boolean]>([
    ["by an event where the rule says so", { rule: "event" }, true],
    ["by an event where the source says so and the rule nothing", { source: "event" }, true],
    ["by a person where the rule says so, whatever the source does", { rule: "task", source: "event" }, false],
    [
      "as the source says where the rule says nobody, when they were informed of another change",
      { rule: "nobody", source: "event", contacts: [contact("informed", "another")] },
      true,
    ],
    ["by a person where neither rule nor source says event", {}, false],
  ])("is informed %s", (_, how, byEvent) => {
    expect(given(how)).toMatchObject([{ kind: "inform-traveller", byEvent }]);
  });

  test("is to be informed by a task that says what happened", () => {
    expect(given({})).toMatchObject([
      {
        kind: "inform-traveller",
        reasons: [{ text: "The change was accepted. Nobody has recorded that the traveller was informed." }],
      },
    ]);
    expect(given({ effect: { action: "cancel" } })).toMatchObject([
      { reasons: [{ text: "The order was cancelled. Nobody has recorded that the traveller was informed." }] },
    ]);
  });

  test("is to be informed as the source says when the rule is gone from the policy", () => {
    const context = anOrder({ decision: anAccept({ rule: "gone" }), lastSuccess: aSuccess() });

    expect(informTasks(context, { ...settings, inform: "nobody" }, now)).toEqual([]);
    expect(informTasks(context, { ...settings, inform: "task" }, now)).toHaveLength(1);
  });
});

describe("a case that ends", () => {
  const informing = { ...settings, inform: "task" } as const;
  const task = "inform-traveller: traveller-not-informed";

  test("after an accept leaves that task beside the others", () => {
    const lastSuccess = aSuccess({ ancillariesAtRisk: ["SEAT LIS-FRA"] });
    const context = anOrder({
      decision: anAccept(),
      decisionHasEffect: true,
      lastSuccess,
      case: { state: "accepting" },
    });

    const { tasks } = briefAfter(context, documentsRead(taken, taken), informing);
    expect(tasks).toEqual(["check-services: seats-at-risk", task]);
  });

  test("after a cancel leaves it, too", () => {
    const lastSuccess = aSuccess({ action: "cancel", refundCheck: "as-expected" }, cancelled);
    const decision = anAccept({ action: "cancel" }, cancelled);
    const context = anOrder({ decision, decisionHasEffect: true, lastSuccess, case: { state: "cancelling" } });

    const { tasks } = briefAfter(context, statusRead("after-effect", cancelled), informing);
    expect(tasks).toEqual([task]);
  });
});

describe("a traveller must be informed", () => {
  const before = flightsLeaving("LIS", "2027-03-20 12:00");
  const today = new Date("2027-03-01T12:00:00Z");
  const due = (of: Partial<Pick<EffectSnapshot, "legal" | "acceptedBefore" | "proposed">>, at = today) => {
    const found = informDueBy({ legal: null, acceptedBefore: before, proposed: before, ...of }, at);
    return found === null ? null : [found.rule, found.at.toISOString().slice(0, 16)];
  };
  const law = (dueAt: string | null) => {
    const { verdicts } = lawWith(["traveller-told-14-days", "eu-refund"]);
    const clocks = [
      { name: "traveller-told-14-days", dueAt, rule: "" },
      { name: "eu-refund", dueAt: "2027-03-02T00:00:00Z", rule: "" },
    ];
    return { verdicts: verdicts.map((verdict) => ({ ...verdict, clocks })) };
  };

  test.each([
    ["before the mark of the law", "2027-03-06T11:00:00Z", ["traveller-told-14-days", "2027-03-06T11:00"]],
    ["a day before departure once that has passed", "2027-03-01T11:00:00Z", ["departure-24h", "2027-03-19T12:00"]],
    ["a day before departure if it cannot be computed", null, ["departure-24h", "2027-03-19T12:00"]],
  ])("%s", (_, dueAt, expected) => {
    expect(due({ legal: law(dueAt) })).toEqual(expected);
  });

  test.each([
    ["they now have, if that is earlier", "2027-03-19 18:00", "2027-03-18T18:00"],
    ["they knew, if that is earlier", "2027-03-21 12:00", "2027-03-19T12:00"],
  ])("a day before the departure that %s", (_, proposed, at) => {
    expect(due({ proposed: flightsLeaving("LIS", proposed) })).toEqual(["departure-24h", at]);
  });

  test("before the flight that was withdrawn, if nothing is left", () => {
    expect(due({ proposed: null })).toEqual(["departure-24h", "2027-03-19T12:00"]);
  });

  test("at no time that is known, if no flight is", () => {
    expect(due({ acceptedBefore: null, proposed: null })).toBeNull();
  });
});
