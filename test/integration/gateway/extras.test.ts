import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { airDocRetreive } from "../../../src/contract/operations/air-doc-retreive.ts";
import { airOfferServiceList } from "../../../src/contract/operations/air-offer-service-list.ts";
import { airPostBookingAncillary } from "../../../src/contract/operations/air-post-booking-ancillary.ts";
import { airPostBookingSeatMap } from "../../../src/contract/operations/air-post-booking-seat-map.ts";
import { airSeatMap } from "../../../src/contract/operations/air-seat-map.ts";
import type { PassengerOfferQuery } from "../../../src/contract/operations/offer-request.ts";
import type { Operation, OrderQuery } from "../../../src/contract/operations/operation.ts";
import type { RequestedPassenger } from "../../../src/contract/passenger-rules.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { envelope, roundTrip, type ShownResponse, searchOver } from "../../builders/shopping.ts";
import { momentIn, upcoming } from "../../builders/upcoming.ts";
import { danglingReferences } from "../../harness/dangling-references.ts";
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

const family: readonly RequestedPassenger[] = [
  { passengerId: "T1", ptc: "ADT" },
  { passengerId: "T2", ptc: "ADT" },
  { passengerId: "T3", ptc: "CHD" },
  { passengerId: "T4", ptc: "INF" },
];
const beforeBooking = [airOfferServiceList, airSeatMap].map((operation) => [operation.name, operation] as const);
const afterBooking = [airPostBookingAncillary, airPostBookingSeatMap, airDocRetreive].map(
  (operation) => [operation.name, operation] as const,
);

describe.each(beforeBooking)("%s", (_, operation) => {
  test("responds strictly, with nothing that refers to nowhere, for each kind of trip", async () => {
    for (const journeys of [roundTrip.slice(0, 1), roundTrip]) {
      const found = await searchOver(gateway, { journeys });
      const body = await responseOf(operation, queryFor(found));

      expect(operation.responseSchema.safeParse(body).error?.issues).toBeUndefined();
      const content = body[operation.responseRoot] as Parameters<typeof danglingReferences>[1];
      expect(danglingReferences(operation.responseRoot, content)).toEqual([]);
      expect(content).toMatchObject({
        ShoppingResponseId: found.shoppingResponseId,
        ALaCarteOffer: { TimeLimits: { OfferExpiration: "2026-11-21T12:30:00" } },
      });
    }
  });

  test("responds the same twice, and for several offers at once", async () => {
    const found = await searchOver(gateway);
    const both = { ...queryFor(found), offerIds: found.offers.slice(0, 2).map(({ offerId }) => offerId) };

    expect(await responseOf(operation, both)).toEqual(await responseOf(operation, both));
  });

  test("refuses what is unknown, expired or for others, each with its code", async () => {
    const found = await searchOver(gateway);
    const query = queryFor(found);
    const offerOf = (position: string) => [`${found.shoppingResponseId}${position}`];

    expect(await codeOf(operation, { ...query, shoppingResponseId: "1234567890123456789" })).toBe("24");
    expect(await codeOf(operation, { ...query, offerIds: offerOf("999") })).toBe("26");
    expect(await codeOf(operation, { ...query, offerIds: ["1234567890123456789001"] })).toBe("27");
    expect(await codeOf(operation, { ...query, passengers: family.slice(0, 3) })).toBe("28");
    expect(await codeOf(operation, { ...query, passengers: family.slice(2) })).toBe("17");
    now = new Date("2026-11-21T12:30:00Z");
    expect(await codeOf(operation, query)).toBeNull();
    now = new Date("2026-11-21T12:30:01Z");
    expect(await codeOf(operation, query)).toBe("25");
  });

  test("is not known while it is switched off", async () => {
    const found = await searchOver(gateway);
    await gateway.control("PUT", "/services", { services: { [operation.name]: false } });
    const off = await call(operation, queryFor(found));
    await gateway.control("PUT", "/services", { services: { [operation.name]: true } });
    const on = await call(operation, queryFor(found));

    expect([off.status, on.status]).toEqual([404, 200]);
  });
});

