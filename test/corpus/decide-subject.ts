/**
 * The one place that knows how the program is built: it takes a subject to the functions that decide today and puts what
 * they say into an `Outcome`. Whoever builds them otherwise writes this file anew; subjects and expectations stay.
 *
 * It runs the worker's own loop over one order. What the store would hold is read from the history; what the loop would
 * write is taken for the outcome, and ends it. Due times are those that it would write.
 */

import { type AssessedOrder, assess } from "../../src/cases/assess.ts";
import type { CaseMove } from "../../src/cases/case-update.ts";
import { type Question as CaseQuestion, reservedQuestions } from "../../src/cases/decision.ts";
import type { EffectSnapshot } from "../../src/cases/effect-snapshot.ts";
import type { NewDecision } from "../../src/cases/new-decision.ts";
import type {
  DecisionSnapshot,
  OrderContext,
  ReservedDecision,
  TravellerContact,
} from "../../src/cases/order-context.ts";
import type { Change } from "../../src/cases/step.ts";
import { defaultTiming } from "../../src/cases/timing.ts";
import { GatewayError, type GatewayErrorCode } from "../../src/contract/failed-call.ts";
import { noTravellerWords } from "../../src/contract/find-traveller-words.ts";
import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../src/contract/notification.ts";
import type { OrderView } from "../../src/contract/order-view.ts";
import type { EarlierProposal } from "../../src/itinerary/change-history.ts";
import { shippedMarks } from "../../src/itinerary/member-marks.ts";
import { readProposal } from "../../src/itinerary/proposal.ts";
import { severityOf } from "../../src/itinerary/severity.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import type { Gateway } from "../../src/worker/gateway-ports.ts";
import { type CaseStore, leaseLost } from "../../src/worker/ports.ts";
import { runOrder } from "../../src/worker/run-order.ts";
import type { WorkerContext } from "../../src/worker/worker-context.ts";
import type { Outcome, PastEvent, Question, StatusFailure, Subject } from "./subject.ts";

/** Bodies and policies by the names that subjects give them. */
export interface Material {
  readonly bodies: ReadonlyMap<string, Uint8Array>;
  readonly policies: ReadonlyMap<string, Policy>;
  /** Bodies that were read before; many subjects share one. */
  readonly views: Map<string, OrderView>;
}

export async function decideSubject(subject: Subject, material: Material): Promise<Outcome> {
  const unreadable = findUnreadable(subject, material);
  if (unreadable !== null) return unreadable;
  const work = workOf(subject, material);
  const written: Written[] = [];
  await runOrder(workerOf(subject, material, work, written), {
    source: subject.source,
    orderId: subject.orderId,
  });
  if (written[0] === undefined) throw new Error(`${subject.id}: nothing came of it`);
  return outcomeOf(written[0]);
}

/** What a case asks people, by the name that a subject has for it. */
const askedQuestions: Readonly<Record<Question, CaseQuestion | null>> = {
  "effect-outcome": "effect-outcome",
  "unreadable-status": "unreadable-status",
  "gateway-unreachable": "unreachable-gateway",
  "processing-failed": "failed-processing",
  "no-booking-reference": null,
  "changed-proposal": "proposal-changed",
  "person-decided-before": "person-decided",
  "traveller-answered": "traveller-answered",
};

/** The first thing that the loop would write. */
type Written =
  | { readonly kind: "decision"; readonly decision: NewDecision; readonly move: CaseMove }
  | { readonly kind: "move"; readonly move: CaseMove }
  | { readonly kind: "retry"; readonly code: string; readonly dueAt: Date | null }
  | { readonly kind: "send"; readonly action: string }
  | { readonly kind: "open-case" };

const nothingElse = { queue: null, reasonCodes: [], rule: null, priority: null, dueBy: null, againAt: null } as const;

function outcomeOf(written: Written): Outcome {
  const nothing = { ...nothingElse, severity: null, rights: [] };
  switch (written.kind) {
    case "decision":
      return decidedOutcome(written.decision, written.move);
    case "move": {
      const { state, reviewQueue, priority = null, dueAt } = written.move;
      const action = state === "checking" ? "hold" : "unchanged";
      return { ...nothing, action, queue: reviewQueue, priority, dueBy: dueByOf(written.move), againAt: dueAt };
    }
    case "retry":
      return { ...nothing, action: "retry", reasonCodes: [written.code], againAt: written.dueAt };
    case "send":
      return { ...nothing, action: `send-${written.action}` };
    case "open-case":
      return { ...nothing, action: "open-case" };
  }
}

