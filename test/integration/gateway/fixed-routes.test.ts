import { afterAll, beforeAll, expect, test } from "vitest";
import { airOfferPrice } from "../../../src/contract/operations/air-offer-price.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import { type FixedOutcome, fixedRoutes } from "../../../src/gateway/supply/fixed-routes.ts";
import { createSimulatedSupply } from "../../../src/gateway/supply/simulated/simulated-supply.ts";
import { withFixedRoutes } from "../../../src/gateway/supply/with-fixed-routes.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { accessToken, apiKey } from "../../builders/gateway-credentials.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { envelope, type ShownResponse, searchOver } from "../../builders/shopping.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const now = new Date("2027-01-05T09:00:00Z");

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, {
    clock: { ...systemClock, now: () => now },
    supply: withFixedRoutes(createSimulatedSupply("test")),
  });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

const outcomes: Readonly<Record<FixedOutcome, (from: string, to: string) => Promise<void>>> = {
  async "no-flights"(from, to) {
    expect((await search(from, to)).offers).toEqual([]);
  },

  async expired(from, to) {
    const found = await search(from, to);

    expect(await errorOf(await price(found))).toEqual({ status: 400, code: "25" });
    expect((await book(found)).status).toBe(400);
  },

  async "price-changed"(from, to) {
    const found = await search(from, to);
    const { OfferPriceRS } = airOfferPrice.responseSchema.parse(await (await price(found)).json());

    const { base, tax } = found.offers[0]!;
    const priced = Number(OfferPriceRS.PricedOffer[0]!.TotalPrice.BookingCurrencyPrice);
    expect(priced).toBeCloseTo(Number(base) * 1.1 + Number(tax), 1);
    expect(await (await book(found)).text()).toContain(`"BookingCurrencyPrice":${priced}`);
  },

  async "sold-out"(from, to) {
    const found = await search(from, to);

    expect(await errorOf(await price(found))).toEqual({ status: 400, code: "26" });
    expect(await (await book(found)).text()).toContain("sold out");
  },

  async "no-response"(from, to) {
    const found = await search(from, to);

    await expect(price(found, AbortSignal.timeout(1_000))).rejects.toMatchObject({ name: "TimeoutError" });
  },

  async declined(from, to) {
    const found = await search(from, to);

    expect((await price(found)).status).toBe(200);
    const booked = await book(found);
    expect(booked.status).toBe(400);
    expect(await booked.text()).toContain("gateway.payment_declined");
    const holdable = found.offers.filter(({ holdable }) => holdable);
    expect((await book({ ...found, offers: holdable }, { held: true })).status).toBe(201);
  },

  async "accept-without-response"(from, to) {
    const orderId = await bookedOrder(from, to);
    expect(await (await accept(orderId, ["REFONE"])).text()).toContain('"Status":"FAILED"');
    await retime(orderId);

    await expect(accept(orderId, ["REFONE"], AbortSignal.timeout(1_000))).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(await (await accept(orderId, ["REFONE"])).text()).toContain('"Status":"FAILED"');
    expect(await gateway.store.readOrder(orderId)).toMatchObject({ change: null });
  },

  async partial(from, to) {
    const orderId = await bookedOrder(from, to, ["REFONE", "REFTWO"]);
    expect(await (await accept(orderId, ["REFONE", "REFTWO"])).text()).not.toContain("did not respond");
    await retime(orderId);

    const response = await accept(orderId, ["REFONE", "REFTWO"]);
    expect(await response.json()).toMatchObject({
      OrderInvoluntaryAcceptRS: { Result: [{ Status: "SUCCESS" }, { Status: "FAILED" }] },
    });
  },

  async "stale-status"(from, to) {
    const orderId = await bookedOrder(from, to);
    await retime(orderId);

    expect(await (await accept(orderId, ["REFONE"])).text()).toContain('"Status":"SUCCESS"');
    const request = airReservationStatus.request({ orderId, gdsBookingReferences: ["REFONE"] }, envelope);
    expect(await (await gateway.post("/AirReservationStatus", request)).json()).toMatchObject({
      OrderViewRS: { Order: [{ ScheduleChangeStatus: "Initiated" }] },
    });
  },
};

test.each(fixedRoutes.map(({ from, to, outcome }) => [from, to, outcome] as const))(
  "a trip from %s to %s always ends in %s",
  (from, to, outcome) => outcomes[outcome](from, to),
);

test("a return trip on such a route is like any other", async () => {
  const journeys = [
    { from: "OSL", to: "ARN", date: "2027-03-14" },
    { from: "ARN", to: "OSL", date: "2027-03-20" },
  ];
  const found = await searchOver(gateway, { journeys, passengers: ["ADT"] });

  expect((await price(found)).status).toBe(200);
});

function search(from: string, to: string): Promise<ShownResponse> {
  return searchOver(gateway, { journeys: [{ from, to, date: "2027-03-14" }], passengers: ["ADT"] });
}

function price({ shoppingResponseId, offers }: ShownResponse, signal?: AbortSignal): Promise<Response> {
  const passengers = [{ passengerId: "T1", ptc: "ADT" as const }];
  const query = { shoppingResponseId, offerIds: [offers[0]!.offerId], passengers };
  return post("/AirOfferPrice", airOfferPrice.request(query, envelope), signal);
}

function book({ shoppingResponseId, offers }: ShownResponse, more: object = {}): Promise<Response> {
  return gateway.control("POST", "/orders", { shoppingResponseId, offerId: offers[0]!.offerId, ...more });
}

async function errorOf(response: Response) {
  const body = (await response.json()) as { OfferPriceRS: { Errors: { Error: { Code: string } } } };
  return { status: response.status, code: body.OfferPriceRS.Errors.Error.Code };
}

/** With one flight, which all references share. */
async function bookedOrder(from: string, to: string, gdsBookingReferences = ["REFONE"]): Promise<string> {
  const orderId = newId(systemClock);
  const flights = [{ from, to, departure: "2027-03-14T07:10", arrival: "2027-03-14T08:20", carrier: "AY" }];
  const booked = await gateway.control("POST", "/orders", { orderId, gdsBookingReferences, flights });
  expect(booked.status).toBe(201);
  return orderId;
}

async function retime(orderId: string): Promise<void> {
  await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });
}

function accept(orderId: string, gdsBookingReferences: readonly string[], signal?: AbortSignal): Promise<Response> {
  const request = airOrderInvoluntaryAccept.request({ orderId, gdsBookingReferences }, envelope);
  return post("/AirOrderInvoluntaryAccept", request, signal);
}

function post(path: string, body: unknown, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: accessToken, "x-api-key": apiKey },
    body: JSON.stringify(body),
    signal,
  });
}