describe.each(afterBooking)("%s", (_, operation) => {
  test("responds strictly and changes nothing, for orders that are booked from an offer, generated or unpaid", async () => {
    const fromOffer = await bookOffer();
    const synthetic = await createOrder({ gdsBookingReferences: ["AAA111", "BBB222"] });
    const held = await createOrder({ ticketed: false });

    for (const order of [fromOffer, synthetic, held]) {
      const { orderId, gdsBookingReferences } = order;
      const before = await gateway.store.readOrder(orderId);
      const body = await responseOf(operation, { orderId, gdsBookingReferences });

      expect(operation.responseSchema.safeParse(body).error?.issues).toBeUndefined();
      expect(await gateway.store.readOrder(orderId)).toEqual(before);
      expect(await gateway.store.readJournal({ orderId, limit: 10 })).toMatchObject([
        { operation: operation.name, result: "SUCCESS", orderVersion: 1, gdsBookingReferences },
      ]);
    }
  });

  test("refuses an order and a reference that do not belong together", async () => {
    const { orderId, gdsBookingReferences } = await createOrder();
    const other = await createOrder({ gdsBookingReferences: ["OTHER1"] });

    expect(await codeOf(operation, { orderId: "NONE", gdsBookingReferences })).toBe("404");
    expect(await codeOf(operation, { orderId, gdsBookingReferences: other.gdsBookingReferences })).toBe("404");
  });
});

describe("the services and seats of a booking", () => {
  test.each([
    ["AirPostBookingAncillary", airPostBookingAncillary],
    ["AirPostBookingSeatMap", airPostBookingSeatMap],
  ] as const)("of %s end with the departure of each flight", async (_, operation) => {
    const { orderId, gdsBookingReferences } = await createOrder();
    const flights = async (): Promise<number> => {
      const body = (await responseOf(operation, { orderId, gdsBookingReferences })) as unknown as Record<
        string,
        { readonly DataLists: { readonly FlightSegmentList: { readonly FlightSegment: readonly unknown[] } } }
      >;
      return body[operation.responseRoot]!.DataLists.FlightSegmentList.FlightSegment.length;
    };

    const departure = momentIn("Europe/Lisbon", upcoming("2027-03-14T07:10"));
    expect(await flights()).toBe(2);
    now = new Date(departure.getTime() - 1);
    expect(await flights()).toBe(2);
    now = departure;
    expect(await flights()).toBe(1);
    now = new Date(upcoming("2027-04-01T00:00:00Z"));
    expect(await codeOf(operation, { orderId, gdsBookingReferences })).toBe("31");
  });

  test("are shown strictly for the order views of other gateways that were taken over", async () => {
    for (const name of ["minor-delay", "misconnection", "replaced-by-two", "flight-number-only"] as const) {
      const { orderId, gdsBookingReferences } = await created(
        await gateway.control("POST", "/orders", { orderView: sampleNotification(name) }),
      );
      for (const operation of [airPostBookingAncillary, airPostBookingSeatMap]) {
        const body = await responseOf(operation, { orderId, gdsBookingReferences });

        expect(operation.responseSchema.safeParse(body).error?.issues).toBeUndefined();
        const content = body[operation.responseRoot] as Parameters<typeof danglingReferences>[1];
        expect(danglingReferences(operation.responseRoot, content)).toEqual([]);
      }
    }
  });

  test("are those of the flights that an accepted change put in the place of the booked ones", async () => {
    const { orderId, gdsBookingReferences } = await createOrder();
    await gateway.control("POST", `/orders/${orderId}/changes`, {
      kind: "cancel",
      flightIndex: 0,
      flags: { accept: "Y" },
    });
    await gateway.post("/AirOrderInvoluntaryAccept", {
      OrderInvoluntaryAcceptRQ: { Query: { OrderID: orderId, GdsBookingReference: gdsBookingReferences } },
    });
    const body = await responseOf(airPostBookingSeatMap, { orderId, gdsBookingReferences });

    expect(airPostBookingSeatMap.responseSchema.safeParse(body).error?.issues).toBeUndefined();
    expect(body).toMatchObject({
      AirSeatMapRS: { DataLists: { FlightSegmentList: { FlightSegment: [{ SegmentRef: "Segment2" }] } } },
    });
  });

  test("are not offered for a reference that is cancelled", async () => {
    const { orderId, gdsBookingReferences } = await createOrder();
    await gateway.post("/AirOrderCancel", {
      OrderCancelRQ: { Query: { OrderID: orderId, GdsBookingReference: gdsBookingReferences } },
    });

    expect(await codeOf(airPostBookingSeatMap, { orderId, gdsBookingReferences })).toBe("31");
    expect(await codeOf(airPostBookingAncillary, { orderId, gdsBookingReferences })).toBe("31");
    expect(await codeOf(airDocRetreive, { orderId, gdsBookingReferences })).toBeNull();
  });

  test("show the seats of the booking as taken", async () => {
    const found = await searchOver(gateway, { passengers: ["ADT"] });
    const [seat] = freeSeats(await responseOf(airSeatMap, { ...queryFor(found), passengers: family.slice(0, 1) }));
    const seats = [{ passenger: 0, flight: 0, seatNumber: seat!.number }];
    const order = await bookOffer({ found, seats });
    const { orderId, gdsBookingReferences } = order;
    const after = freeSeats(await responseOf(airPostBookingSeatMap, { orderId, gdsBookingReferences }));

    expect(order.orderView.OrderViewRS.Order[0]).toMatchObject({ PaxSeatInfo: [{ SeatNumber: seat!.number }] });
    expect(after.length).toBeGreaterThan(0);
    expect(after).not.toContainEqual(expect.objectContaining({ segment: seat!.segment, number: seat!.number }));
  });
});

