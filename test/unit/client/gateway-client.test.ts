import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { CallResult } from "../../../src/client/call-operation.ts";
import type { GatewayClientOptions } from "../../../src/client/client-options.ts";
import { createGatewayClient, type GatewayClient } from "../../../src/client/gateway-client.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import type { OperationName } from "../../../src/contract/operations/operation.ts";
import { operations } from "../../../src/contract/operations/registry.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { exampleOf } from "../../builders/examples.ts";
import { anOrderView } from "../../builders/order-view.ts";
import { anAcceptResponse } from "../../builders/order-view-operations.ts";
import { type Respond, respondJson, type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

const query = { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] };
const quickRetries = { attemptsMax: 3, baseMs: 1, capMs: 1 };

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe("a client is not made with an option that cannot work, and the error names it", () => {
  test.each([
    ["baseUrl", { baseUrl: "" }, "must be an http or https URL, such as https://gateway.example/air"],
    [
      "voidBaseUrl",
      { voidBaseUrl: "void.example" },
      "must be an http or https URL, such as https://gateway.example/air",
    ],
    [
      "accessToken",
      { accessToken: "0123abcd" as unknown as Secret },
      "must be a Secret, or a function that returns one: new Secret(token)",
    ],
    ["apiKey", { apiKey: "0123abcd" as unknown as Secret }, "must be a Secret or null: new Secret(key)"],
    [
      "apiKey",
      { apiKey: new Secret("0123abcd\n") },
      "has characters that no HTTP header can carry, such as a line end",
    ],
    ["timeoutMs", { timeoutMs: 0 }, "must be a number above 0"],
    ["operationTimeoutsMs.AirSeatMap", { operationTimeoutsMs: { AirSeatMap: Number.NaN } }, "must be a number above 0"],
    ["concurrency.callsMax", { concurrency: { callsMax: 0, waitingMax: 1, waitMs: 1 } }, "must be a number above 0"],
    [
      "envelope.contactEmails",
      { envelope: { contactEmails: "desk@travel.example" as unknown as string[] } },
      "must be a list of e-mail addresses",
    ],
  ] satisfies [string, Partial<GatewayClientOptions>, string][])("%s", (option, options, rule) => {
    const make = () => createGatewayClient({ baseUrl: "http://127.0.0.1:1", accessToken: new Secret("x"), ...options });

    expect(make).toThrow(
      expect.objectContaining({ code: "client.invalid_option", message: `The option ${option} ${rule}.` }),
    );
  });
});

test("a client has one method for each operation", () => {
  const client = clientOf("http://127.0.0.1:1");

  const methods = Object.keys(operations).map((name) => name.replace(/^A/, "a"));
  expect(Object.keys(client).sort()).toEqual([...methods, "close"].sort());
});

