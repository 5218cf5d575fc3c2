import type { RequestListener } from "node:http";
import type { Express, Request, Response, Router } from "express";
import type { Configuration } from "../config/load-settings.ts";
import type { Role, Settings } from "../config/settings.ts";
import { dialect } from "../connectors/document/dialect.ts";
import type { CaseItem } from "../dashboard/case-ports.ts";
import type { NoticeRuleStore } from "../dashboard/notice-ports.ts";
import { writeProblem } from "../http/problem-document.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Receiver } from "../receiver/receiver.ts";
import type { RecipientStore } from "../sender/ports.ts";
import { appendToAuditChain } from "../store/audit/append-to-audit-chain.ts";
import { createCaseQueries } from "../store/cases/case-queries.ts";
import { listenForDue } from "../store/database/due-listener.ts";
import { ensurePartitions } from "../store/database/partitions.ts";
import { createRecipientStore } from "../store/deliveries/recipients.ts";
import { createNoticeRuleStore } from "../store/notices/notice-rules.ts";
import { createHeartbeat, heartbeatMs } from "../store/processes.ts";
import { timeZonesChannel } from "../store/time-zones.ts";
import { createReadyzHandler } from "../telemetry/health.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createMetricsHandler } from "../telemetry/metrics.ts";
import { activeTimeZones } from "../travel/zones.ts";
import { compressResponses } from "./compress-responses.ts";
import { addUserAdvice, demoDataWarning } from "./finding.ts";
import { createApplication, listen, takesAnyHost } from "./http-server.ts";
import { type Job, startJobs } from "./jobs.ts";
import { openParts, type ProcessParts } from "./process-parts.ts";
import { defaultProcessTiming, type ProcessTiming } from "./process-timing.ts";
import { type DashboardRole, startDashboard } from "./roles/dashboard.ts";
import { type GatewayActions, startGateway } from "./roles/gateway.ts";
import { startReceiver } from "./roles/receiver.ts";
import { startSender } from "./roles/sender.ts";
import { startWorker } from "./roles/worker.ts";
import { createShutdown, type Shutdown } from "./shutdown.ts";
import { openStorage, type Storage } from "./storage.ts";
import { openTimeZones, refreshTimeZones } from "./time-zones.ts";
import { openTraces } from "./traces.ts";
import { version } from "./version.ts";

export interface StartOptions {
  readonly configuration: Configuration;
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly print: (line: string) => void;
  /** Given if it is already being opened. */
  readonly storage?: Promise<Storage>;
  readonly timing?: ProcessTiming;
}

export interface RunningServer {
  /** Null if no role of this process listens there. */
  readonly agencyUrl: string | null;
  /** Null if this process has neither a gateway nor the routes of the sender. */
  readonly gatewayUrl: string | null;
  /** Null without `OPS_PORT`. */
  readonly operationsUrl: string | null;
  readonly place: string;
  /** Null outside demo mode, and when it runs only some roles. */
  readonly demo: DemoHandles | null;
  readonly introduction: readonly string[];
  /** Stops everything within 10 s. A repeated call waits for the same stop. */
  stop(): Promise<void>;
}

export interface DemoHandles {
  readonly actions: GatewayActions;
  readonly recipients: RecipientStore;
  /** How the sender authenticates at the receiver. */
  readonly authentication: Settings["DEMO_AUTHENTICATION"];
  readonly notices: NoticeRuleStore;
  readonly listCases: () => Promise<readonly CaseItem[]>;
  readonly kick: () => void;
}

const dayMs = 24 * 60 * 60_000;
const chainBatch = 1_000;
const chainEveryMs = 1_000;

