import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fareRuleTopics } from "../../../src/contract/elements/fare-rules.ts";
import { airFareRules } from "../../../src/contract/operations/air-fare-rules.ts";
import { airGetBrandedOffers } from "../../../src/contract/operations/air-get-branded-offers.ts";
import { airOfferPrice } from "../../../src/contract/operations/air-offer-price.ts";
import { airOfferSplit } from "../../../src/contract/operations/air-offer-split.ts";
import type { RequestedPassenger } from "../../../src/contract/passenger-rules.ts";
import { createSimulatedSupply } from "../../../src/gateway/supply/simulated/simulated-supply.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { envelope, multiCity, roundTrip, type ShownResponse, searchOver } from "../../builders/shopping.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const start = new Date("2026-11-21T12:00:00.400Z");
let now = start;
let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { clock: { now: () => now } });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});
beforeEach(() => {
  now = start;
});

const family: readonly RequestedPassenger[] = [
  { passengerId: "T1", ptc: "ADT" },
  { passengerId: "T2", ptc: "ADT" },
  { passengerId: "T3", ptc: "CHD" },
  { passengerId: "T4", ptc: "INF" },
];

describe("a search", () => {
  test("responds with 201 and 19 digits, where to find it, and the cheapest offers first", async () => {
    const response = await gateway.control("POST", "/shopping-responses", {
      journeys: [{ from: "LIS", to: "JFK", date: "2027-03-14" }],
      limit: 5,
    });

    const found = (await response.json()) as ShownResponse;
    expect(response.status).toBe(201);
    expect(found.shoppingResponseId).toMatch(/^\d{19}$/);
    expect(response.headers.get("Location")).toBe(`/control/shopping-responses/${found.shoppingResponseId}`);
    expect(found).toMatchObject({ tripKind: "one-way", passengers: [{ passengerId: "T1", ptc: "ADT" }] });
    expect(found.offers).toHaveLength(5);
    const totals = found.offers.map(({ total }) => Number(total));
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
  });

  test("can be read again", async () => {
    const found = await searchOver(gateway, { journeys: multiCity });

    const again = await gateway.control("GET", `/shopping-responses/${found.shoppingResponseId}`);

    expect(found.tripKind).toBe("multi-city");
    expect(await again.json()).toEqual(found);
  });

  test("that nobody made responds with 404", async () => {
    const response = await gateway.control("GET", "/shopping-responses/1234567890123456789");

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "gateway.shopping_response_not_found" });
  });

  const oneWay = { from: "LIS", to: "JFK", date: "2027-03-14" };
  const passengers = (...ptcs: string[]) => ptcs.map((ptc) => ({ ptc }));
  test.each([
    ["no journey", { journeys: [] }],
    ["seven journeys", { journeys: Array.from({ length: 7 }, () => oneWay) }],
    ["no adult", { passengers: passengers("CHD") }],
    ["more infants than adults", { passengers: passengers("ADT", "INF", "INF") }],
    ["ten passengers", { passengers: passengers(...Array.from({ length: 10 }, () => "ADT")) }],
    ["an airport that is not known", { journeys: [{ ...oneWay, to: "QQQ" }] }],
    ["a journey to where it starts", { journeys: [{ ...oneWay, to: "LIS" }] }],
    ["a date long past", { journeys: [{ ...oneWay, date: "2026-11-19" }] }],
    ["a date too far ahead", { journeys: [{ ...oneWay, date: "2027-11-18" }] }],
    ["journeys out of order", { journeys: [oneWay, { from: "JFK", to: "LIS", date: "2027-03-13" }] }],
    ["a currency that nobody sells in", { currency: "XTS" }],
    ["no offer at most", { limit: 0 }],
  ])("is refused with 422: %s", async (_, overrides) => {
    const response = await gateway.control("POST", "/shopping-responses", { journeys: [oneWay], ...overrides });

    expect(response.status).toBe(422);
  });

  test.each([
    ["as many infants as adults", { passengers: passengers("ADT", "INF") }],
    ["nine passengers", { passengers: passengers(...Array.from({ length: 9 }, () => "ADT")) }],
    ["yesterday, which is today elsewhere", { journeys: [{ ...oneWay, date: "2026-11-20" }] }],
    ["the last day", { journeys: [{ ...oneWay, date: "2027-11-17" }] }],
  ])("is made: %s", async (_, overrides) => {
    const response = await gateway.control("POST", "/shopping-responses", { journeys: [oneWay], ...overrides });

    expect(response.status).toBe(201);
  });
});

