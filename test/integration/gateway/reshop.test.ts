import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  airOrderReshop,
  type ReshopPassenger,
  type ReshopQuery,
} from "../../../src/contract/operations/air-order-reshop.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import type { OrderQuery } from "../../../src/contract/operations/operation.ts";
import type { PassengerType } from "../../../src/contract/passenger-rules.ts";
import { toMinorUnits } from "../../../src/travel/money.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { envelope, roundTrip, type ShownResponse, searchOver } from "../../builders/shopping.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

const start = new Date("2026-11-21T12:00:00Z");
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

describe("the booking of an offer over HTTP", () => {
  test("responds with 201 and an order that its status then shows, strictly", async () => {
    const found = await searchOver(gateway, { journeys: roundTrip });
    const order = await bookFrom(found, { gdsBookingReferences: undefined });
    const { orderId, gdsBookingReferences } = order;
    const status = await gateway.post(
      "/AirReservationStatus",
      airReservationStatus.request({ orderId, gdsBookingReferences }, envelope),
    );

    const body: unknown = await status.json();
    expect(airReservationStatus.responseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({ OrderViewRS: { ShoppingResponseId: found.shoppingResponseId } });
  });

  test.each<[string, object, number, object]>([
    ["an unknown search", { shoppingResponseId: "1234567890123456789" }, 400, { businessCode: "24" }],
    ["an offer of another search", { offerId: "1234567890123456789001" }, 400, { businessCode: "27" }],
    ["other passengers", { passengers: [{ ptc: "ADT" }] }, 400, { businessCode: "28" }],
    [
      "too many references",
      { gdsBookingReferences: ["A1", "B2", "C3"] },
      422,
      { code: "gateway.wrong_reference_count" },
    ],
    ["held and ticketed", { held: true, ticketed: true }, 422, { code: "gateway.invalid_request" }],
    [
      "a seat that is none",
      { seats: [{ passenger: 0, flight: 0, seatNumber: "999Z" }] },
      409,
      { code: "gateway.seat_not_available" },
    ],
  ])("refuses %s", async (_, overrides, status, problem) => {
    const { shoppingResponseId, offers } = await searchOver(gateway);
    const request = { shoppingResponseId, offerId: offers[0]!.offerId, ...overrides };
    const response = await gateway.control("POST", "/orders", request);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(problem);
  });

  test("refuses an order id that is taken", async () => {
    const found = await searchOver(gateway);
    const { orderId } = await bookFrom(found);
    const request = { shoppingResponseId: found.shoppingResponseId, offerId: found.offers[0]!.offerId, orderId };

    expect((await gateway.control("POST", "/orders", request)).status).toBe(409);
  });
});

describe("AirOrderReshop", () => {
  test("responds strictly, with differentials that add up, a price of each type, and both signs of what is due", async () => {
    const { order, cheap, dear } = await twoOffers(["ADT", "ADT", "CHD", "INF"]);
    const dearer = await reshopOf({ ...cheap.query, offerIds: [dear], passengers: travellers(order) });
    expect(dearer.due).toBeGreaterThan(0);

    const fromDear = await bookFrom(cheap.found, {}, dear);
    const cheaper = await reshopOf({ ...cheap.query, passengers: travellers(fromDear) });
    expect(cheaper.due).toBe(cheaper.next - cheaper.original + (cheaper.penalty ?? 0));
    expect(cheaper.next).toBeLessThan(cheaper.original);
    expect(cheaper.due).toBeLessThan(0);
  });

  test("charges the fee that the order was sold with, for everybody but infants", async () => {
    const { order, cheap, dear } = await twoOffers(["ADT", "CHD", "INF"]);
    const result = await reshopOf({ ...cheap.query, offerIds: [dear], passengers: travellers(order) });
    const fee = changeFeeOf(order);

    expect(result.penalty).toBe(fee === null ? null : 2 * fee);
  });

  test("states no penalty for an order whose fee is NA", async () => {
    const found = await searchOver(gateway, { passengers: ["ADT"] });
    const made = await gateway.control("POST", "/orders", { currency: "EUR" });
    const order = (await made.json()) as ShownOrder;
    const result = await reshopOf({ ...queryFor(found), passengers: travellers(order) });

    expect(changeFeeOf(order)).toBeNull();
    expect(result.penalty).toBeNull();
    expect(result.due).toBe(result.next - result.original);
  });

  test("counts what was paid under all booking references", async () => {
    const found = await searchOver(gateway, { passengers: ["ADT"], journeys: roundTrip });
    const separate = found.offers.find(({ bookedSeparately }) => bookedSeparately)!;
    const order = await bookFrom(found, {}, separate.offerId);
    const result = await reshopOf({ ...queryFor(found), passengers: travellers(order) });

    expect(order.gdsBookingReferences).toHaveLength(2);
    expect(result.original).toBe(toMinorUnits(separate.total, 2));
  });

  test("changes nothing and is written into the journal of the order", async () => {
    const { order, cheap } = await twoOffers(["ADT"]);
    const before = await gateway.store.readOrder(order.orderId);
    await reshopOf({ ...cheap.query, passengers: travellers(order) });

    expect(await gateway.store.readOrder(order.orderId)).toEqual(before);
    expect(await gateway.store.readJournal({ orderId: order.orderId, limit: 5 })).toMatchObject([
      { operation: "AirOrderReshop", result: "SUCCESS", orderVersion: 1 },
    ]);
  });

  test("refuses passengers that are not those of the search or not those of the order, each with its code", async () => {
    const { order, cheap } = await twoOffers(["ADT", "CHD"]);
    const { order: outsider } = await twoOffers(["ADT", "CHD"]);
    const [adult, child] = travellers(order) as [ReshopPassenger, ReshopPassenger];
    const [otherAdult] = travellers(outsider) as [ReshopPassenger];
    const codeWith = (...passengers: readonly ReshopPassenger[]) => codeOf({ ...cheap.query, passengers });

    expect(await codeWith(adult, child)).toBeNull();
    expect(await codeWith({ ...adult, documentNumber: hyphenated(adult.documentNumber) }, child)).toBeNull();
    expect(await codeWith({ ...adult, firstName: adult.firstName.toUpperCase() }, child)).toBeNull();
    expect(await codeWith(adult)).toBe("28");
    expect(await codeWith({ ...adult, documentNumber: "2200000000000" }, child)).toBe("34");
    expect(await codeWith(otherAdult, child)).toBe("35");
    expect(await codeWith({ ...adult, documentNumber: child.documentNumber }, child)).toBe("35");
    expect(await codeWith({ ...adult, ptc: "CHD" }, { ...child, ptc: "ADT" })).toBe("35");
    expect(await codeWith({ ...adult, lastName: "Somebody" }, child)).toBe("39");
  });

  test("refuses a part of the party", async () => {
    const found = await searchOver(gateway, { passengers: ["ADT"] });
    const { order } = await twoOffers(["ADT", "ADT"]);

    expect(await codeOf({ ...queryFor(found), passengers: travellers(order).slice(0, 1) })).toBe("35");
  });

  test("refuses tickets of a cancelled booking, offers that have expired, and another currency", async () => {
    const { order, cheap } = await twoOffers(["ADT"]);
    const query = { ...cheap.query, passengers: travellers(order) };
    const inDollars = await searchOver(gateway, { passengers: ["ADT"], currency: "USD" });

    expect(await codeOf({ ...queryFor(inDollars), passengers: query.passengers })).toBe("15");
    await gateway.post("/AirOrderCancel", {
      OrderCancelRQ: { Query: { OrderID: order.orderId, GdsBookingReference: order.gdsBookingReferences } },
    });
    expect(await codeOf(query)).toBe("31");
    now = new Date("2026-11-21T12:30:01Z");
    expect(await codeOf(query)).toBe("25");
  });

  test("refuses a search for exchanges", async () => {
    const response = await gateway.post("/AirOrderReshop", { OrderReshopRQ: { Query: { OrderID: "A" } } });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ OrderReshopRS: { Errors: { Error: { Code: "29" } } } });
  });
});

