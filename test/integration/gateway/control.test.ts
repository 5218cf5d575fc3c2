import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { demoScenario } from "../../../src/gateway/demo-scenario.ts";
import { playScenario } from "../../../src/gateway/play-scenario.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { fromTx } from "../../../src/store/database/transaction.ts";
import { orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { recipients: 2 });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("the control routes", () => {
  test.each([undefined, "Bearer wrong", "Basic Y29udHJvbC0x", "control-1"])(
    "refuse the Authorization %p",
    async (value) => {
      const response = await fetch(
        `${gateway.url}/control/orders`,
        value === undefined ? {} : { headers: { Authorization: value } },
      );

      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="gateway control"');
      expect(await response.json()).toMatchObject({ code: "gateway.control_not_authorized", status: 401 });
    },
  );

  test.each([
    ["a path that is no UTF-8", "GET", "/orders/%ff", 400, "gateway.unreadable_request"],
    ["a path with NUL", "GET", "/orders/A%00B", 422, "gateway.invalid_request"],
    ["a query with NUL", "GET", "/journal?orderId=%00", 422, "gateway.invalid_request"],
  ])("refuse %s", async (_, method, path, status, code) => {
    const response = await gateway.control(method, path);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  test.each([
    ["NUL in a text", { flights: [{ ...outbound, aircraft: "32\0" }] }],
    ["half of a character in a text", { agencyName: "\ud83d" }],
    ["NUL in a key", { orderView: { "a\0": 1 } }],
  ])("refuse a body with %s, which cannot be kept", async (_, body) => {
    const response = await gateway.control("POST", "/orders", body);

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "gateway.invalid_request" });
  });

  test("keep a text with whole characters of any script", async () => {
    const agencyName = "Viagens Ação 旅行 ✈️ 💺";
    const response = await gateway.control("POST", "/orders", orderRequest({ agencyName }));

    expect(response.status).toBe(201);
    expect(JSON.stringify(await response.json())).toContain(agencyName);
  });

  test("respond to a method that a path does not have with those that it has", async () => {
    const response = await gateway.control("PUT", "/faults");

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, DELETE");
  });

  test("pass on what they do not know", async () => {
    const response = await gateway.control("GET", "/recipients");

    expect(await response.json()).toEqual({ passedOn: true });
  });
});

describe("creating an order", () => {
  test("needs nothing in the body", async () => {
    const response = await gateway.control("POST", "/orders");

    expect(response.status).toBe(201);
    const order = (await response.json()) as { orderId: string };
    expect(response.headers.get("location")).toBe(`/control/orders/${order.orderId}`);
    expect(await (await gateway.control("GET", `/orders/${order.orderId}`)).json()).toEqual(order);
  });

  test("twice under one id is a conflict", async () => {
    const request = orderRequest({ orderId: newId(systemClock) });
    await gateway.control("POST", "/orders", request);

    const response = await gateway.control("POST", "/orders", request);

    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: "gateway.order_exists",
      detail: `There is an order ${request.orderId} already. Use another orderId.`,
    });
  });

  test("for an agency refuses a name that no recipient's agency can have", async () => {
    const response = await gateway.control("POST", "/orders", { agencyId: "north\tsouth" });

    expect(response.status).toBe(422);
    expect(JSON.stringify(await response.json())).toContain("must not contain control characters");
  });

  test("says what is wrong, and where", async () => {
    const response = await gateway.control("POST", "/orders", { flights: [{ from: "LIS" }] });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "gateway.invalid_request",
      problems: expect.arrayContaining([expect.objectContaining({ path: "/flights/0/to" })]),
    });
  });

  test("of no JSON is refused", async () => {
    const response = await fetch(`${gateway.url}/control/orders`, {
      method: "POST",
      headers: { Authorization: "Bearer control-1" },
      body: "{",
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "gateway.request_not_json" });
  });

  test("from a sample notification serves it with its flags", async () => {
    const sample: unknown = JSON.parse(
      readFileSync(new URL("../../../samples/ocn-misconnection.json", import.meta.url), "utf8"),
    );

    const response = await gateway.control("POST", "/orders", { orderView: sample });

    expect(response.status).toBe(201);
    const { orderView } = (await response.json()) as { orderView: unknown };
    expect(readOrderView(orderView)).toEqual(readOrderView(sample));
    const [change] = await changesOf("QX7R2M1B");
    expect(change).toMatchObject({ kind: "loaded", announcement: "not-announced", deliveries: 0 });
  });

  test("from something that is no order view is refused", async () => {
    const response = await gateway.control("POST", "/orders", { orderView: { Order: [] } });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "gateway.unusable_order_view" });
  });
});

