import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CallResult } from "../../src/client/call-operation.ts";
import type { GatewayClientOptions } from "../../src/client/client-options.ts";
import { createGatewayClient, type GatewayClient } from "../../src/client/gateway-client.ts";
import { GatewayError } from "../../src/contract/failed-call.ts";
import type { ReshopPassenger } from "../../src/contract/operations/air-order-reshop.ts";
import type { OfferQuery, PassengerOfferQuery } from "../../src/contract/operations/offer-request.ts";
import type { Operation, OperationName, OrderQuery } from "../../src/contract/operations/operation.ts";
import type { PassengerType, RequestedPassenger } from "../../src/contract/passenger-rules.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { everyOperation } from "../builders/every-operation.ts";
import { exampleOf } from "../builders/examples.ts";
import { accessToken, apiKey } from "../builders/gateway-credentials.ts";
import { orderRequest } from "../builders/gateway-order.ts";
import { anOfferRequest, refusedPassengerLists } from "../builders/offer-requests.ts";
import { type RunningGateway, startGateway } from "../builders/running-gateway.ts";
import { envelope, roundTrip, type ShownResponse, searchOver } from "../builders/shopping.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

const start = new Date("2026-11-21T12:00:00Z");
let now = start;
let db: TestDatabase;
let gateway: RunningGateway;
let client: GatewayClient;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { clock: { now: () => now } });
  client = createClient();
});
afterEach(async () => {
  now = start;
  await gateway.control("PUT", "/services", { services: {} });
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await db.drop();
});

const family: readonly PassengerType[] = ["ADT", "ADT", "CHD", "INF"];
const byName = everyOperation.map((operation) => [operation.name, operation] as const);
const withPassengers = ["AirOfferPrice", "AirOfferServiceList", "AirSeatMap", "AirOrderReshop"] as const;
const aboutOffers = [...withPassengers, "AirGetBrandedOffers", "AirOfferSplit"] as const;
const aboutOrders = [
  "AirReservationStatus",
  "AirDocRetreive",
  "AirPostBookingAncillary",
  "AirPostBookingSeatMap",
  "AirOrderCancel",
  "AirTicketVoid",
  "AirOrderInvoluntaryAccept",
  "AirOrderInvoluntaryCancel",
] as const;

test("there are fifteen operations", () => {
  expect(everyOperation).toHaveLength(15);
  expect(new Set([...aboutOffers, ...aboutOrders, "AirFareRules"])).toEqual(
    new Set(everyOperation.map(({ name }) => name)),
  );
});

describe.each(byName)("%s", (name, operation) => {
  test("is asked in version 1.0 and responds, strictly, in the version that it documents", async () => {
    const query = await usableQuery(name);
    const request = contentOf(operation.request(query, envelope), operation.requestRoot);

    const { wire, result } = await call(name, query);

    expect(request).toMatchObject({ Document: { ReferenceVersion: "1.0" } });
    expect(operation.responseSchema.safeParse(wire).error?.issues).toBeUndefined();
    expect(contentOf(wire, operation.responseRoot)).toMatchObject({
      Document: { ReferenceVersion: name.includes("Involuntary") ? "1.0" : "1.2" },
      Success: {},
    });
    expect(operation.interpret(wire)).toEqual({ ok: true, result });
  });

  test.each(["gzip", "deflate", "br"])("responds in %s to whoever asks for it, with nothing lost", async (coding) => {
    const body = operation.request(await usableQuery(name), envelope);

    const response = await postRaw(operation.path, body, coding);

    // A short response is not worth it.
    expect(response).toMatchObject({ status: 200, coding: response.text.length < 1_024 ? undefined : coding });
    expect(operation.responseSchema.safeParse(JSON.parse(response.text)).error?.issues).toBeUndefined();
  });

  test.each<[string, Partial<GatewayClientOptions>]>([
    ["token", { accessToken: new Secret("wrong") }],
    ["key", { apiKey: new Secret("wrong") }],
    ["key, because none is sent,", { apiKey: null }],
  ])("is not served with a wrong %s", async (_, credentials) => {
    const unauthenticated = createClient(credentials);
    try {
      await expect(call(name, exampleOf(operation).query, unauthenticated)).rejects.toMatchObject({
        code: "gateway.unauthorized",
        phase: "responded",
        httpStatus: 401,
      });
    } finally {
      await unauthenticated.close();
    }
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "{", "400"],
    ["another root", { SomethingElseRQ: {} }, "29"],
    ["nothing in it", { [operation.requestRoot]: {} }, codeOfEmptiness(name)],
  ])("refuses a body with %s", async (_, body, code) => {
    const response = await gateway.post(operation.path, body);

    expect(response.status).toBe(400);
    expect(contentOf(await response.json(), operation.responseRoot)).toMatchObject({
      Errors: { Error: { Code: code, Value: expect.any(String), ShortText: expect.any(String) } },
    });
  });
});