describe("a call", () => {
  test("gives the response, what it was read from, when, and its trace id", async () => {
    const view = anOrderView();
    const server = await serve((response) => respondJson(response, view));

    const result = await clientOf(server.url).airReservationStatus(query);

    expect(airReservationStatus.interpret(view)).toEqual({ ok: true, result: result.result });
    expect(result.wire).toEqual(view);
    expect(JSON.parse(result.body.toString())).toEqual(view);
    expect(Math.abs(Date.now() - result.readAt.getTime())).toBeLessThan(60_000);
    expect(result.traceId).toMatch(/^\d{12}$/);
  });

  test("says who calls: what the options leave out has a default", async () => {
    const server = await serve((response) => respondJson(response, anOrderView()));
    const client = clientOf(server.url, { envelope: { agencyName: "Example Travel", contactEmails: ["a@b.example"] } });

    await client.airReservationStatus(query);

    expect(server.arrived[0]?.body).toMatchObject({
      OrderStatusRQ: {
        Document: { Name: "Skedchange", ReferenceVersion: "1.0" },
        Party: {
          Sender: {
            TravelAgencySender: {
              Name: "Example Travel",
              IATA_Number: "",
              Contacts: { Contact: [{ EmailContact: "a@b.example" }] },
            },
          },
        },
      },
    });
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("reads a response in %s, and says that it can", async (encoding, compress) => {
    const server = await serve((response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(compress(JSON.stringify(anOrderView()))),
    );

    const { wire } = await clientOf(server.url).airReservationStatus(query);

    expect(wire).toEqual(anOrderView());
    expect(server.arrived[0]?.headers["accept-encoding"]).toContain(encoding);
  });

  test("keeps the digits of a number that is too long for a double", async () => {
    const text = JSON.stringify(anOrderView()).replace(
      '"OrderViewRS":{',
      '"OrderViewRS":{"TktRequestId":1234567890123456789012345,',
    );
    const server = await serve((response) => response.writeHead(200).end(text));

    const { wire } = await clientOf(server.url).airReservationStatus(query);

    expect(wire).toHaveProperty("OrderViewRS.TktRequestId", "1234567890123456789012345");
  });

  test("is not sent when the query makes no valid request, and the error does not repeat the query", async () => {
    const server = await serve((response) => respondJson(response, anOrderView()));

    const failed = clientOf(server.url).airReservationStatus({ orderId: "QX7R2M1A", gdsBookingReferences: [] });

    await expect(failed).rejects.toMatchObject({
      code: "gateway.invalid_query",
      phase: "before-sending",
      retryable: false,
      message:
        "AirReservationStatus was not sent: the query makes no valid request at /OrderStatusRQ/Query/GdsBookingReference (too_small).",
    });
    expect(server.arrived).toHaveLength(0);
  });

  test.each([
    ["ten passengers", Array.from({ length: 10 }, () => "ADT" as const), "request.too_many_passengers"],
    ["a child alone", ["CHD"] as const, "request.no_adult"],
    ["more infants than adults", ["ADT", "INF", "INF"] as const, "request.more_infants_than_adults"],
  ])("that breaks a limit of the contract is not sent: %s", async (_, types, rule) => {
    const server = await serve((response) => respondJson(response, exampleOf(operations.AirOfferPrice).response));
    const passengers = types.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc }));

    await expect(
      clientOf(server.url).airOfferPrice({ shoppingResponseId: "1", offerIds: ["2"], passengers }),
    ).rejects.toMatchObject({
      code: "gateway.invalid_query",
      phase: "before-sending",
      message: `AirOfferPrice was not sent: the query makes no valid request at /OfferPriceRQ/DataLists/PassengerList/Passenger (${rule}).`,
    });
    expect(server.arrived).toHaveLength(0);
  });

  test.each([
    ["nothing", undefined, "/gdsBookingReferences"],
    ["null", null, "/gdsBookingReferences"],
    ["a text", "QX7R2M1A", "/gdsBookingReferences"],
    ["an order without references", { orderId: "QX7R2M1A" }, "/gdsBookingReferences"],
    ["a reference without a list", { ...query, gdsBookingReferences: "LHSKD1" }, "/gdsBookingReferences"],
    ["a number as reference", { ...query, gdsBookingReferences: [4711] }, "/OrderStatusRQ/Query/GdsBookingReference/0"],
    ["references without an order", { gdsBookingReferences: ["LHSKD1"] }, "/OrderStatusRQ/Query/OrderID"],
  ])(
    "of a caller without types whose query is %s is not sent, and the error names the place",
    async (_, given, path) => {
      const server = await serve((response) => respondJson(response, anOrderView()));
      const untyped = clientOf(server.url) as unknown as { airReservationStatus(query: unknown): Promise<never> };

      await expect(untyped.airReservationStatus(given)).rejects.toMatchObject({
        code: "gateway.invalid_query",
        phase: "before-sending",
        message: `AirReservationStatus was not sent: the query makes no valid request at ${path} (invalid_type).`,
      });
      expect(server.arrived).toHaveLength(0);
    },
  );

  test("with a passenger that is no object is not sent, and the error names the place", async () => {
    const untyped = clientOf("http://127.0.0.1:1") as unknown as { airOfferPrice(query: object): Promise<never> };

    await expect(
      untyped.airOfferPrice({ shoppingResponseId: "1", offerIds: ["2"], passengers: [null] }),
    ).rejects.toMatchObject({
      code: "gateway.invalid_query",
      message: "AirOfferPrice was not sent: the query makes no valid request at /passengers/0 (invalid_type).",
    });
  });

  test("of an operation that the settings exclude is not sent", async () => {
    const server = await serve((response) => respondJson(response, anOrderView()));
    const client = clientOf(server.url, { notOffered: ["AirReservationStatus"] });

    await expect(client.airReservationStatus(query)).rejects.toMatchObject({
      code: "gateway.not_offered",
      phase: "before-sending",
      retryable: false,
    });
    expect(server.arrived).toHaveLength(0);
  });

  test("of AirTicketVoid goes to the void host, and every other one to the base", async () => {
    const base = await serve((response) => respondJson(response, anOrderView()));
    const voids = await serve((response) => respondJson(response, exampleOf(operations.AirTicketVoid).response));
    const client = clientOf(base.url, { voidBaseUrl: `${voids.url}/v1/` });

    await client.airTicketVoid(exampleOf(operations.AirTicketVoid).query);
    await client.airReservationStatus(query);

    expect(voids.arrived.map(({ operation }) => operation)).toEqual(["v1/AirTicketVoid"]);
    expect(base.arrived.map(({ operation }) => operation)).toEqual(["AirReservationStatus"]);
  });

  test("of AirTicketVoid goes to the base when there is no other host", async () => {
    const base = await serve((response) => respondJson(response, exampleOf(operations.AirTicketVoid).response));

    await clientOf(base.url).airTicketVoid(exampleOf(operations.AirTicketVoid).query);

    expect(base.arrived.map(({ operation }) => operation)).toEqual(["AirTicketVoid"]);
  });
});