/** If a part fails, stops those already started. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const shutdown = createShutdown(options.logger);
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(options: StartOptions, shutdown: Shutdown): Promise<RunningServer> {
  const { configuration, environment, logger, print, timing = defaultProcessTiming } = options;
  const storage = await (options.storage ?? openStorage(configuration, environment, { print, logger }));
  shutdown.add("database", "embedded database", () => storage.stop());
  const tracer = await openTraces(configuration.settings, { logger, shutdown, metrics: () => parts.metrics });
  const parts = openParts({ configuration, timing, storage, logger, shutdown, tracer });
  if (readsLocalTimes(configuration)) await openTimeZones(parts.database);
  startJobs([partitionJob(parts), auditJob(parts)], parts);

  const started: Started = {};
  for (const role of startOrder) {
    if (configuration.roles.includes(role)) await starters[role](parts, started);
  }
  startJobs([signOfLifeJob(parts)], parts);
  await listenForWork(parts);
  await serveAgencySide(parts, started);
  await serveOperations(parts, started);
  const { agency, gateway, operations } = parts.urls;
  logger.info(
    {
      version,
      timeZones: activeTimeZones().version,
      roles: configuration.roles,
      agencyUrl: agency,
      gatewayUrl: gateway,
      operationsUrl: operations,
    },
    "process.started",
  );
  return {
    agencyUrl: agency,
    gatewayUrl: gateway,
    operationsUrl: operations,
    place: storage.place,
    demo: runsWholeDemo(configuration) && started.gateway !== undefined ? demoHandles(parts, started.gateway) : null,
    introduction: introduce(parts, started),
    stop: () => shutdown.run(),
  };
}

/** The demo's changes go through every role. Without one of them nobody would answer them. */
function runsWholeDemo({ demo, roles }: Configuration): boolean {
  return demo && startOrder.every((role) => roles.includes(role));
}

interface Started {
  gateway?: GatewayActions;
  receiver?: Receiver;
  dashboard?: DashboardRole;
}

const starters: Readonly<Record<Role, (parts: ProcessParts, started: Started) => Promise<void> | void>> = {
  gateway: async (parts, started) => {
    started.gateway = await startGateway(parts);
  },
  sender: startSender,
  worker: startWorker,
  receiver: (parts, started) => {
    started.receiver = startReceiver(parts);
  },
  dashboard: async (parts, started) => {
    started.dashboard = await startDashboard(parts);
  },
};

/** Demo sources use this gateway, and the receiver notifies this worker. */
const startOrder: readonly Role[] = ["gateway", "sender", "worker", "receiver", "dashboard"];

function partitionJob({ database }: ProcessParts): Job {
  const work = () => ensurePartitions(database, systemClock);
  return { name: "partitions", everyMs: dayMs, firstAfterMs: dayMs, work, failureMessage: "partitions.failed" };
}

/** Every agency-side process chains entries; the database admits one at a time. */
function auditJob({ database }: ProcessParts): Job {
  const work = async (): Promise<boolean> => (await appendToAuditChain(database, chainBatch)) === chainBatch;
  return { name: "audit chaining", everyMs: chainEveryMs, work };
}

function signOfLifeJob({ configuration, database, untrustedProxy }: ProcessParts): Job {
  const heartbeat = createHeartbeat(database, systemClock, { roles: configuration.roles, version });
  const work = () => heartbeat.give(untrustedProxy());
  return { name: "heartbeat", everyMs: heartbeatMs, work, afterwards: heartbeat.remove };
}

/** A receiver reads none. */
function readsLocalTimes({ roles }: Configuration): boolean {
  return roles.some((role) => role !== "receiver");
}

async function listenForWork(parts: ProcessParts): Promise<void> {
  const { configuration, database, storage, logger, shutdown, sweeps } = parts;
  const onDue = {
    ...sweeps.kicks,
    ...(readsLocalTimes(configuration) ? { [timeZonesChannel]: () => void refreshTimeZones(database, logger) } : {}),
  };
  if (Object.keys(onDue).length === 0) return;
  const listener = await listenForDue({
    url: storage.serviceUrl,
    applicationName: "skedchange",
    onDue,
    onError: (error) => logger.warn({ error }, "due_listener.lost"),
  });
  shutdown.add("work", "due listener", () => listener.close());
}

