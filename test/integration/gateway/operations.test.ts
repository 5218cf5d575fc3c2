import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../../../src/contract/operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { accessToken, apiKey } from "../../builders/gateway-credentials.ts";
import { orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("credentials", () => {
  const right = { Authorization: accessToken, "x-api-key": apiKey };

  test.each([
    ["none", {}],
    ["no token", { "x-api-key": apiKey }],
    ["no key", { Authorization: accessToken }],
    ["a wrong token", { ...right, Authorization: "0123456789abcdee" }],
    ["a wrong key", { ...right, "x-api-key": "key-2" }],
    ["an empty key", { ...right, "x-api-key": "" }],
    ["the token behind a scheme", { ...right, Authorization: `Bearer ${accessToken}` }],
  ])("are refused: %s", async (_, headers) => {
    const response = await gateway.post("/AirReservationStatus", statusRequest("X", ["Y"]), headers);

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('AccessToken realm="gateway"');
    expect(await response.json()).toMatchObject({
      OrderViewRS: {
        Errors: { Error: { Code: "401", Value: expect.stringContaining("header"), ShortText: expect.any(String) } },
      },
    });
  });

  test.each(["Bearer", "basic", "Token"])("behind the scheme %s are refused with what to change", async (scheme) => {
    const headers = { ...right, Authorization: `${scheme} 0123456789abcdee` };
    const response = await gateway.post("/AirReservationStatus", statusRequest("X", ["Y"]), headers);

    expect(await response.text()).toContain(`The Authorization header begins with ${scheme}: send the token alone.`);
  });

  test("that are right but for an order that does not exist respond with 404", async () => {
    const request = statusRequest("NONE", ["Y"]);
    const response = await gateway.post("/AirReservationStatus", request);

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      OrderViewRS: {
        Document: { ReferenceVersion: "1.2" },
        Party: request.OrderStatusRQ.Party,
        Errors: { Error: { Code: "404", Value: "There is no order NONE." } },
      },
    });
  });
});

describe("requests", () => {
  test.each([
    ["no JSON", "{", "400", "The request body is not JSON."],
    ["another root", { OrderViewRQ: {} }, "29", "The request has no root object OrderStatusRQ."],
    ["no order", { OrderStatusRQ: { Query: {} } }, "29", "The request names no OrderID."],
    [
      "no reference",
      { OrderStatusRQ: { Query: { OrderID: "A", GdsBookingReference: [] } } },
      "29",
      "The request for order A names no GdsBookingReference.",
    ],
  ])("are refused with 400: %s", async (_, body, code, text) => {
    const response = await gateway.post("/AirReservationStatus", body);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ OrderViewRS: { Errors: { Error: { Code: code, Value: text } } } });
  });

  test("are refused with 413 beyond 256 KiB, also when they are small before inflating", async () => {
    const response = await fetch(`${gateway.url}/AirReservationStatus`, {
      method: "POST",
      headers: { Authorization: accessToken, "x-api-key": apiKey, "Content-Encoding": "gzip" },
      body: gzipSync(Buffer.alloc(300_000, " ")),
    });

    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ OrderViewRS: { Errors: { Error: { Code: "413" } } } });
  });

  test.each([
    ["POST", "/AirSomethingElse"],
    ["POST", "/airreservationstatus"],
    ["GET", "/AirSomethingElse"],
  ])("of %s %s respond with 404 without a root", async (method, path) => {
    const response = await fetch(gateway.url + path, { method });

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      Errors: { Error: { Code: "404", Value: `There is no operation ${method} ${path}.` } },
    });
  });

  test.each(["GET", "PUT", "DELETE", "PATCH"])(
    "of an operation with %s respond with 405, whoever asks, and name POST",
    async (method) => {
      const response = await fetch(`${gateway.url}/AirReservationStatus`, { method });

      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect(await response.json()).toMatchObject({
        OrderViewRS: { Errors: { Error: { Code: "405", Value: `AirReservationStatus has no ${method}: send POST.` } } },
      });
    },
  );

  test("are understood in lower case, with the reference as text and without an envelope", async () => {
    const order = await createOrder();

    const response = await gateway.post("/AirReservationStatus", {
      orderstatusrq: { query: { orderid: order.orderId, gdsbookingreference: "LHSKD1" } },
    });

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      OrderViewRS: { Party: { Sender: { TravelAgencySender: { Name: "Example Travel" } } } },
    });
  });
});

