import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { operationNames } from "../../../src/contract/operations/registry.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { faultKinds } from "../../../src/gateway/fault-kinds.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createDeliveryStore } from "../../../src/store/deliveries/lane-store.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
let skippedMs = 0;
const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + skippedMs) };
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { clock });
});
afterEach(() => gateway.control("DELETE", "/faults"));
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("faults of transport", () => {
  test.each(everyOperation.map((operation) => [operation.name, operation] as const))(
    "can be set for %s, and pass",
    async (name, operation) => {
      const { path, responseRoot } = operation;
      await setFault({ mode: "http-500", operation: name, times: 2 });

      const responses = [];
      for (let call = 0; call < 3; call += 1) responses.push(await gateway.post(path, exampleOf(operation).request));

      expect(responses.slice(0, 2).map(({ status }) => status)).toEqual([500, 500]);
      expect(await responses[0]!.json()).toMatchObject({ [responseRoot]: { Errors: { Error: { Code: "10" } } } });
      expect(responses[2]!.status).not.toBe(500);
    },
  );

  test.each([
    [false, "SUCCESS"],
    [true, "FAILED"],
  ])("fail before or after the effect: %p leaves a second accept %s", async (afterEffect, second) => {
    const orderId = await changedOrder();
    await setFault({ mode: "http-500", operation: "AirOrderInvoluntaryAccept", orderId, afterEffect });

    expect((await accept(orderId)).status).toBe(500);

    expect(await resultsOf(await accept(orderId))).toMatchObject([{ Status: second }]);
  });

  test.each([
    ["before", false, 500],
    ["after", true, 200],
  ])("%s the effect are used or not by an accept that settles nothing", async (_, afterEffect, first) => {
    const orderId = await changedOrder();
    await change(orderId, 30, { flags: { accept: "N" } });
    await setFault({ mode: "http-500", operation: "AirOrderInvoluntaryAccept", orderId, afterEffect });

    const refused = await accept(orderId);
    await change(orderId);
    const granted = await accept(orderId);

    expect([refused.status, granted.status]).toEqual([first, first === 500 ? 200 : 500]);
  });

  test("time out after the commit", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "timeout", operation: "AirOrderInvoluntaryAccept", orderId, afterEffect: true });
    const call = acceptUntil(orderId, AbortSignal.timeout(1_500));

    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });

    expect(await resultsOf(await accept(orderId))).toMatchObject([{ Status: "FAILED" }]);
  });

  test.each(["reset", "malformed", "truncated-gzip"])("%s leaves no readable response", async (mode) => {
    const orderId = await changedOrder();
    await setFault({ mode, operation: "AirOrderInvoluntaryAccept", orderId, afterEffect: true });

    await expect(accept(orderId).then((response) => response.json())).rejects.toThrow(/fetch failed|JSON|terminated/);
  });

  test("another spelling is of a right response, of an error and of a notification", async () => {
    const orderId = await createOrder();
    await setFault({ mode: "ocn-respelled", orderId, spelling: "other-names" });
    await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });
    const operation = "AirReservationStatus";
    await setFault({ mode: "respelled", operation, orderId, spelling: "lower-case" });
    await setFault({ mode: "respelled", operation, orderId: "NONE", spelling: "error-list" });

    const spelled = (await (await status(orderId)).json()) as { orderviewrs: object };
    const refused = await status("NONE");

    expect(readOrderView(spelled)).toEqual(readOrderView(await (await status(orderId)).json()));
    expect(spelled.orderviewrs).toMatchObject({ order: [{ orderid: orderId }] });
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { OrderViewRS: { Errors: { Error: [{ Code: "404" }] } } },
    ]);
    const notification = gateway.announced.findLast((announced) => announced.orderId === orderId)!.body.toString();
    expect(notification).toMatch(/"ScheduleChange":\[\{"FlightKey":"[^"]+","SegmentReferences":/);
  });

  test("a wrong content type brings a web page", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "wrong-content-type", operation: "AirReservationStatus", orderId });

    const response = await status(orderId);

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toContain("<title>Maintenance</title>");
  });

  test.each([
    ["delay", 120, 110],
    ["slow-drip", 10, 150],
  ])("%s brings the right response late", async (mode, delayMs, atLeastMs) => {
    const orderId = await changedOrder();
    await setFault({ mode, operation: "AirReservationStatus", orderId, delayMs });
    const began = performance.now();

    const view = await viewOf(orderId);

    expect(performance.now() - began).toBeGreaterThanOrEqual(atLeastMs);
    expect(view.orders).toMatchObject([{ orderId }]);
  });

  test("slow-drip is never compressed, because its pieces would wait in the compressor", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "slow-drip", operation: "AirReservationStatus", orderId, delayMs: 1 });

    const dripped = await status(orderId);
    const usual = await status(orderId);

    expect([dripped, usual].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, expect.any(String)]);
    expect(await dripped.json()).toEqual(await usual.json());
  });
});

