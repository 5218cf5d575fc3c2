import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { type OpenGateway, openGateway } from "../../../src/connectors/document/gateway.ts";
import type { OrderRequest } from "../../../src/gateway/order-request.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { accessToken, apiKey } from "../../builders/gateway-credentials.ts";
import { orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { aroundSaving } from "../../harness/around-saving.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** States in which nothing goes on by itself: decided, or at a person. */
const ends = ["done", "resolved-elsewhere", "closed", "awaiting-agent"];
const callMaxMs = 1_500;
const soon = { ...defaultTiming, callMaxMs, settleReadsMs: [0, 0, 0] };

/** An accept is held back for a moment, so the status is read once more right before it. */
const inUndoWindow = { ...soon, undoWindowMs: 1 };

let db: TestDatabase;
let gateway: RunningGateway;
let client: OpenGateway;
let worker: WorkerUnderTest;
/** A fresh order of one reference, unless told otherwise. */
let orderId: string;
/** How many of the announced notifications the worker has had. */
let delivered = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
  client = openGateway({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: callMaxMs,
    // As in earnest: the worker repeats a read itself.
    retries: null,
  });
});
beforeEach(async () => {
  // The outcomes of the tests before would stop automation.
  await forgetOutcomes(db.database);
  worker = createWorkerUnderTest(db.database, client, { timing: soon });
  delivered = gateway.announced.length;
  orderId = await createOrder();
});
afterEach(() => gateway.control("DELETE", "/faults"));
afterAll(async () => {
  await client.close();
  await gateway.close();
  await db.drop();
});