describe("AirReservationStatus", () => {
  test("returns the whole order, strictly, with the Party of the request", async () => {
    const order = await createOrder();

    const response = await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["LHSKD1"]));

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const body: unknown = await response.json();
    expect(airReservationStatus.responseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({
      OrderViewRS: {
        Document: { ReferenceVersion: "1.2" },
        Party: { Sender: { TravelAgencySender: { Name: "Caller" } } },
        Order: [{ PnrStatus: "CONFIRMED", ScheduleChangeIndicator: false, ScheduleChangeStatus: "" }],
      },
    });
    expect(body).not.toHaveProperty("OrderViewRS.threeDsResponse");
  });

  test("responds with 404 for a reference that is not the order's", async () => {
    const order = await createOrder();

    const response = await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["LHSKD1", "XXX999"]));

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      OrderViewRS: { Errors: { Error: { Value: `Order ${order.orderId} has no booking reference XXX999.` } } },
    });
  });
});

describe("AirOrderInvoluntaryAccept", () => {
  test("returns one result for each reference, strictly, in version 1.0", async () => {
    const order = await changedOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });

    const response = await gateway.post(
      "/AirOrderInvoluntaryAccept",
      acceptRequest(order.orderId, ["AAA111", "BBB222"]),
    );

    const body: unknown = await response.json();
    expect(response.status).toBe(200);
    expect(airOrderInvoluntaryAccept.responseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({
      OrderInvoluntaryAcceptRS: {
        Document: { ReferenceVersion: "1.0" },
        Result: [
          { OrderID: order.orderId, GdsBookingReference: ["AAA111"], Status: "SUCCESS", ErrorMsg: "" },
          { OrderID: order.orderId, GdsBookingReference: ["BBB222"], Status: "SUCCESS", ErrorMsg: "" },
        ],
      },
    });
  });

  test("moves the flights and statuses for good", async () => {
    const order = await changedOrder();

    await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId));

    const status = await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["LHSKD1"]));
    expect(await status.json()).toMatchObject({
      OrderViewRS: {
        Order: [{ PnrStatus: "CONFIRMED", ScheduleChangeIndicator: true, ScheduleChangeStatus: "Accepted" }],
        DataLists: {
          FlightSegmentList: { FlightSegment: [{ Departure: { Time: "07:30:00" } }, expect.anything()] },
          ScheduleChangeSegmentList: { ScheduleChangeSegment: [] },
        },
      },
    });
    expect(await gateway.store.readOrder(order.orderId)).toMatchObject({ change: null, version: 3 });
  });

  test("responds with FAILED with the reason, and HTTP 200, when nothing is pending", async () => {
    const order = await createOrder();

    const response = await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId));

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      OrderInvoluntaryAcceptRS: {
        Success: {},
        Result: [{ Status: "FAILED", ErrorMsg: "No schedule change is pending for LHSKD1: nothing to accept." }],
      },
    });
  });

  test("remembers, over calls, that one of two references has accepted", async () => {
    const order = await changedOrder({ flights: [outbound], gdsBookingReferences: ["AAA111", "BBB222"] });

    await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId, ["AAA111"]));
    const both = await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId, ["AAA111", "BBB222"]));

    expect(await both.json()).toMatchObject({
      OrderInvoluntaryAcceptRS: {
        Result: [{ Status: "FAILED", ErrorMsg: expect.stringContaining("nothing to accept") }, { Status: "SUCCESS" }],
      },
    });
    const entries = await journalOf(order.orderId);
    expect(entries.map((entry) => entry.result)).toEqual(["SUCCESS", "MIXED"]);
  });
});

describe("AirOrderInvoluntaryCancel", () => {
  test("returns the refund, strictly, and cancels the booking", async () => {
    const order = await changedOrder({ passengers: [{}, { ptc: "CHD" }] });

    const response = await gateway.post("/AirOrderInvoluntaryCancel", cancelRequest(order.orderId));

    const body: unknown = await response.json();
    expect(airOrderInvoluntaryCancel.responseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({
      OrderInvoluntaryCancelRS: {
        Result: [
          {
            Status: "SUCCESS",
            RefundAmount: 721.88,
            RefundText: "Full refund of all tickets to the original form of payment.",
            RefundPaxWiseFare: [{ Amount: 412.5 }, { Amount: 309.38 }],
          },
        ],
      },
    });
    const status = await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["LHSKD1"]));
    expect(await status.json()).toMatchObject({
      OrderViewRS: { Order: [{ PnrStatus: "CANCELLED", ScheduleChangeStatus: "Rejected" }] },
    });
  });
});