describe("listing", () => {
  test("gives orders page by page, each once", async () => {
    for (let made = 0; made < 3; made += 1) await createOrder();
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const response = await gateway.control("GET", `/orders?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const page = (await response.json()) as { items: { orderId: string }[]; nextCursor: string | null };
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map((item) => item.orderId));
      cursor = page.nextCursor;
    }

    const { rows } = await db.database.pool.query<{ count: number }>("select count(*) from gateway.orders");
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(rows[0]?.count);
  });

  test("refuses a limit beyond 500", async () => {
    expect((await gateway.control("GET", "/orders?limit=500")).status).toBe(200);
    expect((await gateway.control("GET", "/orders?limit=501")).status).toBe(422);
  });

  test("of an order that does not exist is a 404", async () => {
    const response = await gateway.control("GET", "/orders/NONE");

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "gateway.order_not_found" });
  });
});

describe("causing a change", () => {
  test("announces a strict notification in the same transaction and reports the deliveries", async () => {
    const orderId = await createOrder();

    const response = await gateway.control("POST", `/orders/${orderId}/changes`, {
      kind: "retime",
      departureMinutes: 20,
    });

    expect(response.status).toBe(201);
    const change = (await response.json()) as { changeId: string };
    expect(change).toMatchObject({
      orderId,
      kind: "retime",
      state: "announced",
      deliveries: 2,
      gdsBookingReferences: ["LHSKD1"],
    });
    const notification = gateway.announced.find((one) => one.changeId === change.changeId);
    expect(notification).toMatchObject({ orderId, airline: "LH" });
    const body: unknown = JSON.parse(Buffer.from(notification!.body).toString());
    expect(orderViewResponseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(await changesOf(orderId)).toMatchObject([{ id: change.changeId, announcement: "announced", deliveries: 2 }]);
  });

  test("is recorded as undeliverable when there is no recipient", async () => {
    const lonely = await startGateway(db, { recipients: 0 });
    try {
      const orderId = await createOrder();

      const response = await lonely.control("POST", `/orders/${orderId}/changes`, { kind: "cancel" });

      expect(await response.json()).toMatchObject({ state: "no-recipient", deliveries: 0 });
      expect(await changesOf(orderId)).toMatchObject([{ announcement: "no-recipient", deliveries: 0 }]);
    } finally {
      await lonely.close();
    }
  });

  test("does not happen when its notification cannot be kept, and the other way round", async () => {
    const broken = await startGateway(db, {
      announcer: {
        async announce(tx, { orderId }) {
          await sql`
            insert into gateway.journal (operation, order_id, gds_booking_references, result, at)
            values ('announced', ${orderId}, '{}', 'ERROR', now())`.execute(fromTx(tx));
          throw new Error("the outbox is full");
        },
      },
    });
    try {
      const orderId = await createOrder();

      const response = await broken.control("POST", `/orders/${orderId}/changes`, { kind: "cancel" });

      expect(response.status).toBe(500);
      expect(await changesOf(orderId)).toEqual([]);
      expect(await gateway.store.readOrder(orderId)).toMatchObject({ change: null, version: 1 });
      expect(await gateway.store.readJournal({ orderId, limit: 10 })).toEqual([]);
    } finally {
      await broken.close();
    }
  });

  test("of an order that does not exist is a 404", async () => {
    const response = await gateway.control("POST", "/orders/NONE/changes", { kind: "cancel" });

    expect(response.status).toBe(404);
  });

  test("that the order does not allow says why", async () => {
    const orderId = await createOrder();

    const response = await gateway.control("POST", `/orders/${orderId}/changes`, {
      kind: "cancel",
      segmentKey: "Segment9",
    });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "gateway.unknown_segment",
      detail: `Order ${orderId} has no flight Segment9. It has: Segment1 LH1167 LIS-FRA, Segment2 LH1172 FRA-LIS.`,
    });
  });

  test("at the same time as others leaves one change pending that holds them all", async () => {
    const orderId = await createOrder();

    await Promise.all(
      [0, 1].map((flightIndex) =>
        gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", flightIndex, departureMinutes: 5 }),
      ),
    );

    const order = await gateway.store.readOrder(orderId);
    expect(order?.change?.segments.map((segment) => segment.segmentKey)).toEqual(["Segment1", "Segment2"]);
    expect(order?.version).toBe(3);
  });
});

describe("the journal and the faults", () => {
  test("can be read and set", async () => {
    expect(await (await gateway.control("GET", "/journal?orderId=NONE")).json()).toEqual({ items: [] });
    const fault = { operation: "AirReservationStatus", mode: "reset", times: 2 };
    expect((await gateway.control("POST", "/faults", fault)).status).toBe(201);
    expect(await (await gateway.control("GET", "/faults")).json()).toMatchObject({ items: [fault] });
    expect((await gateway.control("DELETE", "/faults")).status).toBe(204);
    expect(await (await gateway.control("GET", "/faults")).json()).toEqual({ items: [] });
    expect((await gateway.control("POST", "/faults", { ...fault, mode: "shrug" })).status).toBe(422);
  });
});

test("the demonstration plays once: a second time nothing happens", async () => {
  const scenario = demoScenario(new Date("2026-12-30T12:00:00Z"));

  const first = await playScenario(gateway.gateway.actions, scenario);
  const second = await playScenario(gateway.gateway.actions, scenario);

  expect(first.skippedOrderIds).toEqual([]);
  expect(first.changes.map((change) => change.orderId)).toEqual(scenario.changes.map((change) => change.orderId));
  expect(second.skippedOrderIds).toEqual(scenario.orders.map((order) => order.orderId));
  expect(second.changes).toEqual([]);
});

async function createOrder(): Promise<string> {
  const response = await gateway.control("POST", "/orders", orderRequest({ orderId: newId(systemClock) }));
  return ((await response.json()) as { orderId: string }).orderId;
}

async function changesOf(orderId: string) {
  const { rows } = await sql`select * from gateway.changes where order_id = ${orderId}`.execute(db.database.connection);
  return rows;
}
