import type { Configuration } from "../config/load-settings.ts";
import type { Role } from "../config/settings.ts";
import type { CardMember } from "../contract/card-data.ts";
import { type ClientAddressOf, createClientAddress } from "../http/client-address.ts";
import { systemClock } from "../kernel/clock.ts";
import type { RepeatedWork } from "../kernel/repeat-work.ts";
import type { StoredBodyError } from "../kernel/stored-body-errors.ts";
import type { QueueBackend } from "../queue/dispatch-queue.ts";
import { type AddressGuard, createAddressGuard } from "../sender/address-guard.ts";
import type { Deliverer, Sender } from "../sender/sender.ts";
import { readBacklog } from "../store/cases/backlog.ts";
import { createBulkActions } from "../store/cases/bulk-actions.ts";
import { type Database, openDatabase } from "../store/database/database.ts";
import { dueChannel } from "../store/database/due-listener.ts";
import { assertSchemaIsCurrent } from "../store/database/migrator.ts";
import { createMemberMarkStore, listenForMemberChanges } from "../store/members/member-marks.ts";
import { createPolicyStore, listenForActivations } from "../store/policies.ts";
import { createTravellerSearches, type TravellerSearches } from "../store/search/traveller-searches.ts";
import type { HealthCheck } from "../telemetry/health.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import { createMemberRecorder, type MemberRecorder } from "../worker/member-recorder.ts";
import type { OrderWorker } from "../worker/worker.ts";
import { settingsOf } from "../worker/worker-context.ts";
import { startJobs } from "./jobs.ts";
import { memberCountsJob } from "./member-counts.ts";
import { type MemberRuntime, openMembers } from "./members.ts";
import { type NoticeRuntime, openNotices } from "./notice-runtime.ts";
import { openPolicies, type PolicyRuntime } from "./policies.ts";
import type { ProcessTiming } from "./process-timing.ts";
import { openQueueBackend } from "./queue-backend.ts";
import { openEventSender, openSender } from "./sender-runtime.ts";
import type { Shutdown } from "./shutdown.ts";
import { openSourceAccounts, type SourceAccounts } from "./source-accounts.ts";
import type { Storage } from "./storage.ts";
import { decidingParts, openWorker } from "./worker-runtime.ts";

/** Parts that only some roles need are opened on first use. */
export interface ProcessParts {
  readonly configuration: Configuration;
  readonly timing: ProcessTiming;
  readonly storage: Storage;
  readonly database: Database;
  /** The same database, for what each notification and each order costs: statements that name their rows. */
  readonly keyedDatabase: Database;
  readonly queues: QueueBackend;
  readonly guard: AddressGuard;
  /** By `TRUSTED_PROXIES`. */
  readonly clientAddress: ClientAddressOf;
  /** The address of who named a client last and is not in `TRUSTED_PROXIES`; null if nobody has. */
  readonly untrustedProxy: () => string | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly checks: readonly HealthCheck[];
  readonly shutdown: Shutdown;
  readonly sweeps: SweepsByChannel;
  /** Null until this process listens there. */
  readonly urls: { agency: string | null; gateway: string | null; operations: string | null };
  /** Orders may be due. Workers of other processes find out by themselves. */
  readonly kickOrders: () => void;
  readonly sender: () => Sender;
  readonly eventSender: () => Deliverer;
  readonly notices: () => NoticeRuntime;
  readonly accounts: () => SourceAccounts;
  readonly policies: () => Promise<PolicyRuntime>;
  readonly members: () => Promise<MemberRuntime>;
  readonly recorder: MemberRecorder;
  readonly worker: () => Promise<OrderWorker>;
  readonly bulkActions: () => ReturnType<typeof createBulkActions>;
  readonly travellerSearches: TravellerSearches;
}

/** What this process sweeps for, by the channels of the database that announce such work. */
export interface SweepsByChannel {
  /** Closes the work when the process stops. */
  add(channels: readonly string[], name: string, work: RepeatedWork): void;
  /** Starts a sweep at once, by channel. */
  readonly kicks: Readonly<Record<string, () => void>>;
}

export interface PartsOptions {
  readonly configuration: Configuration;
  readonly timing: ProcessTiming;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  /** Default: no traces. */
  readonly tracer?: Tracer;
}