describe("calls at the same time", () => {
  test.each([1, 2, 3])("let one of an accept and a cancel win, and refuse the other (round %d)", async () => {
    const order = await changedOrder();

    const responses = await Promise.all([
      gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId)).then(readStatus),
      gateway.post("/AirOrderInvoluntaryCancel", cancelRequest(order.orderId)).then(readStatus),
      gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId)).then(readStatus),
      gateway.post("/AirOrderInvoluntaryCancel", cancelRequest(order.orderId)).then(readStatus),
    ]);

    expect(responses.filter((response) => response.Status === "SUCCESS")).toHaveLength(1);
    const losers = responses.filter((response) => response.Status === "FAILED");
    expect(losers).toHaveLength(3);
    for (const loser of losers) expect(loser.ErrorMsg).toMatch(/\((Accepted|Rejected)\): nothing to/);
    const entries = await journalOf(order.orderId);
    expect(entries.filter((entry) => entry.result === "SUCCESS")).toHaveLength(1);
    expect(entries.filter((entry) => entry.result === "FAILED")).toHaveLength(3);
  });

  test("never settle a change twice, whatever the program does: the database refuses it", async () => {
    const order = await changedOrder();
    await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId));

    const again = sql`
      insert into gateway.settlements (change_id, gds_booking_reference, outcome, settled_at)
      select id, 'LHSKD1', 'rejected', now() from gateway.changes where order_id = ${order.orderId}
    `.execute(db.database.connection);

    await expect(again).rejects.toMatchObject({ code: "23505", constraint: "settlements_pkey" });
  });
});

describe("the journal", () => {
  test("holds every call that named an order, with its change, version and error", async () => {
    const order = await changedOrder();
    await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["LHSKD1"]));
    await gateway.post("/AirReservationStatus", statusRequest(order.orderId, ["XXX999"]));
    await gateway.post("/AirOrderInvoluntaryAccept", acceptRequest(order.orderId));
    await gateway.post("/AirOrderInvoluntaryCancel", cancelRequest(order.orderId));

    const changeId = gateway.announced.find((notification) => notification.orderId === order.orderId)?.changeId;
    expect(await journalOf(order.orderId)).toMatchObject([
      { operation: "AirReservationStatus", result: "SUCCESS", errorCode: null, changeId, orderVersion: 2 },
      { operation: "AirReservationStatus", result: "ERROR", errorCode: "gateway.reference_not_found", changeId: null },
      { operation: "AirOrderInvoluntaryAccept", result: "SUCCESS", errorCode: null, changeId, orderVersion: 2 },
      {
        operation: "AirOrderInvoluntaryCancel",
        result: "FAILED",
        errorCode: "gateway.change_not_answerable",
        changeId: null,
        orderVersion: 3,
      },
    ]);
  });

  test.each([
    ["update gateway.journal set result = 'SUCCESS'"],
    ["delete from gateway.journal"],
    ["update gateway.settlements set outcome = 'accepted'"],
    ["delete from gateway.changes"],
    ["update gateway.orders set owner = 'XX'"],
    ["delete from gateway.orders"],
  ])("cannot be rewritten by the service: %s", async (statement) => {
    await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

async function createOrder(overrides: Parameters<typeof orderRequest>[0] = {}): Promise<{ orderId: string }> {
  const body = orderRequest({ orderId: newId(systemClock), ...overrides });
  const response = await gateway.control("POST", "/orders", body);
  expect(response.status).toBe(201);
  return (await response.json()) as { orderId: string };
}

async function changedOrder(overrides: Parameters<typeof orderRequest>[0] = {}): Promise<{ orderId: string }> {
  const order = await createOrder(overrides);
  const change = { kind: "retime", departureMinutes: 20 };
  const response = await gateway.control("POST", `/orders/${order.orderId}/changes`, change);
  expect(response.status).toBe(201);
  return order;
}

async function journalOf(orderId: string) {
  return gateway.store.readJournal({ orderId, limit: 100 });
}

const envelope = {
  documentName: "Test",
  agencyName: "Caller",
  iataNumber: "",
  agencyId: "Caller",
  contactEmails: ["caller@example.com"],
};

function statusRequest(orderId: string, gdsBookingReferences: readonly string[]) {
  return airReservationStatus.request({ orderId, gdsBookingReferences }, envelope);
}

function acceptRequest(orderId: string, gdsBookingReferences: readonly string[] = ["LHSKD1"]) {
  return airOrderInvoluntaryAccept.request({ orderId, gdsBookingReferences }, envelope);
}

function cancelRequest(orderId: string) {
  return airOrderInvoluntaryCancel.request({ orderId, gdsBookingReferences: ["LHSKD1"] }, envelope);
}

async function readStatus(response: Response): Promise<{ Status: string; ErrorMsg: string }> {
  const body = (await response.json()) as Record<string, { Result: { Status: string; ErrorMsg: string }[] }>;
  return Object.values(body)[0]!.Result[0]!;
}
