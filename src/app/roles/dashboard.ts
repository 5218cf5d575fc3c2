import type { Router } from "express";
import { demoUsers } from "../../config/demo-credentials.ts";
import { dialect } from "../../connectors/document/dialect.ts";
import { noOwnAddresses } from "../../contract/addressee.ts";
import { createDashboard } from "../../dashboard/create-dashboard.ts";
import { createEventStreams, type EventStreams } from "../../dashboard/event-streams.ts";
import { createIdentityProvider } from "../../dashboard/people/identity-provider.ts";
import { differenceBetween } from "../../itinerary/difference.ts";
import { journeyTimes } from "../../itinerary/journey-times.ts";
import { severityOf } from "../../itinerary/severity.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Secret } from "../../kernel/secret.ts";
import { createSecretVerifier } from "../../kernel/secret-verifier.ts";
import { createEventRouter } from "../../sender/events/event-router.ts";
import { createAuditReading } from "../../store/audit/audit-reading.ts";
import { createAuditVerification } from "../../store/audit/audit-verification.ts";
import { createExportRecord } from "../../store/audit/record-export.ts";
import { createAssignees } from "../../store/cases/assignees.ts";
import { createAutomation } from "../../store/cases/automation.ts";
import { listenForCaseChanges } from "../../store/cases/case-listener.ts";
import { createCaseQueries } from "../../store/cases/case-queries.ts";
import { createStoredBodies } from "../../store/cases/stored-bodies.ts";
import { createTasks } from "../../store/cases/tasks.ts";
import { createWorkCounts } from "../../store/cases/work-counts.ts";
import { createEventRecipientStore } from "../../store/deliveries/recipients.ts";
import { createEventResendStore } from "../../store/deliveries/resends.ts";
import { createNoticeRuleStore } from "../../store/notices/notice-rules.ts";
import { createQuarantine } from "../../store/notifications/quarantine.ts";
import { createBlockedOrders } from "../../store/orders/blocked-orders.ts";
import { createOverviewQueries } from "../../store/overview/overview-queries.ts";
import { listProcesses } from "../../store/processes.ts";
import { createViews } from "../../store/views.ts";
import { watchValue } from "../../telemetry/metrics.ts";
import { createApiReference } from "../api-reference.ts";
import { threadOptions } from "../backtest/backtest-threads.ts";
import { createPolicyBacktests } from "../backtest/policy-backtests.ts";
import { createInstallation } from "../installation.ts";
import { startJobs } from "../jobs.ts";
import { describeAgencySide } from "../openapi-documents.ts";
import { openOrders } from "../orders.ts";
import { openPeople, peopleSweepJob } from "../people-runtime.ts";
import type { ProcessParts } from "../process-parts.ts";

export interface DashboardRole {
  readonly routes: Router;
  readonly reference: Router;
  readonly hasUsers: boolean;
  readonly hasDemoData: boolean;
}

export async function startDashboard(parts: ProcessParts): Promise<DashboardRole> {
  const { configuration, database, guard, logger, kickOrders, shutdown, storage } = parts;
  const { settings, sources, demo, identityProvider } = configuration;
  const { people, secondFactors, hasUsers, hasDemoData } = await openPeople({
    ...parts,
    encryptionKeys: parts.storage.encryptionKeys,
  });
  startJobs([peopleSweepJob(people)], parts);
  const worker = await parts.worker();
  const notices = parts.notices();
  const { policies, policyOf } = await parts.policies();
  const { members, marksOf, learningOf } = await parts.members();
  const backtests = createPolicyBacktests({
    database,
    encryptionKeys: storage.encryptionKeys,
    policyOf,
    marksOf,
    threads: threadOptions(1),
    clock: systemClock,
    logger,
  });
  shutdown.add("intake", "backtests", async () => backtests.close());
  const publicUrl = settings.PUBLIC_URL === undefined ? {} : { publicUrl: settings.PUBLIC_URL };
  const routes = createDashboard({
    sourceIds: sources.map(({ id }) => id),
    queries: createCaseQueries(database, dialect, parts.travellerSearches),
    blockedOrders: createBlockedOrders(database),
    countWork: createWorkCounts(database),
    changes: { severityOf, differenceBetween, journeyTimes },
    overview: createOverviewQueries(database),
    bodies: createStoredBodies(database),
    ownAddressesOf: (source) => sources.find(({ id }) => id === source)?.ownAddresses ?? noOwnAddresses,
    quarantine: createQuarantine(database, { clock: systemClock, onReleased: kickOrders }),
    dialect,
    orderLimit: settings.OCN_ORDER_LIMIT,
    secondPersonAbove: settings.SECOND_PERSON_ABOVE ?? null,
    events: await streamCaseChanges(parts),
    people,
    secondFactors,
    outgoingEvents: (access) =>
      createEventRouter(
        {
          store: createEventRecipientStore({ database, clock: systemClock }),
          resends: createEventResendStore({ database, clock: systemClock }),
          tester: parts.eventSender(),
          guard,
          logger,
        },
        access,
      ),
    orders: openOrders({
      database,
      sources,
      clock: systemClock,
      onDue: kickOrders,
      recorder: parts.recorder,
      learningOf,
      logger,
    }),
    notices: {
      rules: createNoticeRuleStore(database, systemClock),
      sendTest: notices.sender.sendTest,
      demoInbox: notices.demoInbox?.list ?? null,
      refuseUrl: guard.refuse,
    },
    policies,
    backtests,
    automation: createAutomation(database, systemClock, { sources: sources.map(({ id }) => id) }),
    members,
    audit: createAuditReading(database),
    verifyAudit: createAuditVerification(database),
    recordExport: createExportRecord(database),
    installation: createInstallation({
      configuration,
      checks: parts.checks,
      listProcesses: () => listProcesses(database),
      clock: systemClock,
    }),
    act: (action) => worker.act(action),
    bulk: parts.bulkActions(),
    tasks: createTasks(database, systemClock, parts.travellerSearches),
    listAssignees: createAssignees(database),
    views: createViews(database, systemClock),
    verifyToken: tokenVerifier(settings.API_TOKEN),
    clock: systemClock,
    addressOf: parts.clientAddress,
    logger,
    demo,
    identityProvider: identityProvider === null ? null : createIdentityProvider(identityProvider, systemClock),
    encryptionKeys: storage.encryptionKeys,
    offeredUsers: demo ? demoUsers : [],
    ...publicUrl,
  });
  const serverUrl = settings.PUBLIC_URL === undefined ? {} : { serverUrl: settings.PUBLIC_URL };
  return { routes, reference: createApiReference(() => describeAgencySide(serverUrl)), hasUsers, hasDemoData };
}

/** Streams the changed cases of all processes to pages. */
async function streamCaseChanges({ storage, logger, metrics, shutdown }: ProcessParts): Promise<EventStreams> {
  const events = createEventStreams();
  watchValue(metrics, {
    name: "skedchange_event_streams",
    help: "Streams of events that dashboards follow at this process.",
    read: () => events.count(),
  });
  const listener = await listenForCaseChanges({
    url: storage.serviceUrl,
    applicationName: "skedchange",
    onChange: (caseIds) => events.publish(caseIds),
    onError: (error) => logger.warn({ error }, "case_listener.lost"),
  });
  shutdown.add("work", "case listener", () => listener.close());
  shutdown.add("intake", "event streams", async () => events.close());
  return events;
}

function tokenVerifier(token: string | undefined): (candidate: string, network: string) => Promise<boolean> {
  const verifier = createSecretVerifier(token === undefined ? [] : [new Secret(token)]);
  return (candidate, network) => verifier.verify(candidate, network);
}
