import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SampleName, sampleNotification, withFlags } from "../builders/sample-notification.ts";
import { upcoming } from "../builders/upcoming.ts";
import { type AgencyApi, basic, openAgencyApi } from "../harness/agency-api.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";

const samples = {
  "minor-delay": "QX7R2M1A",
  misconnection: "QX7R2M1B",
  "replaced-by-two": "QX7R2M1C",
  cancelled: "QX7R2M1D",
  "flight-number-only": "QX7R2M1E",
} as const satisfies Record<SampleName, string>;
const names = Object.keys(samples) as SampleName[];
const others = names.filter((name) => name !== "minor-delay");

let db: TestDatabase;
let gateway: StatusGateway;
let server: ServerProcess;
let agency: AgencyApi;

beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startStatusGateway((orderId) => {
    const name = names.find((candidate) => samples[candidate] === orderId);
    return name === undefined
      ? null
      : withFlags(sampleNotification(name), { Accept: "Y", Cancel: "Y", ReSchedule: "N" });
  });
  server = await startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "receiver,worker,dashboard",
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: "pass:wörd",
    OCN_BEARER_TOKENS: "old-token new-token",
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "access",
    GATEWAY_API_KEY: "key",
    API_TOKEN: "api",
  });
  agency = openAgencyApi(server.agencyUrl, "api");
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await gateway?.goAway();
  await db?.drop();
});

const bytesOf = (name: SampleName): Buffer =>
  Buffer.from(upcoming(readFileSync(new URL(`../../samples/ocn-${name}.json`, import.meta.url), "utf8")));

describe("the sample notifications", () => {
  test.each(names)("(%s) are acknowledged with Basic and with each Bearer token", async (name) => {
    const ways = [basic("gateway", "pass:wörd"), "Bearer old-token", "Bearer new-token"];

    for (const authorization of ways) {
      const { status, body } = await agency.postOcn(bytesOf(name), authorization);
      expect(status).toBe(200);
      expect(body).toEqual({ AcknowledgeResponse: { Status: "OK", Message: expect.any(String) } });
    }
  });

  test("are one notification each, with as many receipts as they were posted", async () => {
    const { items } = (await agency.get("/api/v1/notifications")) as { items: { receipts: number; state: string }[] };

    expect(items.map(({ receipts, state }) => ({ receipts, state }))).toEqual(
      names.map(() => ({ receipts: 3, state: "accepted" })),
    );
  });

  test("end as they should: the minor delay is accepted exactly once", async () => {
    const done = await agency.caseIn(samples["minor-delay"], ["done"]);

    expect(done.decision).toMatchObject({ action: "accept" });
    expect(gateway.journal).toEqual([{ operation: "AirOrderInvoluntaryAccept", orderId: samples["minor-delay"] }]);
  });

  test.each(others)("end as they should: %s waits for a person, although the gateway would accept", async (name) => {
    const waiting = await agency.caseIn(samples[name], ["awaiting-agent"]);

    expect(waiting.decision).toMatchObject({ action: "review" });
    expect(gateway.journal).toHaveLength(1);
  });

  test("are looked at again when they are received again, and nothing is done twice", async () => {
    const readsBefore = gateway.reads();

    await agency.postOcn(bytesOf("minor-delay"), "Bearer new-token");
    await agency.caseIn(samples["minor-delay"], ["done"]);
    const { eventually } = await import("../harness/eventually.ts");
    await eventually(() => expect(gateway.reads()).toBeGreaterThan(readsBefore));

    expect(gateway.journal).toHaveLength(1);
    expect(await agency.listCases(`orderId=${samples["minor-delay"]}`)).toHaveLength(1);
  });

  test("leave nothing that was acknowledged without a decision or a due time", async () => {
    expect(await agency.get("/api/v1/reconciliation")).toMatchObject({
      examined: names.length,
      withoutCase: { count: 0 },
      withoutProgress: { count: 0 },
    });
  });
});
