import type { RequestListener } from "node:http";
import express, { type Request, type Response, type Router } from "express";
import helmet from "helmet";
import { demoUsers } from "../config/demo-credentials.ts";
import type { Configuration } from "../config/load-settings.ts";
import type { Role, Settings } from "../config/settings.ts";
import { createDashboard } from "../dashboard/create-dashboard.ts";
import { createEventStreams } from "../dashboard/event-streams.ts";
import type { CaseItem } from "../dashboard/ports.ts";
import { differenceBetween } from "../itinerary/difference.ts";
import { severityOf } from "../itinerary/severity.ts";
import { systemClock } from "../kernel/clock.ts";
import { writeProblem } from "../kernel/problem-document.ts";
import { Secret } from "../kernel/secret.ts";
import { createSecretVerifier } from "../kernel/secret-verifier.ts";
import { runQueue } from "../queue/run-queue.ts";
import { runSweeps, type Sweeps } from "../queue/run-sweeps.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { createAddressGuard } from "../sender/address-guard.ts";
import { createEventRouter } from "../sender/events/event-router.ts";
import type { RecipientStore } from "../sender/ports.ts";
import { createAuditReading } from "../store/audit/audit-reading.ts";
import { createAutomation, requeueStoppedCases } from "../store/cases/automation.ts";
import { readBacklog } from "../store/cases/backlog.ts";
import { createBulkActions } from "../store/cases/bulk-actions.ts";
import { listenForCaseChanges } from "../store/cases/case-listener.ts";
import { createCaseQueries } from "../store/cases/case-queries.ts";
import { createStoredBodies } from "../store/cases/stored-bodies.ts";
import { createTasks } from "../store/cases/tasks.ts";
import { createWorkCounts } from "../store/cases/work-counts.ts";
import { type Database, openDatabase } from "../store/database/database.ts";
import {
  deliveriesDueChannel,
  dueChannel,
  eventsDueChannel,
  listenForDue,
  pendingChannel,
} from "../store/database/due-listener.ts";
import { assertSchemaIsCurrent } from "../store/database/migrator.ts";
import { ensurePartitions } from "../store/database/partitions.ts";
import { createEventRecipientStore, createRecipientStore } from "../store/deliveries/recipients.ts";
import { createEventReplayStore } from "../store/deliveries/replays.ts";
import { createPendingAnnouncement } from "../store/notifications/announce-pending.ts";
import { openPendingCases } from "../store/notifications/open-cases.ts";
import { createQuarantine } from "../store/notifications/quarantine.ts";
import { createLaneQueries } from "../store/orders/lanes.ts";
import { createPolicyStore, listenForActivations } from "../store/policies.ts";
import { answerHealthz, createReadyzHandler, type HealthCheck } from "../telemetry/health.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createMetrics, createMetricsHandler, type Metrics, watchValue } from "../telemetry/metrics.ts";
import { runBulkActions } from "../worker/run-bulk-actions.ts";
import { createApiReference } from "./api-reference.ts";
import { runAuditChaining } from "./audit-jobs.ts";
import { compressAnswers } from "./compress-answers.ts";
import { type GatewayRuntime, openGateway } from "./gateway-runtime.ts";
import { listen } from "./http-server.ts";
import { describeAgencySide } from "./openapi-documents.ts";
import { openOrders } from "./orders.ts";
import { addUserAdvice, openPeople } from "./people-runtime.ts";
import { openPolicies } from "./policies.ts";
import { runPolls } from "./poll-job.ts";
import { defaultProcessTiming, type ProcessTiming } from "./process-timing.ts";
import { openQueueBackend } from "./queue-backend.ts";
import { openReceiver } from "./receiver-runtime.ts";
import { runReconciliation } from "./reconcile-job.ts";
import { repeatJob } from "./repeat-job.ts";
import { runSenderJobs } from "./sender-jobs.ts";
import { openEventSender, openSender, runSender } from "./sender-runtime.ts";
import { createShutdown, type Shutdown } from "./shutdown.ts";
import { openSourceAccounts } from "./source-accounts.ts";
import { openStorage, type Storage } from "./storage.ts";
import { version } from "./version.ts";
import { runClocks } from "./worker-clocks.ts";
import { openWorker, orderQueue } from "./worker-runtime.ts";

export interface StartOptions {
  readonly configuration: Configuration;
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly print: (line: string) => void;
  /** Where it has been begun to open it already. */
  readonly storage?: Promise<Storage>;
  /** Other waits than the usual ones; for tests that cannot wait as long as production does. */
  readonly timing?: ProcessTiming;
}

