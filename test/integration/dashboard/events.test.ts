import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import {
  createEventStreams,
  type EventStreams,
  type EventStreamsOptions,
} from "../../../src/dashboard/event-streams.ts";
import { newSessionSecret } from "../../../src/dashboard/people/bearer-secret.ts";
import { createPeople } from "../../../src/dashboard/people/people.ts";
import type { PeopleStore, User } from "../../../src/dashboard/people/ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { listenForCaseChanges } from "../../../src/store/cases/case-listener.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import type { ChannelListener } from "../../../src/store/database/channel-listener.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { anIncomingNotification } from "../../builders/incoming-notification.ts";
import { nobody, nobodyIsStored } from "../../builders/stored-people.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { takeIn } from "../../harness/notifications.ts";
import { apiToken, type DashboardServer, startDashboard } from "./dashboard-server.ts";

const someId = (number: number): string => `019aa000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const ann: User = {
  id: someId(1),
  username: "ann",
  displayName: "Ann",
  role: "viewer",
  sources: null,
  disabled: false,
  passwordChangeNeeded: false,
  hasSecondFactor: false,
  secondFactorNeeded: false,
  issuer: null,
  subject: null,
  createdAt: new Date("2026-11-21T09:00:00Z"),
  lastSignInAt: null,
};

let events: EventStreams;
let server: DashboardServer;
let open: FollowedStream[] = [];

async function start(options: EventStreamsOptions = {}): Promise<void> {
  events = createEventStreams({ eventIntervalMs: 20, ...options });
  server = await startDashboard({ queries: queriesWith([]), events });
}

afterEach(async () => {
  for (const stream of open) stream.abort();
  open = [];
  events.close();
  await server.close();
});

interface FollowedStream {
  readonly response: Response;
  /** Everything received so far. */
  text(): string;
  /** The ids of each event so far. */
  caseIds(): string[][];
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  abort(): void;
}

async function follow(
  headers: Record<string, string> = { Authorization: `Bearer ${apiToken}` },
): Promise<FollowedStream> {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/v1/events`, { signal: controller.signal, headers });
  let text = "";
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })();
  ended.catch(() => undefined);
  const stream: FollowedStream = {
    response,
    text: () => text,
    caseIds: () =>
      [...text.matchAll(/^event: cases\ndata: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data!).caseIds as string[]),
    ended,
    abort: () => controller.abort(),
  };
  open.push(stream);
  return stream;
}