interface ShownOrder extends OrderQuery {
  readonly orderView: {
    readonly OrderViewRS: {
      readonly Order: readonly { readonly Penalty: { readonly ChangeFee: { readonly Before: Money } } }[];
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
          readonly TicketDocument: { readonly TicketDocNbr: string };
          readonly PassengerReference: string;
        }[];
      };
    };
  };
}

interface Money {
  readonly BookingCurrencyPrice: number | string;
}

/** An order of the cheapest offer of a search, and the same flights under the dearest brand, whose changes are free. */
async function twoOffers(passengers: readonly PassengerType[]) {
  const found = await searchOver(gateway, { passengers });
  const dear = found.offers[0]!.brandedOfferIds.at(-1)!;
  return { order: await bookFrom(found), cheap: { found, query: queryFor(found) }, dear };
}

async function bookFrom(found: ShownResponse, overrides: object = {}, offerId?: string): Promise<ShownOrder> {
  const { shoppingResponseId, offers } = found;
  const request = { shoppingResponseId, offerId: offerId ?? offers[0]!.offerId, ...overrides };
  const response = await gateway.control("POST", "/orders", request);
  const body: unknown = await response.json();
  if (response.status !== 201) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  return body as ShownOrder;
}

function queryFor({ shoppingResponseId, offers }: ShownResponse): Omit<ReshopQuery, "passengers"> {
  return { shoppingResponseId, offerIds: [offers[0]!.offerId] };
}