/** A running process. */
export interface RunningServer {
  /** Of the agency side; null when no role of this process listens there. */
  readonly agencyUrl: string | null;
  /** Of the gateway side; null when this process is no gateway. */
  readonly gatewayUrl: string | null;
  /** Where the data is, for people. */
  readonly place: string;
  /** What the demonstration is run with; null outside demo mode. */
  readonly demo: DemoHandles | null;
  /** What to tell people now that it runs. */
  readonly introduction: readonly string[];
  /** Stops everything within 10 s. Calling it again waits for the same stop. */
  stop(): Promise<void>;
}

/** The insides of a process in demo mode that the demonstration needs. */
export interface DemoHandles {
  readonly actions: GatewayRuntime["actions"];
  readonly recipients: RecipientStore;
  /** How the sender proves itself to the receiver. */
  readonly authentication: Settings["DEMO_AUTHENTICATION"];
  readonly listCases: () => Promise<readonly CaseItem[]>;
  /** Something is due. */
  readonly kick: () => void;
}

const day = 24 * 60 * 60_000;

/**
 * Starts everything that this process is to run and joins the parts: database, queue, gateway, receiver, workers,
 * sender, dashboard. What has been started is stopped again when a later part cannot start.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const shutdown = createShutdown(options.logger);
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(
  { configuration, environment, logger, print, storage: opening, timing = defaultProcessTiming }: StartOptions,
  shutdown: Shutdown,
): Promise<RunningServer> {
  const { settings } = configuration;
  const runs = (...roles: readonly Role[]): boolean => roles.some((role) => configuration.roles.includes(role));

  const storage = await (opening ?? openStorage(configuration, environment, print));
  shutdown.add("database", "embedded database", () => storage.stop());
  const database = openDatabase({
    url: storage.serviceUrl,
    applicationName: "skedchange",
    maxConnections: settings.WORKER_CONCURRENCY + 12,
    encryptionKeys: storage.encryptionKeys,
    onError: (error) => logger.warn({ error }, "database.connection_lost"),
  });
  shutdown.add("connections", "database connections", () => database.close());
  maintainPartitions(database, logger, shutdown);
  runAuditChaining({ database, logger, shutdown });

  const queues = openQueueBackend({
    queueUrl: settings.QUEUE_URL,
    databaseUrl: storage.serviceUrl,
    timing: timing.queue,
    onError: (error) => logger.warn({ error }, "queue.trouble"),
  });
  shutdown.add("connections", "queue connections", () => queues.close());

  const queries = createCaseQueries(database);
  const metrics = createMetrics({
    processMetrics: true,
    readBacklog: () => readBacklog(database.kysely, systemClock.now()),
  });
  const checks: readonly HealthCheck[] = [
    { name: "database", check: () => assertSchemaIsCurrent(database) },
    { name: "queue", check: () => queues.ping() },
  ];
  const guard = createAddressGuard({
    allowHttp: settings.RECIPIENT_ALLOW_HTTP,
    allowedNetworks: settings.RECIPIENT_ALLOWED_NETWORKS ?? [],
  });
  const parts = { configuration, database, guard, logger, metrics, shutdown };
  /** What this process looks for, by the channel that says that some of it may be due. */
  const looks: Record<string, () => void> = {};
  const addLook = (channel: string, name: string, work: Sweeps): void => {
    shutdown.add("work", name, () => work.close());
    looks[channel] = work.kick;
  };
  const kickOrders = (): void => looks[dueChannel]?.();

  const sender = runs("sender", "gateway") ? openSender({ ...parts, settings: timing.sender }) : null;
  const eventSender = runs("sender", "dashboard") ? openEventSender({ ...parts, settings: timing.sender }) : null;
  const gateway = runs("gateway") && sender !== null ? await openGateway({ ...parts, sender }) : null;
  const accounts = openSourceAccounts(
    configuration,
    logger,
    metrics,
    configuration.demo ? (gateway?.url ?? null) : null,
    timing.circuit,
  );
  shutdown.add("connections", "gateway accounts", () => accounts.close());
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
  const workerTiming = {
    ...timing.worker,
    callMaxMs: settings.GATEWAY_TIMEOUT_SECONDS * 1_000,
    undoWindowMs: settings.UNDO_WINDOW_SECONDS * 1_000,
    responseTargets: settings.RESPONSE_TARGET_HOURS,
  };
  const secondPersonAbove = settings.SECOND_PERSON_ABOVE ?? null;
  const worker = openWorker({
    database,
    accounts,
    policies,
    sources: configuration.sources,
    secondPersonAbove,
    logger,
    metrics,
    onDue: kickOrders,
    timing: workerTiming,
  });
  const bulkActions = createBulkActions(database, systemClock, {
    secondPersonAbove,
    statusLagMs: workerTiming.statusLagMs,
  });

  if (runs("sender") && sender !== null && eventSender !== null) {
    addLook(eventsDueChannel, "sending of events", runSender("event-lanes", eventSender, parts));
    addLook(deliveriesDueChannel, "sending of notifications", runSender("lanes", sender, parts));
    runSenderJobs({ database, retentionDays: settings.DELIVERY_RETENTION_DAYS, logger, shutdown });
  }
  if (runs("worker")) {
    addLook(pendingChannel, "opening of cases", openCases(database, logger, metrics, kickOrders));
    addLook(dueChannel, "queue of orders", runQueue(queues, orderQueue(worker, configuration), { logger, metrics }));
    runClocks({ database, logger, metrics, shutdown });
    repeatJob(
      {
        name: "cases after a stop",
        everyMs: 60_000,
        work: async () => {
          await requeueStoppedCases(database.kysely);
          return false;
        },
      },
      { logger, shutdown },
    );
    runReconciliation({
      database,
      everyMinutes: settings.RECONCILE_MINUTES,
      gatewayTimeoutSeconds: settings.GATEWAY_TIMEOUT_SECONDS,
      logger,
      metrics,
      shutdown,
    });
    runPolls({
      database,
      gatewayOf: accounts.gatewayOf,
      timing: workerTiming,
      logger,
      configuration,
      onDue: kickOrders,
      shutdown,
    });
    repeatJob(
      {
        name: "bulk actions",
        everyMs: 1_000,
        work: () => runBulkActions({ work: bulkActions, logger, onDue: kickOrders }),
      },
      { logger, shutdown },
    );
  }
  if (Object.keys(looks).length > 0) {
    const listener = await listenForDue({
      url: storage.serviceUrl,
      applicationName: "skedchange",
      onDue: looks,
      onError: (error) => logger.warn({ error }, "due_listener.lost"),
    });
    shutdown.add("work", "due listener", () => listener.close());
  }

  // Only demo mode, which is told no PUBLIC_URL, names itself by where it listens, and so only once it does.
  let publicUrl = settings.PUBLIC_URL?.replace(/\/+$/, "") ?? "";
  const receiver = runs("receiver")
    ? openReceiver({
        ...parts,
        onCommitted: looks[pendingChannel] ?? createPendingAnnouncement(database),
        issuer: () => publicUrl,
      })
    : null;
  const people = runs("dashboard") ? await openPeople(parts) : null;
  if (receiver !== null) {
    watchValue(metrics, {
      name: "skedchange_receiver_backlog_bytes",
      help: "Bytes of notifications that wait for their commit in this process.",
      read: () => receiver.backlogBytes(),
    });
  }
  const events = createEventStreams();
  watchValue(metrics, {
    name: "skedchange_event_streams",
    help: "Streams of events that dashboards follow at this process.",
    read: () => events.count(),
  });
  if (runs("dashboard")) {
    const listener = await listenForCaseChanges({
      url: storage.serviceUrl,
      applicationName: "skedchange",
      onChange: (caseIds) => events.publish(caseIds),
      onError: (error) => logger.warn({ error }, "case_listener.lost"),
    });
    shutdown.add("work", "case listener", () => listener.close());
    shutdown.add("intake", "event streams", async () => events.close());
  }
  const agency = await listen(
    agencySide({
      receiver,
      dashboard:
        people !== null && eventSender !== null
          ? createDashboard({
              queries,
              lanes: createLaneQueries(database),
              countWork: createWorkCounts(database),
              changes: { severityOf, differenceBetween },
              bodies: createStoredBodies(database),
              quarantine: createQuarantine(database, { clock: systemClock, onReleased: kickOrders }),
              orderLimit: settings.OCN_ORDER_LIMIT,
              events,
              people: people.people,
              outgoingEvents: (access) =>
                createEventRouter(
                  {
                    store: createEventRecipientStore({ database, clock: systemClock }),
                    replays: createEventReplayStore({ database, clock: systemClock }),
                    tester: eventSender,
                    guard,
                    logger,
                  },
                  access,
                ),
              orders: openOrders({
                database,
                sources: configuration.sources,
                clock: systemClock,
                onDue: kickOrders,
              }),
              policies: policies.policies,
              automation: createAutomation(database, systemClock),
              audit: createAuditReading(database),
              act: (action) => worker.act(action),
              bulk: bulkActions,
              tasks: createTasks(database, systemClock),
              verifyToken: tokenVerifier(settings.API_TOKEN),
              clock: systemClock,
              logger,
              demo: configuration.demo,
              offeredUsers: configuration.demo ? demoUsers : [],
              ...(settings.PUBLIC_URL === undefined ? {} : { publicUrl: settings.PUBLIC_URL }),
            })
          : null,
      reference: runs("dashboard")
        ? createApiReference(() =>
            describeAgencySide(settings.PUBLIC_URL === undefined ? {} : { serverUrl: settings.PUBLIC_URL }),
          )
        : null,
      checks,
      metrics,
      logger,
    }),
    { host: settings.HOST, port: settings.PORT, setting: "PORT" },
  );
  if (publicUrl === "") publicUrl = agency.url;
  if (receiver !== null) {
    agency.server.on(
      "checkContinue",
      receiver.createCheckContinue(agency.server.listeners("request")[0] as RequestListener),
    );
    shutdown.add("intake", "receiver", () => receiver.drain());
  }
  shutdown.add("intake", "agency side", () => agency.close());

  logger.info(
    { version, roles: configuration.roles, agencyUrl: agency.url, gatewayUrl: gateway?.url },
    "process.started",
  );
  return {
    agencyUrl: agency.url,
    gatewayUrl: gateway?.url ?? null,
    place: storage.place,
    demo:
      configuration.demo && gateway !== null
        ? {
            actions: gateway.actions,
            recipients: createRecipientStore({ database, clock: systemClock }),
            authentication: settings.DEMO_AUTHENTICATION,
            listCases: async () => {
              const page = await queries.listCases({
                orderId: null,
                states: [],
                source: null,
                after: null,
                limit: 200,
              });
              return page.items;
            },
            kick: () => {
              for (const look of Object.values(looks)) look();
            },
          }
        : null,
    introduction: [
      ...introduce(configuration, storage.place, agency.url, gateway?.url ?? null),
      ...(people === null || people.hasUsers ? [] : [`  people        nobody can sign in yet: ${addUserAdvice}`]),
    ],
    stop: () => shutdown.run(),
  };
}