describe("faults of meaning", () => {
  test("stale-status shows the change as open for so many seconds after it was accepted, and not for one more", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "stale-status", orderId, seconds: 30 });
    const before = await viewOf(orderId);
    await accept(orderId);

    expect(await viewOf(orderId)).toEqual(before);
    skippedMs += 31_000;

    expect(await recordOf(orderId)).toMatchObject({ scheduleChangeStatus: { value: "Accepted" } });
  });

  test("blank-pnr-status hides it once", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "blank-pnr-status", orderId });

    expect((await recordOf(orderId)).pnrStatus.known).toBe(false);
    expect((await recordOf(orderId)).pnrStatus).toEqual({ known: true, value: "SCHEDULE CHANGED" });
  });

  test("status-without-flags shows the change and no flag", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "status-without-flags", orderId });

    const record = await recordOf(orderId);

    expect(Object.values(record.flags).map(({ known }) => known)).toEqual([false, false, false]);
    expect(record.changedFlights).toHaveLength(1);
  });

  test("status-without-change shows the flags and no change", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "status-without-change", orderId });

    const view = await viewOf(orderId);

    expect(view.orders[0]).toMatchObject({ changedFlights: [], flags: { accept: { value: "Y" } } });
    expect(view.scheduleChangeSegments).toEqual([]);
  });

  test("leftover-accepted shows Accepted while a change is pending, and is kept for when one is", async () => {
    const orderId = await createOrder();
    await setFault({ mode: "leftover-accepted", orderId });

    expect((await recordOf(orderId)).scheduleChangeStatus.known).toBe(false);
    await change(orderId);

    expect(await recordOf(orderId)).toMatchObject({
      scheduleChangeStatus: { value: "Accepted" },
      flags: { accept: { value: "Y" } },
    });
  });

  test.each(["read", "accept"])("replaced-proposal makes another change at the %s", async (at) => {
    const orderId = await changedOrder();
    await setFault({ mode: "replaced-proposal", orderId, at });

    const read = readProposal(await viewOf(orderId), orderId);
    const [result] = await resultsOf(await accept(orderId));

    expect(read?.proposed.segments[0]?.departure.time).toBe("07:30");
    expect(result).toMatchObject({ Status: "SUCCESS" });
    const after = readProposal(await viewOf(orderId), orderId);
    expect(after?.current.segments[0]?.departure.time).toBe("10:10");
    expect(gateway.announced.filter((notification) => notification.orderId === orderId)).toHaveLength(2);
  });

  test("mixed-results accepts for the first reference and fails for the others, and this is the truth", async () => {
    const orderId = await changedOrder(["AAA111", "BBB222"]);
    await setFault({ mode: "mixed-results", orderId });

    const results = await resultsOf(await accept(orderId, ["AAA111", "BBB222"]));

    expect(results).toMatchObject([
      { GdsBookingReference: ["AAA111"], Status: "SUCCESS" },
      { GdsBookingReference: ["BBB222"], Status: "FAILED", ErrorMsg: "The airline did not respond for BBB222." },
    ]);
    expect(await resultsOf(await accept(orderId, ["BBB222"]))).toMatchObject([{ Status: "SUCCESS" }]);
  });
});