describe.each(Object.values(operations).map((operation) => [operation.name, operation] as const))(
  "%s",
  (name, operation) => {
    test("sends what it documents and reads what it documents", async () => {
      const examples = exampleOf(operation);
      const server = await serve((response) => respondJson(response, examples.response));

      const { result, wire } = await callByName(clientOf(server.url), name, examples.query as object);

      expect(server.arrived.map((request) => request.operation)).toEqual([name]);
      expect(operation.requestSchema.safeParse(server.arrived[0]?.body).error).toBeUndefined();
      expect(operation.readRequest(server.arrived[0]?.body)).toMatchObject({ ok: true, query: examples.query });
      expect(wire).toEqual(examples.response);
      expect(operation.interpret(examples.response)).toEqual({ ok: true, result });
    });

    test("is not offered by a gateway that has no such path, when it is an optional service", async () => {
      const server = await serve((response) => response.writeHead(404).end());

      await expect(callByName(clientOf(server.url), name, exampleOf(operation).query as object)).rejects.toMatchObject({
        code: operation.optionalService ? "gateway.not_offered" : "gateway.http_status",
        phase: "responded",
      });
    });
  },
);

describe("a trace id", () => {
  const { query: priceQuery, response: prices } = exampleOf(operations.AirOfferPrice);

  test("of the call is sent, returned and logged", async () => {
    const lines: object[] = [];
    const server = await serve((response) => respondJson(response, prices));
    const log = (fields: object): void => void lines.push(fields);
    const client = clientOf(server.url, { logger: { debug: log, info: log, warn: log, error: log } });

    const { traceId } = await client.airOfferPrice(priceQuery, { traceId: "424242424242" });

    expect(traceId).toBe("424242424242");
    expect(server.arrived[0]?.body).toHaveProperty("OfferPriceRQ.MetaData.TraceId", "424242424242");
    expect(lines).toMatchObject([{ traceId: "424242424242" }]);
  });

  test("of the query is sent when the call states none", async () => {
    const server = await serve((response) => respondJson(response, prices));

    await clientOf(server.url).airOfferPrice({ ...priceQuery, traceId: "171717171717" });

    expect(server.arrived[0]?.body).toHaveProperty("OfferPriceRQ.MetaData.TraceId", "171717171717");
  });

  test("is generated for each call that has none", async () => {
    const { traceId: _, ...untraced } = priceQuery;
    const server = await serve((response) => respondJson(response, prices));
    const client = clientOf(server.url);

    const [first, second] = [await client.airOfferPrice(untraced), await client.airOfferPrice(untraced)];

    expect(first.traceId).not.toBe(second.traceId);
    expect(server.arrived[0]?.body).toHaveProperty("OfferPriceRQ.MetaData.TraceId", first.traceId);
    expect(server.arrived[1]?.body).toHaveProperty("OfferPriceRQ.MetaData.TraceId", second.traceId);
  });
});