export function openParts(options: PartsOptions): ProcessParts {
  const { configuration, timing, storage, logger, shutdown, tracer = noTracer } = options;
  const { settings, sources } = configuration;
  const shared = {
    url: storage.serviceUrl,
    applicationName: "skedchange",
    encryptionKeys: storage.encryptionKeys,
    onCardDataMasked: (member: CardMember) => metrics.cardDataMasked.inc({ member }),
    onUnreadableBody: (code: StoredBodyError) => metrics.unreadableBodies.inc({ code }),
    onError: (error: unknown) => logger.warn({ error }, "database.connection_lost"),
  };
  const database = openDatabase({ ...shared, maxConnections: 10 });
  const keyedDatabase = openDatabase({
    ...shared,
    maxConnections: settings.WORKER_CONCURRENCY + 4,
    plans: "by-key",
  });
  for (const opened of [database, keyedDatabase]) {
    shutdown.add("connections", "database connections", () => opened.close());
  }
  const queues = openQueueBackend({
    queueUrl: settings.QUEUE_URL,
    databaseUrl: storage.serviceUrl,
    timing: timing.queue,
    onError: (error) => logger.warn({ error }, "queue.error"),
  });
  shutdown.add("connections", "queue connections", () => queues.close());
  const metrics = createMetrics({
    processMetrics: true,
    // What waits is the business of those who see cases, and only they may read them.
    ...(configuration.roles.some((role) => role === "worker" || role === "dashboard") && {
      readBacklog: () => readBacklog(database.connection, systemClock.now()),
    }),
  });
  let untrustedProxy: string | null = null;
  const guard = createAddressGuard({
    allowHttp: settings.RECIPIENT_ALLOW_HTTP,
    allowedNetworks: settings.RECIPIENT_ALLOWED_NETWORKS ?? [],
  });
  const sweeps = createSweeps(shutdown);
  const urls: ProcessParts["urls"] = { agency: null, gateway: null, operations: null };
  const kickOrders = (): void => sweeps.kicks[dueChannel]?.();
  const senders = { database, guard, logger, metrics, tracer, shutdown, settings: timing.sender };
  const workerTiming = workerTimingOf(options);
  const secondPersonAbove = settings.SECOND_PERSON_ABOVE ?? null;

  const accounts = once(() => {
    // Demo mode learns its gateway's port only once it listens.
    const gatewayUrl = configuration.demo && configuration.roles.includes("gateway") ? urls.gateway : null;
    const opened = openSourceAccounts(configuration, { logger, metrics, tracer, gatewayUrl, circuit: timing.circuit });
    shutdown.add("connections", "gateway accounts", () => opened.close());
    return opened;
  });
  const policies = once(() => followPolicies(options, database));
  const recorder = createMemberRecorder();
  const travellerSearches = createTravellerSearches(database, { logger });
  const members = once(async () => {
    startJobs([memberCountsJob(database, recorder)], options);
    return followMembers(options, database, await policies());
  });
  return {
    ...options,
    database,
    keyedDatabase,
    queues,
    guard,
    metrics,
    tracer,
    sweeps,
    urls,
    kickOrders,
    checks: [
      // Not by the connections of pages: while these are busy, notifications are still acknowledged.
      { name: "database", isNeeded: true, check: () => assertSchemaIsCurrent(keyedDatabase) },
      { name: "queue", isNeeded: !respondsWithoutQueue(configuration.roles), check: () => queues.ping() },
    ],
    sender: once(() => openSender(senders)),
    eventSender: once(() => openEventSender(senders)),
    notices: once(() =>
      openNotices({
        configuration,
        database,
        guard,
        logger,
        metrics,
        shutdown,
        agencyUrl: () => urls.agency,
        settings: timing.notices,
      }),
    ),
    clientAddress: createClientAddress(settings.TRUSTED_PROXIES ?? [], (address) => {
      untrustedProxy = address;
    }),
    untrustedProxy: () => untrustedProxy,
    accounts,
    policies,
    members,
    recorder,
    travellerSearches,
    worker: once(async () =>
      openWorker({
        database: keyedDatabase,
        accounts: accounts(),
        policies: await policies(),
        members: await members(),
        recorder,
        sources,
        hourlyLimit: settings.AUTOMATION_HOURLY_LIMIT,
        secondPersonAbove,
        logger,
        metrics,
        tracer,
        onDue: kickOrders,
        timing: workerTiming,
      }),
    ),
    bulkActions: once(() =>
      createBulkActions(database, systemClock, {
        secondPersonAbove,
        statusLagMs: workerTiming.statusLagMs,
        searches: travellerSearches,
      }),
    ),
  };
}

/** Notifications are acknowledged, and people served, while cases wait for the queue. */
function respondsWithoutQueue(roles: readonly Role[]): boolean {
  return (["receiver", "dashboard", "gateway"] as const).some((role) => roles.includes(role));
}

export function workerTimingOf({ configuration, timing }: Pick<PartsOptions, "configuration" | "timing">) {
  const { settings } = configuration;
  return {
    ...timing.worker,
    callMaxMs: settings.GATEWAY_TIMEOUT_SECONDS * 1_000,
    undoWindowMs: settings.UNDO_WINDOW_SECONDS * 1_000,
    responseTargets: settings.RESPONSE_TARGET_HOURS,
  };
}

async function followPolicies(options: PartsOptions, database: Database): Promise<PolicyRuntime> {
  const { configuration, storage, logger, shutdown } = options;
  const policies = await openPolicies({
    sources: configuration.sources,
    store: createPolicyStore(database, systemClock),
    database,
    logger,
  });
  const activations = await listenForActivations({
    url: storage.serviceUrl,
    applicationName: "skedchange",
    onChange: () => void policies.refresh(),
    onError: (error) => logger.warn({ error }, "policy_listener.lost"),
  });
  shutdown.add("work", "policy listener", () => activations.close());
  return policies;
}

/** Marks that are changed, and orders that are learned from, count in all processes at once. */
async function followMembers(
  options: PartsOptions,
  database: Database,
  policies: PolicyRuntime,
): Promise<MemberRuntime> {
  const { configuration, storage, logger, shutdown } = options;
  const { settings, sources } = configuration;
  const timing = workerTimingOf(options);
  const members: MemberRuntime = await openMembers({
    sources: sources.map(({ id, learnOrders }) => ({ id, learnOrders: learnOrders ?? settings.LEARN_ORDERS })),
    store: createMemberMarkStore(database, systemClock),
    database,
    settingsOf: (source) => settingsOf(decidingParts({ policies, members, sources, timing }), source),
    clock: systemClock,
    logger,
  });
  const changes = await listenForMemberChanges({
    url: storage.serviceUrl,
    applicationName: "skedchange",
    onChange: () => void members.refresh(),
    onError: (error) => logger.warn({ error }, "member_listener.lost"),
  });
  shutdown.add("work", "member listener", () => changes.close());
  return members;
}

function createSweeps(shutdown: Shutdown): SweepsByChannel {
  const kicks: Record<string, () => void> = {};
  return {
    add(channels, name, work) {
      shutdown.add("work", name, () => work.close());
      for (const channel of channels) kicks[channel] = work.kick;
    },
    kicks,
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
