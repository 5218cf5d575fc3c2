import { hostname } from "node:os";
import type { CaseTiming } from "../cases/timing.ts";
import type { Configuration } from "../config/load-settings.ts";
import { dialect } from "../connectors/document/dialect.ts";
import { noOwnAddresses } from "../contract/addressee.ts";
import { interfaceDocument } from "../contract/gateway-capabilities.ts";
import { systemClock } from "../kernel/clock.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { defaultInformChoice } from "../policy/inform.ts";
import { shippedCarriers } from "../policy/legal/carriers.ts";
import type { QueueWork } from "../queue/run-queue.ts";
import { createCaseStore } from "../store/cases/case-store.ts";
import type { Database } from "../store/database/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/tracing.ts";
import { airportsVersion } from "../travel/airports.ts";
import type { MemberRecorder } from "../worker/member-recorder.ts";
import { createOrderWorker, type OrderWorker } from "../worker/worker.ts";
import type { DecidingParts } from "../worker/worker-context.ts";
import type { MemberRuntime } from "./members.ts";
import type { PolicyRuntime } from "./policies.ts";
import type { SourceAccounts } from "./source-accounts.ts";

/** Digest of the table of licensed carriers. */
const carriersVersion = digestOfValue(shippedCarriers).slice(0, 16);

export interface WorkerRuntimeOptions {
  readonly database: Database;
  readonly accounts: SourceAccounts;
  readonly policies: Pick<PolicyRuntime, "policyOf" | "shadowOf">;
  readonly members: Pick<MemberRuntime, "marksOf" | "learningOf">;
  readonly recorder: MemberRecorder;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly onDue: () => void;
  readonly timing: CaseTiming;
  readonly sources: Configuration["sources"];
  /** The limit of a source that has none of its own; 0: no limit. */
  readonly hourlyLimit: number;
  /** Cancels of orders worth more need a second person; null means never. */
  readonly secondPersonAbove: string | null;
}

/** Does nothing until `orderQueue` gives it work. */
export function openWorker(options: WorkerRuntimeOptions): OrderWorker {
  const { database, accounts, secondPersonAbove, logger, metrics, tracer, onDue, recorder, timing } = options;
  const limits = new Map(options.sources.map(({ id, hourlyLimit }) => [id, hourlyLimit ?? options.hourlyLimit]));
  return createOrderWorker(
    {
      store: createCaseStore(database, systemClock, dialect, { secondPersonAbove, statusLagMs: timing.statusLagMs }),
      gatewayOf: accounts.gatewayOf,
      ...decidingParts(options),
      hourlyLimitOf: (source) => limits.get(source) || null,
      recorder,
      clock: systemClock,
      random: Math.random,
      logger,
      metrics,
      tracer,
      holder: `${hostname()}:${process.pid}`,
    },
    onDue,
  );
}

/** What decides about the orders of each source. */
export function decidingParts({
  policies,
  members,
  sources,
  timing,
}: Pick<WorkerRuntimeOptions, "policies" | "members" | "sources" | "timing">): DecidingParts {
  const configured = new Map(sources.map((source) => [source.id, source]));
  return {
    // Every source has a gateway of the interface document.
    capabilitiesOf: () => interfaceDocument,
    policyOf: policies.policyOf,
    customerAgreementOf: (source) => configured.get(source)?.customerAgreement ?? false,
    informChoiceOf: (source) => configured.get(source)?.inform ?? defaultInformChoice,
    ownAddressesOf: (source) => configured.get(source)?.ownAddresses ?? noOwnAddresses,
    shadowOf: policies.shadowOf,
    marksOf: members.marksOf,
    learningOf: members.learningOf,
    versions: {
      airports: airportsVersion,
      carriers: carriersVersion,
    },
    timing,
  };
}

export function orderQueue(
  worker: OrderWorker,
  configuration: Configuration,
  { dispatchMs }: Pick<CaseTiming, "dispatchMs">,
): QueueWork {
  const concurrency = configuration.settings.WORKER_CONCURRENCY;
  const perSourceMax = ordersPerSource(configuration);
  return {
    name: "orders",
    takeDue: async (limit) => {
      const orders = await worker.takeDue(limit, perSourceMax);
      return orders.map(({ source, orderId }) => ({ source, orderId }));
    },
    markMs: dispatchMs,
    batchSize: concurrency * 8,
    handle: async ({ source, orderId }) => {
      if (source !== undefined && orderId !== undefined) await worker.workOn({ source, orderId });
    },
    concurrency,
    // Dispatches are limited, so a backlog would otherwise advance only once per sweep.
    kickAfter: perSourceMax === null ? concurrency : 1,
    failureMessage: "worker.failed",
  };
}

/** Leaves at least one worker for other sources, however slow a source's gateway is. */
function ordersPerSource({ settings, sources }: Configuration): number | null {
  if (settings.WORKER_CONCURRENCY_PER_SOURCE !== undefined) return settings.WORKER_CONCURRENCY_PER_SOURCE;
  return sources.length < 2 ? null : Math.max(1, settings.WORKER_CONCURRENCY - 1);
}
