import { describe, expect, test } from "@jest/globals";
import { describeStanding, findLatestNote } from "../../../../src/dashboard/web/words/case-standing.ts";

const now = new Date(2026, 10, 26, 20, 0);
const at = (hours: number, minutes = 0): string => new Date(2026, 10, 26, hours, minutes).toISOString();

type Standing = Parameters<typeof describeStanding>[0];
const nothing = {
  dueAt: null,
  undoUntil: null,
  decision: null,
  proposalDigest: "p1",
  travellerContacts: [],
  effects: [],
};
const standing = (members: object): Standing => ({ state: "awaiting-agent", ...nothing, ...members });
const asked = {
  decision: { action: "ask-traveller" },
  travellerContacts: [{ kind: "asked", answer: null, proposalDigest: "p1" }],
};
const effect = (state: string, action = "accept"): object => ({ state, action, finishedAt: at(19, 58), refund: null });

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