describe("AirOfferPrice", () => {
  test("prices an offer as it was found, for the passengers under the keys of the request", async () => {
    const found = await searchOver(gateway);
    const offer = found.offers[0]!;
    const passengers = family.map(({ ptc }, position) => ({ passengerId: `${ptc}-${position}`, ptc }));

    const { OfferPriceRS: body } = airOfferPrice.responseSchema.parse(
      await post("/AirOfferPrice", priceRequest(found, [offer.offerId], passengers)),
    );

    expect(body).toMatchObject({
      Document: { ReferenceVersion: "1.2" },
      ShoppingResponseId: found.shoppingResponseId,
      OfferResponseId: expect.stringMatching(/^\d{19}$/),
      PricedOffer: [
        {
          OfferID: offer.offerId,
          TotalPrice: { BookingCurrencyPrice: Number(offer.total), EquivCurrencyPrice: Number(offer.total) },
          TimeLimits: { OfferExpirationDateTime: "2026-11-21T12:30:00" },
          BrandedFareOptions: offer.brandedOfferIds,
        },
      ],
      DataLists: {
        PassengerList: {
          Passengers: passengers.map(({ passengerId, ptc }) => ({ PassengerID: passengerId, PTC: ptc })),
        },
      },
      MetaData: { TraceId: "trace-1" },
    });
    const services = body.PricedOffer[0]!.OfferItem.map((item) => item.Service?.[0]?.PassengerRefs);
    expect(services).toEqual(["ADT-0 ADT-1", "CHD-2", "INF-3"]);
  });

  test("is understood by the client's reader", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });

    const read = airOfferPrice.interpret(await post("/AirOfferPrice", priceRequest(found, [found.offers[0]!.offerId])));

    expect(read).toMatchObject({ ok: true, result: { pricedOffer: [{ offerId: found.offers[0]!.offerId }] } });
  });

  test("prices several offers at once and names each flight once", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });
    const offerIds = found.offers.slice(0, 4).map(({ offerId }) => offerId);

    const { OfferPriceRS: body } = airOfferPrice.responseSchema.parse(
      await post("/AirOfferPrice", priceRequest(found, offerIds)),
    );

    expect(body.PricedOffer.map(({ OfferID }) => OfferID)).toEqual(offerIds);
    const flights = body.DataLists!.FlightSegmentList.FlightSegment.map(
      ({ MarketingCarrier, Departure }) =>
        `${MarketingCarrier.AirlineID}${MarketingCarrier.FlightNumber} ${Departure.Date}`,
    );
    expect(new Set(flights).size).toBe(flights.length);
  });

  test("is written into the journal without an order", async () => {
    const found = await searchOver(gateway);
    await post("/AirOfferPrice", priceRequest(found, [found.offers[0]!.offerId]));

    const journal = await gateway.control("GET", "/journal?limit=1");

    expect(await journal.json()).toMatchObject({
      items: [{ operation: "AirOfferPrice", orderId: null, result: "SUCCESS" }],
    });
  });

  test.each([
    ["without an adult", ["CHD"], "17"],
    ["with more infants than adults", ["ADT", "INF", "INF"], "17"],
    ["with ten passengers", Array.from({ length: 10 }, () => "ADT"), "17"],
    ["with a passenger type that does not exist", ["ADT", "YTH"], "16"],
    ["without passengers", [], "17"],
    ["with fewer passengers than were searched for", ["ADT", "ADT", "CHD"], "28"],
    ["with other types than were searched for", ["ADT", "ADT", "ADT", "INF"], "28"],
  ])("is refused %s", async (_, ptcs, code) => {
    const found = await searchOver(gateway);

    const refusal = await refused("/AirOfferPrice", priceRequest(found, [found.offers[0]!.offerId], keyed(ptcs)));

    expect(refusal).toMatchObject({ status: 400, body: { OfferPriceRS: { Errors: { Error: { Code: code } } } } });
  });

  test("is served for nine passengers, and for as many infants as adults", async () => {
    const nine = Array.from({ length: 9 }, () => "ADT" as const);
    for (const passengers of [nine, ["ADT", "INF"] as const]) {
      const found = await searchOver(gateway, { passengers });

      const body = await post("/AirOfferPrice", priceRequest(found, [found.offers[0]!.offerId], keyed(passengers)));

      expect(airOfferPrice.responseSchema.safeParse(body).error).toBeUndefined();
    }
  });

  test("is refused once the last second of the offer has passed, and not before", async () => {
    const found = await searchOver(gateway);
    const request = priceRequest(found, [found.offers[0]!.offerId]);

    now = new Date("2026-11-21T12:30:00.999Z");
    expect(airOfferPrice.responseSchema.safeParse(await post("/AirOfferPrice", request)).error).toBeUndefined();

    now = new Date("2026-11-21T12:30:01Z");
    expect(await refused("/AirOfferPrice", request)).toMatchObject({
      status: 400,
      body: { OfferPriceRS: { Errors: { Error: { Code: "25", Value: expect.stringContaining("has expired") } } } },
    });
  });

  test("forgets a search a day after it has expired", async () => {
    const found = await searchOver(gateway);
    const request = priceRequest(found, [found.offers[0]!.offerId]);

    now = new Date("2026-11-22T12:30:00Z");
    await searchOver(gateway);
    expect(await refused("/AirOfferPrice", request)).toMatchObject({ body: codeIs("25") });

    now = new Date("2026-11-22T12:30:01Z");
    await searchOver(gateway);
    expect(await refused("/AirOfferPrice", request)).toMatchObject({ body: codeIs("24") });
  });

  test("is refused for identifiers that belong to nothing or not together", async () => {
    const [found, other] = [await searchOver(gateway), await searchOver(gateway)];
    const id = found.shoppingResponseId;
    const cases = [
      [{ ...found, shoppingResponseId: "1234567890123456789" }, found.offers[0]!.offerId, "24"],
      [{ ...found, shoppingResponseId: "12345" }, found.offers[0]!.offerId, "24"],
      [found, `${id}999`, "26"],
      [found, `${id}000`, "26"],
      [found, "42", "26"],
      [found, `${found.offers[0]!.offerId}19`, "26"],
      [found, other.offers[0]!.offerId, "27"],
    ] as const;
    for (const [search, offerId, code] of cases) {
      const refusal = await refused("/AirOfferPrice", priceRequest(search, [offerId]));

      expect([offerId, refusal]).toMatchObject([offerId, { status: 400, body: codeIs(code) }]);
    }
  });
});