describe("an optional service", () => {
  const optional = byName.filter(([, operation]) => operation.optionalService);

  test.each(optional)("%s that is switched off is not offered", async (name) => {
    const query = await usableQuery(name);
    await gateway.control("PUT", "/services", { services: { [name]: false } });

    await expect(call(name, query)).rejects.toMatchObject({ code: "gateway.not_offered", httpStatus: 404 });
  });

  test("is none of the other ten: they are served whatever is switched off", async () => {
    const services = Object.fromEntries(optional.map(([name]) => [name, false]));
    await gateway.control("PUT", "/services", { services });

    for (const [name] of byName.filter(([, { optionalService }]) => !optionalService)) {
      expect((await call(name, await usableQuery(name))).wire).toBeDefined();
    }
  });
});

describe("an offer", () => {
  test.each(aboutOffers)("%s refuses a search or an offer that is unknown, expired or not its own", async (name) => {
    const query = (await usableQuery(name)) as OfferQuery;
    const other = (await searchOver(gateway)).offers[0]!.offerId;

    expect(await refusalOf(name, { ...query, shoppingResponseId: "1234567890123456789" })).toBe("24");
    expect(await refusalOf(name, { ...query, offerIds: [`${query.shoppingResponseId}999`] })).toBe("26");
    expect(await refusalOf(name, { ...query, offerIds: [other] })).toBe("27");
    now = new Date(start.getTime() + 30 * 60_000);
    expect(await refusalOf(name, query)).toBeNull();
    now = new Date(start.getTime() + 30 * 60_000 + 1_000);
    expect(await refusalOf(name, query)).toBe("25");
  });

  test("AirFareRules refuses them as well", async () => {
    const { offers } = (await usableQuery("AirFareRules")) as { offers: { offerId: string }[] };
    const [offer] = offers;
    const asked = (overrides: object) => refusalOf("AirFareRules", { offers: [{ ...offer, ...overrides }] });

    expect(await asked({ shoppingResponseId: "1234567890123456789" })).toBe("24");
    expect(await asked({ offerId: "1234567890123456789001" })).toBe("27");
    now = new Date(start.getTime() + 30 * 60_000 + 1_000);
    expect(await asked({})).toBe("25");
  });

  test("of a round trip has no branded fares", async () => {
    const { shoppingResponseId, offers } = await searchOver(gateway, { journeys: roundTrip });
    const together = offers.find(({ bookedSeparately }) => !bookedSeparately) ?? offers[0]!;

    const query = { shoppingResponseId, offerIds: [together.offerId] };

    expect(await refusalOf("AirGetBrandedOffers", query)).toBe("12");
  });
});

describe("the passengers of a request", () => {
  test.each(withPassengers)(
    "%s refuses them beyond each limit: the client unsent, the gateway with its code",
    async (name) => {
      const query = (await usableQuery(name)) as PassengerOfferQuery;
      const operation = everyOperation.find((candidate) => candidate.name === name)!;
      for (const [, passengers] of refusedPassengerLists) {
        const asked = { ...query, passengers: passengers.map((ptc, index) => passengerOf(name, ptc, index)) };
        await expect(call(name, asked)).rejects.toMatchObject({
          code: "gateway.invalid_query",
          phase: "before-sending",
        });
        const body = operation.request(asked, envelope);
        expect(await businessCodeOf(operation, body)).toBe("17");
      }
    },
  );

  test.each<[string, readonly PassengerType[]]>([
    ["one adult", ["ADT"]],
    ["as many infants as adults", ["ADT", "INF"]],
    ["nine", Array.from({ length: 9 }, () => "ADT" as const)],
  ])("may be %s", async (_, passengers) => {
    for (const name of withPassengers) {
      expect(await refusalOf(name, await usableQuery(name, passengers))).toBeNull();
    }
  });

  test.each(withPassengers)("%s refuses others than those of the search", async (name) => {
    const query = (await usableQuery(name)) as PassengerOfferQuery;

    expect(await refusalOf(name, { ...query, passengers: query.passengers.slice(0, 1) })).toBe("28");
  });

  test("AirOfferPrice refuses a type that there is none of", async () => {
    expect(
      await businessCodeOf(operationNamed("AirOfferPrice"), anOfferRequest("OfferPriceRQ", { passengers: ["SRC"] })),
    ).toBe("16");
  });
});