function decidedOutcome(decision: NewDecision, move: CaseMove): Outcome {
  const verdicts = decision.legal?.verdicts ?? [];
  const rights = verdicts.flatMap(({ preset, trigger, verdict, amount }) => {
    if (verdict === "not-entitled") return [];
    return [`${preset}:${trigger}${verdict === "cannot-tell" ? "?" : ""}${amount === null ? "" : `=${amount.value}`}`];
  });
  return {
    action: decision.action,
    queue: decision.reviewQueue,
    reasonCodes: decision.reasons.map(({ code }) => code),
    rule: /^(guard|check):/.exec(decision.rule)?.[1] ?? decision.rule,
    priority: decision.priority,
    dueBy: dueByOf(move),
    againAt: move.dueAt,
    severity: decision.facts === null ? null : severityOf(decision.facts).name,
    rights: [...new Set(rights)],
  };
}

function dueByOf({ dueBy }: CaseMove): Outcome["dueBy"] {
  return dueBy == null ? null : { at: dueBy.at, clock: dueBy.rule, firmAt: dueBy.firmAt };
}

/** What is not decided on, since it cannot be read: notifications are quarantined, responses of the gateway refused. */
function findUnreadable(subject: Subject, material: Material): Outcome | null {
  for (const name of [subject.notification, subject.status]) {
    if (typeof name !== "string" || material.views.has(name)) continue;
    const reading = readNotification(bodyOf(name, material));
    if (!reading.ok) {
      return { ...nothingElse, action: "unreadable", reasonCodes: [reading.problem.code], severity: null, rights: [] };
    }
    material.views.set(name, reading.view);
  }
  return null;
}

function bodyOf(name: string, { bodies }: Material): Uint8Array {
  const bytes = bodies.get(name);
  if (bytes === undefined) throw new Error(`the corpus holds no body ${name}`);
  return bytes;
}

function viewOf(name: string, material: Material): OrderView {
  const known = material.views.get(name);
  if (known !== undefined) return known;
  const reading = readNotification(bodyOf(name, material));
  if (!reading.ok) throw new Error(`body ${name} cannot be read: ${reading.problem.message}`);
  material.views.set(name, reading.view);
  return reading.view;
}

function policyOf(name: string, { policies }: Material): Policy {
  const policy = policies.get(name);
  if (policy === undefined) throw new Error(`there is no policy ${name}`);
  return policy;
}

function workerOf(subject: Subject, material: Material, work: OrderContext, written: Written[]): WorkerContext {
  const { settings = {} } = subject;
  const policy = policyOf(subject.policy, material);
  const readAt = new Date(subject.now);
  return {
    store: storeOf(work, written),
    gatewayOf: () => gatewayOf(subject, material, readAt),
    capabilitiesOf: () => interfaceDocument,
    policyOf: () => policy,
    customerAgreementOf: () => settings.customerAgreement ?? false,
    shadowOf: () => null,
    clock: { now: () => readAt },
    random: () => 0.5,
    logger: silentLogger,
    metrics: { decisions: { inc() {} }, effects: { inc() {} } } as unknown as WorkerContext["metrics"],
    holder: "corpus",
    versions: {},
    timing: {
      ...defaultTiming,
      undoWindowMs: (settings.undoWindowMinutes ?? 0) * 60_000,
      statusLagMs:
        settings.statusLagSeconds === undefined ? defaultTiming.statusLagMs : settings.statusLagSeconds * 1_000,
      responseTargets: settings.responseTargets ?? [],
    },
  };
}

