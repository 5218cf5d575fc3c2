import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { describeOnEachQueue } from "../harness/queue-backends.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeOnEachQueue("a gateway that is away", (queue) => {
  let db: TestDatabase;
  let gateway: StatusGateway;
  let server: ServerProcess;
  let agency: AgencyApi;

  beforeAll(async () => {
    db = await createTestDatabase();
    const queueSettings = await queue.start();
    gateway = await startStatusGateway((orderId) => sampleNotification("minor-delay", { orderId }));
    server = await startServerProcess({
      DATABASE_URL: db.serviceUrl,
      DATABASE_OWNER_URL: db.ownerUrl,
      ...queueSettings,
      ROLES: "receiver,worker,dashboard",
      OCN_BEARER_TOKENS: "token",
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_ACCESS_TOKEN: "access",
      API_TOKEN: "api",
      LOG_LEVEL: "error",
    });
    agency = openAgencyApi(server.agencyUrl, "api");
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await gateway?.goAway();
    await queue.close();
    await db?.drop();
  });

  test("cases that arrive while the gateway is away are acknowledged, show why they wait, and are decided once it is back", async () => {
    await gateway.goAway();
    for (const orderId of ["AWAY1", "AWAY2", "AWAY3"]) {
      const { status } = await agency.postOcn(
        JSON.stringify(sampleNotification("minor-delay", { orderId })),
        "Bearer token",
      );
      expect(status).toBe(200);
    }
    const waiting = await agency.caseIn("AWAY1", ["checking"]);
    expect(waiting.decision).toBeNull();

    await gateway.comeBack();

    for (const orderId of ["AWAY1", "AWAY2", "AWAY3"]) {
      const done = await agency.caseIn(orderId, ["done"]);
      expect(done.lastError).toBeNull();
    }
    expect(gateway.journal.map((call) => call.orderId).sort()).toEqual(["AWAY1", "AWAY2", "AWAY3"]);
  });
});
