import { describe, expect, test } from "vitest";
import type { Evidence, Flight, GatewayChange, JournalCall, StoredCase, StoredEffect } from "./evidence.ts";
import { findViolations, promises } from "./find-violations.ts";

const booked: Flight = {
  carrier: "LH",
  number: "1167",
  from: "LIS",
  to: "FRA",
  departure: "2027-03-14T07:10",
  arrival: "2027-03-14T11:20",
};
const later: Flight = { ...booked, departure: "2027-03-14T07:30", arrival: "2027-03-14T11:40" };

const change: GatewayChange = {
  id: "change",
  orderId: "ORDER",
  references: ["REF"],
  becomes: [later],
  announced: true,
  flags: new Map([["REF", { accept: "Y", cancel: "Y" }]]),
};
const read: JournalCall = {
  orderId: "ORDER",
  operation: "AirReservationStatus",
  references: ["REF"],
  result: "SUCCESS",
  changeId: "change",
  orderVersion: 2,
  at: 2_000,
};
const accept: JournalCall = { ...read, operation: "AirOrderInvoluntaryAccept", at: 3_000 };
const done: StoredCase = {
  id: "case",
  orderId: "ORDER",
  state: "done",
  dueInMs: null,
  action: "accept",
  decidedBy: "policy",
  rule: "small",
  reason: "small",
};
const effect: StoredEffect = {
  id: "effect",
  caseId: "case",
  orderId: "ORDER",
  action: "accept",
  references: ["REF"],
  state: "succeeded",
  errorCode: null,
  sends: 1,
  plannedAt: 2_500,
  decidedBy: "policy",
  flag: "Y",
  proposed: [later],
};
const delivery = { digest: "d1", orderId: "ORDER", state: "delivered", acknowledged: 1 };
const notification = { digest: "d1", state: "accepted", receipts: 1, cases: 1 };
const order = { orderId: "ORDER", openChangeId: null, statuses: ["Accepted"], flights: [later] };

/** An order whose change was announced, accepted and recorded on both sides. */
const sound: Evidence = {
  deliveries: [delivery],
  journal: [read, accept],
  changes: [change],
  gatewayOrders: [order],
  notifications: [notification],
  cases: [done],
  effects: [effect],
  accepted: new Map([["ORDER", [later]]]),
};

function broken(corruption: Partial<Evidence>): readonly string[] {
  return findViolations({ ...sound, ...corruption }).map(({ promise, text }) => `${promise}: ${text}`);
}

test("finds nothing where every promise was kept", () => {
  expect(findViolations(sound)).toEqual([]);
});

