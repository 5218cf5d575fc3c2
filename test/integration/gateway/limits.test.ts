import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createGatewayClient } from "../../../src/client/gateway-client.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import type { Handling } from "../../../src/gateway/prefer-header.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { accessToken, apiKey } from "../../builders/gateway-credentials.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { exactRequest, leniencies, type WireRequest, wireRequest } from "../../builders/leniencies.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";

let db: TestDatabase;
let gateway: RunningGateway;
let orderId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
  const response = await gateway.control("POST", "/orders", orderRequest({ orderId: newId(systemClock) }));
  ({ orderId } = (await response.json()) as { orderId: string });
});
afterEach(async () => {
  await gateway.control("PUT", "/services", { services: {} });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe.each(everyOperation.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
  test("is served, to those with the right token and key only", async () => {
    const body = exampleOf(operation).request;

    expect((await gateway.post(operation.path, body, {})).status).toBe(401);
    expect((await gateway.post(operation.path, body, { Authorization: accessToken })).status).toBe(401);
    const text = await (await gateway.post(operation.path, body)).text();
    expect(text).not.toContain("There is no operation");
  });

  test("responds to a malformed body with 400 and an over-long one with 413, in an error under its root", async () => {
    const malformed = await gateway.post(operation.path, "{");
    const tooLong = await gateway.post(operation.path, `"${"x".repeat(256 * 1024)}"`);

    expect([malformed.status, tooLong.status]).toEqual([400, 413]);
    for (const [response, code] of [
      [malformed, "400"],
      [tooLong, "413"],
    ] as const) {
      expect(await response.json()).toEqual({
        [operation.responseRoot]: {
          Document: { Name: "API GATEWAY", ReferenceVersion: operation.name.includes("Involuntary") ? "1.0" : "1.2" },
          Party: { Sender: { TravelAgencySender: expect.any(Object) } },
          Errors: { Error: { Code: code, Value: expect.any(String), ShortText: expect.any(String) } },
        },
      });
    }
  });
});

describe.each(everyOperation.map((operation) => [operation.name, operation] as const))(
  "a request of %s that is not exactly as in the contract",
  (_, operation) => {
    test("is taken like one that is, and refused with Prefer: handling=strict", async () => {
      const send = (request: WireRequest, handling: Handling) => outcomeOf(operation, request, handling);
      const exact = wireRequest(operation, exactRequest(operation));
      const usual = await send(exact, "lenient");
      const refused = { status: 400, error: expect.objectContaining({ Code: "29" }) };
      expect(await send(exact, "strict")).toEqual(usual);

      for (const { words, loosen } of leniencies) {
        for (const request of loosen(operation)) {
          expect([words, request, await send(request, "lenient")]).toEqual([words, request, usual]);
          expect([words, request, await send(request, "strict")]).toEqual([words, request, refused]);
        }
      }
    });
  },
);

test("a gateway that is strict by itself refuses a request that does not ask for Prefer: handling=lenient", async () => {
  const strict = await startGateway(db, { strict: true });
  const request = { OrderStatusRQ: { Query: { OrderID: orderId, GdsBookingReference: ["LHSKD1"] } } };
  const credentials = { Authorization: accessToken, "x-api-key": apiKey };

  const refused = await strict.post("/AirReservationStatus", request);
  const taken = await strict.post("/AirReservationStatus", request, { ...credentials, Prefer: "handling=lenient" });

  expect([refused.status, taken.status]).toEqual([400, 200]);
  expect(refused.headers.get("preference-applied")).toBeNull();
  expect(await refused.text()).toContain("/OrderStatusRQ/Document: It is missing: send it.");
  await strict.close();
});

describe("a request", () => {
  test.each(["gzip", "deflate", "br"])("that says it is %s, and does not inflate, cannot be read", async (coding) => {
    const response = await fetch(`${gateway.url}/AirReservationStatus`, {
      method: "POST",
      headers: { Authorization: accessToken, "x-api-key": apiKey, "Content-Encoding": coding },
      body: "{}",
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ OrderViewRS: { Errors: { Error: { Code: "400" } } } });
  });
});

describe("an optional service", () => {
  const optional = everyOperation.filter(({ optionalService }) => optionalService);

  test("is one of five, all of them on unless switched off", async () => {
    expect(optional).toHaveLength(5);
    expect(await (await gateway.control("GET", "/services")).json()).toEqual({
      services: Object.fromEntries(optional.map(({ name }) => [name, true])),
    });
  });

  test.each(optional.map((operation) => [operation.name, operation] as const))(
    "%s that is switched off is an unknown operation, and not offered to the typed client, until it is on again",
    async (name, operation) => {
      const switched = await gateway.control("PUT", "/services", { services: { [name]: false } });
      expect(await switched.json()).toMatchObject({ services: { [name]: false } });

      const response = await gateway.post(operation.path, exampleOf(operation).request);
      const outsider = await gateway.post(operation.path, exampleOf(operation).request, {});

      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        Errors: { Error: { Value: `There is no operation POST /${name}.` } },
      });
      expect(outsider.status).toBe(401);
      await expect(callByClient(operation)).rejects.toMatchObject({ code: "gateway.not_offered" });

      await gateway.control("PUT", "/services", { services: { [name]: true } });
      expect(await (await gateway.post(operation.path, exampleOf(operation).request)).text()).not.toContain(
        "There is no operation",
      );
    },
  );

  test("is switched as one of two requests at the same time says, and never as both together", async () => {
    const [first, second, third] = optional.map(({ name }) => name);
    await gateway.control("PUT", "/services", { services: { [third!]: false } });
    const blocker = await db.ownerDatabase.pool.connect();
    await blocker.query("begin");
    await blocker.query("select from gateway.switched_off_services for update");

    const switching = [first, second].map((name) =>
      gateway.control("PUT", "/services", { services: { [name!]: false } }),
    );
    await eventually(async () => expect(await blockedSessions()).toBe(2));
    await blocker.query("rollback");
    blocker.release();
    await Promise.all(switching);

    const { services } = (await (await gateway.control("GET", "/services")).json()) as { services: object };
    const switchedOff = Object.entries(services).flatMap(([name, isOn]) => (isOn ? [] : [name]));
    expect([[first], [second]]).toContainEqual(switchedOff);
  });

  test.each([
    ["an operation that is not optional", { services: { AirReservationStatus: false } }],
    ["no services", {}],
    ["a switch that is neither on nor off", { services: { AirSeatMap: "off" } }],
  ])("cannot be switched by %s", async (_, body) => {
    expect((await gateway.control("PUT", "/services", body)).status).toBe(422);
  });
});