describe("faults of notifications", () => {
  test("ocn-duplicated sends the same bytes again", async () => {
    const orderId = await createOrder();
    await setFault({ mode: "ocn-duplicated", orderId, copies: 2 });
    await change(orderId);

    const sent = announcedFor(orderId);

    expect(new Set(sent.map(({ changeId }) => changeId)).size).toBe(3);
    expect(new Set(sent.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
  });

  test("ocn-dropped changes the order and notifies nobody", async () => {
    const orderId = await createOrder();
    await setFault({ mode: "ocn-dropped", orderId });

    expect(await change(orderId)).toMatchObject({ state: "not-announced", deliveries: 0 });

    expect(announcedFor(orderId)).toEqual([]);
    expect(await recordOf(orderId)).toMatchObject({ scheduleChangeStatus: { value: "Initiated" } });
  });

  test("ocn-reordered sends the notification of a change behind that of the next", async () => {
    const orderId = await createOrder();
    await setFault({ mode: "ocn-reordered", orderId });

    await change(orderId, 20);
    expect(announcedFor(orderId)).toEqual([]);
    await change(orderId, 40);

    expect(announcedFor(orderId).map(({ body }) => departureIn(body, orderId))).toEqual(["07:50", "07:30"]);
  });

  test("ocn-echoed sends one because of an accept, and none when the accept is refused", async () => {
    const orderId = await changedOrder();
    await setFault({ mode: "ocn-echoed", orderId, times: 2 });

    await accept(orderId);
    await accept(orderId);

    expect(announcedFor(orderId)).toHaveLength(2);
    const echo = readOrderView(JSON.parse(Buffer.from(announcedFor(orderId)[1]!.body).toString()));
    expect(echo).toMatchObject({ view: { orders: [{ scheduleChangeStatus: { value: "Accepted" } }] } });
  });

  test("go through the outbox: when a copy cannot be kept, neither is the change nor its first notification", async () => {
    const outbox = createDeliveryStore({ database: db.database, clock });
    let announcements = 0;
    const real = await startGateway(db, {
      clock,
      announcer: {
        async announce(tx, notification) {
          announcements += 1;
          const added = await outbox.addAnnouncement(tx, notification);
          if (announcements === 2) throw new Error("the copy cannot be kept");
          return added;
        },
      },
    });
    try {
      const orderId = await createOrder();
      await real.control("POST", "/faults", { mode: "ocn-duplicated", orderId, times: 2 });
      const retime = { kind: "retime", departureMinutes: 20 };

      expect((await real.control("POST", `/orders/${orderId}/changes`, retime)).status).toBe(500);
      expect(await retainedFor(orderId)).toBe(0);
      expect(await real.store.readOrder(orderId)).toMatchObject({ change: null });

      expect((await real.control("POST", `/orders/${orderId}/changes`, retime)).status).toBe(201);
      expect(await retainedFor(orderId)).toBe(2);
    } finally {
      await real.close();
    }
  });
});

describe("the list of faults", () => {
  test("names every kind with what it does", async () => {
    const response = await gateway.control("GET", "/faults/kinds");

    expect(await response.json()).toEqual({ items: faultKinds });
  });

  test.each([
    ["an unknown kind", { mode: "shrug" }],
    ["a fault of transport without an operation", { mode: "reset" }],
    ["an unknown operation", { mode: "reset", operation: "AirSomethingElse" }],
    ["a fault of meaning with an operation", { mode: "blank-pnr-status", operation: operationNames[0] }],
    ["no times", { mode: "ocn-dropped", times: 0 }],
    ["a change that is none", { mode: "replaced-proposal", change: { kind: "retime" } }],
  ])("does not take %s", async (_, fault) => {
    expect((await gateway.control("POST", "/faults", fault)).status).toBe(422);
  });
});

async function setFault(fault: object): Promise<void> {
  expect((await gateway.control("POST", "/faults", fault)).status).toBe(201);
}

async function createOrder(gdsBookingReferences?: string[]): Promise<string> {
  const references = gdsBookingReferences === undefined ? {} : { gdsBookingReferences, flights: [outbound] };
  const body = orderRequest({ orderId: newId(systemClock), ...references });
  const response = await gateway.control("POST", "/orders", body);
  return ((await response.json()) as { orderId: string }).orderId;
}

async function change(orderId: string, departureMinutes = 20, more: object = {}): Promise<unknown> {
  const request = { kind: "retime", departureMinutes, ...more };
  const response = await gateway.control("POST", `/orders/${orderId}/changes`, request);
  expect(response.status).toBe(201);
  return response.json();
}

async function changedOrder(gdsBookingReferences?: string[]): Promise<string> {
  const orderId = await createOrder(gdsBookingReferences);
  await change(orderId);
  return orderId;
}

function query(root: string, orderId: string, references: readonly string[] = ["LHSKD1"]) {
  return { [root]: { Query: { OrderID: orderId, GdsBookingReference: references } } };
}

function accept(orderId: string, references?: readonly string[]): Promise<Response> {
  return gateway.post("/AirOrderInvoluntaryAccept", query("OrderInvoluntaryAcceptRQ", orderId, references));
}

function acceptUntil(orderId: string, signal: AbortSignal): Promise<Response> {
  return Promise.race([
    accept(orderId),
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

async function resultsOf(response: Response): Promise<readonly object[]> {
  const body = (await response.json()) as { OrderInvoluntaryAcceptRS: { Result: object[] } };
  return body.OrderInvoluntaryAcceptRS.Result;
}

function status(orderId: string): Promise<Response> {
  return gateway.post("/AirReservationStatus", query("OrderStatusRQ", orderId));
}

async function viewOf(orderId: string): Promise<OrderView> {
  const reading = readOrderView(await (await status(orderId)).json());
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view;
}

async function recordOf(orderId: string) {
  return (await viewOf(orderId)).orders[0]!;
}

function announcedFor(orderId: string) {
  return gateway.announced.filter((notification) => notification.orderId === orderId);
}

function departureIn(body: Uint8Array, orderId: string): string | null | undefined {
  const reading = readOrderView(JSON.parse(Buffer.from(body).toString()));
  if (!reading.ok) throw new Error(reading.problem.message);
  return readProposal(reading.view, orderId)?.proposed.segments[0]?.departure.time;
}

async function retainedFor(orderId: string): Promise<number> {
  const { rows } = await db.database.pool.query<{ stored: number }>(
    "select count(*) as stored from gateway.ocn_bodies where order_id = $1",
    [orderId],
  );
  return Number(rows[0]?.stored);
}
