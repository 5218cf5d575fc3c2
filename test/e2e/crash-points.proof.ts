import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type CaseTiming, defaultTiming } from "../../src/cases/timing.ts";
import { type OpenGateway, openGateway } from "../../src/connectors/document/gateway.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { accessToken, apiKey } from "../builders/gateway-credentials.ts";
import { orderRequest } from "../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../builders/running-gateway.ts";
import { type CompiledProcess, compileProcess } from "../harness/compile-process.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { describeOnEachQueue } from "../harness/queue-backends.ts";
import { type CrashWorker, startCrashWorker } from "../harness/start-crash-worker.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../harness/worker.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Waits as in earnest, only shorter: nobody can be sending any more 4 seconds after an effect was sent. */
const timing: CaseTiming = {
  ...defaultTiming,
  leaseMs: 1_000,
  renewMs: 300,
  callMaxMs: 3_000,
  settleReadsMs: [0, 0, 0],
  retry: { baseMs: 20, capMs: 50, jitter: 0 },
};

let compiled: CompiledProcess;
let db: TestDatabase;
let gateway: RunningGateway;
let client: OpenGateway;
/** The worker that is there when the other one is dead. */
let survivor: WorkerUnderTest;
/** Started ahead, since a process takes longer to start than to die. */
let next: CrashWorker;
let worker: CrashWorker;
let orderId: string;

beforeAll(async () => {
  compiled = await compileProcess("test/harness/crash-worker-process");
  next = startNext();
  db = await createTestDatabase();
  gateway = await startGateway(db);
  client = openGateway({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: timing.callMaxMs,
    retries: null,
  });
  survivor = createWorkerUnderTest(db.database, client, { timing, holder: "survivor" });
});
beforeEach(async () => {
  worker = next;
  next = startNext();
  orderId = await book();
});
afterEach(async () => {
  worker.kill();
  await gateway.control("DELETE", "/faults");
});
afterAll(async () => {
  next?.kill();
  await client?.close();
  await gateway?.close();
  await db?.drop();
  compiled?.remove();
});

const startNext = (): CrashWorker => startCrashWorker(compiled.entry);

/** What a process leaves behind that died before the one of the test. */
type Before = "nothing" | "sent" | "carried-out";

interface Crash {
  readonly before?: Before;
  readonly timing?: Partial<CaseTiming>;
  readonly fault?: object;
  /** How it ends when another worker has gone on: the state of the case, and what the gateway has carried out. */
  readonly ends: readonly [state: string, successes: number];
}

const once = ["done", 1] as const;

const accept = "AirOrderInvoluntaryAccept";

/** The places that an automatic accept passes, in their order. One that is not among them fails a test below. */
const ofOneAccept = bothSidesOf(
  "take",
  "AirReservationStatus",
  "status-view (decide) + decision + effect-sent",
  accept,
  "effect-outcome (succeeded)",
  "AirDocRetreive",
  "status-view (after-effect) + documents + move (case.done)",
);

function bothSidesOf(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`before ${name}`, `after ${name}`]);
}

/** Where the next worker is killed that goes on after one that died. */
const ofNextWorkers: readonly (readonly [point: string, crash: Crash])[] = [
  ["after effect-outcome (unknown)", { before: "sent", ends: once }],
  ["before status-view (settle-unknown) + settle-read", { before: "sent", ends: once }],
  ["after status-view (settle-unknown) + settle-read", { before: "sent", ends: once }],
  ["after status-view (settle-unknown) + effect-outcome (succeeded)", { before: "carried-out", ends: once }],
  [
    "after status-view (settle-unknown) + settle-read (person asked)",
    { before: "sent", fault: { mode: "blank-pnr-status", times: 100 }, ends: ["awaiting-agent", 0] },
  ],
  [
    "before status-view (settle-unknown) + status-view (before-effect) + effect-sent (again)",
    { before: "sent", ends: once },
  ],
  // It may have been sent twice by now, so only a person sends it a third time.
  [
    "after status-view (settle-unknown) + status-view (before-effect) + effect-sent (again)",
    { before: "sent", ends: ["awaiting-agent", 0] },
  ],
  [`after ${accept}`, { before: "sent", ends: once }],
  ["after effect-outcome (succeeded)", { before: "sent", ends: once }],
];

describe("a worker that is killed while it accepts", () => {
  test.each([
    // Nobody stops it meanwhile. Passed only by the run that decides, so the lease may not run out in it on a busy machine.
    ["after status-view (decide) + decision", { timing: { undoWindowMs: 5_000, leaseMs: 4_000 }, ends: once }] as const,
    ...ofNextWorkers,
  ])("%s (%j) leaves an order that another one brings to its end", async (point, crash) => {
    const { before = "nothing", fault, ends } = crash;
    await change();
    await leaveBehind(before);
    if (fault !== undefined) await gateway.control("POST", "/faults", { ...fault, orderId });

    worker.begin({ ...place(), crashAt: point, timing: { ...timing, ...crash.timing } });
    await worker.died();
    await survive();

    await expectEnd(ends);
  });

  test("is killed at every place that it passes", async () => {
    const passed = new Set<string>();
    const recorded = createWorkerUnderTest(db.database, client, { timing }, (point) => void passed.add(point));
    await change();

    await recorded.work(orderId);

    expect([...passed].toSorted()).toEqual(ofOneAccept.toSorted());
    await expectEnd(once);
  });

  test("while the gateway carries it out leaves an order that another one brings to its end", async () => {
    await change();
    await gateway.control("POST", "/faults", { mode: "timeout", operation: accept, orderId, afterEffect: true });

    worker.begin({ ...place(), crashAt: null, timing: { ...timing, callMaxMs: 30_000 } });
    await eventually(async () => expect(await successes()).toBe(1));
    worker.kill();
    await worker.died();
    await survive();

    await expectEnd(once);
  });
});