describe("responses", () => {
  test.each([
    ["gzip", "gzip"],
    ["deflate", "deflate"],
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=0.9, br;q=0.5", "gzip"],
    ["gzip;q=0, deflate", "deflate"],
    ["*;q=0.1, br;q=0", "gzip"],
    ["identity", undefined],
    ["gzip;q=0.2, identity;q=0.5", undefined],
    ["zstd", undefined],
  ])("are compressed as asked: %s gives %s", async (accepted, coding) => {
    const { headers, bytes } = await rawStatus({ "Accept-Encoding": accepted });

    expect(headers["content-encoding"]).toBe(coding);
    expect(headers.vary).toContain("Accept-Encoding");
    expect(JSON.parse(expanded(bytes, coding).toString())).toMatchObject({
      OrderViewRS: { Document: { ReferenceVersion: "1.2" }, Order: [{ OrderID: orderId }] },
    });
  });

  test("are plain to a caller who says nothing", async () => {
    const { headers } = await rawStatus({});

    expect(headers["content-encoding"]).toBeUndefined();
  });

  test("that are short are plain", async () => {
    const { headers, bytes } = await raw("/AirOrderInvoluntaryAccept", "OrderInvoluntaryAcceptRQ", {
      "Accept-Encoding": "gzip",
    });

    expect(bytes.length).toBeLessThan(1_024);
    expect(headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toMatchObject({
      OrderInvoluntaryAcceptRS: { Document: { ReferenceVersion: "1.0" } },
    });
  });
});

/** As node:http sends it, because fetch adds a Content-Type. The orders and offers of the examples do not exist. */
function outcomeOf({ responseRoot }: Operation, { path, contentType, body }: WireRequest, handling: Handling) {
  return new Promise<{ status: number | undefined; error: unknown }>((resolve, reject) => {
    const headers = {
      Authorization: accessToken,
      "x-api-key": apiKey,
      Prefer: `handling=${handling}`,
      ...(contentType === null ? {} : { "Content-Type": contentType }),
    };
    const request = httpRequest(gateway.url + path, { method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        expect(response.headers["preference-applied"]).toBe(`handling=${handling}`);
        const json = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode, error: json[responseRoot].Errors.Error });
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function callByClient(operation: Operation): Promise<unknown> {
  const client = createGatewayClient({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
  });
  const method = `${operation.name[0]!.toLowerCase()}${operation.name.slice(1)}` as "airReservationStatus";
  try {
    return await client[method](exampleOf(operation).query as never);
  } finally {
    await client.close();
  }
}

function rawStatus(headers: Record<string, string>) {
  return raw("/AirReservationStatus", "OrderStatusRQ", headers);
}

/** A call whose response is not touched: fetch would inflate it and asks for codings of its own. */
function raw(path: string, root: string, headers: Record<string, string>) {
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const request = httpRequest(
      gateway.url + path,
      { method: "POST", headers: { Authorization: accessToken, "x-api-key": apiKey, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify({ [root]: { Query: { OrderID: orderId, GdsBookingReference: ["LHSKD1"] } } }));
  });
}

function expanded(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === "br") return brotliDecompressSync(bytes);
  if (coding === "gzip") return gunzipSync(bytes);
  return coding === "deflate" ? inflateSync(bytes) : bytes;
}

/** How many sessions of the service wait for a lock. */
async function blockedSessions(): Promise<number> {
  const { rows } = await db.database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]!.count;
}
