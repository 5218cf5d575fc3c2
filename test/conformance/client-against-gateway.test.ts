import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { GatewayClientOptions } from "../../src/client/client-options.ts";
import { createGatewayClient, type GatewayClient } from "../../src/client/gateway-client.ts";
import { readOrderView } from "../../src/contract/read-order-view.ts";
import type { OrderRequest } from "../../src/gateway/order-request.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { known } from "../../src/kernel/fact.ts";
import { newId } from "../../src/kernel/ids.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { accessToken, apiKey } from "../builders/gateway-credentials.ts";
import { orderRequest, outbound } from "../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
let client: GatewayClient;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { strict: true });
  client = createClient();
});
afterEach(() => gateway.control("DELETE", "/faults"));
afterAll(async () => {
  await client.close();
  await gateway.close();
  await db.drop();
});

describe("reading a reservation status", () => {
  test("gives the view, the bytes it was read from, and when", async () => {
    const order = await changedOrder();

    const { result: view, body, readAt } = await client.airReservationStatus(order);

    expect(view.orders).toMatchObject([
      {
        orderId: order.orderId,
        gdsBookingReferences: ["LHSKD1"],
        pnrStatus: known("SCHEDULE CHANGED"),
        scheduleChangeIndicator: known(true),
        scheduleChangeStatus: known("Initiated"),
        flags: { accept: known("Y"), cancel: known("Y"), reSchedule: known("N") },
      },
    ]);
    expect(readOrderView(JSON.parse(body.toString()))).toEqual({ ok: true, view });
    expect(Math.abs(Date.now() - readAt.getTime())).toBeLessThan(60_000);
  });

  test("of an order that does not exist is refused", async () => {
    await expect(client.airReservationStatus({ orderId: "NONE", gdsBookingReferences: ["X"] })).rejects.toMatchObject({
      code: "gateway.refused",
      phase: "responded",
      httpStatus: 404,
      gatewayCode: "404",
      gatewayText: "There is no order NONE.",
      message: "AirReservationStatus failed with HTTP 404 (code 404).",
    });
  });

  test.each([
    ["token", { accessToken: new Secret("wrong") }],
    ["key", { apiKey: new Secret("wrong") }],
    ["key when none is sent", { apiKey: null }],
  ])("with a wrong %s is not authorised", async (_, overrides) => {
    const unauthenticated = createClient(overrides);
    try {
      await expect(
        unauthenticated.airReservationStatus({ orderId: "A", gdsBookingReferences: ["X"] }),
      ).rejects.toMatchObject({
        code: "gateway.unauthorized",
        phase: "responded",
        retryable: false,
        message: "AirReservationStatus was refused with HTTP 401. Check the access token and the API key.",
      });
    } finally {
      await unauthenticated.close();
    }
  });
});

describe("accepting and cancelling", () => {
  test("an accept succeeds once and fails after that", async () => {
    const order = await changedOrder();

    expect((await client.airOrderInvoluntaryAccept(order)).result).toEqual([
      {
        orderId: order.orderId,
        gdsBookingReferences: ["LHSKD1"],
        status: "SUCCESS",
        errorMessage: "",
        refundAmount: null,
        refundText: null,
        refundPaxWiseFare: [],
      },
    ]);
    expect((await client.airOrderInvoluntaryAccept(order)).result).toMatchObject([
      { status: "FAILED", errorMessage: "No schedule change is pending for LHSKD1 (Accepted): nothing to accept." },
    ]);
    expect(await successesOf(order.orderId)).toHaveLength(1);
  });

  test("a cancel states the refund of each ticket", async () => {
    const order = await changedOrder({ passengers: [{}, { ptc: "CHD" }] });

    const { result: results, body } = await client.airOrderInvoluntaryCancel(order);

    expect(results).toMatchObject([
      {
        status: "SUCCESS",
        refundAmount: "721.88",
        refundText: "Full refund of all tickets to the original form of payment.",
        refundPaxWiseFare: [{ amount: "412.5" }, { amount: "309.38" }],
      },
    ]);
    expect(JSON.parse(body.toString())).toHaveProperty("OrderInvoluntaryCancelRS.Success");
  });

  test("each reference has its own result", async () => {
    const order = await changedOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });

    const { result: results } = await client.airOrderInvoluntaryAccept({
      ...order,
      gdsBookingReferences: ["AAA111", "BBB222", "CCC333"],
    });

    expect(results.map((result) => [result.gdsBookingReferences, result.status])).toEqual([
      [["AAA111"], "SUCCESS"],
      [["BBB222"], "SUCCESS"],
      [["CCC333"], "FAILED"],
    ]);
  });

  test("of an accept and a cancel at once, one wins", async () => {
    const order = await changedOrder();

    const responses = await Promise.all([
      client.airOrderInvoluntaryAccept(order),
      client.airOrderInvoluntaryCancel(order),
    ]);

    const statuses = responses.flatMap(({ result }) => result.map(({ status }) => status));
    expect(statuses.toSorted()).toEqual(["FAILED", "SUCCESS"]);
    expect(await successesOf(order.orderId)).toHaveLength(1);
  });
});

