import { describe, expect, test } from "vitest";
import { describeStanding, findLatestNote } from "../../../../src/dashboard/web/case/case-standing.ts";

const now = new Date(2026, 10, 26, 20, 0);
const at = (hours: number, minutes = 0): string => new Date(2026, 10, 26, hours, minutes).toISOString();

type Standing = Parameters<typeof describeStanding>[0];
const nothing = {
  dueAt: null,
  undoUntil: null,
  decision: null,
  proposalDigest: "p1",
  travellerContacts: [],
  decisions: [],
  effects: [],
  tasks: [],
};
const standing = (members: object): Standing => ({ state: "awaiting-agent", ...nothing, ...members });
const asked = {
  decision: { action: "ask-traveller" },
  travellerContacts: [{ kind: "asked", answer: null, proposalDigest: "p1" }],
};
const effect = (state: string, action = "accept", more: object = {}): object => ({
  state,
  action,
  proposalDigest: "p1",
  finishedAt: at(19, 58),
  results: null,
  settled: null,
  ...more,
});
const marked = (carriedOut: boolean): object => ({
  settled: { action: "accept", carriedOut, by: "person:ann", token: null, at: at(19, 58) },
});
const inPart = {
  results: [
    { gdsBookingReferences: ["AAA111"], status: "SUCCESS" },
    { gdsBookingReferences: ["BBB222"], status: "FAILED", errorMessage: "No response." },
  ],
};
const answered = (answer: string, proposalDigest = "p1"): object => ({
  travellerContacts: [
    { kind: "asked", answer: null, proposalDigest },
    { kind: "answered", answer, proposalDigest },
  ],
});
const otherwise = { decisions: [{ proposalDigest: "p1", reasons: [{ code: "accepted-other-flights", text: "" }] }] };
const task = (closedAt: string | null): object => ({
  tasks: [
    {
      closedAt,
      reasons: [
        { code: "flights-changed", text: "The flight number changed." },
        { code: "documents-show-other-flights", text: "The ticket documents list other flights." },
      ],
    },
  ],
});