describe("against the real gateway, the worker", () => {
  test("without a fault accepts once and is done", async () => {
    await change();

    await deliver();

    await expectEnd("done", { accepts: 1 });
  });

  test("stale-status: waits after its accept instead of accepting again, and sends nothing more", async () => {
    await setFault({ mode: "stale-status", orderId, seconds: 600 });
    await change();
    await deliver();
    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS"]);

    await worker.notify({ ...lastNotification(), again: null });
    await workThrough();

    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS"]);
    const { state, decision } = await worker.caseOf(orderId);
    expect(["snoozed", ...ends]).toContain(state);
    expect(decision?.rule).toBe("check:already-accepted");
  });

  test("stale-status after a response that was lost: does not take the unchanged status for a refutation", async () => {
    await setFault({ mode: "stale-status", orderId, seconds: 600 });
    await setFault({ mode: "timeout", operation: "AirOrderInvoluntaryAccept", orderId, afterEffect: true });
    await change();

    await deliver();

    // It looks as if nothing had happened for as long as anybody waits, so it is sent once more: to no effect.
    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS", "AirOrderInvoluntaryAccept FAILED"]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
  });

  test("blank-pnr-status: decides without it, or leaves it to a person", async () => {
    await setFault({ mode: "blank-pnr-status", orderId, times: 100 });
    await change();

    await deliver();

    await expectNoWrongEffect();
  });

  test("status-without-flags: sends nothing and asks a person", async () => {
    await setFault({ mode: "status-without-flags", orderId, times: 100 });
    await change();

    await deliver();

    await expectEnd("awaiting-agent", { accepts: 0 });
  });

  test("status-without-flags right before the effect alone: sends nothing on the word of the earlier read", async () => {
    worker = createWorkerUnderTest(db.database, client, { timing: inUndoWindow });
    await change();
    await setFault({ mode: "replaced-proposal", orderId, at: "read", change: withoutFlags });

    await deliver();

    await expectEnd("awaiting-agent", { accepts: 0 });
  });

  test("status-without-change: does not accept a change that it cannot see", async () => {
    await setFault({ mode: "status-without-change", orderId, times: 100 });
    await change();

    await deliver();

    expect(await listResponses()).toEqual([]);
    const { state } = await worker.caseOf(orderId);
    expect(["snoozed", "awaiting-agent"]).toContain(state);
  });

  test("replaced-proposal after the read: decides anew about the new proposal, and never about the old one", async () => {
    worker = createWorkerUnderTest(db.database, client, { timing: inUndoWindow });
    await setFault({ mode: "replaced-proposal", orderId, at: "read" });
    await change();

    await deliver();

    // Three hours later is beyond what the shipped policy accepts by itself.
    await expectEnd("awaiting-agent", { accepts: 0 });
  });

  test("replaced-proposal at the accept: sees that something else was accepted, and asks a person", async () => {
    await setFault({ mode: "replaced-proposal", orderId, at: "accept" });
    await change();

    await deliver();

    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS"]);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test("leftover-accepted: does not close the case as resolved while the change is open", async () => {
    await setFault({ mode: "leftover-accepted", orderId, times: 100 });
    await change();

    await deliver();

    expect((await worker.caseOf(orderId)).state).not.toBe("resolved-elsewhere");
    await expectNoWrongEffect();
  });

  test("mixed-results: keeps both results and asks a person, without trying again", async () => {
    orderId = await createOrder({ gdsBookingReferences: ["AAA111", "BBB222"], flights: [outbound] });
    await setFault({ mode: "mixed-results", orderId });
    await change();

    await deliver();

    await expectEnd("awaiting-agent", { accepts: 1 });
    expect((await worker.caseOf(orderId)).effects).toMatchObject([
      { state: expect.stringMatching(/failed|unknown|succeeded/) },
    ]);
  });

  test("mixed-results whose response was lost: asks what became of it, and then about what is left", async () => {
    orderId = await createOrder({ gdsBookingReferences: ["AAA111", "BBB222"], flights: [outbound] });
    await setFault({ mode: "mixed-results", orderId });
    await setFault({ mode: "timeout", operation: "AirOrderInvoluntaryAccept", orderId, afterEffect: true });
    await change();
    await deliver();
    const asked = await worker.caseOf(orderId);
    expect(asked).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
    expect(asked.decision?.reasons[0]?.text).toContain("shows it in part: it is still open for BBB222");

    await actByPerson({ action: "confirm-effect" });

    const left = await worker.caseOf(orderId);
    expect(left).toMatchObject({ state: "awaiting-agent", effects: [{ state: "succeeded" }] });
    expect(left.decision?.reasons[0]?.code).toBe("mixed-results");
    await actByPerson({ action: "accept" });
    await expectEnd("done", { accepts: 2 });
  });

  test("ocn-duplicated: works on the order once", async () => {
    await setFault({ mode: "ocn-duplicated", orderId, copies: 3 });
    await change();

    await deliver();

    await expectEnd("done", { accepts: 1 });
    expect(await worker.casesOf(orderId)).toHaveLength(1);
  });

  test("ocn-reordered: goes by the status, so the older notification changes nothing", async () => {
    await setFault({ mode: "ocn-reordered", orderId });
    await change(15);
    await change(20);

    await deliver();

    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS"]);
    // The older one arrives when everything is done, and finds it so.
    expect(await statesOfCases()).toEqual(["done", "resolved-elsewhere"]);
    const decisions = (await worker.casesOf(orderId)).flatMap((found) => found.decisions);
    const [accepted] = decisions.filter(({ action }) => action === "accept");
    expect(accepted?.itineraries?.proposed?.segments[0]?.departure.time).toBe("07:30");
  });

  test("ocn-dropped: hears of the change with the next notification, and decides about what is open then", async () => {
    await setFault({ mode: "ocn-dropped", orderId });
    await change(15);
    await deliver();
    expect(await worker.casesOf(orderId)).toEqual([]);
    await change(20);

    await deliver();

    await expectEnd("done", { accepts: 1 });
  });

  test("ocn-echoed: takes the echo of its own accept for what it is", async () => {
    await setFault({ mode: "ocn-echoed", orderId });
    await change();

    await deliver();

    expect(gateway.announced.filter((notification) => notification.orderId === orderId)).toHaveLength(2);
    expect(await listResponses()).toEqual(["AirOrderInvoluntaryAccept SUCCESS"]);
    expect(await statesOfCases()).toEqual(["done", "resolved-elsewhere"]);
  });
});

const lost = [
  { mode: "http-500" },
  { mode: "timeout" },
  { mode: "reset" },
  { mode: "malformed" },
  { mode: "wrong-content-type" },
  { mode: "truncated-gzip" },
  { mode: "delay", delayMs: callMaxMs + 300 },
  { mode: "slow-drip", delayMs: 150 },
] as const;