/** Returns what is known of the order, and takes down what would be written. */
function storeOf(work: OrderContext, written: Written[]): CaseStore {
  const store: Partial<CaseStore> = {
    take: async (key) => ({
      lease: { ...key, fence: 1 },
      traceparents: [],
      dueForMs: 0,
      context: Promise.resolve(work),
    }),
    renewLease: async () => true,
    releaseLease: async () => {},
    load: async () => (written.length === 0 ? work : null),
    save: async (lease, _work, changes) => {
      for (const change of changes) {
        written.push(...writtenBy(change));
        // Nothing is sent: whoever loses the lease stops.
        if (change.kind === "effect-sent") throw leaseLost(lease);
      }
      return { isRefused: false, leaseLeftMs: 10_000 };
    },
  };
  return store as CaseStore;
}

function writtenBy(change: Change): readonly Written[] {
  switch (change.kind) {
    case "decision":
      return [{ kind: "decision", decision: change.decision, move: change.move }];
    case "move":
      if (change.failure === null) return [{ kind: "move", move: change.move }];
      return [{ kind: "retry", code: change.failure.code, dueAt: change.move.dueAt }];
    case "next-case":
      return [{ kind: "open-case" }];
    case "effect-sent":
      return [{ kind: "send", action: change.attempt.action }];
    default:
      return [];
  }
}

function gatewayOf(subject: Subject, material: Material, readAt: Date): Gateway {
  const gateway: Partial<Gateway> = {
    readStatus: async () => {
      const { status, notification } = subject;
      if (status !== null && typeof status !== "string") throw failureOf(status);
      const name = status ?? notification;
      if (name === null) throw new Error(`${subject.id} has neither a status nor a notification`);
      return { result: viewOf(name, material), body: new Uint8Array(), travellers: noTravellerWords, readAt };
    },
  };
  return gateway as Gateway;
}

function failureOf({ failure, text }: StatusFailure): Error {
  if (failure === "internal") return new Error(text);
  const known =
    failure === "refused"
      ? ({ phase: "responded", retryable: false } as const)
      : ({ phase: "unknown", retryable: true } as const);
  const details = { operation: "AirReservationStatus", gatewayText: text, ...known } as const;
  return new GatewayError(`gateway.${failure}` as GatewayErrorCode, text, details);
}

/** What the store would return about the order after its history. */
function workOf(subject: Subject, material: Material): OrderContext {
  const { now, orderId, notification, status } = subject;
  const order = readHistory(subject, material);
  const notified = notification === null ? null : viewOf(notification, material);
  const notifiedAt = notification === null ? null : new Date(subject.notifiedAt ?? now);
  const shown = notified ?? (typeof status === "string" ? viewOf(status, material) : null);
  const current = order.decisions.findLast(({ inCase }) => inCase === order.cases);
  const failing = typeof status === "object" ? status : null;
  const openedAt = order.openedAt ?? subject.openedAt ?? subject.notifiedAt ?? now;
  const work: OrderContext = {
    source: subject.source,
    orderId,
    case: {
      id: caseName(order.cases),
      state: order.endedAs ?? "checking",
      reviewQueue: null,
      gdsBookingReferences: (shown === null ? null : readProposal(shown, orderId))?.gdsBookingReferences ?? [],
      requeueCount: 1,
      failures: failing?.failuresBefore ?? 0,
      failingSince: failing?.failingSince == null ? null : new Date(failing.failingSince),
      proposalDigest: current?.snapshot.proposalDigest ?? null,
      openedAt: new Date(openedAt),
      notifiedAt,
      decisionId: current?.snapshot.id ?? null,
      undoLeftMs: current?.stoppableUntil == null ? null : Date.parse(current.stoppableUntil) - Date.parse(now),
      clockRanOutAt: null,
    },
    decision: current?.snapshot ?? null,
    decisionHasEffect: current?.hasEffect ?? false,
    reserved: reservedOf(order),
    temporaryRefusals: 0,
    liveEffect: null,
    lastSuccess: order.lastSuccess,
    booked: order.booked?.flights ?? null,
    bookedFrom: order.booked?.from ?? null,
    accepted: order.accepted,
    earlierProposals: order.earlierProposals,
    storedDigests: order.decisions.flatMap(({ snapshot }) => snapshot.proposalDigest ?? []),
    travellerContacts: order.contacts.map(({ contact }) => contact),
    lastContact: current?.lastContact ?? "none",
    isRestated: current?.isRestated ?? false,
    isTakenOver: false,
    snoozedUntil: order.snoozedUntil,
    automationStoppedAt: null,
    notification: notified,
  };
  return work;
}