describe("the stream of events", () => {
  test("sends every client the cases that changed, and when to connect again", async () => {
    await start();
    const [one, other] = [await follow(), await follow()];

    events.publish([someId(1)]);
    await eventually(() => expect([one.caseIds(), other.caseIds()]).toEqual([[[someId(1)]], [[someId(1)]]]));

    expect(one.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(one.response.headers.get("cache-control")).toBe("no-store");
    expect(one.text()).toMatch(/^retry: 2000\n\n/);
  });

  test("gathers what changes within the interval into one event, each case once", async () => {
    await start({ eventIntervalMs: 100 });
    const stream = await follow();

    for (let index = 0; index < 50; index += 1) events.publish([someId(index % 3)]);
    await eventually(() => expect(stream.caseIds()).toHaveLength(2));

    expect(stream.caseIds()[0]).toEqual([someId(0)]);
    expect(stream.caseIds()[1]!.toSorted()).toEqual([someId(0), someId(1), someId(2)]);
  });

  test("names no case when more than a hundred changed, or nobody knows which", async () => {
    await start();
    const stream = await follow();

    events.publish(Array.from({ length: 101 }, (_, index) => someId(index)));
    await eventually(() => expect(stream.caseIds()).toEqual([[]]));
    events.publish([]);
    await eventually(() => expect(stream.caseIds()).toEqual([[], []]));
  });

  test("names no case to somebody who sees some sources only", async () => {
    events = createEventStreams();
    const user = { ...ann, sources: ["north"] };
    const findByToken = async () => ({ user, role: user.role, readOnly: false, tokenId: newId(systemClock) });
    server = await startDashboard({ queries: queriesWith([]), events, people: { ...nobody(), findByToken } });
    const stream = await follow({ Authorization: "Bearer anns-token" });

    events.publish([someId(1)]);

    await eventually(() => expect(stream.caseIds()).toEqual([[]]));
  });

  test("ends when its reader sees other sources than before", async () => {
    events = createEventStreams({ pingIntervalMs: 10 });
    let user: User = ann;
    const findByToken = async () => ({ user, role: user.role, readOnly: false, tokenId: newId(systemClock) });
    server = await startDashboard({ queries: queriesWith([]), events, people: { ...nobody(), findByToken } });
    const stream = await follow({ Authorization: "Bearer anns-token" });

    user = { ...ann, sources: ["north"] };
    await stream.ended;

    expect(events.count()).toBe(0);
  });

  test("is kept open by comments", async () => {
    await start({ pingIntervalMs: 10 });
    const stream = await follow();

    await eventually(() => expect(stream.text()).toContain("\n\n: ping\n\n: ping\n\n"));
  });

  test("is refused with 503 when too many are open, and free again when a client goes", async () => {
    await start({ streamsMax: 1 });
    const first = await follow();

    const refused = await server.request("/api/v1/events");
    expect(problemSchema.parse(await refused.json())).toMatchObject({ status: 503, code: "api.no_stream_free" });
    expect(refused.headers.get("retry-after")).toBe("10");

    first.abort();
    await eventually(() => expect(events.count()).toBe(0));
    expect((await follow()).response.status).toBe(200);
  });

  test("is refused to a user who has too many, and not to another", async () => {
    events = createEventStreams({ streamsPerUserMax: 1 });
    const findByToken = async (token: string) =>
      token === "anns-token" ? { user: ann, role: ann.role, readOnly: false, tokenId: newId(systemClock) } : null;
    server = await startDashboard({ queries: queriesWith([]), events, people: { ...nobody(), findByToken } });
    await follow();

    expect((await server.request("/api/v1/events")).status).toBe(503);
    const other = await server.request("/api/v1/events", { headers: { Authorization: "Bearer anns-token" } });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  test("ends with the token that opened it, and not while the database is down", async () => {
    events = createEventStreams({ pingIntervalMs: 10 });
    let answer = async (): Promise<User | null> => ann;
    const findByToken = async () => {
      const user = await answer();
      return user === null ? null : { user, role: user.role, readOnly: false, tokenId: newId(systemClock) };
    };
    server = await startDashboard({ queries: queriesWith([]), events, people: { ...nobody(), findByToken } });
    const stream = await follow({ Authorization: "Bearer anns-token" });

    let failures = 0;
    answer = async () => {
      failures += 1;
      throw new Error("the database is down");
    };
    await eventually(() => expect(failures).toBeGreaterThan(1));
    expect(events.count()).toBe(1);
    answer = async () => null;
    await stream.ended;

    expect(events.count()).toBe(0);
  });

  test("ends with the session that opened it, which it does not prolong", async () => {
    events = createEventStreams({ pingIntervalMs: 10 });
    let now = new Date("2026-11-21T09:00:00Z");
    const uses: Date[] = [];
    const store: PeopleStore = {
      ...nobodyIsStored,
      useSession: async (_digest, { idleSince, noteUseBefore }) => {
        uses.push(noteUseBefore);
        return idleSince < new Date("2026-11-21T09:00:00Z") ? ann : null;
      },
    };
    const people = createPeople({ store, clock: { now: () => now }, logger: silentLogger });
    server = await startDashboard({ queries: queriesWith([]), events, people });
    const stream = await follow({ Cookie: `skedchange_session=${newSessionSecret().text}` });
    expect(stream.response.status).toBe(200);

    await eventually(() => expect(uses.length).toBeGreaterThan(2));
    expect(new Set(uses.slice(1).map(Number))).toEqual(new Set([0]));
    now = new Date("2026-11-21T11:00:00Z");
    await stream.ended;

    expect(events.count()).toBe(0);
  });

  test("ends at once when the process stops, and no more are opened", async () => {
    await start();
    const stream = await follow();

    events.close();
    expect((await server.request("/api/v1/events")).status).toBe(503);
    const stopping = performance.now();
    await Promise.all([stream.ended, server.stop()]);

    expect(performance.now() - stopping).toBeLessThan(5_000);
    expect(events.count()).toBe(0);
  });

  test("needs a token, takes no parameters, and responds to HEAD without a stream", async () => {
    await start();

    expect((await server.request("/api/v1/events", { headers: { Authorization: "" } })).status).toBe(401);
    expect((await server.request("/api/v1/events?token=x")).status).toBe(400);
    expect((await server.request("/api/v1/events", { method: "HEAD" })).status).toBe(200);
    expect((await server.request("/api/v1/events", { method: "POST" })).status).toBe(405);
    expect(events.count()).toBe(0);
  });
});

describe("changes of cases in the database", () => {
  let database: TestDatabase;
  let listener: ChannelListener;
  let sent: (readonly string[])[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    sent = [];
    await start();
    listener = await listenForCaseChanges({
      url: database.serviceUrl,
      applicationName: "events test",
      onChange: (caseIds) => {
        sent.push(caseIds);
        events.publish(caseIds);
      },
      onError: () => {},
    });
  });
  afterEach(async () => {
    await listener.close();
    await database.ownerDatabase.pool.query(
      "truncate skedchange.notifications, skedchange.notification_digests, skedchange.orders cascade",
    );
  });

  test("reach the stream when a notification opens cases, in one message for the batch", async () => {
    const stream = await follow();

    await takeIn(database.database, [
      anIncomingNotification({ orderId: "A1", orders: [{ orderId: "A1", gdsBookingReferences: [] }] }),
      anIncomingNotification({ orderId: "B2", orders: [{ orderId: "B2", gdsBookingReferences: [] }] }),
    ]);
    await eventually(() => expect(stream.caseIds()).toHaveLength(1));

    const { rows } = await database.database.pool.query<{ id: string }>("select id from skedchange.cases order by id");
    expect(sent.map((ids) => ids.toSorted())).toEqual([rows.map(({ id }) => id)]);
    expect(stream.caseIds()[0]!.toSorted()).toEqual(rows.map(({ id }) => id));
  });

  test("reach the stream when a person acts, once for each commit", async () => {
    await takeIn(database.database, [anIncomingNotification()]);
    await eventually(() => expect(sent).toHaveLength(1));
    const stream = await follow();
    const caseId = sent[0]![0]!;

    await createCaseStore(database.database, systemClock, dialect).act({
      caseId,
      action: "recheck",
      note: null,
      version: null,
      visible: null,
      actor: "person:api",
    });
    await eventually(() => expect(stream.caseIds()).toEqual([[caseId]]));

    expect(sent).toEqual([[caseId], [caseId]]);
  });

  test("say that anything may have changed after the connection was lost", async () => {
    const stream = await follow();

    await database.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'events test cases'`,
    );

    await eventually(() => expect(stream.caseIds()).toEqual([[]]));
  });
});