/** Those after which the gateway does not go on by itself. */
const neverDone = lost.filter(({ mode }) => mode !== "delay" && mode !== "slow-drip");

describe("when the gateway's response does not arrive as it should, the worker", () => {
  test.each(lost)("$mode of the status: reads it again, and accepts once", async (fault) => {
    await setFault({ ...fault, operation: "AirReservationStatus", orderId });
    await change();

    await deliver();

    await expectEnd("done", { accepts: 1 });
  });

  test.each(lost)("$mode of the status right before the effect: sends nothing on the earlier one", async (fault) => {
    await change();
    const { body } = gateway.announced.at(-1)!;
    const { store } = worker.context;
    const faulty = createWorkerUnderTest(db.database, client, {
      timing: inUndoWindow,
      store: aroundSaving(store, "decision", async (save) => {
        const saved = await save();
        await setFault({ ...fault, operation: "AirReservationStatus", orderId });
        return saved;
      }),
    });

    await worker.notify(Buffer.from(body).toString());
    await faulty.work(orderId);
    expect(await listResponses()).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "checking", failures: 1, effects: [] });
    await worker.makeDue(orderId);
    await workThrough();

    await expectEnd("done", { accepts: 1 });
  });

  test.each(lost)(
    "$mode before the accept took effect: sends it once more when the status never shows it",
    async (fault) => {
      await setFault({ ...fault, operation: "AirOrderInvoluntaryAccept", orderId });
      await change();

      await deliver();

      await expectOneAccept();
    },
  );

  test.each(lost)(
    "$mode after the accept took effect: sees it in the status, and does not accept again",
    async (fault) => {
      await setFault({ ...fault, operation: "AirOrderInvoluntaryAccept", orderId, afterEffect: true });
      await change();

      await deliver();

      await expectEnd("done", { accepts: 1 });
    },
  );

  test.each(lost)(
    "$mode after a cancel took effect: sees it in the status, and does not cancel again",
    async (fault) => {
      await change(180);
      await deliver();
      await setFault({ ...fault, operation: "AirOrderInvoluntaryCancel", orderId, afterEffect: true });

      await cancelByPerson();

      expect(await listResponses()).toEqual(["AirOrderInvoluntaryCancel SUCCESS"]);
      expect((await worker.caseOf(orderId)).state).toBe("done");
    },
  );

  test.each(neverDone)("$mode before a cancel took effect: never sends it again, and asks a person", async (fault) => {
    await change(180);
    await deliver();
    await setFault({ ...fault, operation: "AirOrderInvoluntaryCancel", orderId });

    await cancelByPerson();

    expect(await listResponses()).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
  });

  test("a token that the gateway does not take: waits with nothing done, and accepts once it is renewed", async () => {
    const outsider = openGateway({
      baseUrl: gateway.url,
      accessToken: new Secret("a token that has expired"),
      apiKey: new Secret(apiKey),
      retries: null,
    });
    const refused: string[] = [];
    const renewed = createWorkerUnderTest(
      db.database,
      {
        ...client,
        accept: async (query) => {
          if (refused.length === 2) return await client.accept(query);
          return await outsider.accept(query).finally(() => refused.push(query.orderId));
        },
      },
      { timing: soon },
    );
    await change();
    await worker.notify(Buffer.from(gateway.announced.at(-1)!.body).toString());

    for (let round = 1; round <= 2; round += 1) {
      await renewed.work(orderId);
      expect(await worker.caseOf(orderId)).toMatchObject({ state: "checking", failures: round });
      expect(await listResponses()).toEqual([]);
      await worker.makeDue(orderId);
    }
    await renewed.work(orderId);
    await workThrough();

    expect(refused).toEqual([orderId, orderId]);
    await expectEnd("done", { accepts: 1 });
    await outsider.close();
  });

  test.each(lost.slice(0, 4))("$mode of the ticket documents: is done all the same", async (fault) => {
    await setFault({ ...fault, operation: "AirDocRetreive", orderId });
    await change();

    await deliver();

    await expectEnd("done", { accepts: 1 });
  });
});