describe("an offer that is sold out", () => {
  let soldOut: RunningGateway;
  beforeAll(async () => {
    const supply = { ...createSimulatedSupply("test"), price: async () => null };
    soldOut = await startGateway(db, { clock: { now: () => now }, supply });
  });
  afterAll(() => soldOut.close());

  test("is refused when it is priced", async () => {
    const found = await searchOver(gateway);

    const response = await soldOut.post("/AirOfferPrice", priceRequest(found, [found.offers[0]!.offerId]));

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      OfferPriceRS: { Errors: { Error: { Code: "26", Value: expect.stringContaining("sold out") } } },
    });
  });
});

describe("AirGetBrandedOffers", () => {
  test.each([
    ["a one-way offer", {}],
    ["a multi-city offer", { journeys: multiCity }],
  ])("lists %s and the same flights under dearer brands, each of which can be priced", async (_, search) => {
    const found = await searchOver(gateway, search);
    const basic = found.offers[0]!;

    const { GetBrandedOffersRS: body } = airGetBrandedOffers.responseSchema.parse(
      await post("/AirGetBrandedOffers", offerRequestOf(airGetBrandedOffers, found, [basic.offerId])),
    );

    const offers = body.OffersGroup.AirlineOffers.flatMap(({ Offer }) => Offer);
    expect(offers.map(({ OfferID }) => OfferID)).toEqual([basic.offerId, ...basic.brandedOfferIds]);
    const totals = offers.map(({ TotalPrice }) => Number(TotalPrice.BookingCurrencyPrice));
    expect(totals).toEqual([...new Set(totals)].sort((a, b) => a - b));
    expect(totals).toHaveLength(3);
    const last = priceRequest(found, [basic.brandedOfferIds.at(-1)!]);
    const { OfferPriceRS: priced } = airOfferPrice.responseSchema.parse(await post("/AirOfferPrice", last));
    expect(priced.PricedOffer[0]!.TotalPrice).toEqual(offers.at(-1)!.TotalPrice);
  });

  test("is refused for a round trip", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });

    const refusal = await refused(
      "/AirGetBrandedOffers",
      offerRequestOf(airGetBrandedOffers, found, [found.offers[0]!.offerId]),
    );

    expect(refusal).toMatchObject({ status: 400, body: codeIs("12") });
  });
});

