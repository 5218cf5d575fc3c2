import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../../src/app/start-server.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { exportTraces } from "../../../src/telemetry/export-traces.ts";
import { createLogger } from "../../../src/telemetry/json-logger.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { openAgencyApi } from "../../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { startServerProcess } from "../../harness/server-process.ts";
import {
  attributeOf,
  type CollectedSpan,
  drawTree,
  startTraceCollector,
  type TraceCollector,
} from "../../harness/trace-collector.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

const encryptionKeys = createEncryptionKey(new Date());
const pushToken = "push-token-of-the-tests";

let db: TestDatabase;
let gateway: RunningServer;
let lines: Record<string, unknown>[];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => db.drop());

/** A server of the settings and roles, on the database of the file. */
async function start(roles: string, more: Record<string, string> = {}): Promise<RunningServer> {
  const environment = {
    HOST: "127.0.0.1",
    PORT: "0",
    GATEWAY_PORT: "0",
    ROLES: roles,
    DATABASE_URL: db.serviceUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    OCN_BEARER_TOKENS: pushToken,
    GATEWAY_ACCESS_TOKEN: "access-token-of-the-tests",
    GATEWAY_CONTROL_TOKEN: "control-token-of-the-tests",
    API_TOKEN: "api-token-of-the-tests",
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    GATEWAY_BASE_URL: gatewayUrl(),
    ...more,
  };
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  lines = [];
  const logger = createLogger({
    level: "debug",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const { configuration } = loaded;
  const server = await startServer({ configuration, environment, logger, print: () => {} });
  closing.push(() => server.stop());
  return server;
}

function gatewayUrl(): string {
  return gateway?.gatewayUrl ?? "http://127.0.0.1:1";
}

async function control<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
  const response = await fetch(`${gatewayUrl()}/control${path}`, {
    method,
    headers: { authorization: "Bearer control-token-of-the-tests", "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function push(server: RunningServer, body: object, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${server.agencyUrl}/ocn`, {
    method: "POST",
    headers: { authorization: `Bearer ${pushToken}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.status;
}

/** An order of the simulated gateway with a small delay, and the notification of it. */
async function delayedOrder({
  departureMinutes = 10,
} = {}): Promise<{ readonly orderId: string; readonly body: object }> {
  const { orderId } = await control<{ orderId: string }>("POST", "/orders", {});
  await control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes });
  const { orderView } = await control<{ orderView: object }>("GET", `/orders/${orderId}`);
  return { orderId, body: orderView };
}

async function caseIn(server: RunningServer, orderId: string, state: string): Promise<{ readonly id: string }> {
  return await openAgencyApi(server.agencyUrl!, "api-token-of-the-tests").caseIn(orderId, [state]);
}

/** The trees of the traces that begin with a notification. */
function treesOf(spans: readonly CollectedSpan[]): readonly string[][] {
  const roots = spans.filter(({ name, parentSpanId }) => name === "POST /ocn" && !parentSpanId);
  return roots.map(({ traceId }) => [...drawTree(spans, traceId)]);
}

/** What an automatic accept is, from the push to the effect. */
const acceptTree = [
  "POST /ocn",
  "  authenticate",
  "  read body",
  "  store notification",
  "  wait for a worker",
  "  work on order",
  "    AirReservationStatus",
  "      POST /AirReservationStatus",
  "    save",
  "    AirOrderInvoluntaryAccept",
  "      POST /AirOrderInvoluntaryAccept",
  "    save",
  "    AirReservationStatus",
  "      POST /AirReservationStatus",
  "    AirDocRetreive",
  "      POST /AirDocRetreive",
  "    save",
];

const theirTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const theirTraceparent = `00-${theirTrace}-00f067aa0ba902b7-01`;

describe("with a collector", () => {
  let collector: TraceCollector;
  let traced: Record<string, string>;

  beforeEach(async () => {
    collector = await startTraceCollector();
    closing.push(() => collector.close());
    traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" };
    gateway = await start("gateway", traced);
  });

  /** Everything that was traced, once all servers have ended. */
  async function endAll(...servers: RunningServer[]): Promise<readonly CollectedSpan[]> {
    for (const server of [...servers, gateway]) await server.stop();
    return collector.spans();
  }

  test("a notification and the accept that it leads to are one trace, through the queue and to the gateway", async () => {
    const server = await start("receiver,worker,dashboard", traced);
    const { orderId, body } = await delayedOrder();

    expect(await push(server, body)).toBe(200);
    await caseIn(server, orderId, "done");
    const spans = await endAll(server);

    expect(treesOf(spans)).toEqual([acceptTree]);
    const work = spans.find(({ name }) => name === "work on order");
    expect(attributeOf(work, "skedchange.order.id")).toBe(orderId);
    expect(attributeOf(work, "skedchange.decision.action")).toBe("accept");
    expect(collector.requests[0]).toMatchObject({ url: "/v1/traces", "x-key": "a b" });
    const traceIds = new Set(lines.filter(({ orderId: of }) => of === orderId).map((line) => line["trace_id"]));
    expect(traceIds).toContain(work?.traceId);
  });

  test("nothing of a traveller and no credential is exported", async () => {
    const server = await start("receiver,worker,dashboard", traced);
    const { orderId, body } = await delayedOrder();
    const names = [...JSON.stringify(body).matchAll(/"(?:FirstName|LastName|EmailAddress|BirthDate)":"([^"]{3,})"/g)];

    await push(server, body);
    await caseIn(server, orderId, "done");
    await endAll(server);

    expect(names.length).toBeGreaterThan(2);
    const secrets = [pushToken, "access-token-of-the-tests", "api-token-of-the-tests"];
    expect([...names.map(([, name]) => name!), ...secrets].filter((text) => collector.text().includes(text))).toEqual(
      [],
    );
  });

  test("the trace goes on in another process after the first has ended", async () => {
    const receiver = await start("receiver", traced);
    const { orderId, body } = await delayedOrder();
    await push(receiver, body);
    await receiver.stop();

    const worker = await start("worker,dashboard", traced);
    await caseIn(worker, orderId, "done");

    expect(treesOf(await endAll(worker))).toEqual([acceptTree]);
  });

  test("two notifications that wait together become one piece of work, in the trace of the newest, with a link to the other", async () => {
    const receiver = await start("receiver", traced);
    const { orderId, body } = await delayedOrder();
    await push(receiver, body);
    await push(receiver, { ...body, PayloadAttributes: null });
    await receiver.stop();

    const worker = await start("worker,dashboard", traced);
    await caseIn(worker, orderId, "done");

    const spans = await endAll(worker);
    const received = spans.filter(({ name }) => name === "POST /ocn");
    const works = spans.filter(({ name }) => name === "work on order");
    expect(received).toHaveLength(2);
    expect(works.map(({ traceId, links = [] }) => [traceId, links.map((link) => link.traceId)])).toEqual([
      [received[1]?.traceId, [received[0]?.traceId]],
    ]);
  });

  test("what a person decides is carried out in the trace of their action, with a link to the notification's", async () => {
    const server = await start("receiver,worker,dashboard", traced);
    const { orderId, body } = await delayedOrder({ departureMinutes: 600 });
    await push(server, body);
    const { id } = await caseIn(server, orderId, "awaiting-agent");

    expect(await openAgencyApi(server.agencyUrl!, "api-token-of-the-tests").act(id, "accept")).toMatchObject({
      status: 202,
    });
    await caseIn(server, orderId, "done");

    const spans = await endAll(server);
    const act = spans.find(({ name }) => name === "act on case");
    const tree = drawTree(spans, act!.traceId);
    expect(tree.slice(0, 3)).toEqual(["act on case", "  wait for a worker", "  work on order"]);
    expect(tree).toContain("      POST /AirOrderInvoluntaryAccept");
    const received = spans.find(({ name }) => name === "POST /ocn");
    const work = spans.find(({ name, traceId }) => name === "work on order" && traceId === act!.traceId);
    expect(work?.links).toMatchObject([{ traceId: received!.traceId }]);
  });

  test("the trace of a sender is linked and not continued, and strangers leave no span", async () => {
    const server = await start("receiver", traced);
    const { body } = await delayedOrder();

    expect(await push(server, body, { traceparent: theirTraceparent })).toBe(200);
    expect(await push(server, body, { traceparent: theirTraceparent, authorization: "Bearer wrong" })).toBe(401);

    const received = (await endAll(server)).filter(({ name }) => name === "POST /ocn");
    expect(received).toMatchObject([{ links: [{ traceId: theirTrace, spanId: "00f067aa0ba902b7" }] }]);
    expect(received[0]?.traceId).not.toBe(theirTrace);
  });

  test("a change of the gateway and its delivery are one trace, which the agency's links to", async () => {
    const server = await start("receiver,sender", traced);
    const authorization = { type: "bearer", token: pushToken };
    await control("POST", "/recipients", { name: "Agency", url: `${server.agencyUrl}/ocn`, authorization });
    await delayedOrder();
    await eventually(() => expect(lines.filter(({ msg }) => msg === "delivery.attempted")).toHaveLength(1));

    const spans = await endAll(server);
    const announced = spans.find(({ name }) => name === "announce change");
    const received = spans.find(({ name }) => name === "POST /ocn");
    expect(drawTree(spans, announced!.traceId)).toEqual(["announce change", "  deliver"]);
    expect(received?.links).toMatchObject([{ traceId: announced!.traceId }]);
  });

  test("with a share of 0 nothing is exported, whatever the sender asks for", async () => {
    const server = await start("receiver", { ...traced, OTEL_TRACES_SAMPLER_ARG: "0" });
    const { body } = await delayedOrder();

    expect(await push(server, body, { traceparent: theirTraceparent })).toBe(200);

    expect((await endAll(server)).filter(({ name }) => name === "POST /ocn")).toEqual([]);
  });
});

test("while the collector hangs, everything is acknowledged and done, and the process stops in time", async () => {
  const collector = await startTraceCollector(() => {});
  closing.push(() => collector.close());
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  gateway = await start("gateway", traced);
  const server = await start("receiver,worker,dashboard", traced);
  const { orderId, body } = await delayedOrder();

  expect(await push(server, body)).toBe(200);
  await caseIn(server, orderId, "done");
  await eventually(() => expect(collector.requests).not.toEqual([]));
  await server.stop();

  expect(lines.find(({ msg }) => msg === "shutdown.step_failed")).toBeUndefined();
});

/** Prints at the end of a process whether the SDK was loaded. */
const reportSdk = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  process.on("exit", () => {
    const loaded = Object.keys(createRequire("/any.js").cache).some((path) => path.includes("@opentelemetry/sdk-trace"));
    console.log(loaded ? "sdk loaded" : "sdk not loaded");
  });
`)}`;

test.each([
  ["without a collector, the SDK is not loaded", {}, "sdk not loaded"],
  ["with a collector, it is", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, "sdk loaded"],
])("%s", async (_title, more, sentence) => {
  const server = await startServerProcess({
    ROLES: "receiver",
    DATABASE_URL: db.serviceUrl,
    OCN_BEARER_TOKENS: pushToken,
    NODE_OPTIONS: `--import ${reportSdk}`,
    ...more,
  });

  expect(await server.end("SIGTERM")).toMatchObject({ code: 0 });

  expect(server.output()).toContain(sentence);
});

test("without a collector, the gateway gets no traceparent", async () => {
  const calls: IncomingHttpHeaders[] = [];
  const listening = createServer((request, response) => {
    calls.push(request.headers);
    response.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  closing.push(async () => listening.close());
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const server = await start("receiver,worker", { GATEWAY_BASE_URL: `http://127.0.0.1:${port}` });

  await push(server, sampleNotification("minor-delay", { orderId: "OFF" }), { traceparent: theirTraceparent });

  await eventually(() => expect(calls).not.toEqual([]));
  expect(calls.map(({ traceparent }) => traceparent)).toEqual(calls.map(() => undefined));
  expect(lines.filter((line) => "trace_id" in line)).toEqual([]);
});

test("when a worker dies with an effect sent, the next one settles it in the same trace", async () => {
  const collector = await startTraceCollector();
  closing.push(() => collector.close());
  const drops: unknown[] = [];
  const traces = exportTraces({
    ...{
      endpoint: collector.url,
      headers: {},
      serviceName: "test",
      serviceVersion: "1",
      sampledShare: 1,
      everyMs: 100,
    },
    onDropped: (reason) => void drops.push(reason),
    onFailing: (error) => void drops.push(error),
  });
  const orderId = "DIES";
  const body = sampleNotification("minor-delay", { orderId });
  const { tracer } = traces;
  const scripted = createScriptedGateway(body);
  const dying = createWorkerUnderTest(db.database, scripted, { tracer }, (point) => {
    if (point.startsWith("before effect-outcome")) throw Object.assign(new Error("died"), { code: "desk.lease_lost" });
  });
  const next = createWorkerUnderTest(db.database, scripted, { tracer });

  await dying.notify(body);
  expect(await dying.worker.workOn({ source: "default", orderId })).toBe("lease-lost");
  await next.makeDue(orderId);
  expect(await next.worker.workOn({ source: "default", orderId })).not.toBe("not-due");
  await traces.close();

  const works = collector.spans().filter(({ name }) => name === "work on order");
  expect(works).toHaveLength(2);
  expect(works[1]).toMatchObject({ traceId: works[0]?.traceId, parentSpanId: works[0]?.spanId });
  expect(attributeOf(works[0], "error.type")).toBe("desk.lease_lost");
  expect(drops).toEqual([]);
});