describe("what the head of a case names", () => {
  test.each([
    ["names the time until which it is snoozed", { state: "snoozed", dueAt: at(21) }, "Snoozed until today 21:00."],
    ["says that an agent is waited for", {}, "Waiting for an agent."],
    [
      "says that somebody must ask the traveller",
      { state: "ask-traveller" },
      "An agent must ask the traveller, then record it here.",
    ],
    [
      "says that the traveller was asked",
      { state: "awaiting-traveller", ...asked },
      "The traveller was asked and has not answered.",
    ],
    ["says that no answer came in time", asked, "The traveller was asked and has not answered in time."],
    [
      "says until when an accept can be stopped",
      { state: "accept-pending", undoUntil: at(20, 10) },
      "The change is accepted at the gateway today 20:10, unless an agent stops it.",
    ],
    [
      "says until when a cancel can be stopped",
      { state: "cancel-pending", undoUntil: at(20, 10) },
      "The order is cancelled at the gateway today 20:10, unless an agent stops it.",
    ],
    [
      "names the next check while an outcome is unknown",
      { state: "accepting", dueAt: at(20, 5), effects: [effect("unknown")] },
      "It is not known whether the accept was carried out. We check the booking again today 20:05.",
    ],
    [
      "names no time that has passed",
      { state: "cancelling", dueAt: at(19), effects: [effect("unknown", "cancel")] },
      "It is not known whether the cancel was carried out. We check the booking again now.",
    ],
    [
      "says what to do when a person is asked about an unknown outcome",
      { dueAt: at(21), effects: [effect("unknown")] },
      "It is not known whether the accept was carried out. Ask the gateway or the airline; a supervisor then marks which it is.",
    ],
    [
      "says when it was accepted",
      { state: "done", effects: [effect("succeeded"), effect("failed")] },
      "Accepted at the gateway today 19:58.",
    ],
    [
      "says when it was cancelled",
      { state: "done", effects: [effect("succeeded", "cancel")] },
      "Cancelled at the gateway today 19:58.",
    ],
    ["does without the time of a call that nobody made", { state: "done" }, "Carried out at the gateway."],
    [
      "says who marked an accept as carried out, and when",
      { state: "done", effects: [effect("succeeded", "accept", marked(true))] },
      "The accept was marked as carried out by ann, today 19:58.",
    ],
    [
      "says what contradicts it",
      { state: "done", effects: [effect("succeeded", "accept", marked(true))], ...task(null) },
      "The accept was marked as carried out by ann, today 19:58. The ticket documents list other flights.",
    ],
    [
      "says no more of it once somebody has checked it",
      { state: "done", effects: [effect("succeeded")], ...task(at(20)) },
      "Accepted at the gateway today 19:58.",
    ],
    [
      "says who marked an accept as not carried out",
      { effects: [effect("failed", "accept", marked(false))] },
      "The accept was marked as not carried out by ann, today 19:58. Decide what to do next.",
    ],
    [
      "leaves that out once another proposal is to be decided",
      { effects: [effect("failed", "accept", { ...marked(false), proposalDigest: "p0" })] },
      "Waiting for an agent.",
    ],
    [
      "says when the booking was settled all the same",
      { state: "resolved-elsewhere", effects: [effect("failed", "accept", marked(false))] },
      "The accept was marked as not carried out by ann, today 19:58. The booking read afterwards shows nothing open any more.",
    ],
    [
      "says which booking references are accepted, and that another accept acts on the rest",
      { effects: [effect("failed", "accept", inPart)] },
      "Accepted for AAA111, not for BBB222. Re-check the booking, then decide about what is left: another accept acts only on the references that are still open.",
    ],
    [
      "says it after the case was closed, too",
      { state: "closed", effects: [effect("failed", "accept", inPart)] },
      "Accepted for AAA111, not for BBB222. Closed after that.",
    ],
    [
      "says what to do when other flights were accepted than proposed",
      { ...otherwise, effects: [effect("succeeded")] },
      "Nothing is left to accept. Check the booking with the airline, then inform the travellers.",
    ],
    [
      "says it after the case was closed",
      { ...otherwise, state: "closed", effects: [effect("succeeded")] },
      "Accepted at the gateway today 19:58. Other flights are booked than were proposed. Closed after that.",
    ],
    [
      "says that the traveller refuses, and what is next",
      answered("refuses"),
      "The traveller refuses the change. Arrange other flights, or cancel the order.",
    ],
    [
      "says that the traveller wants a refund",
      answered("wants-refund"),
      "The traveller wants a refund. Cancel the order, or claim the refund from the airline.",
    ],
    ["leaves out an answer about another proposal", answered("refuses", "p0"), "Waiting for an agent."],
    [
      "takes undecided for no answer",
      { ...asked, ...answered("undecided") },
      "The traveller was asked and has not answered in time.",
    ],
  ])("%s", (_, members, sentence) => {
    expect(describeStanding(standing(members), now)).toBe(sentence);
  });
});

describe("the latest note on a case", () => {
  const event = (kind: string, note: unknown): object => ({
    id: kind,
    at: at(19),
    actor: "person:ann",
    detail: { note },
  });
  const timelineOf = (...events: readonly object[]) => events as unknown as Parameters<typeof findLatestNote>[0];

  test("is the newest that somebody wrote, with whatever action", () => {
    const timeline = timelineOf(
      event("case.noted", "Calls back."),
      event("case.snoozed", "Until she calls."),
      event("case.overdue", undefined),
      event("case.assigned", ""),
    );
    expect(findLatestNote(timeline)).toMatchObject({ text: "Until she calls.", event: { id: "case.snoozed" } });
  });

  test("is missing where nobody wrote one", () => {
    expect(findLatestNote(timelineOf(event("case.overdue", undefined)))).toBeNull();
  });
});