describe("AirOfferSplit", () => {
  test("splits an offer of several bookings into one-way offers that add up to it and can be priced", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });
    const separate = found.offers.find(({ bookedSeparately }) => bookedSeparately)!;

    const { AirSplitOfferRS: body } = airOfferSplit.responseSchema.parse(
      await post("/AirOfferSplit", offerRequestOf(airOfferSplit, found, [separate.offerId])),
    );

    const parts = body.OffersGroup.AirlineOffers.flatMap(({ Offer }) => Offer);
    expect(parts).toHaveLength(2);
    const cents = parts.map(({ TotalPrice }) => Math.round(Number(TotalPrice.BookingCurrencyPrice) * 100));
    expect(cents.reduce((sum, part) => sum + part, 0)).toBe(Math.round(Number(separate.total) * 100));
    const request = priceRequest(found, [parts[1]!.OfferID]);
    const { OfferPriceRS: priced } = airOfferPrice.responseSchema.parse(await post("/AirOfferPrice", request));
    expect(priced.PricedOffer[0]!.TotalPrice).toEqual(parts[1]!.TotalPrice);
    expect(priced.DataLists!.OriginDestinationList.OriginDestination).toMatchObject([
      { DepartureCode: "FRA", ArrivalCode: "LIS" },
    ]);
  });

  test("is refused for an offer of one booking", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });
    const together = found.offers.find(({ bookedSeparately }) => !bookedSeparately)!;

    const refusal = await refused("/AirOfferSplit", offerRequestOf(airOfferSplit, found, [together.offerId]));

    expect(refusal).toMatchObject({ status: 400, body: codeIs("12") });
  });
});

describe("AirFareRules", () => {
  test("reads the rules of each fare, on every topic, and returns the contact as a list", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });
    const { shoppingResponseId } = found;
    const query = { offers: [{ shoppingResponseId, offerId: found.offers[0]!.offerId }] };

    const { AirFareRulesRS: body } = airFareRules.responseSchema.parse(
      await post("/AirFareRules", airFareRules.request(query, envelope)),
    );

    expect(body.Party.Sender.TravelAgencySender.Contacts.Contact).toEqual([{ EmailContact: "desk@example.com" }]);
    expect(body.Rules).toHaveLength(2);
    for (const { Rule } of body.Rules) {
      const data = Rule.find((rule) => rule.Category === "Data");
      expect(Object.keys(data?.Text ?? {})).toEqual([...fareRuleTopics]);
    }
  });

  test.each([
    ["an unknown search", "1234567890123456789", null, "24"],
    ["an unknown offer", null, "42", "26"],
  ])("is refused for %s", async (_, shoppingResponseId, offerId, code) => {
    const found = await searchOver(gateway);
    const offer = {
      shoppingResponseId: shoppingResponseId ?? found.shoppingResponseId,
      offerId: offerId ?? found.offers[0]!.offerId,
    };

    const refusal = await refused("/AirFareRules", airFareRules.request({ offers: [offer] }, envelope));

    expect(refusal).toMatchObject({ status: 400, body: codeIs(code) });
  });
});

function keyed(ptcs: readonly string[]): readonly RequestedPassenger[] {
  return ptcs.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc: ptc as RequestedPassenger["ptc"] }));
}

function priceRequest(
  { shoppingResponseId }: Pick<ShownResponse, "shoppingResponseId">,
  offerIds: readonly string[],
  passengers: readonly RequestedPassenger[] = family,
) {
  return airOfferPrice.request({ shoppingResponseId, offerIds, passengers, traceId: "trace-1" }, envelope);
}

function offerRequestOf(
  operation: typeof airGetBrandedOffers | typeof airOfferSplit,
  { shoppingResponseId }: ShownResponse,
  offerIds: readonly string[],
) {
  return operation.request({ shoppingResponseId, offerIds }, envelope);
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await gateway.post(path, body);
  const served: unknown = await response.json();
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${JSON.stringify(served)}`);
  return served;
}

async function refused(path: string, body: unknown) {
  const response = await gateway.post(path, body);
  return { status: response.status, body: await response.json() };
}

/** An error body under whatever root. */
function codeIs(code: string) {
  return {
    asymmetricMatch: (body: unknown) => JSON.stringify(body).includes(`"Errors":{"Error":{"Code":"${code}"`),
    toString: () => `an error with the code ${code}`,
  };
}
