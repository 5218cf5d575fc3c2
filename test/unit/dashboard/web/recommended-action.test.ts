import { describe, expect, test } from "vitest";
import {
  acceptDangerNamesOf,
  acceptDangers,
  describeCheck,
} from "../../../../src/dashboard/web/case/accept-dangers.ts";
import { arrangeActions } from "../../../../src/dashboard/web/case/recommended-action.ts";
import { describeOrdersToStop } from "../../../../src/itinerary/order-to-stop-words.ts";
import { known } from "../../../../src/kernel/fact.ts";

type Subject = Parameters<typeof arrangeActions>[0];

const digest = "a".repeat(64);

const waiting = {
  state: "awaiting-agent",
  flags: { accept: known("Y"), cancel: known("Y") },
  proposalDigest: digest,
  effects: [],
  approval: null,
  possibleActions: [
    ...["accept", "cancel", "reschedule", "resolved-elsewhere", "close", "assign", "snooze", "note", "recheck"],
    ...["traveller-informed", "traveller-asked", "traveller-answered"],
  ],
  decision: { id: "d1", action: "review", rule: "retiming-beyond-limits", reasons: [{ code: "x", text: "Too late." }] },
  decisions: [],
  journeyTimes: [],
  facts: null,
  reviewQueue: "agent",
  travellerContacts: [],
} as unknown as Subject;

const having = (members: object): Subject => ({ ...waiting, ...members });

const missedAtJfk = having({
  journeyTimes: [
    {
      booked: { flights: [], connections: [] },
      proposed: {
        flights: [],
        connections: [{ airport: "JFK", nextAirport: "JFK", minutes: 15, minimumMinutes: 75, state: "broken" }],
      },
    },
  ],
});
const anOpenRight = {
  preset: "eu-261",
  right: "refund-or-rerouting",
  verdict: "entitled",
  journey: "BCN-YYZ",
  because: "leaves earlier",
  amount: null,
  clocks: [],
};
const held = having({
  decisions: [{ id: "d1", legal: { hold: { held: true, reasons: [] }, verdicts: [anOpenRight] } }],
});
const unread = having({
  decision: { ...waiting.decision, rule: "check:status", reasons: [{ code: "status-refused", text: "HTTP 404." }] },
});
const stating = (...orders: readonly string[]) => having({ facts: { ordersToStop: known(orders) } });
const askTraveller = { ...waiting.decision, action: "ask-traveller" };
const askedThem = { kind: "asked", answer: null, proposalDigest: digest };
const noAccept = { accept: known("N"), cancel: known("Y") };
const answered = (answer: string, about = digest) =>
  having({ travellerContacts: [{ kind: "answered", answer, proposalDigest: about }] });

describe("the recommended action", () => {
  test.each<[string, Subject, string | null]>([
    ["to accept, when nothing speaks against it", waiting, "accept"],
    ["to find other flights, when a connection cannot be made", missedAtJfk, "reschedule"],
    ["to ask the traveller, when accepting may give up a right", held, "traveller-asked"],
    ["to read the booking again, when the gateway does not know the order", unread, "recheck"],
    ["none, before somebody has looked at what the gateway tells to do", stating("Order.Hint: contact"), null],
    ["to find other flights, when the gateway allows no accept", having({ flags: noAccept }), "reschedule"],
    [
      "to settle it with the airline at the reschedule desk",
      having({ flags: noAccept, reviewQueue: "reschedule" }),
      "resolved-elsewhere",
    ],
    ["to accept, when the traveller accepts", answered("accepts"), "accept"],
    ["to cancel, when the traveller wants a refund", answered("wants-refund"), "cancel"],
    ["as without an answer, when it was about another proposal", answered("wants-refund", "b".repeat(64)), "accept"],
    ["to ask the traveller", having({ state: "ask-traveller", decision: askTraveller }), "traveller-asked"],
    [
      "to record the answer that is awaited",
      having({ state: "awaiting-traveller", decision: askTraveller, travellerContacts: [askedThem] }),
      "traveller-answered",
    ],
    [
      "to record the answer that did not come in time",
      having({ decision: askTraveller, travellerContacts: [askedThem] }),
      "traveller-answered",
    ],
    ["nothing on a finished case", having({ state: "done", possibleActions: ["reopen", "note"] }), null],
  ])("is %s", (_, subject, action) => {
    const { recommended, main } = arrangeActions(subject, "supervisor");

    expect(recommended).toBe(action);
    if (action !== null) expect(main[0]).toBe(action);
  });

  test("is none for those who may not take it", () => {
    expect(arrangeActions(answered("wants-refund"), "agent").recommended).toBeNull();
    expect(arrangeActions(waiting, "viewer")).toEqual({ main: [], recommended: null, more: [] });
  });

  test("stands with two others before all the rest, and nothing is lost or shown twice", () => {
    const { main, more } = arrangeActions(waiting, "supervisor");
    const names = [...main, ...more.flatMap(({ actions }) => actions.map(({ action }) => action))];

    expect(main).toEqual(["accept", "traveller-asked", "cancel"]);
    expect(names.toSorted()).toEqual(waiting.possibleActions.toSorted());
    expect(arrangeActions(waiting, "supervisor", 1).main).toEqual(["accept"]);
  });
});

describe("the dangers of accepting", () => {
  test("name the connection that cannot be made, with its minimum", () => {
    expect(acceptDangers(missedAtJfk)).toEqual(["The connection cannot be made: 15 min at JFK, minimum 1 h 15 min."]);
  });

  test("name the right that may be lost, and the booking that could not be read", () => {
    expect(acceptDangers(held)).toEqual([
      "By accepting, the traveller may lose the right to a refund or another flight (EU261).",
    ]);
    expect(acceptDangers(unread)).toEqual([
      "The booking could not be read. HTTP 404. It is not known what would be accepted.",
    ]);
  });

  test("name what the gateway states, and where it stands, as the reason of the decision does", () => {
    const orders = ["Order.FollowUp.Code: contact", "Order.Remarks"];

    expect(acceptDangers(stating(...orders))).toEqual([describeOrdersToStop(orders)]);
  });

  test("are checked with the traveller, but an order to stop is read", () => {
    const { facts } = stating("Order.Hint: contact");
    const both = acceptDangerNamesOf(having({ decisions: held.decisions, facts }));

    expect(describeCheck(acceptDangerNamesOf({ ...stating("Order.Hint: contact") }), "this")).toBe(
      "I have read what the gateway sent",
    );
    expect(describeCheck(acceptDangerNamesOf(held), "it")).toBe("I have checked it with the traveller");
    expect(describeCheck(both, "each")).toBe("I have read what the gateway sent and checked each with the traveller");
  });

  test("come from the facts of a decision that has no connection times", () => {
    const facts = { connectionBroken: known(true), dataSuspect: known(true) };

    expect(acceptDangers(having({ journeyTimes: null, facts }))).toEqual([
      "A connection cannot be made.",
      "The proposed flights are impossible as they are stated.",
    ]);
    expect(acceptDangers(waiting)).toEqual([]);
  });
});
