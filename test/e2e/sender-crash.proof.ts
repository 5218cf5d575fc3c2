import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { acknowledge, type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const controlToken = "control";
const recipientCredential = { type: "bearer", token: "the-recipients-own-token" };

let db: TestDatabase;
let receiver: ScriptedReceiver;
let server: ServerProcess;

beforeAll(async () => {
  db = await createTestDatabase();
  // It takes the notification and sends no response: the attempt is under way until the process is killed.
  receiver = await startReceiver(() => undefined);
  server = await start();
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await receiver?.close();
  await db?.drop();
});

function start(): Promise<ServerProcess> {
  return startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "sender,gateway",
    GATEWAY_ACCESS_TOKEN: "access",
    GATEWAY_CONTROL_TOKEN: controlToken,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_LEVEL: "info",
  });
}

async function control<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.gatewayUrl}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

interface Items<T> {
  readonly items: readonly T[];
}

test("a delivery whose sender is killed in mid-attempt arrives from the next process, with the same webhook-id", async () => {
  await control("POST", "/recipients", {
    name: "Example Travel",
    url: receiver.url,
    authorization: recipientCredential,
  });
  const { orderId } = await control<{ orderId: string }>("POST", "/orders", {});
  const change = { kind: "retime", departureMinutes: 20 };
  const { deliveries } = await control<{ deliveries: number }>("POST", `/orders/${orderId}/changes`, change);
  expect(deliveries).toBe(1);
  await eventually(() => expect(receiver.posts).toHaveLength(1));

  await server.end("SIGKILL");
  receiver.script = acknowledge;
  server = await start();

  // The lease of the killed process has to run out first.
  await eventually(
    async () => {
      const { items } = await control<Items<{ state: string }>>("GET", `/deliveries?orderId=${orderId}`);
      expect(items).toMatchObject([{ state: "delivered", attempts: 2 }]);
    },
    { timeoutMs: 60_000, everyMs: 250 },
  );

  const [first, second] = receiver.posts;
  expect(receiver.posts).toHaveLength(2);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.body.equals(first!.body)).toBe(true);
  const { items: delivered } = await control<Items<{ id: string }>>("GET", "/deliveries?state=delivered");
  expect(delivered.map(({ id }) => id)).toEqual([first?.headers["webhook-id"]]);
  const { items: attempts } = await control<Items<object>>("GET", `/deliveries/${delivered[0]?.id}/attempts`);
  expect(attempts).toMatchObject([
    { number: 2, outcome: "delivered", httpStatus: 200 },
    { number: 1, outcome: null, httpStatus: null },
  ]);
});

test("the log of a killed sender names the delivery and no credential", async () => {
  await server.waitFor("delivery.attempted", 20_000);

  expect(server.output()).not.toContain(recipientCredential.token);
});