describe("a call that fails", () => {
  const failures: readonly [string, Respond, string, string][] = [
    ["HTTP 400", (response) => response.writeHead(400).end(), "gateway.http_status", "responded"],
    ["HTTP 401", (response) => response.writeHead(401).end(), "gateway.unauthorized", "responded"],
    ["HTTP 404", (response) => response.writeHead(404).end(), "gateway.http_status", "responded"],
    ["HTTP 408", (response) => response.writeHead(408).end(), "gateway.http_status", "unknown"],
    ["HTTP 429", (response) => response.writeHead(429).end(), "gateway.http_status", "responded"],
    ["HTTP 500", (response) => response.writeHead(500).end(), "gateway.http_status", "unknown"],
    ["HTTP 503", (response) => response.writeHead(503).end(), "gateway.http_status", "unknown"],
    ["no JSON", (response) => response.writeHead(200).end("<html>"), "gateway.malformed_answer", "unknown"],
    ["a lost connection", (response) => response.socket?.resetAndDestroy(), "gateway.connection_lost", "unknown"],
    ["no response", () => {}, "gateway.timeout", "unknown"],
  ];

  test.each(failures)("reports how far it came, and an effect is sent once: %s", async (_, respond, code, phase) => {
    const server = await serve(respond);
    const timeoutMs = code === "gateway.timeout" ? 1_000 : 10_000;
    const client = clientOf(server.url, { retries: quickRetries, timeoutMs });

    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({ code, phase });

    expect(server.arrived).toHaveLength(1);
  });

  test("is made again when it only reads, until it gets a response", async () => {
    const server = await serve((response, _, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.socket?.resetAndDestroy();
      else respondJson(response, anOrderView());
    });

    const events: string[] = [];
    const log = (_fields: object, message: string): void => void events.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };

    const { wire } = await clientOf(server.url, { retries: quickRetries, logger }).airReservationStatus(query);

    expect(wire).toEqual(anOrderView());
    expect(server.arrived).toHaveLength(3);
    expect(events).toEqual(["gateway.call_repeated", "gateway.call_repeated", "gateway.called"]);
  });

  test("is made no more often than is allowed", async () => {
    const server = await serve((response) => response.writeHead(503).end());

    await expect(clientOf(server.url, { retries: quickRetries }).airReservationStatus(query)).rejects.toMatchObject({
      code: "gateway.http_status",
      httpStatus: 503,
    });
    await expect(clientOf(server.url, { retries: null }).airReservationStatus(query)).rejects.toMatchObject({
      code: "gateway.http_status",
    });

    expect(server.arrived).toHaveLength(3 + 1);
  });

  test("is not made again when the gateway asks for more time than the call has", async () => {
    const server = await serve((response) => response.writeHead(503, { "retry-after": "60" }).end());

    await expect(
      clientOf(server.url, { retries: quickRetries, timeoutMs: 5_000 }).airReservationStatus(query),
    ).rejects.toMatchObject({ code: "gateway.http_status", retryAfterMs: 60_000 });

    expect(server.arrived).toHaveLength(1);
  });

  test("waits as long as the gateway asks", async () => {
    const server = await serve((response, _, count) =>
      count === 1 ? response.writeHead(429, { "retry-after": "1" }).end() : respondJson(response, anOrderView()),
    );
    const startedAt = performance.now();

    await clientOf(server.url, { retries: quickRetries }).airReservationStatus(query);

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(999);
  });

  test("ends at once when its caller gives up between two attempts", async () => {
    const server = await serve((response) => response.writeHead(503, { "retry-after": "60" }).end());
    const caller = new AbortController();
    const client = clientOf(server.url, { retries: quickRetries, timeoutMs: 90_000 });
    const error = client.airReservationStatus(query, { signal: caller.signal }).catch((reason: unknown) => reason);

    await server.untilArrived(1);
    caller.abort();

    expect(await error).toMatchObject({ code: "gateway.aborted", phase: "unknown" });
    expect(server.arrived).toHaveLength(1);
  });

  test("has the time of its own, then that of its operation, then that of the client", async () => {
    const server = await serve(() => {});
    const client = clientOf(server.url, { timeoutMs: 60_000, operationTimeoutsMs: { AirReservationStatus: 1_200 } });

    await Promise.all([
      expect(client.airReservationStatus(query)).rejects.toThrow("no response within 1200 ms"),
      expect(client.airReservationStatus(query, { timeoutMs: 800 })).rejects.toThrow("no response within 800 ms"),
      expect(client.airOrderInvoluntaryAccept(query, { timeoutMs: 600 })).rejects.toThrow("within 600 ms"),
    ]);
  });
});