/** Opens and wakes the cases of pending notifications, as soon as there are some. */
function openCases(database: Database, logger: Logger, metrics: Metrics, onDue: () => void): Sweeps {
  const look = async (): Promise<boolean> => {
    const { opened, mayBeMore } = await openPendingCases(database, systemClock);
    if (opened > 0) onDue();
    return mayBeMore;
  };
  return runSweeps("pending", look, { logger, metrics });
}

/** Makes the partitions of the coming months, now and every day. */
function maintainPartitions(database: Database, logger: Logger, shutdown: Shutdown): void {
  const timer = setInterval(() => {
    ensurePartitions(database, systemClock).catch((error: unknown) => logger.warn({ error }, "partitions.failed"));
  }, day);
  shutdown.add("work", "partition timer", async () => clearInterval(timer));
}

function tokenVerifier(token: string | undefined): (candidate: string) => Promise<boolean> {
  const verifier = createSecretVerifier(token === undefined ? [] : [new Secret(token)]);
  return (candidate) => verifier.verify(candidate);
}

/** Everything on PORT. The receiver comes first: it reads bodies itself, and only after it knows who sends them. */
function agencySide(parts: {
  readonly receiver: Receiver | null;
  readonly dashboard: express.Router | null;
  /** The description of it all; where there are pages. */
  readonly reference: express.Router | null;
  readonly checks: readonly HealthCheck[];
  readonly metrics: Metrics;
  readonly logger: Logger;
}): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.use(helmet());
  app.get("/healthz", answerHealthz);
  app.get("/readyz", createReadyzHandler(parts.checks));
  app.get("/metrics", createMetricsHandler(parts.metrics.registry, parts.logger));
  if (parts.reference !== null) app.use(parts.reference);
  if (parts.dashboard !== null) app.use(compressAnswers, parts.dashboard);
  app.use((_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "agency.no_such_route",
      title: "No such route",
      detail: "This process serves no such path. Notifications go to /ocn, the API is at /api/v1.",
    });
  });
  return parts.receiver === null ? app : withReceiver(parts.receiver.router, app, parts.logger);
}

/**
 * What the receiver does not serve goes on to the application. It stands before that, and not in it: the application would cost
 * each notification more than its commit does.
 */
function withReceiver(receiver: Router, app: RequestListener, logger: Logger): RequestListener {
  return (request, response) => {
    receiver(request as Request, response as Response, (error?: unknown) => {
      if (error === undefined) return app(request, response);
      logger.error({ error }, "request.failed");
      writeProblem(response, {
        status: 500,
        code: "agency.unexpected",
        title: "Unexpected failure",
        detail: "The request failed for a reason of ours; the log says why.",
      });
    });
  };
}

function introduce(
  { demo, roles, settings }: Configuration,
  place: string,
  agencyUrl: string,
  gatewayUrl: string | null,
): readonly string[] {
  const lines = [
    `Skedchange ${version} is running${demo ? " in demo mode" : ""}: ${roles.join(", ")}.`,
    `  agency side   ${agencyUrl}${settings.PUBLIC_URL === undefined ? "" : ` (public: ${settings.PUBLIC_URL})`}`,
  ];
  if (gatewayUrl !== null) lines.push(`  gateway side  ${gatewayUrl}`);
  lines.push(`  database      ${place}`);
  return lines;
}
