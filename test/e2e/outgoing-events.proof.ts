import { afterAll, beforeAll, expect, test } from "vitest";
import { outgoingEventSchema } from "../../src/sender/events/outgoing-event.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { isSignedBy } from "../integration/sender/event-bench.ts";
import {
  type ReceivedPost,
  respondWith,
  type ScriptedReceiver,
  startReceiver,
} from "../integration/sender/scripted-receiver.ts";
import { runCaptured } from "../unit/cli/captured-terminal.ts";

const orderIds = Array.from({ length: 12 }, (_, index) => `EVENT${index}`);
const isAccepted = (orderId: string): boolean => Number(orderId.slice("EVENT".length)) % 2 === 0;
const sampleOf = (orderId: string) =>
  sampleNotification(isAccepted(orderId) ? "minor-delay" : "flight-number-only", { orderId });

let db: TestDatabase;
let gateway: StatusGateway;
let receiver: ScriptedReceiver;
let worker: ServerProcess;
let sender: ServerProcess;

beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startStatusGateway(sampleOf);
  receiver = await startReceiver(respondWith(200));
  worker = await start("receiver,worker,dashboard");
  sender = await start("sender");
  // Two processes start one after the other.
}, 60_000);
afterAll(async () => {
  await Promise.all([worker?.end("SIGTERM"), sender?.end("SIGTERM")]);
  await receiver?.close();
  await gateway?.goAway();
  await db?.drop();
});

function start(roles: string): Promise<ServerProcess> {
  return startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: roles,
    OCN_BEARER_TOKENS: "token",
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "access",
    API_TOKEN: "api",
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_LEVEL: "warn",
  });
}

const cli = (...args: readonly string[]) => runCaptured([...args, "--url", worker.agencyUrl, "--token", "api"]);
const read = ({ body }: ReceivedPost) => outgoingEventSchema.parse(JSON.parse(body.toString("utf8")));

test("a system receives every event of a case in order, though the sender is killed in mid-attempt", async () => {
  const wanted = { name: "Mid-office", url: receiver.url };
  const added = await runCaptured(["events", "recipients", "add", "--url", worker.agencyUrl, "--token", "api"], {
    stdin: JSON.stringify(wanted),
  });
  const [recipientId, secret] = added.stdout.trim().split("\n");
  expect(secret).toMatch(/^whsec_/);
  expect((await cli("events", "recipients", "test", recipientId!)).stdout).toContain("delivered, status 200");
  expect(receiver.posts.map(({ body }) => JSON.parse(body.toString()).type)).toEqual(["ping"]);

  // From the fifth event on it takes what it is sent and sends no response, until the process that waits for it is killed.
  const hung: ReceivedPost[] = [];
  receiver.script = (response, post) => {
    if (receiver.posts.length > 5) hung.push(post);
    else response.writeHead(200).end();
  };
  const agency = openAgencyApi(worker.agencyUrl, "api");
  for (const orderId of orderIds) {
    const { status } = await agency.postOcn(JSON.stringify(sampleOf(orderId)), "Bearer token");
    expect(status).toBe(200);
  }
  await eventually(() => expect(hung.length).toBeGreaterThan(0), { timeoutMs: 30_000 });
  // What got its response is on record by then, so only what hangs can come twice. The ping is no delivery.
  await eventually(async () => {
    const { rows } = await db.ownerDatabase.pool.query<{ delivered: number }>(
      "select count(*)::int as delivered from skedchange.event_deliveries where state = 'delivered'",
    );
    expect(rows).toEqual([{ delivered: receiver.posts.length - 1 - hung.length }]);
  });
  await sender.end("SIGKILL");
  receiver.script = respondWith(200);
  sender = await start("sender");

  // The leases of the killed process have to run out first.
  await eventually(
    async () => {
      const { rows } = await db.ownerDatabase.pool.query<{ decided: number; waiting: number }>(
        `select (select count(distinct case_id)::int from skedchange.decisions) as decided,
           (select count(*)::int from skedchange.event_deliveries where state <> 'delivered')
             + (select count(*)::int from skedchange.event_bodies where routed_at is null) as waiting`,
      );
      expect(rows).toEqual([{ decided: orderIds.length, waiting: 0 }]);
    },
    { timeoutMs: 120_000, everyMs: 250 },
  );

  const posts = receiver.posts.slice(1);
  for (const post of posts) expect(isSignedBy(secret!, post)).toBe(true);
  const hungIds = new Set(hung.map(({ headers }) => headers["webhook-id"]));
  // Twice came only what was under way when the process was killed, with the same webhook-id and the same bytes.
  const byId = new Map<string, ReceivedPost[]>();
  for (const post of posts) {
    const id = String(post.headers["webhook-id"]);
    byId.set(id, [...(byId.get(id) ?? []), post]);
  }
  for (const [id, copies] of byId) {
    expect(copies.length).toBeLessThanOrEqual(hungIds.has(id) ? 2 : 1);
    for (const copy of copies) expect(copy.body).toEqual(copies[0]!.body);
  }
  for (const orderId of orderIds) {
    const events = [...byId.values()].map(([first]) => read(first!)).filter((event) => event.orderId === orderId);
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(["case.opened", "case.decided"]);
    expect(events[1]!.decision?.action).toBe(isAccepted(orderId) ? "accept" : "review");
    expect(events.map(({ createdAt }) => createdAt)).toEqual(events.map(({ createdAt }) => createdAt).toSorted());
    if (isAccepted(orderId)) expect(types).toContain("effect.succeeded");
  }
  // In the database there is not one event more than arrived.
  const { rows } = await db.ownerDatabase.pool.query<{ events: number }>(
    "select count(*)::int as events from skedchange.event_bodies",
  );
  expect(new Set(posts.map((post) => read(post).id)).size).toBe(rows[0]!.events);
  // The lease of the killed sender runs out in real time, and then every event is still to be delivered.
}, 240_000);

test("the command line lists the events that were delivered", async () => {
  const opened = await cli("events", "deliveries", "list", "--event", "case.opened", "--state", "delivered");

  for (const orderId of orderIds) expect(opened.stdout).toContain(orderId);
  expect((await cli("events", "recipients", "list")).stdout).toContain("Mid-office");
});
