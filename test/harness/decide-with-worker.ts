import type { NewDecision } from "../../src/cases/new-decision.ts";
import type { OrderContext } from "../../src/cases/order-context.ts";
import { defaultTiming } from "../../src/cases/timing.ts";
import { unseenOrder } from "../../src/cases/unseen-order.ts";
import { readStoredStatus } from "../../src/connectors/document/gateway.ts";
import { noTravellerWords } from "../../src/contract/find-traveller-words.ts";
import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import type { OrderView } from "../../src/contract/order-view.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import type { Gateway } from "../../src/worker/gateway-ports.ts";
import { type CaseStore, leaseLost } from "../../src/worker/ports.ts";
import { runOrder } from "../../src/worker/run-order.ts";
import type { WorkerContext } from "../../src/worker/worker-context.ts";

export interface WorkerSubject {
  readonly orderId: string;
  readonly notified: OrderView;
  /** The booking references that are known of the order. */
  readonly references: readonly string[];
  /** What the gateway responds, with HTTP 200. */
  readonly statusBody: Uint8Array;
  readonly policy: Policy;
  readonly now: Date;
}

/**
 * Runs the worker's own loop over an order that it sees for the first time, reading the status as the gateway client does.
 * Returns what it would store; null if it decides nothing, as when it tries again later.
 */
export async function decideWithWorker(subject: WorkerSubject): Promise<NewDecision | null> {
  const decided: NewDecision[] = [];
  await runOrder(workerOf(subject, decided), { source: "default", orderId: subject.orderId });
  return decided[0] ?? null;
}

function workerOf({ statusBody, policy, now, ...known }: WorkerSubject, decided: NewDecision[]): WorkerContext {
  const gateway: Pick<Gateway, "readStatus"> = {
    readStatus: async () => {
      return { result: readStoredStatus(statusBody), body: statusBody, travellers: noTravellerWords, readAt: now };
    },
  };
  return {
    store: storeOf(contextOf(known, now), decided),
    gatewayOf: () => gateway as Gateway,
    capabilitiesOf: () => interfaceDocument,
    policyOf: () => policy,
    customerAgreementOf: () => false,
    shadowOf: () => null,
    clock: { now: () => now },
    random: () => 0.5,
    logger: silentLogger,
    metrics: { decisions: { inc() {} }, effects: { inc() {} } } as unknown as WorkerContext["metrics"],
    holder: "test",
    versions: {},
    // The status does not lag behind the notification.
    timing: { ...defaultTiming, statusLagMs: 0 },
  };
}

/** Takes down the decision and ends the loop before anything is sent. */
function storeOf(context: OrderContext, decided: NewDecision[]): CaseStore {
  const store: Partial<CaseStore> = {
    take: async (key) => ({
      lease: { ...key, fence: 1 },
      traceparents: [],
      dueForMs: 0,
      context: Promise.resolve(context),
    }),
    renewLease: async () => true,
    releaseLease: async () => {},
    load: async () => (decided.length === 0 ? context : null),
    save: async (lease, _work, changes) => {
      for (const change of changes) {
        if (change.kind === "decision") decided.push(change.decision);
        if (change.kind === "effect-sent") throw leaseLost(lease);
      }
      return { isRefused: false, leaseLeftMs: 10_000 };
    },
  };
  return store as CaseStore;
}

function contextOf(
  { orderId, notified, references }: Omit<WorkerSubject, "statusBody" | "policy" | "now">,
  now: Date,
): OrderContext {
  return {
    ...unseenOrder(orderId, notified),
    source: "default",
    case: {
      id: "case",
      state: "checking",
      reviewQueue: null,
      gdsBookingReferences: references,
      requeueCount: 1,
      failures: 0,
      failingSince: null,
      proposalDigest: null,
      openedAt: now,
      notifiedAt: now,
      decisionId: null,
      undoLeftMs: null,
      clockRanOutAt: null,
    },
    decisionHasEffect: false,
    reserved: [],
    temporaryRefusals: 0,
    liveEffect: null,
    lastSuccess: null,
    lastContact: "none",
    isRestated: false,
    isTakenOver: false,
    snoozedUntil: null,
    automationStoppedAt: null,
  };
}
