import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { noOwnAddresses } from "../../../src/contract/addressee.ts";
import type { Automation } from "../../../src/dashboard/automation-ports.ts";
import { createDashboard, type DashboardOptions } from "../../../src/dashboard/create-dashboard.ts";
import { createEventStreams } from "../../../src/dashboard/event-streams.ts";
import type { Members } from "../../../src/dashboard/member-ports.ts";
import { createSecondFactors } from "../../../src/dashboard/people/second-factors.ts";
import type { Policies } from "../../../src/dashboard/policy-ports.ts";
import { createClientAddress } from "../../../src/http/client-address.ts";
import { differenceBetween } from "../../../src/itinerary/difference.ts";
import { journeyTimes } from "../../../src/itinerary/journey-times.ts";
import { severityOf } from "../../../src/itinerary/severity.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { nobody, noFactorIsStored } from "../../builders/stored-people.ts";

export const apiToken = "an-api-token";

export interface DashboardServer {
  readonly url: string;
  /** A request with the right token unless it says otherwise. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Stops as a process does: waits for the requests that run. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const noPolicies: Policies = {
  listVersions: async () => [],
  readVersion: async () => null,
  check: () => ({ policy: null, findings: [] }),
  listSources: async () => [],
  listTerms: async () => [],
  addVersion: async () => ({ ok: false, problems: [] }),
  activate: async () => ({ outcome: "no-such-source" }),
  listDifferences: async () => ({ items: [], next: null }),
  reevaluate: async () => null,
};

const noStop: Automation = {
  sources: ["default"],
  readStops: async () => [],
  stop: async ({ actor, source, note }) => ({
    id: newId(systemClock),
    source,
    cause: "person",
    stoppedAt: new Date(),
    stoppedBy: actor,
    note,
  }),
  resume: async () => ({ outcome: "resumed", ended: [], casesDue: 0 }),
};

const noMembers: Members = {
  listSources: async () => [],
  read: async () => null,
  readMarks: async () => null,
  preview: async () => null,
  mark: async () => null,
  withdraw: async () => null,
};

/** The dashboard on a port of its own, over real HTTP. */
export async function startDashboard(
  options: Pick<DashboardOptions, "queries"> & Partial<DashboardOptions>,
): Promise<DashboardServer> {
  const app = express();
  app.use(
    createDashboard({
      sourceIds: ["default"],
      dialect,
      changes: { severityOf, differenceBetween, journeyTimes },
      bodies: {
        listCalls: async () => null,
        readCallBody: async () => null,
        readNotificationBody: async () => null,
        readOrderBodies: async () => null,
      },
      ownAddressesOf: () => noOwnAddresses,
      act: async () => ({ outcome: "not-found" }),
      bulk: {
        preview: async () => [],
        start: async () => "",
        list: async () => ({ items: [], next: null }),
        read: async () => null,
        stop: async () => null,
      },
      tasks: {
        list: async () => ({ items: [], next: null }),
        close: async () => ({ changed: [], closedBefore: [] }),
        assign: async () => ({ changed: [], closedBefore: [] }),
      },
      listAssignees: async () => [],
      views: { list: async () => [], save: async () => null, remove: async () => false },
      quarantine: {
        readNotification: async () => null,
        release: async () => ({ outcome: "not-quarantined" }),
        countByCode: async () => [],
        discard: async () => [],
      },
      orderLimit: 500,
      secondPersonAbove: null,
      events: createEventStreams(),
      outgoingEvents: () => express.Router(),
      orders: { importOrders: async () => null, readOrder: async () => null },
      notices: {
        rules: {
          listRules: async () => [],
          addRule: async () => null,
          changeRule: async () => null,
          removeRule: async () => false,
        },
        sendTest: async () => null,
        demoInbox: null,
        refuseUrl: () => null,
      },
      policies: noPolicies,
      backtests: { run: () => null },
      automation: noStop,
      members: noMembers,
      blockedOrders: { listBlocked: async () => ({ items: [], next: null }) },
      countWork: async () => ({
        needPerson: 0,
        mine: 0,
        overdue: 0,
        openTasks: 0,
        overdueTasks: 0,
        blockedOrders: 0,
        quarantined: 0,
      }),
      overview: {
        readOpenWork: async () => ({
          cases: [],
          queues: [],
          overdue: 0,
          askTraveller: 0,
          travellerAsked: 0,
          travellersToInform: 0,
          effectsPending: 0,
          effectsFailed: 0,
          effectsUnknown: 0,
          blocked: 0,
        }),
        readSums: async () => [],
      },
      audit: { listEntries: async () => ({ items: [], next: null }) },
      verifyAudit: async () => ({
        from: 1,
        checked: 0,
        head: { block: 0, hash: "00".repeat(32) },
        newest: 0,
        next: null,
        eventsGone: 0,
        eventsCut: 0,
        broken: null,
      }),
      recordExport: async () => {},
      installation: {
        version: "1.2.3",
        demo: false,
        roles: ["dashboard"],
        settings: [],
        examine: async () => ({ at: new Date("2026-11-21T09:00:00Z"), findings: [] }),
        listProcesses: async () => [],
      },
      people: nobody(),
      secondFactors: createSecondFactors({
        store: noFactorIsStored,
        clock: { now: () => new Date("2026-11-21T09:00:00Z") },
        logger: silentLogger,
      }),
      addressOf: createClientAddress([]),
      verifyToken: async (token) => token === apiToken,
      clock: { now: () => new Date("2026-11-21T09:00:00Z") },
      logger: silentLogger,
      ...options,
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    request: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { Authorization: `Bearer ${apiToken}`, ...init.headers } }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