describe("an abort signal", () => {
  test("that is aborted already keeps the call from being sent", async () => {
    const server = await serve((response) => respondJson(response, anAcceptResponse()));

    await expect(
      clientOf(server.url).airOrderInvoluntaryAccept(query, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "gateway.aborted", phase: "before-sending" });
    expect(server.arrived).toHaveLength(0);
  });

  test("after the request has arrived leaves the outcome unknown", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());

    await expect(
      clientOf(server.url).airOrderInvoluntaryAccept(query, { signal: caller.signal }),
    ).rejects.toMatchObject({ code: "gateway.aborted", phase: "unknown" });
    expect(server.arrived).toHaveLength(1);
  });
});

describe("a token source", () => {
  test("is asked once, and again when the gateway refuses its token", async () => {
    const source = aTokenSource();
    const server = await serve((response, request) =>
      request.headers.authorization === "token-1"
        ? response.writeHead(401).end()
        : respondJson(response, anAcceptResponse()),
    );
    const client = clientOf(server.url, { accessToken: source.next });

    await client.airOrderInvoluntaryAccept(query);
    await client.airOrderInvoluntaryAccept(query);

    expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual(["token-1", "token-2", "token-2"]);
    expect(source.asked()).toBe(2);
  });

  test("is asked once for all calls that are refused at the same time", async () => {
    const source = aTokenSource();
    const server = await serve((response, request) =>
      request.headers.authorization === "token-1"
        ? response.writeHead(401).end()
        : respondJson(response, anOrderView()),
    );
    const client = clientOf(server.url, { accessToken: source.next });

    await Promise.all(Array.from({ length: 8 }, () => client.airReservationStatus(query)));

    expect(source.asked()).toBe(2);
  });

  test("whose next token is refused as well leaves it at that", async () => {
    const source = aTokenSource();
    const server = await serve((response) => response.writeHead(401).end());

    await expect(
      clientOf(server.url, { accessToken: source.next, retries: quickRetries }).airReservationStatus(query),
    ).rejects.toMatchObject({ code: "gateway.unauthorized", phase: "responded" });
    expect(server.arrived).toHaveLength(2);
  });

  test("that fails keeps the call from being sent", async () => {
    const server = await serve((response) => respondJson(response, anAcceptResponse()));
    const client = clientOf(server.url, { accessToken: () => Promise.reject(new Error("down")) });

    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({
      code: "gateway.no_token",
      phase: "before-sending",
      retryable: true,
      message: "AirOrderInvoluntaryAccept was not sent: the token source gave no access token.",
    });
    expect(server.arrived).toHaveLength(0);
  });

  test.each(["0123\nabcd", "0123\0abcd", "0123€"])(
    "that gives what no header can carry keeps it too: %j",
    async (token) => {
      const server = await serve((response) => respondJson(response, anAcceptResponse()));
      const client = clientOf(server.url, { accessToken: () => Promise.resolve(new Secret(token)) });

      const failed = client.airOrderInvoluntaryAccept(query);

      await expect(failed).rejects.toMatchObject({
        code: "gateway.no_token",
        phase: "before-sending",
        message:
          "AirOrderInvoluntaryAccept was not sent: the access token has characters that no HTTP header can carry.",
      });
      expect(server.arrived).toHaveLength(0);
    },
  );

  test("that takes longer than the call has keeps it from being sent", async () => {
    const server = await serve((response) => respondJson(response, anAcceptResponse()));
    const client = clientOf(server.url, { accessToken: () => new Promise(() => {}), timeoutMs: 50 });

    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({
      code: "gateway.timeout",
      phase: "before-sending",
      message: "AirOrderInvoluntaryAccept was not sent: the token source gave no access token within 50 ms.",
    });
    expect(server.arrived).toHaveLength(0);
  });
});