describe("AirDocRetreive", () => {
  test("lists one document for each passenger and reference, and none while the order is held", async () => {
    const order = await createOrder({ passengers: [{}, {}], gdsBookingReferences: ["AAA111", "BBB222"] });
    const held = await createOrder({ ticketed: false });

    expect(await documentsOf(order)).toEqual(["AAA111", "AAA111", "BBB222", "BBB222"]);
    expect(await documentsOf(held)).toEqual([]);
  });

  async function documentsOf({ orderId, gdsBookingReferences }: OrderQuery): Promise<readonly string[]> {
    const read = airDocRetreive.interpret(await responseOf(airDocRetreive, { orderId, gdsBookingReferences }));
    if (!read.ok) throw new Error(read.problem.message);
    return read.result.documents.map((document) => document.gdsBookingReference ?? "");
  }
});

interface ShownOrder extends OrderQuery {
  readonly orderView: { readonly OrderViewRS: { readonly Order: readonly object[] } };
}

async function createOrder(overrides: Parameters<typeof orderRequest>[0] = {}): Promise<ShownOrder> {
  const { orderId: _, ...request } = orderRequest(overrides);
  return created(await gateway.control("POST", "/orders", request));
}

async function bookOffer(booking: { found?: ShownResponse; seats?: readonly object[] } = {}): Promise<ShownOrder> {
  const { found = await searchOver(gateway), ...request } = booking;
  const { shoppingResponseId, offers } = found;
  return created(
    await gateway.control("POST", "/orders", { shoppingResponseId, offerId: offers[0]!.offerId, ...request }),
  );
}

async function created(response: Response): Promise<ShownOrder> {
  const body: unknown = await response.json();
  if (response.status !== 201) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  return body as ShownOrder;
}

function queryFor(found: ShownResponse): PassengerOfferQuery {
  const { shoppingResponseId, offers } = found;
  return { shoppingResponseId, offerIds: [offers[0]!.offerId], passengers: family };
}

function call<Query>(operation: Pick<Operation<Query>, "path" | "request">, query: Query): Promise<Response> {
  return gateway.post(operation.path, operation.request(query, envelope));
}

async function responseOf<Query>(
  operation: Pick<Operation<Query>, "path" | "request">,
  query: Query,
): Promise<Record<string, object>> {
  const response = await call(operation, query);
  const body = (await response.json()) as Record<string, object>;
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

/** `Code` of the error; null when there is none. */
async function codeOf<Query>(
  operation: Pick<Operation<Query>, "path" | "request" | "responseRoot">,
  query: Query,
): Promise<string | null> {
  const body = (await (await call(operation, query)).json()) as Record<
    string,
    { readonly Errors?: { readonly Error: { readonly Code: string } } }
  >;
  return body[operation.responseRoot]?.Errors?.Error.Code ?? null;
}

function freeSeats(body: Record<string, object>) {
  const { SeatMap } = body["AirSeatMapRS"] as {
    readonly SeatMap: readonly {
      readonly SegmentRef: string;
      readonly Rows: readonly {
        readonly Number: string | number;
        readonly Seat: readonly { readonly Column: string; readonly Available: boolean }[];
      }[];
    }[];
  };
  return SeatMap.flatMap(({ SegmentRef, Rows }) =>
    Rows.flatMap(({ Number: row, Seat }) =>
      Seat.flatMap(({ Column, Available }) => (Available ? [{ segment: SegmentRef, number: `${row}${Column}` }] : [])),
    ),
  );
}