describe("a worker that is killed while it accepts eight orders, whose saves share commits", () => {
  // Before and after each of them: with the first order that gets there, and with the last.
  test.each(ofOneAccept.flatMap((point) => [1, 8].map((orders) => [point, orders] as const)))(
    "%s of %i of them leaves all to another one, which brings them to their ends",
    async (point, crashWithOrders) => {
      const orderIds = [orderId];
      while (orderIds.length < 8) orderIds.push(await book());
      for (const id of orderIds) await change({ of: id });

      worker.begin({ ...place(), orderIds, crashAt: point, crashWithOrders, timing });
      await worker.died();
      await Promise.all(orderIds.map((id) => survive(id)));

      for (const id of orderIds) await expectEnd(once, id);
    },
  );
});

describe("a worker that is killed while it cancels for a person", () => {
  test.each<[string, Crash["ends"]]>([
    ["before status-view (before-effect) + effect-sent", once],
    // A cancel is never sent again by itself, so a person finds out.
    ["after status-view (before-effect) + effect-sent", ["awaiting-agent", 0]],
    ["after AirOrderInvoluntaryCancel", once],
    ["after effect-outcome (succeeded)", once],
    ["after status-view (after-effect) + move (case.done)", once],
  ])("%s leaves an order that another one brings to its end", async (point, ends) => {
    // Three hours are beyond what the policy accepts by itself.
    await change({ departureMinutes: 180 });
    await survive();
    const { id } = await survivor.caseOf(orderId);
    const about = { caseId: id, note: null, version: null, visible: null, actor: "person:ana" };
    expect(await survivor.worker.act({ ...about, action: "cancel", confirm: orderId })).toMatchObject({
      outcome: "accepted",
    });

    worker.begin({ ...place(), crashAt: point, timing });
    await worker.died();
    await survive();

    await expectEnd(ends);
  });
});

describeOnEachQueue("a worker that its queue feeds and that is killed while it accepts", (queue) => {
  let queueUrl: string | null;

  beforeAll(async () => {
    queueUrl = (await queue.start())["QUEUE_URL"] ?? null;
  });
  afterAll(() => queue.close());

  // What had not left when it was marked as sent nobody can know: it is sent again when every status has shown the same for
  // long enough.
  test.each(ofOneAccept)("%s leaves an order that the next one is fed and brings to its end", async (point) => {
    await change();
    const fed = { ...place(), timing: { ...timing, dispatchMs: 1_500 }, queueUrl };

    worker.begin({ ...fed, crashAt: point });
    await worker.died();
    worker = next;
    next = startNext();
    worker.begin({ ...fed, crashAt: null });
    await eventually(async () => {
      const { state, dueAt } = await survivor.caseOf(orderId);
      expect({ state, dueAt }).toEqual({ state: "done", dueAt: null });
    });

    await expectEnd(once);
  });
});

function place() {
  return { databaseUrl: db.serviceUrl, gatewayUrl: gateway.url, orderIds: [orderId] };
}

async function book(): Promise<string> {
  const response = await gateway.control("POST", "/orders", orderRequest({ orderId: newId(systemClock) }));
  return ((await response.json()) as { orderId: string }).orderId;
}

async function change({ of = orderId, departureMinutes = 20 } = {}): Promise<void> {
  const from = gateway.announced.length;
  const body = { kind: "retime", departureMinutes };
  expect((await gateway.control("POST", `/orders/${of}/changes`, body)).status).toBe(201);
  for (const { body: notification } of gateway.announced.slice(from)) {
    await survivor.notify(Buffer.from(notification).toString());
  }
}

/** Works up to a step and gives up there, as a process does that loses its order. */
async function leaveBehind(before: Before): Promise<void> {
  if (before === "nothing") return;
  const last = {
    sent: "after status-view (decide) + decision + effect-sent",
    "carried-out": "before effect-outcome (succeeded)",
  };
  const dying = createWorkerUnderTest(db.database, client, { timing }, (point) => {
    if (point === last[before]) throw Object.assign(new Error("died"), { code: "desk.lease_lost" });
  });
  await eventually(async () => {
    // A busy machine may respond too late, which is no more than another try.
    expect(await dying.worker.workOn({ source: "default", orderId })).toBe("lease-lost");
  });
}

/** Works on the order, at its own pace, until nothing goes on by itself. */
async function survive(of = orderId): Promise<void> {
  await eventually(async () => {
    await survivor.work(of);
    const { state, dueAt } = await survivor.caseOf(of);
    expect({ state, dueAt }).toMatchObject({ state: expect.stringMatching(/done|awaiting-agent/), dueAt: null });
  });
  // Whatever is sent after the end would be one too many.
  await sleep(50);
  await survivor.work(of);
}

async function successes(of = orderId): Promise<number> {
  const entries = await gateway.store.readJournal({ orderId: of, limit: 100 });
  return entries.filter(({ operation, result }) => operation.startsWith("AirOrderInvoluntary") && result === "SUCCESS")
    .length;
}

async function expectEnd([state, count]: Crash["ends"], of = orderId): Promise<void> {
  const [found, ...others] = await survivor.casesOf(of);
  expect(others).toEqual([]);
  expect({ state: found?.state, dueAt: found?.dueAt, successes: await successes(of) }).toEqual({
    state,
    dueAt: null,
    successes: count,
  });
  expect(found?.effects.filter((effect) => effect.state === "planned" || effect.state === "sent")).toEqual([]);
}