async function serveAgencySide(parts: ProcessParts, started: Started): Promise<void> {
  const { receiver } = started;
  const { configuration, shutdown } = parts;
  const { HOST: host, PORT: port, TRUSTED_PROXIES: trustedProxies } = configuration.settings;
  const place = { host, port, setting: "PORT", trustedProxies, takesAnyHost: takesAnyHost(configuration.settings) };
  const agency = await listen(agencySide(parts, started), place);
  parts.urls.agency = agency.url;
  if (receiver !== undefined) {
    const [onRequest] = agency.server.listeners("request");
    agency.server.on("checkContinue", receiver.createCheckContinue(onRequest as RequestListener));
    shutdown.add("intake", "receiver", () => receiver.drain());
  }
  shutdown.add("intake", "agency side", () => agency.close());
}

/** Only with `OPS_PORT`: what operators look at, on a port that gateways and people need not reach. */
async function serveOperations(parts: ProcessParts, { dashboard }: Started): Promise<void> {
  const { configuration, shutdown } = parts;
  const { HOST: host, OPS_PORT: port } = configuration.settings;
  if (port === undefined) return;
  const app = createApplication();
  mountOperations(app, parts, dashboard);
  const operations = await listen(app, {
    host,
    port,
    setting: "OPS_PORT",
    takesAnyHost: takesAnyHost(configuration.settings),
  });
  parts.urls.operations = operations.url;
  shutdown.add("connections", "operations", () => operations.close());
}

function mountOperations(
  app: Express,
  { checks, metrics, logger }: ProcessParts,
  dashboard: DashboardRole | undefined,
): void {
  app.get("/readyz", createReadyzHandler(checks));
  app.get("/metrics", createMetricsHandler(metrics.registry, logger));
  if (dashboard !== undefined) app.use(dashboard.reference);
}

function demoHandles({ configuration, database, sweeps }: ProcessParts, actions: GatewayActions): DemoHandles {
  const queries = createCaseQueries(database, dialect);
  const newest = { visible: null, after: null, limit: 200 };
  return {
    actions,
    recipients: createRecipientStore({ database, clock: systemClock }),
    authentication: configuration.settings.DEMO_AUTHENTICATION,
    notices: createNoticeRuleStore(database, systemClock),
    listCases: async () => (await queries.listCases(newest)).items,
    kick: () => {
      for (const kick of Object.values(sweeps.kicks)) kick();
    },
  };
}

/** The receiver comes first, because it reads bodies itself, after authentication. */
function agencySide(parts: ProcessParts, { receiver, dashboard }: Started): RequestListener {
  const { configuration, checks, logger } = parts;
  const app = createApplication();
  if (configuration.settings.OPS_PORT === undefined) mountOperations(app, parts, dashboard);
  else app.get("/readyz", createReadyzHandler(checks, { showsParts: false }));
  if (dashboard !== undefined) app.use(compressResponses, dashboard.routes);
  app.use((_request, response) => {
    writeProblem(response, {
      status: 404,
      code: "agency.no_such_route",
      title: "No such route",
      detail: "This process serves no such path. Notifications go to /ocn, the API is at /api/v1.",
    });
  });
  return receiver === undefined ? app : withReceiver(receiver.router, app, logger);
}

/** Runs the receiver before the application, because Express would cost each notification more than its commit. */
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

function introduce({ configuration, storage, urls }: ProcessParts, { dashboard }: Started): readonly string[] {
  const { demo, roles, settings } = configuration;
  const publicUrl = settings.PUBLIC_URL === undefined ? "" : ` (public: ${settings.PUBLIC_URL})`;
  const servesAgency = roles.includes("receiver") || roles.includes("dashboard");
  return [
    `Skedchange ${version} is running${demo ? " in demo mode" : ""}: ${roles.join(", ")}.`,
    `  agency side   ${urls.agency}${publicUrl}${servesAgency ? "" : " (not run here: only /readyz and /metrics)"}`,
    ...(urls.gateway === null ? [] : [`  gateway side  ${urls.gateway}`]),
    ...(urls.operations === null ? [] : [`  operations    ${urls.operations}`]),
    `  database      ${storage.place}`,
    ...(dashboard?.hasDemoData === true
      ? [`  demo data     ${demoDataWarning.detail}`, `                ${demoDataWarning.advice}`]
      : []),
    ...(dashboard?.hasUsers === false ? [`  people        nobody can sign in yet: ${addUserAdvice}`] : []),
  ];
}
