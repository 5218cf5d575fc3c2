import type { CaseDetail, CaseItem, CaseQueries } from "../../src/dashboard/case-ports.ts";
import { known, unknown } from "../../src/kernel/fact.ts";
import { anItinerary } from "./case-rows.ts";

export const someCaseId = "019aa000-0000-7000-8000-000000000001";
const someDecisionId = "019aa000-0000-7000-8000-000000000002";

/** A case that waits for a person because its flight leaves 45 minutes later. */
export function aCaseItem(overrides: Partial<CaseItem> = {}): CaseItem {
  return {
    id: someCaseId,
    source: "default",
    orderId: "QX7R2M1A",
    gdsBookingReferences: ["ABC123", "DEF456"],
    state: "awaiting-agent",
    reviewQueue: "agent",
    headline: "LH 400 leaves 45 min later",
    priority: 5,
    departureAt: new Date("2026-12-01T09:00:00Z"),
    openedAt: new Date("2026-11-20T10:00:00Z"),
    updatedAt: new Date("2026-11-20T10:00:05Z"),
    closedAt: null,
    dueAt: null,
    assignee: null,
    dueBy: null,
    overdue: false,
    passengerCount: 2,
    value: { amount: "412.5", currency: "USD" },
    undoUntil: null,
    failures: 0,
    lastError: null,
    version: 4,
    proposalDigest: "d".repeat(64),
    decision: {
      id: someDecisionId,
      action: "review",
      rule: "default",
      reasons: [{ code: "no-rule-matched", text: "No rule matched, so an agent decides." }],
      decidedBy: "policy",
      token: null,
      decidedAt: new Date("2026-11-20T10:00:05Z"),
      settled: null,
    },
    change: null,
    ...overrides,
  };
}

/** The same case with everything behind it. */
export function aCaseDetail(overrides: Partial<CaseDetail> = {}): CaseDetail {
  const item = aCaseItem();
  const { settled: _, ...decisionInForce } = item.decision!;
  const facts = {
    departureLaterMinutes: known(45),
    dateChanged: known(false),
    ticketed: unknown("no-ticket-status"),
    connectingAirports: known([]),
  } as unknown as CaseDetail["facts"];
  const flags: CaseDetail["flags"] = {
    accept: { known: true, value: "Y" },
    cancel: { known: true, value: "N" },
    reSchedule: unknown("missing-flag"),
  };
  const itineraries = {
    booked: anItinerary("10:00"),
    accepted: anItinerary("10:00"),
    proposed: anItinerary("10:45"),
  };
  return {
    ...item,
    change: {
      facts: null,
      booked: itineraries.booked,
      current: null,
      proposed: itineraries.proposed,
      evaluatedAt: null,
    },
    flags,
    facts,
    itineraries,
    approval: null,
    snoozableUntil: new Date("2026-12-01T09:00:00Z"),
    travellerContacts: [],
    tasks: [],
    reopenedFrom: null,
    possibleActions: ["accept", "close", "note"],
    notifications: [
      {
        id: "019aa000-0000-7000-8000-000000000003",
        receivedAt: new Date("2026-11-20T10:00:00Z"),
        receipts: 2,
        digest: "a".repeat(64),
        bodyDeleted: null,
        state: "accepted",
      },
    ],
    decisions: [
      {
        ...decisionInForce,
        reviewQueue: "agent",
        note: null,
        priority: 3,
        legal: null,
        proposalDigest: item.proposalDigest,
        flags,
        facts,
        itineraries,
        trace: [
          {
            rule: "small-retiming",
            action: "accept",
            outcome: "not-matched",
            reads: {},
            checks: [{ check: "departureLaterMinutes <= 30", outcome: "false" }],
          },
        ],
        evaluatedAt: new Date("2026-11-20T10:00:05Z"),
        versions: { policy: "p1" },
        supersededAt: null,
        supersededBy: null,
      },
    ],
    effects: [],
    timeline: [
      {
        id: 1,
        at: new Date("2026-11-20T10:00:00Z"),
        kind: "notification.received",
        actor: "receiver",
        token: null,
        detail: { receipts: 2 },
      },
    ],
    ...overrides,
  };
}

/** Queries that respond with these cases and nothing else. */
export function queriesWith(cases: readonly CaseDetail[]): CaseQueries {
  const listCases: CaseQueries["listCases"] = async ({ orderId, states = [], limit }) => ({
    items: cases
      .filter((found) => orderId === undefined || found.orderId === orderId)
      .filter((found) => states.length === 0 || states.includes(found.state))
      .slice(0, limit),
    next: cases.length > limit ? { at: "2026-11-20T10:00:00.000000Z", id: someCaseId } : null,
  });
  return {
    listCases,
    searchCases: async (filter) => ({
      ...(await listCases(filter)),
      total: filter.after === null ? { count: cases.length, isCapped: false } : null,
    }),
    readCase: async (id) => cases.find((found) => found.id === id) ?? null,
    listNotifications: async () => ({ items: [], next: null }),
    readNotification: async () => null,
    reconcile: async () => ({
      examined: 0,
      pending: 0,
      withoutCase: { count: 0, notificationIds: [] },
      withoutProgress: { count: 0, notificationIds: [] },
      damage: [],
    }),
  };
}
