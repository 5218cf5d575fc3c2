import { randomBytes, scryptSync } from "node:crypto";
import type { CaseAction } from "../../../src/cases/case-command.ts";
import type { DashboardOptions } from "../../../src/dashboard/create-dashboard.ts";
import { createPeople, type People } from "../../../src/dashboard/people/people.ts";
import type { UserRole } from "../../../src/dashboard/people/role.ts";
import { createSecondFactors } from "../../../src/dashboard/people/second-factors.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createEventRouter } from "../../../src/sender/events/event-router.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createEventRecipientStore } from "../../../src/store/deliveries/recipients.ts";
import { createEventResendStore } from "../../../src/store/deliveries/resends.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import { createSecondFactorStore } from "../../../src/store/second-factors.ts";
import type { Logger } from "../../../src/telemetry/logger.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { guardForTests } from "../sender/sender-bench.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

export interface LogLine {
  readonly message: string;
  readonly fields: object;
}

/** A dashboard with people in a real database, and a clock that tests move. */
export interface PeopleServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly people: People;
  /** What people had done to cases. */
  readonly actions: CaseAction[];
  readonly log: LogLine[];
  /** Moves the clock on. */
  wait(seconds: number): void;
  now(): Date;
  /** A request as a program or a browser makes it: with nothing that it is not given. */
  send(method: string, path: string, options?: SendOptions): Promise<ReadResponse>;
  /** Adds a user who has chosen the password `a good password`, and signs them in. */
  signedIn(username: string, role: UserRole): Promise<{ readonly id: string; readonly cookie: string }>;
  /** Between two tests: nobody has been here. */
  forgetAll(): Promise<void>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly cookie?: string;
  readonly token?: string;
  /** Not given: the origin of the server itself when there is a cookie. Null: none. */
  readonly origin?: string | null;
  readonly body?: object;
}

export interface ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: never;
}

const readKeys = readEncryptionKeys(createEncryptionKey(new Date("2026-11-21T09:00:00Z")));
const testKeys = readKeys.ok ? readKeys.keys : [];

export const goodPassword = "a good password";

export async function startPeopleServer(
  options: {
    readonly publicUrl?: string;
    readonly demo?: boolean;
    readonly realHashes?: boolean;
    /** Dropped with the server; one of its own when not given. */
    readonly database?: TestDatabase;
  } & Partial<DashboardOptions> = {},
): Promise<PeopleServer> {
  const { realHashes = false, database = await createTestDatabase(), ...dashboardOptions } = options;
  let now = new Date("2026-11-21T09:00:00Z");
  const clock = { now: () => now };
  const log: LogLine[] = [];
  const write = (fields: object, message: string): void => {
    log.push({ message, fields });
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const secondFactors = createSecondFactors({ store: createSecondFactorStore(database.database), clock, logger });
  const people = createPeople({
    secondFactors,
    store: createPeopleStore(database.database),
    clock,
    logger,
    encryptionKeys: testKeys,
    ...(realHashes ? {} : { hash: cheapHash }),
  });
  const actions: CaseAction[] = [];
  const dashboard: DashboardServer = await startDashboard({
    queries: queriesWith([]),
    outgoingEvents: (access) =>
      createEventRouter(
        {
          store: createEventRecipientStore({ database: database.database, clock }),
          resends: createEventResendStore({ database: database.database, clock }),
          tester: { test: async () => null },
          guard: guardForTests,
          logger,
        },
        access,
      ),
    people,
    secondFactors,
    clock,
    logger,
    act: async (action) => {
      actions.push(action);
      return { outcome: "accepted", caseId: action.caseId, state: "checking", decisionId: null };
    },
    ...dashboardOptions,
  });
  const send: PeopleServer["send"] = async (method, path, { cookie, token, origin, body } = {}) => {
    const from = origin === undefined && cookie !== undefined ? dashboard.url : origin;
    const response = await fetch(`${dashboard.url}/api/v1${path}`, {
      method,
      headers: {
        // Each request is somebody else's, and refusals on one connection slow down.
        Connection: "close",
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(from === undefined || from === null ? {} : { Origin: from }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? null : isJson ? JSON.parse(text) : text) as never,
    };
  };
  return {
    url: dashboard.url,
    database,
    people,
    actions,
    log,
    wait(seconds) {
      now = new Date(now.getTime() + seconds * 1_000);
    },
    now: () => now,
    send,
    async signedIn(username, role) {
      const added = await people.addUser({ username, role, password: goodPassword });
      if (added.outcome !== "added") throw new Error(`${username} was not added: ${added.outcome}`);
      await sql`update skedchange.users set password_change_needed = false where username = ${username}`.execute(
        database.ownerDatabase.connection,
      );
      const response = await send("POST", "/session", { body: { username, password: goodPassword } });
      return { id: added.user.id, cookie: cookieOf(response) };
    },
    async forgetAll() {
      actions.length = 0;
      log.length = 0;
      // The limits of a network and of guesses count minutes.
      now = new Date(now.getTime() + 60_000);
      await sql`
        truncate skedchange.users, skedchange.sign_in_failures, skedchange.second_factor_roles cascade`.execute(
        database.ownerDatabase.connection,
      );
    },
    async close() {
      await dashboard.close();
      await database.drop();
    },
  };
}

/** A scrypt hash that costs next to nothing. */
async function cheapHash(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize("NFC"), salt, 32, { N: 2, r: 1, p: 1 });
  return `scrypt$N=2,r=1,p=1$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** What a browser sends back of all cookies that a response sets. */
export function cookiesOf({ headers }: Pick<ReadResponse, "headers">): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** What a browser sends back of the cookie that a response sets. */
export function cookieOf({ headers }: Pick<ReadResponse, "headers">): string {
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