const corruptions: readonly (readonly [keyof typeof promises, string, Partial<Evidence>])[] = [
  ["delivered", "a delivery that is still pending", { deliveries: [delivery, { ...delivery, state: "pending" }] }],
  ["delivered", "a delivery that was given up", { deliveries: [{ ...delivery, state: "dead" }] }],
  ["not-lost", "an acknowledged notification that is not stored", { notifications: [] }],
  ["not-lost", "an acknowledgement without a receipt", { deliveries: [delivery, delivery] }],
  ["in-a-case", "a notification without a case", { notifications: [{ ...notification, cases: 0 }] }],
  ["in-a-case", "a quarantined one", { notifications: [{ ...notification, state: "quarantined" }] }],
  [
    "success-once",
    "two SUCCESS for one change",
    { journal: [read, accept, accept], effects: [{ ...effect, sends: 2 }] },
  ],
  [
    "success-once",
    "an accept and a cancel that both succeeded",
    { journal: [read, accept, { ...accept, operation: "AirOrderInvoluntaryCancel" }] },
  ],
  ["sent-as-recorded", "a call more than was recorded", { journal: [read, accept, { ...accept, result: "FAILED" }] }],
  ["success-is-ours", "a SUCCESS that nobody planned", { effects: [] }],
  ["success-is-ours", "a SUCCESS from before the effect was planned", { effects: [{ ...effect, plannedAt: 3_001 }] }],
  ["success-is-ours", "a SUCCESS that is believed to have failed", { effects: [{ ...effect, state: "failed" }] }],
  ["success-is-ours", "a SUCCESS for another reference", { effects: [{ ...effect, references: ["OTHER"] }] }],
  ["ours-is-success", "an effect that the gateway never carried out", { journal: [read] }],
  [
    "flags-bind",
    "an accept while the flag was N",
    { changes: [{ ...change, flags: new Map([["REF", { accept: "N", cancel: "Y" }]]) }] },
  ],
  [
    "flags-bind",
    "an accept while the flag was missing",
    { changes: [{ ...change, flags: new Map([["REF", { accept: null, cancel: "Y" }]]) }] },
  ],
  ["flags-bind", "a decision on a flag that was not Y", { effects: [{ ...effect, flag: "missing" }] }],
  ["same-proposal", "an accept of other flights than decided", { effects: [{ ...effect, proposed: [booked] }] }],
  [
    "same-proposal",
    "an accept of other flights after a status that showed no change",
    { journal: [{ ...read, changeId: null }, accept], effects: [{ ...effect, proposed: [booked] }] },
  ],
  [
    "same-proposal",
    "an accept of flights that nobody offered, of an order that was changed after a status that showed no change",
    {
      journal: [
        { ...read, changeId: null },
        { ...accept, orderVersion: 3 },
      ],
      effects: [{ ...effect, proposed: [booked] }],
    },
  ],
  [
    "same-proposal",
    "an accept of flights that were offered before a status that showed no change",
    {
      changes: [{ ...change, id: "a-change", becomes: [booked] }, change],
      journal: [{ ...read, changeId: null }, accept],
      effects: [{ ...effect, proposed: [booked] }],
    },
  ],
  ["same-proposal", "an accept of a change that nobody made", { changes: [] }],
  ["right-end", "a done case whose change is still open", { gatewayOrders: [{ ...order, openChangeId: "change" }] }],
  ["right-end", "an open change without a case", { cases: [], gatewayOrders: [{ ...order, openChangeId: "change" }] }],
  ["right-end", "other flights than were accepted", { gatewayOrders: [{ ...order, flights: [booked] }] }],
  ["not-stuck", "a case that nobody looks at", { cases: [{ ...done, state: "checking" }] }],
  ["not-stuck", "a case that should have been looked at long ago", { cases: [{ ...done, dueInMs: -60_000 }] }],
  ["not-stuck", "an effect without an outcome whose case is finished", { effects: [{ ...effect, state: "unknown" }] }],
];

describe("finds", () => {
  test.each(corruptions)("%s: %s", (promise, _, corruption) => {
    expect(broken(corruption).map((text) => text.split(":")[0])).toContain(promise);
  });

  test("every promise broken by an inconsistency of its own", () => {
    expect(new Set(corruptions.map(([promise]) => promise))).toEqual(new Set(Object.keys(promises)));
  });
});

describe("accepts", () => {
  const replaced: GatewayChange = { ...change, id: "replaced", becomes: [{ ...later, departure: "2027-03-14T10:10" }] };

  test.each<[string, Partial<Evidence>]>([
    ["a case that waits for a person", { cases: [{ ...done, state: "awaiting-agent" }] }],
    ["a case that is due later", { cases: [{ ...done, state: "snoozed", dueInMs: 5_000 }] }],
    [
      "an unknown effect that a person is asked about",
      { cases: [{ ...done, state: "awaiting-agent" }], effects: [{ ...effect, state: "unknown" }] },
    ],
    [
      "a change that a person left unanswered",
      {
        cases: [{ ...done, state: "closed", action: "none", decidedBy: "person:ann" }],
        gatewayOrders: [{ ...order, openChangeId: "change" }],
      },
    ],
    [
      "what the airline replaced after the last status was read",
      { changes: [change, replaced], journal: [read, { ...accept, changeId: "replaced" }] },
    ],
    [
      "what the airline replaced after a status that hid it",
      {
        changes: [change, replaced],
        journal: [
          { ...read, changeId: null },
          { ...accept, changeId: "replaced", orderVersion: 3 },
        ],
      },
    ],
    [
      "results that differ by reference",
      {
        journal: [read, { ...accept, result: "MIXED" }],
        effects: [{ ...effect, state: "failed", errorCode: "desk.mixed_results" }],
      },
    ],
    [
      "a decision on a view that leaves times out",
      { effects: [{ ...effect, proposed: [{ ...later, arrival: null }] }] },
    ],
    [
      "what a person decided about a change that the status hid from them",
      {
        journal: [{ ...read, changeId: null }, accept],
        effects: [{ ...effect, decidedBy: "person:ann", proposed: [booked] }],
      },
    ],
  ])("%s", (_, difference) => {
    expect(broken(difference).filter((text) => !text.startsWith("right-end: other flights"))).toEqual([]);
  });
});
