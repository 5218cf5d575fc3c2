import { readPolicyFile } from "../../src/app/policy-file.ts";
import { defaultTiming } from "../../src/cases/timing.ts";
import { dialect } from "../../src/connectors/document/dialect.ts";
import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { readNotifiedOrders } from "../../src/contract/notified-orders.ts";
import type { CaseDetail } from "../../src/dashboard/case-ports.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { createCaseQueries } from "../../src/store/cases/case-queries.ts";
import { createCaseStore } from "../../src/store/cases/case-store.ts";
import type { Database } from "../../src/store/database/database.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import type { Gateway } from "../../src/worker/gateway-ports.ts";
import { createOrderWorker, type OrderWorker } from "../../src/worker/worker.ts";
import type { WorkerContext } from "../../src/worker/worker-context.ts";
import { gatewayWithPoints, type OnPoint, storeWithPoints } from "./crash-points.ts";
import { takeIn } from "./notifications.ts";
import type { ScriptedGateway } from "./scripted-gateway.ts";

/** A worker on a real database, and what a test wants to do and see around it. */
export interface WorkerUnderTest {
  readonly worker: OrderWorker;
  readonly context: WorkerContext;
  /** Receives a notification as the receiver would. Returns the receipts of its body. */
  notify(body: unknown): Promise<number>;
  /** Makes whatever has a due time due now. */
  makeDue(orderId: string): Promise<void>;
  /** Works on the order until nothing is due or a try fails, at most ten times. */
  work(orderId: string): Promise<void>;
  /** The newest case of an order, whole. */
  caseOf(orderId: string): Promise<CaseDetail>;
  casesOf(orderId: string): Promise<readonly CaseDetail[]>;
}

/** The policy of an agency that has chosen none. */
export const cautiousPolicy: Policy = readPolicyFile(null).policy;

/** @param reached told of each place at which it may die. */
export function createWorkerUnderTest(
  database: Database,
  gateway: Gateway,
  changes: Partial<WorkerContext> = {},
  reached: OnPoint = () => {},
): WorkerUnderTest {
  const clock = changes.clock ?? (isScripted(gateway) ? gateway.clock : systemClock);
  const store = createCaseStore(database, clock, dialect);
  const context: WorkerContext = {
    store: storeWithPoints(store, reached),
    gatewayOf: () => gatewayWithPoints(gateway, reached),
    capabilitiesOf: () => interfaceDocument,
    policyOf: () => cautiousPolicy,
    // Tests of these tasks say otherwise.
    informChoiceOf: () => "nobody",
    shadowOf: () => null,
    clock,
    random: () => 0.5,
    logger: silentLogger,
    metrics: createMetrics(),
    holder: "test",
    versions: { airports: "test" },
    timing: defaultTiming,
    ...changes,
  };
  const worker = createOrderWorker(context, () => {});
  const queries = createCaseQueries(database, dialect);

  const casesOf = async (orderId: string): Promise<readonly CaseDetail[]> => {
    const { items } = await queries.listCases({
      visible: null,
      orderId,
      after: null,
      limit: 50,
    });
    const details = await Promise.all(items.map((item) => queries.readCase(item.id, null)));
    return details.filter((detail) => detail !== null);
  };
  const isDue = async (orderId: string): Promise<boolean> => {
    const { rows } = await database.pool.query(
      "select 1 from skedchange.cases where order_id = $1 and due_at <= now()",
      [orderId],
    );
    return rows.length > 0;
  };
  const failuresOf = async (orderId: string): Promise<number> => {
    const { rows } = await database.pool.query<{ failures: number }>(
      "select coalesce(sum(failures), 0)::int as failures from skedchange.cases where order_id = $1",
      [orderId],
    );
    return rows[0]?.failures ?? 0;
  };

  return {
    worker,
    context,
    notify: async (body) => {
      const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      const reading = readNotifiedOrders(bytes);
      const notification = {
        id: newId(context.clock),
        source: "default",
        receivedAt: context.clock.now(),
        body: bytes,
        digest: digestOfBytes(bytes),
        copies: 1,
        contentType: "application/json",
        problem: reading.ok ? null : reading.problem,
        orders: reading.ok ? reading.orders : [],
      };
      const [outcome] = await takeIn(database, [notification], context.clock);
      if (outcome === undefined) throw new Error("no outcome");
      if (!outcome.recorded) throw outcome.error;
      return outcome.receipts;
    },
    makeDue: async (orderId) => {
      await database.pool.query(
        "update skedchange.cases set due_at = now() where order_id = $1 and due_at is not null",
        [orderId],
      );
    },
    work: async (orderId) => {
      for (let run = 0; run < 10 && (await isDue(orderId)); run++) {
        const failuresBefore = await failuresOf(orderId);
        await worker.workOn({ source: "default", orderId });
        // Its next try is a second away, which may pass before the next look.
        if ((await failuresOf(orderId)) > failuresBefore) return;
      }
    },
    caseOf: async (orderId) => {
      const [newest] = await casesOf(orderId);
      if (newest === undefined) throw new Error(`order ${orderId} has no case`);
      return newest;
    },
    casesOf,
  };
}

function isScripted(gateway: Gateway): gateway is ScriptedGateway {
  return "statusesTakeMs" in gateway;
}