const withoutFlags = { kind: "retime", departureMinutes: 25, flags: { accept: null, cancel: null, reSchedule: null } };

async function createOrder(overrides: OrderRequest = {}): Promise<string> {
  const body = orderRequest({ orderId: newId(systemClock), ...overrides });
  const response = await gateway.control("POST", "/orders", body);
  expect(response.status).toBe(201);
  return ((await response.json()) as { orderId: string }).orderId;
}

async function change(departureMinutes = 20): Promise<void> {
  const body = { kind: "retime", departureMinutes };
  expect((await gateway.control("POST", `/orders/${orderId}/changes`, body)).status).toBe(201);
}

async function setFault(fault: object): Promise<void> {
  expect((await gateway.control("POST", "/faults", fault)).status).toBe(201);
}

/** Hands over what was announced and not delivered yet, in that order, and lets the worker work until nothing moves. */
async function deliver(): Promise<void> {
  while (delivered < gateway.announced.length) {
    const { body } = gateway.announced[delivered]!;
    delivered += 1;
    await worker.notify(Buffer.from(body).toString());
    await workThrough();
  }
}

function lastNotification(): object {
  const sent = gateway.announced.filter((notification) => notification.orderId === orderId).at(-1)!;
  return JSON.parse(Buffer.from(sent.body).toString()) as object;
}

/** Lets the waits of the worker pass: whatever has a due time is due, and what was sent or told was so long ago. */
async function workThrough(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await worker.work(orderId);
    const [newest] = await worker.casesOf(orderId);
    if (newest === undefined || newest.dueAt === null) return;
    await db.ownerDatabase.pool.query(
      "update skedchange.effects set sent_at = now() - interval '1 hour' where order_id = $1 and state = 'unknown'",
      [orderId],
    );
    await db.ownerDatabase.pool.query(
      `with aged as (
         update skedchange.cases set opened_at = opened_at - interval '1 hour' where order_id = $1 returning id
       )
       update skedchange.case_notifications set joined_at = joined_at - interval '1 hour'
       where case_id in (select id from aged)`,
      [orderId],
    );
    await worker.makeDue(orderId);
  }
}

async function cancelByPerson(): Promise<void> {
  await actByPerson({ action: "cancel", confirm: orderId });
}

async function actByPerson(
  action: { readonly action: "accept" | "confirm-effect" } | { readonly action: "cancel"; readonly confirm: string },
): Promise<void> {
  const { id } = await worker.caseOf(orderId);
  const about = { caseId: id, note: null, version: null, visible: null, actor: "person:ana" };
  expect(await worker.worker.act({ ...about, ...action })).toMatchObject({ outcome: "accepted" });
  await workThrough();
}

/** The states of the order's cases, the oldest first. */
async function statesOfCases(): Promise<readonly string[]> {
  return (await worker.casesOf(orderId)).map(({ state }) => state).toReversed();
}

/** The responses to accepts and cancels of the order, by the gateway's own journal. */
async function listResponses(): Promise<readonly string[]> {
  const entries = await gateway.store.readJournal({ orderId, limit: 100 });
  return entries
    .filter(({ operation }) => operation !== "AirReservationStatus" && operation !== "AirDocRetreive")
    .map(({ operation, result }) => `${operation} ${result}`);
}

async function expectEnd(state: string, effects: { readonly accepts: number }): Promise<void> {
  expect({ state: (await worker.caseOf(orderId)).state, responses: await listResponses() }).toEqual({
    state,
    responses: Array.from({ length: effects.accepts }, () => "AirOrderInvoluntaryAccept SUCCESS"),
  });
}

/** Done, by one accept: the first one or, when the gateway did not take that, the second. */
async function expectOneAccept(): Promise<void> {
  expect((await worker.caseOf(orderId)).state).toBe("done");
  expect((await listResponses()).filter((response) => response.endsWith("SUCCESS"))).toHaveLength(1);
}

/** At most one accept, of the change that is meant, and an end that is decided or at a person. */
async function expectNoWrongEffect(): Promise<void> {
  const made = await listResponses();
  expect(["", "AirOrderInvoluntaryAccept SUCCESS"]).toContain(made.join());
  expect(ends).toContain((await worker.caseOf(orderId)).state);
}