function travellers({ orderView: { OrderViewRS } }: ShownOrder): readonly ReshopPassenger[] {
  return OrderViewRS.DataLists.PassengerList.Passengers.map((passenger) => ({
    passengerId: passenger.PassengerID,
    ptc: passenger.PTC,
    firstName: passenger.FirstName,
    middleName: "",
    lastName: passenger.LastName,
    documentNumber: OrderViewRS.TicketDocInfos.TicketDocInfo.find(
      (ticket) => ticket.PassengerReference === passenger.PassengerID,
    )!.TicketDocument.TicketDocNbr,
  }));
}

function hyphenated(ticketNumber: string): string {
  return `${ticketNumber.slice(0, 3)}-${ticketNumber.slice(3)}`;
}

/** In cents; null for NA. */
function changeFeeOf(order: ShownOrder): number | null {
  const fee = order.orderView.OrderViewRS.Order[0]!.Penalty.ChangeFee.Before.BookingCurrencyPrice;
  return fee === "NA" ? null : toMinorUnits(fee, 2);
}

async function reshop(query: ReshopQuery): Promise<Response> {
  return gateway.post("/AirOrderReshop", airOrderReshop.request(query, envelope));
}

async function codeOf(query: ReshopQuery): Promise<string | null> {
  const body = (await (await reshop(query)).json()) as {
    readonly OrderReshopRS: { readonly Errors?: { readonly Error: { readonly Code: string } } };
  };
  return body.OrderReshopRS.Errors?.Error.Code ?? null;
}

/** The differential of the one offer in cents, after its items were seen to add up to it. */
async function reshopOf(query: ReshopQuery) {
  const response = await reshop(query);
  const body: unknown = await response.json();
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  const { OrderReshopRS } = airOrderReshop.responseSchema.parse(body) as unknown as ReshopBody;
  const [[offer]] = OrderReshopRS.ReshopOffers as [[ReshopOfferBody]];
  const whole = centsOf(offer.ReshopDifferential);
  const items = offer.AddOfferItem.map((item) => centsOf(item.ReshopDifferential));
  for (const part of ["original", "next", "due"] as const) {
    expect(items.reduce((sum, item) => sum + item[part], 0)).toBe(whole[part]);
  }
  expect(items.reduce((sum, item) => sum + (item.penalty ?? 0), 0)).toBe(whole.penalty ?? 0);
  expect(whole.next).toBe(cents(offer.TotalPrice));
  expect(whole.due).toBe(whole.next - whole.original + (whole.penalty ?? 0));
  return whole;
}

interface Triple {
  readonly TotalPrice: Money;
  readonly BasePrice: Money;
  readonly TaxPrice: Money;
}
interface Differential {
  readonly OriginalOrder: Triple;
  readonly NewOffer: Triple;
  readonly PenaltyAmount?: { readonly TotalPrice: Money };
  readonly ReshopDue: { readonly TotalPrice: Money };
}
interface ReshopOfferBody {
  readonly TotalPrice: Money;
  readonly ReshopDifferential: Differential;
  readonly AddOfferItem: readonly { readonly ReshopDifferential: Differential }[];
}
interface ReshopBody {
  readonly OrderReshopRS: { readonly ReshopOffers: readonly (readonly ReshopOfferBody[])[] };
}

function centsOf({ OriginalOrder, NewOffer, PenaltyAmount, ReshopDue }: Differential) {
  for (const { TotalPrice, BasePrice, TaxPrice } of [OriginalOrder, NewOffer]) {
    expect(cents(BasePrice) + cents(TaxPrice)).toBe(cents(TotalPrice));
  }
  return {
    original: cents(OriginalOrder.TotalPrice),
    next: cents(NewOffer.TotalPrice),
    penalty: PenaltyAmount === undefined ? null : cents(PenaltyAmount.TotalPrice),
    due: cents(ReshopDue.TotalPrice),
  };
}

function cents({ BookingCurrencyPrice }: Money): number {
  return toMinorUnits(BookingCurrencyPrice, 2)!;
}