interface PastDecision {
  readonly snapshot: DecisionSnapshot;
  readonly inCase: number;
  readonly stoppableUntil: string | null;
  hasEffect: boolean;
  lastContact: OrderContext["lastContact"];
  isRestated: boolean;
}

/** What is kept of an order, as far as its history has been read. */
interface StoredOrder {
  /** The number of the newest case, from 1. */
  cases: number;
  openedAt: string | null;
  endedAs: "done" | "resolved-elsewhere" | "closed" | null;
  readonly decisions: PastDecision[];
  lastSuccess: EffectSnapshot | null;
  booked: { readonly flights: NonNullable<OrderContext["booked"]>; readonly from: string } | null;
  accepted: OrderContext["accepted"];
  readonly earlierProposals: EarlierProposal[];
  /** With the number of decisions made before. */
  readonly contacts: { readonly contact: TravellerContact; readonly after: number }[];
  snoozedUntil: Date | null;
  /** The number of decisions made before the last effect succeeded. */
  succeededAfter: number;
}

function readHistory(subject: Subject, material: Material): StoredOrder {
  const order: StoredOrder = {
    cases: 1,
    openedAt: null,
    endedAs: null,
    decisions: [],
    lastSuccess: null,
    booked: null,
    accepted: null,
    earlierProposals: [],
    contacts: [],
    snoozedUntil: null,
    succeededAfter: 0,
  };
  for (const event of subject.history ?? []) addEvent(order, event, subject, material);
  return order;
}

function addEvent(order: StoredOrder, event: PastEvent, subject: Subject, material: Material): void {
  const last = order.decisions.at(-1);
  switch (event.event) {
    case "decided":
      addDecision(order, event, subject, material);
      order.snoozedUntil = null;
      return;
    case "carried-out": {
      if (last === undefined) throw new Error(`${subject.id}: nothing was decided that could be carried out`);
      last.hasEffect = true;
      const acceptedBefore = order.accepted ?? order.booked?.flights ?? null;
      if (event.action === "accept") order.accepted = last.snapshot.proposed;
      order.succeededAfter = order.decisions.length;
      order.lastSuccess = successOf(event, last, acceptedBefore);
      return;
    }
    case "refused":
      if (last !== undefined) last.hasEffect = true;
      return;
    case "traveller-asked":
    case "traveller-informed":
    case "traveller-answered":
      addContact(order, event, subject, material);
      return;
    case "snoozed":
      order.snoozedUntil = new Date(event.until);
      return;
    case "booking-stated": {
      const proposal = readProposal(viewOf(event.view, material), subject.orderId);
      if (proposal === null) throw new Error(`${subject.id}: ${event.view} does not show the order`);
      order.booked = { flights: proposal.current, from: "import" };
      if (last !== undefined) last.isRestated = true;
      return;
    }
    case "case-ended":
      order.endedAs = event.as;
      return;
    case "case-opened":
      if (order.endedAs !== null) order.cases += 1;
      order.endedAs = null;
      order.openedAt = event.at;
      order.snoozedUntil = null;
  }
}

type Decided = PastEvent & { readonly event: "decided" };

function addDecision(order: StoredOrder, event: Decided, subject: Subject, material: Material): void {
  const { at, view, viewIs } = event;
  const notification = event.notification === undefined ? subject.notification : event.notification;
  const policy = policyOf(event.policy ?? subject.policy, material);
  const known: AssessedOrder = {
    orderId: subject.orderId,
    case: null,
    booked: order.booked?.flights ?? null,
    bookedFrom: order.booked?.from ?? null,
    accepted: order.accepted,
    decision: null,
    earlierProposals: [],
    storedDigests: [],
    travellerContacts: [],
    notification: notification === null ? null : viewOf(notification, material),
  };
  const settings = { gateway: interfaceDocument, policy, customerAgreement: false, marks: shippedMarks };
  const evaluatedAt = new Date(event.evaluatedAt ?? at);
  const assessment = view === null ? null : assess(viewOf(view, material), known, settings, evaluatedAt);
  const digest = assessment?.proposal.digest ?? null;
  if (assessment !== null) {
    order.booked ??= { flights: assessment.booked, from: assessment.bookedFrom };
    const before = order.decisions.at(-1)?.snapshot.proposalDigest;
    if (before !== digest) order.earlierProposals.push({ proposed: assessment.proposal.proposed, decidedAt: at });
  }
  order.decisions.push({
    snapshot: {
      id: `decision ${order.decisions.length + 1}`,
      action: event.action,
      decidedBy: event.by === "person" ? "person:desk" : "policy",
      rule: "an-earlier-rule",
      question: event.question === undefined ? null : askedQuestions[event.question],
      reviewQueue: event.queue,
      proposalDigest: digest,
      marksVersion: null,
      policyVersion: policy.version,
      onStatus: view !== null && viewIs !== "notification",
      proposed: assessment?.proposal.proposed ?? null,
      facts: assessment?.facts ?? null,
    },
    inCase: order.cases,
    stoppableUntil: event.stoppableUntil ?? null,
    hasEffect: false,
    lastContact: "none",
    isRestated: false,
  });
}