describe("an order", () => {
  test.each(aboutOrders)("that is not there is refused by %s with 404", async (name) => {
    const query = { ...(await usableQuery(name)), orderId: "NONE" };

    await expect(call(name, query)).rejects.toMatchObject({
      code: "gateway.refused",
      httpStatus: 404,
      gatewayText: "There is no order NONE.",
    });
  });

  test.each(aboutOrders)("with a reference of another order changes nothing through %s", async (name) => {
    const query = (await usableQuery(name)) as OrderQuery;
    const before = await gateway.store.readOrder(query.orderId);

    const outcome = await call(name, { ...query, gdsBookingReferences: ["XXX999"] }).then(
      ({ wire }) => JSON.stringify(wire),
      (error: unknown) => `${refusal(error).httpStatus}: ${refusal(error).gatewayText}`,
    );

    expect(outcome).toMatch(/^404: Order .* has no booking reference XXX999\.$|"Status":"FAILED"/);
    expect(outcome).not.toContain('"Status":"SUCCESS"');
    expect(await gateway.store.readOrder(query.orderId)).toEqual(before);
  });

  test.each([
    ["AirOrderInvoluntaryAccept", { accept: "N", cancel: "Y" }],
    ["AirOrderInvoluntaryCancel", { accept: "Y", cancel: "N" }],
    ["AirOrderInvoluntaryAccept", { accept: null }],
  ] as const)("whose flag does not say Y is FAILED by %s, with the reason (%j)", async (name, flags) => {
    const query = await changedOrder(flags);

    const { wire } = await call(name, query);

    const { Result } = contentOf(wire, `Order${name.slice("AirOrder".length)}RS`) as { Result: object[] };
    expect(Result).toMatchObject([{ Status: "FAILED", ErrorMsg: expect.stringContaining("LHSKD1") }]);
  });
});

test("a path that is no operation responds with 404 without a root", async () => {
  const response = await gateway.post("/AirOfferPrise", {});

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ Errors: { Error: { Code: "404" } } });
});

/** What an empty request lacks first: an order, a search, or an offer. */
function codeOfEmptiness(name: OperationName): string {
  if ((aboutOrders as readonly string[]).includes(name)) return "29";
  return name === "AirFareRules" ? "26" : "24";
}

function createClient(overrides: Partial<GatewayClientOptions> = {}): GatewayClient {
  return createGatewayClient({
    baseUrl: gateway.url,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: 20_000,
    ...overrides,
  });
}

type Calls = Readonly<Record<string, (query: object) => Promise<CallResult<unknown>>>>;

async function call(name: OperationName, query: unknown, caller = client): Promise<CallResult<unknown>> {
  const method = name.charAt(0).toLowerCase() + name.slice(1);
  return (caller as unknown as Calls)[method]!(query as object);
}

/** The gateway's code for a call that it refuses; null when it serves it. */
async function refusalOf(name: OperationName, query: object): Promise<string | null> {
  return call(name, query).then(
    () => null,
    (error: unknown) => refusal(error).gatewayCode,
  );
}

/** The error of a call that the gateway responded to. */
function refusal(error: unknown): GatewayError {
  if (error instanceof GatewayError && error.phase === "responded") return error;
  throw error;
}

async function businessCodeOf(operation: Operation, body: unknown): Promise<string> {
  const content = contentOf(await (await gateway.post(operation.path, body)).json(), operation.responseRoot);
  return (content as { Errors: { Error: { Code: string } } }).Errors.Error.Code;
}

function operationNamed(name: OperationName): Operation {
  return everyOperation.find((operation) => operation.name === name)!;
}

function contentOf(body: unknown, root: string): unknown {
  return (body as Readonly<Record<string, unknown>>)[root];
}

