import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../../src/app/start-server.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { type ScriptedReceiver, startReceiver } from "../sender/scripted-receiver.ts";
import { startTokenServer, type TokenServer } from "../sender/token-server.ts";

const controlToken = "control-token-of-the-tests";
const encryptionKeys = createEncryptionKey(new Date());
const minorDelay = readFileSync(new URL("../../../samples/ocn-minor-delay.json", import.meta.url), "utf8");

let db: TestDatabase;
let receiver: ScriptedReceiver;
let tokenServer: TokenServer;
let server: RunningServer;

beforeAll(async () => {
  db = await createTestDatabase();
  receiver = await startReceiver();
  tokenServer = await startTokenServer();
});
afterAll(async () => {
  await receiver.close();
  await tokenServer.close();
  await db.drop();
});

describe("a process with the role sender alone", () => {
  beforeAll(() => start("sender"));
  afterAll(() => server.stop());

  test("sends a notification of the operator's own to recipients with Basic, Bearer and OAuth", async () => {
    const authorizations = [
      { type: "basic", username: "agency", password: "of-the-agency" },
      { type: "bearer", token: "token-of-the-agency" },
      { type: "oauth", tokenUrl: tokenServer.url, clientId: "gateway", clientSecret: "secret-of-the-gateway" },
    ];
    for (const authorization of authorizations) {
      expect(await control("POST", "/recipients", { name: "Agency", url: receiver.url, authorization })).toMatchObject({
        status: 201,
      });
    }

    const sent = await control("POST", "/notifications", minorDelay);

    expect(sent).toMatchObject({ status: 201, body: { orderId: "QX7R2M1A", state: "announced" } });
    expect((sent.body as { deliveries: unknown[] }).deliveries).toHaveLength(3);
    await eventually(async () => {
      const { body } = await control("GET", "/deliveries?state=delivered");
      expect((body as { items: unknown[] }).items).toHaveLength(3);
    });
    expect(receiver.posts.map((post) => post.body.toString())).toEqual([minorDelay, minorDelay, minorDelay]);
    expect(receiver.posts.map(({ headers }) => headers.authorization).toSorted()).toEqual([
      "Basic YWdlbmN5Om9mLXRoZS1hZ2VuY3k=",
      "Bearer granted-1",
      "Bearer token-of-the-agency",
    ]);
  });

  test.each(["/control/orders", "/control/shopping-responses", "/AirReservationStatus"])(
    "responds to %s with 404, and says which role it takes",
    async (path) => {
      const response = await fetch(`${server.gatewayUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${controlToken}` },
      });

      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        code: "gateway.no_such_route",
        detail: expect.stringContaining("role gateway"),
      });
    },
  );

  test("describes what it serves and nothing of a gateway, and a 404 names all of it", async () => {
    const described = await fetch(`${server.gatewayUrl}/openapi.json`);
    const { paths } = (await described.json()) as { paths: Record<string, object> };
    const unknown = await fetch(`${server.gatewayUrl}/control/orders`, {
      headers: { Authorization: `Bearer ${controlToken}` },
    });
    const { detail } = (await unknown.json()) as { detail: string };

    const resources = new Set(Object.keys(paths).map((path) => path.split("/").slice(0, 3).join("/")));
    const own = ["/healthz", "/openapi.json", "/docs"];
    expect([...resources].filter((path) => !own.includes(path)).toSorted()).toEqual([
      "/control/deliveries",
      "/control/missed",
      "/control/notifications",
      "/control/recipients",
      "/control/replays",
      "/control/traffic",
    ]);
    for (const path of resources) if (!own.includes(path)) expect(detail).toContain(path);
  });

  test("asks for the control token, and has the pages", async () => {
    const refused = await fetch(`${server.gatewayUrl}/control/recipients`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="gateway control"');
    const signedIn = await fetch(`${server.gatewayUrl}/control/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Skedchange-Page": "1" },
      body: JSON.stringify({ token: controlToken }),
    });
    expect(signedIn.status).toBe(200);
  });
});

describe("a gateway without supply", () => {
  beforeAll(() => start("gateway,sender", { SUPPLY: "none" }));
  afterAll(() => server.stop());

  test("announces what differs in a newer view of an order to recipients with Basic, Bearer and OAuth", async () => {
    const before = receiver.posts.length;
    const orderView = JSON.parse(minorDelay) as object;
    expect(await control("PUT", "/orders/QX7R2M1A", { orderView })).toMatchObject({ body: { outcome: "stored" } });
    const later = JSON.parse(minorDelay.replace("07:30:00", "07:45:00")) as object;

    const replaced = await control("PUT", "/orders/QX7R2M1A", { orderView: later });

    const path =
      "/OrderViewRS/DataLists/ScheduleChangeSegmentList/ScheduleChangeSegment/0/SegmentDetails/0/Departure/Time";
    expect(replaced).toMatchObject({
      status: 200,
      body: { outcome: "changed", differences: [{ path, before: "07:30:00", after: "07:45:00" }] },
    });
    const { deliveries } = (replaced.body as { notification: { deliveries: { deliveryId: string }[] } }).notification;
    expect(deliveries).toHaveLength(3);
    for (const { deliveryId } of deliveries) {
      await eventually(async () => {
        expect(await control("GET", `/deliveries/${deliveryId}`)).toMatchObject({ body: { state: "delivered" } });
      });
    }
    const bodies = receiver.posts.slice(before).map((post) => post.body.toString());
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain("07:45:00");
  });

  test.each(["AirSeatMap", "AirPostBookingSeatMap", "AirOfferPrice", "AirFareRules", "AirOrderReshop"])(
    "does not know %s",
    async (operation) => {
      const { status, body } = await operate(operation, {});

      expect(status).toBe(404);
      expect(body).toMatchObject({ Errors: { Error: { Code: "404" } } });
    },
  );

  test("refuses a search, offers no optional service, and serves the status of its orders", async () => {
    const search = { journeys: [{ from: "LIS", to: "JFK", date: "2027-03-14" }] };
    expect(await control("POST", "/shopping-responses", search)).toMatchObject({
      status: 404,
      body: { code: "gateway.no_supply" },
    });
    const { body } = await control("GET", "/services");
    expect(Object.values((body as { services: object }).services)).not.toContain(true);
    await control("PUT", "/orders/QX7R2M1A", { orderView: JSON.parse(minorDelay) as object });
    const status = await operate("AirReservationStatus", {
      OrderStatusRQ: { Query: { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"] } },
    });
    expect(status).toMatchObject({
      status: 200,
      coding: "gzip",
      body: { OrderViewRS: { Order: [{ OrderID: "QX7R2M1A" }] } },
    });
  });
});

test("a process with the role sender and no control token opens no port for it", async () => {
  await start("sender", { GATEWAY_CONTROL_TOKEN: undefined });
  try {
    expect(server.gatewayUrl).toBeNull();
  } finally {
    await server.stop();
  }
});

async function start(roles: string, more: Record<string, string | undefined> = {}): Promise<void> {
  const environment = {
    HOST: "127.0.0.1",
    PORT: "0",
    GATEWAY_PORT: "0",
    ROLES: roles,
    DATABASE_URL: db.serviceUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    GATEWAY_ACCESS_TOKEN: "access-token-of-the-tests",
    GATEWAY_CONTROL_TOKEN: controlToken,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...more,
  };
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const { configuration } = loaded;
  server = await startServer({ configuration, environment, logger: silentLogger, print: () => {} });
}

async function control(
  method: string,
  path: string,
  body?: object | string,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.gatewayUrl}/control${path}`, {
    method,
    headers: { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Accepts compressed responses, as fetch does. */
async function operate(
  operation: string,
  body: object,
): Promise<{ status: number; coding: string | null; body: unknown }> {
  const response = await fetch(`${server.gatewayUrl}/${operation}`, {
    method: "POST",
    headers: { Authorization: "access-token-of-the-tests", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, coding: response.headers.get("content-encoding"), body: await response.json() };
}