test("a token source that hangs once does not hold up the calls to come", async () => {
  const server = await serve((response) => respondJson(response, anAcceptResponse()));
  const tokens = [new Promise<Secret>(() => {}), Promise.resolve(new Secret("0123abcd"))];
  const client = clientOf(server.url, { accessToken: () => tokens.shift()! });

  await expect(client.airOrderInvoluntaryAccept(query, { timeoutMs: 50 })).rejects.toMatchObject({
    code: "gateway.timeout",
  });

  expect((await client.airOrderInvoluntaryAccept(query)).result).toMatchObject([{ status: "SUCCESS" }]);
});

describe("a gateway that fails", () => {
  const circuit = { failuresMax: 3, openMs: 60_000 };

  test("is left alone after some failures, and an effect fails with the information that nothing was sent", async () => {
    const server = await serve((response) => response.writeHead(500).end());
    const client = clientOf(server.url, { circuit, retries: null });
    for (let call = 0; call < 3; call += 1) await client.airReservationStatus(query).catch(() => {});

    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({
      code: "gateway.circuit_open",
      phase: "before-sending",
      retryable: true,
    });
    expect(server.arrived).toHaveLength(3);
  });

  test("is asked again after a while, by one call first", async () => {
    const server = await serve((response, _, count) =>
      count <= 3 ? response.writeHead(500).end() : respondJson(response, anOrderView()),
    );
    const client = clientOf(server.url, { circuit: { failuresMax: 3, openMs: 1 }, retries: null });
    for (let call = 0; call < 3; call += 1) await client.airReservationStatus(query).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));

    const [first, second] = await Promise.allSettled([
      client.airReservationStatus(query),
      client.airReservationStatus(query),
    ]);

    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { code: "gateway.circuit_open" } });
    await client.airReservationStatus(query);
    expect(server.arrived).toHaveLength(5);
  });

  test("does not stop the calls to its other host", async () => {
    const base = await serve((response) => response.writeHead(500).end());
    const voids = await serve((response) => respondJson(response, exampleOf(operations.AirTicketVoid).response));
    const client = clientOf(base.url, { voidBaseUrl: voids.url, circuit, retries: null });
    for (let call = 0; call < 4; call += 1) await client.airReservationStatus(query).catch(() => {});

    await client.airTicketVoid(exampleOf(operations.AirTicketVoid).query);

    expect(base.arrived).toHaveLength(3);
    expect(voids.arrived).toHaveLength(1);
  });

  test("is never left alone when the circuit is switched off", async () => {
    const server = await serve((response) => response.writeHead(500).end());
    const client = clientOf(server.url, { circuit: null, retries: null });

    for (let call = 0; call < 8; call += 1) await client.airReservationStatus(query).catch(() => {});

    expect(server.arrived).toHaveLength(8);
  });
});