type Contact = PastEvent & { readonly event: "traveller-asked" | "traveller-informed" | "traveller-answered" };

function addContact(order: StoredOrder, event: Contact, subject: Subject, material: Material): void {
  const last = order.decisions.at(-1);
  const about =
    event.about === undefined
      ? last?.snapshot.proposalDigest
      : readProposal(viewOf(event.about, material), subject.orderId)?.digest;
  const answer = event.event === "traveller-answered" ? event.answer : null;
  const kind = event.event.slice("traveller-".length) as TravellerContact["kind"];
  const contact = { kind, proposalDigest: about ?? null, happenedAt: new Date(event.at), answer };
  order.contacts.push({ contact, after: order.decisions.length });
  if (last === undefined || kind === "asked") return;
  const isAnswer = answer !== null && answer !== "undecided";
  if (isAnswer) order.snoozedUntil = null;
  last.lastContact = isAnswer || last.lastContact === "answered" ? "answered" : "informed";
}

function successOf(
  { at, action, sentAt }: PastEvent & { readonly event: "carried-out" },
  { snapshot, inCase }: PastDecision,
  acceptedBefore: OrderContext["accepted"],
): EffectSnapshot {
  return {
    id: `effect of ${snapshot.id}`,
    caseId: caseName(inCase),
    action,
    state: "succeeded",
    proposalDigest: snapshot.proposalDigest ?? "",
    gdsBookingReferences: [],
    decisionId: snapshot.id,
    settleReads: 0,
    unchangedReads: 0,
    sends: 1,
    sentAgoMs: null,
    sentAt: new Date(sentAt),
    finishedAt: new Date(at),
    proposed: snapshot.proposed,
    acceptedBefore,
    ancillariesAtRisk: [],
    expectedRefund: null,
    refundCheck: null,
    legal: null,
    otherFlightsAskedIn: null,
    notifiedSince: false,
    contradicted: false,
    confirmedByPerson: false,
  };
}

/** As the store finds them: what people decided, unless an effect or the traveller has overtaken it. */
function reservedOf(order: StoredOrder): readonly ReservedDecision[] {
  return order.decisions
    .map((decision, position) => ({ ...decision, number: position + 1 }))
    .filter(({ snapshot, inCase, number }) => {
      const isByPerson = snapshot.decidedBy.startsWith("person:");
      if (snapshot.proposalDigest === null) return false;
      if (!isByPerson && !reservedQuestions.some((question) => question === snapshot.question)) return false;
      if (inCase !== order.cases && snapshot.action !== "none") return false;
      if (number <= order.succeededAfter) return false;
      return !order.contacts.some(
        ({ contact, after }) =>
          after >= number &&
          contact.kind === "answered" &&
          contact.answer !== "undecided" &&
          contact.proposalDigest === snapshot.proposalDigest,
      );
    })
    .map(({ snapshot, hasEffect }) => ({
      proposalDigest: snapshot.proposalDigest ?? "",
      isQuestion: !snapshot.decidedBy.startsWith("person:") && snapshot.question !== "effect-outcome",
      isUnsent: (snapshot.action === "accept" || snapshot.action === "cancel") && !hasEffect,
    }))
    .toReversed();
}

function caseName(number: number): string {
  return `case ${number}`;
}