describe("a gateway that misbehaves", () => {
  test.each([
    ["http-500", "gateway.http_status"],
    ["timeout", "gateway.timeout"],
    ["reset", "gateway.connection_lost"],
    ["malformed", "gateway.malformed_answer"],
  ])("after its effect (%s) leaves it unknown, and the effect happened once", async (mode, code) => {
    const order = await changedOrder();
    await setFault({ operation: "AirOrderInvoluntaryAccept", mode, afterEffect: true });
    const impatient = createClient({ timeoutMs: mode === "timeout" ? 1_500 : 10_000 });
    try {
      await expect(impatient.airOrderInvoluntaryAccept(order)).rejects.toMatchObject({ code, phase: "unknown" });
    } finally {
      await impatient.close();
    }

    expect((await client.airReservationStatus(order)).result.orders[0]?.scheduleChangeStatus).toEqual(
      known("Accepted"),
    );
    expect(await successesOf(order.orderId)).toHaveLength(1);
  });

  test.each([
    ["http-500", "gateway.http_status"],
    ["timeout", "gateway.timeout"],
    ["reset", "gateway.connection_lost"],
    ["malformed", "gateway.malformed_answer"],
  ])("before its effect (%s) looks the same from here, and nothing happened", async (mode, code) => {
    const order = await changedOrder();
    await setFault({ operation: "AirOrderInvoluntaryAccept", mode, orderId: order.orderId });
    const impatient = createClient({ timeoutMs: mode === "timeout" ? 1_500 : 10_000 });
    try {
      await expect(impatient.airOrderInvoluntaryAccept(order)).rejects.toMatchObject({ code, phase: "unknown" });
    } finally {
      await impatient.close();
    }

    expect(await successesOf(order.orderId)).toHaveLength(0);
    expect((await client.airOrderInvoluntaryAccept(order)).result[0]?.status).toBe("SUCCESS");
  });

  test.each([false, true])("late (after its effect: %p) is waited for", async (afterEffect) => {
    const order = await changedOrder();
    await setFault({ operation: "AirOrderInvoluntaryAccept", mode: "delay", delayMs: 50, afterEffect });

    expect((await client.airOrderInvoluntaryAccept(order)).result[0]?.status).toBe("SUCCESS");
  });
});

test("a call is logged once, with its ids and without its content", async () => {
  const lines: string[] = [];
  const log = (fields: object, message: string): void => void lines.push(JSON.stringify({ message, ...fields }));
  const logged = createClient({ logger: { debug: log, info: log, warn: log, error: log } });
  const order = await changedOrder({ passengers: [{ firstName: "Ana", lastName: "Silva" }] });
  try {
    await logged.airReservationStatus(order);
    await logged.airReservationStatus({ ...order, orderId: "NONE" }).catch(() => {});
  } finally {
    await logged.close();
  }

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { message: "gateway.called", operation: "AirReservationStatus", orderId: order.orderId },
    { message: "gateway.call_failed", orderId: "NONE", code: "gateway.refused", phase: "responded", httpStatus: 404 },
  ]);
  expect(lines.join()).not.toMatch(/Silva|0123456789abcdef|key-1/);
});

function createClient(overrides: Partial<GatewayClientOptions> = {}): GatewayClient {
  return createGatewayClient({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: 10_000,
    ...overrides,
  });
}

async function changedOrder(overrides: OrderRequest = {}) {
  const request = orderRequest({ orderId: newId(systemClock), ...overrides });
  await gateway.control("POST", "/orders", request);
  await gateway.control("POST", `/orders/${request.orderId}/changes`, { kind: "retime", departureMinutes: 20 });
  return { orderId: request.orderId!, gdsBookingReferences: request.gdsBookingReferences! };
}

async function setFault(fault: object): Promise<void> {
  expect((await gateway.control("POST", "/faults", fault)).status).toBe(201);
}

async function successesOf(orderId: string) {
  const entries = await gateway.store.readJournal({ orderId, limit: 100 });
  return entries.filter((entry) => entry.operation !== "AirReservationStatus" && entry.result === "SUCCESS");
}