describe("calls at the same time", () => {
  test("are no more than are allowed; the others wait for their turn", async () => {
    const responses: (() => void)[] = [];
    const server = await serve((response) => responses.push(() => respondJson(response, anOrderView())));
    const client = clientOf(server.url, { concurrency: { callsMax: 2, waitingMax: 10, waitMs: 5_000 } });

    const done = Promise.all(Array.from({ length: 5 }, () => client.airReservationStatus(query)));
    for (const arrived of [2, 3, 4, 5]) {
      await server.untilArrived(arrived);
      expect(server.arrived).toHaveLength(arrived);
      responses.shift()?.();
    }
    for (const respond of responses) respond();

    expect(await done).toHaveLength(5);
  });

  test("that find no place fail with the information that nothing was sent", async () => {
    const server = await serve(() => {});
    const client = clientOf(server.url, { concurrency: { callsMax: 1, waitingMax: 0, waitMs: 5_000 } });
    const hanging = client.airReservationStatus(query).catch(() => {});
    await server.untilArrived(1);

    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({
      code: "gateway.busy",
      phase: "before-sending",
    });
    await client.close();
    await hanging;
    expect(server.arrived).toHaveLength(1);
  });
});

describe("closing a client", () => {
  test("ends what waits and what runs, and refuses what comes later", async () => {
    const server = await serve(() => {});
    const client = clientOf(server.url, { concurrency: { callsMax: 1, waitingMax: 1, waitMs: 5_000 } });
    const calls = [client.airOrderInvoluntaryAccept(query), client.airOrderInvoluntaryAccept(query)];
    const ended = Promise.allSettled(calls);
    await server.untilArrived(1);

    await client.close();

    expect(await ended).toMatchObject([
      { reason: { code: "gateway.client_closed", phase: "unknown" } },
      { reason: { code: "gateway.client_closed", phase: "before-sending" } },
    ]);
    await expect(client.airOrderInvoluntaryAccept(query)).rejects.toMatchObject({
      code: "gateway.client_closed",
      phase: "before-sending",
    });
  });
});

test("calls are counted by operation and outcome", async () => {
  const metrics = createMetrics();
  const server = await serve((response, _, count) =>
    count === 1 ? respondJson(response, anOrderView()) : response.writeHead(500).end(),
  );
  const client = clientOf(server.url, { metrics, retries: null });
  await client.airReservationStatus(query);
  await client.airReservationStatus(query).catch(() => {});

  const { values } = await metrics.gatewaySeconds.get();
  const counts = values.filter(({ metricName }) => metricName === "skedchange_gateway_seconds_count");
  expect(counts.map(({ labels, value }) => [labels["operation"], labels["outcome"], value])).toEqual([
    ["AirReservationStatus", "ok", 1],
    ["AirReservationStatus", "gateway.http_status", 1],
  ]);
});

async function serve(respond: Respond): Promise<ScriptedServer> {
  const server = await startScriptedServer(respond);
  cleanUps.push(() => server.close());
  return server;
}

function clientOf(baseUrl: string, overrides: Partial<GatewayClientOptions> = {}): GatewayClient {
  const client = createGatewayClient({
    baseUrl,
    accessToken: new Secret("0123abcd"),
    timeoutMs: 10_000,
    ...overrides,
  });
  cleanUps.push(() => client.close());
  return client;
}

type Calls = Readonly<Record<string, (query: object) => Promise<CallResult<unknown>>>>;

/** The types of the methods are of no use to a test that goes through all of them. */
async function callByName(client: GatewayClient, name: OperationName, asked: object): Promise<CallResult<unknown>> {
  const call = (client as unknown as Calls)[name.replace(/^A/, "a")];
  if (call === undefined) throw new Error(`The client has no method for ${name}.`);
  return await call(asked);
}

/** Gives `token-1`, `token-2` and so on. */
function aTokenSource() {
  let asked = 0;
  const next = async (): Promise<Secret> => {
    asked += 1;
    return new Secret(`token-${asked}`);
  };
  return { next, asked: () => asked };
}