/** What the operation can be asked with: of a new search, or of a new order with a change pending. */
async function usableQuery(name: OperationName, passengers: readonly PassengerType[] = family): Promise<object> {
  if ((aboutOrders as readonly string[]).includes(name)) {
    const order = await changedOrder({});
    return name === "AirTicketVoid" ? { ...order, ticketNumbers: await ticketsOf(order.orderId) } : order;
  }
  // What is split is booked separately, so there must be two ways.
  const found = await searchOver(gateway, { passengers, ...(name === "AirOfferSplit" ? { journeys: roundTrip } : {}) });
  const { shoppingResponseId, offers } = found;
  const offerId = (name === "AirOfferSplit" ? offers.find((o) => o.bookedSeparately) : offers[0])!.offerId;
  if (name === "AirFareRules") return { offers: [{ shoppingResponseId, offerId }] };
  const query: OfferQuery = { shoppingResponseId, offerIds: [offerId] };
  if (name === "AirOrderReshop") return { ...query, passengers: await bookedPassengers(found) };
  const isForPassengers = (withPassengers as readonly string[]).includes(name);
  return isForPassengers ? { ...query, passengers: passengers.map(requestedPassenger) } : query;
}

function requestedPassenger(ptc: PassengerType, index: number): RequestedPassenger {
  return { passengerId: `T${index + 1}`, ptc };
}

function passengerOf(name: OperationName, ptc: string, index: number): RequestedPassenger {
  const passenger = { passengerId: `T${index + 1}`, ptc: ptc as PassengerType };
  if (name !== "AirOrderReshop") return passenger;
  const names = { firstName: "Ana", middleName: "", lastName: "Silva", documentNumber: "220-2100000001" };
  return { ...passenger, ...names };
}

/** Books the first offer, and gives its passengers with their tickets. */
async function bookedPassengers(found: ShownResponse): Promise<readonly ReshopPassenger[]> {
  const { shoppingResponseId, offers } = found;
  const response = await gateway.control("POST", "/orders", { shoppingResponseId, offerId: offers[0]!.offerId });
  const { orderView } = (await response.json()) as { orderView: { OrderViewRS: BookedView } };
  const { DataLists, TicketDocInfos } = orderView.OrderViewRS;
  return DataLists.PassengerList.Passengers.map((passenger) => ({
    passengerId: passenger.PassengerID,
    ptc: passenger.PTC,
    firstName: passenger.FirstName,
    middleName: "",
    lastName: passenger.LastName,
    documentNumber: TicketDocInfos.TicketDocInfo.find(
      ({ PassengerReference }) => PassengerReference === passenger.PassengerID,
    )!.TicketDocument.TicketDocNbr,
  }));
}

interface BookedView {
  readonly DataLists: {
    readonly PassengerList: {
      readonly Passengers: readonly {
        readonly PassengerID: string;
        readonly PTC: PassengerType;
        readonly FirstName: string;
        readonly LastName: string;
      }[];
    };
  };
  readonly TicketDocInfos: {
    readonly TicketDocInfo: readonly {
      readonly PassengerReference: string;
      readonly TicketDocument: { readonly TicketDocNbr: string };
    }[];
  };
}

async function changedOrder(flags: object): Promise<OrderQuery> {
  const request = orderRequest({ orderId: newId(systemClock) });
  const { orderId = "", gdsBookingReferences = [] } = request;
  expect((await gateway.control("POST", "/orders", request)).status).toBe(201);
  const change = { kind: "retime", departureMinutes: 20, flags };
  expect((await gateway.control("POST", `/orders/${orderId}/changes`, change)).status).toBe(201);
  return { orderId, gdsBookingReferences };
}

async function ticketsOf(orderId: string): Promise<readonly string[]> {
  const order = await gateway.store.readOrder(orderId);
  return order!.tickets.map(({ ticketNumber }) => ticketNumber);
}

/** A request as it is on the wire: `fetch` would ask for codings of its own, and undo them. */
async function postRaw(path: string, body: unknown, acceptEncoding: string) {
  const bytes: Buffer[] = [];
  const { status, coding } = await new Promise<{ status: number; coding: string | undefined }>((resolve, reject) => {
    const headers = { Authorization: accessToken, "x-api-key": apiKey, "Accept-Encoding": acceptEncoding };
    const outgoing = httpRequest(gateway.url + path, { method: "POST", headers }, (response) => {
      response.on("data", (chunk: Buffer) => bytes.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, coding: response.headers["content-encoding"] }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(body));
  });
  return { status, coding, text: decode(Buffer.concat(bytes), coding).toString() };
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === "gzip") return gunzipSync(bytes);
  if (coding === "deflate") return inflateSync(bytes);
  return coding === "br" ? brotliDecompressSync(bytes) : bytes;
}
