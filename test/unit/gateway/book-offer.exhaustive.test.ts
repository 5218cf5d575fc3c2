import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import type { PassengerType } from "../../../src/contract/passenger-rules.ts";
import { bookOffer } from "../../../src/gateway/book-offer.ts";
import { type OfferOrderRequest, offerOrderRequestSchema } from "../../../src/gateway/offer-order-request.ts";
import { segmentKeysOf, ticketsOf } from "../../../src/gateway/order-content.ts";
import { statusBody } from "../../../src/gateway/order-view-body.ts";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import type { Offer } from "../../../src/gateway/supply/offer.ts";
import type { ShoppingRequest } from "../../../src/gateway/supply/supply.ts";
import { minorDigitsOf, toMinorUnits } from "../../../src/travel/money.ts";
import { journeys, shoppedOffers, shoppingResponseId } from "../../builders/shopped-offers.ts";
import { sampleSize } from "../../harness/sample-size.ts";

const arbitrarySearch = fc.record({
  seed: fc.string({ maxLength: 6 }),
  journeys: fc.constantFrom(...Object.values(journeys)),
  passengers: fc.constantFrom<PassengerType[]>(["ADT"], ["ADT", "ADT", "CHD", "INF"], ["CHD", "ADT"]),
  cabin: fc.constantFrom("Y" as const, "C" as const),
  currency: fc.constantFrom("EUR", "JPY"),
  choice: fc.nat(),
  held: fc.boolean(),
});

describe("a booked offer", () => {
  test("satisfies the strict order view and adds up, whatever the world, the trip and the party", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySearch, async ({ seed, choice, held, ...search }) => {
        const shopped = await shoppedOffers(search, seed);
        const offers = shopped.response.offers.filter(({ holdable }) => holdable || !held);
        fc.pre(offers.length > 0);
        const offer = offers[choice % offers.length]!;
        const order = await book(shopped, offer, { held });

        expect(orderViewResponseSchema.safeParse(statusBody(order, undefined)).error?.issues).toBeUndefined();
        expect(paidBy(order)).toBe(held ? null : totalOf(order));
        const parts = offer.bookedSeparately ? offer.journeys.length : 1;
        expect(order.references).toHaveLength(parts);
        expect(order.tickets).toHaveLength(held ? 0 : parts * search.passengers.length);
        expect(JSON.stringify(order.content.Payments ?? {})).not.toMatch(/"[\d -]{13,19}"/);
      }),
      { numRuns: sampleSize({ quick: 8, proof: 40 }) },
    );
  });

  test("that is ticketed is CONFIRMED and paid, with tickets of thirteen digits that begin with the airline's code", async () => {
    const { order, offer } = await bookedFirst({ owner: "LH" }, {});

    expect(offer.owner).toBe("LH");
    expect(order.references).toMatchObject([{ pnrStatus: "CONFIRMED", scheduleChangeStatus: "" }]);
    expect(order.content.Order).toMatchObject([{ TicketStatus: "TICKETED", PaymentStatus: "PAID", NeedToTicket: "N" }]);
    for (const { ticketNumber } of order.tickets) expect(ticketNumber).toMatch(/^220\d{10}$/);
  });

  test("that is held is PENDING and unpaid, with a day to pay it and no ticket", async () => {
    const { order } = await bookedFirst({}, { held: true });

    expect(order.references).toMatchObject([{ pnrStatus: "PENDING" }]);
    expect(order.content.Order).toMatchObject([
      {
        TicketStatus: "NOT TICKETED",
        NeedToTicket: "Y",
        TimeLimits: { PaymentExpirationDateTime: "2027-01-06 09:00:00" },
      },
    ]);
    expect(order.content.Payments).toBeUndefined();
    expect(order.content.TicketDocInfos).toBeUndefined();
  });

  test("is one booking for each journey when it is booked separately, each with its flights, price and tickets", async () => {
    const { order, offer } = await bookedFirst(
      { journeys: journeys.roundTrip },
      { gdsBookingReferences: ["AAA111", "BBB222"] },
      ({ bookedSeparately }) => bookedSeparately,
    );

    expect(order.content.Order.map((element) => element.GdsBookingReference)).toEqual(["AAA111", "BBB222"]);
    const flown = ["AAA111", "BBB222"].map((reference) => segmentKeysOf(order.content, reference));
    expect(flown.map((keys) => keys.length)).toEqual(offer.journeys.map(({ flights }) => flights.length));
    expect(new Set(flown.flat()).size).toBe(flown.flat().length);
    expect(ticketsOf(order.content, "BBB222")).toHaveLength(1);
  });

  test("keeps the flights of a round trip in the order of travel, as two journeys", async () => {
    const { order } = await bookedFirst(
      { journeys: journeys.roundTrip },
      {},
      ({ bookedSeparately }) => !bookedSeparately,
    );

    expect(order.content.DataLists.OriginDestinationList.OriginDestination).toMatchObject([
      { DepartureCode: "LIS", ArrivalCode: "FRA" },
      { DepartureCode: "FRA", ArrivalCode: "LIS" },
    ]);
  });

  test("carries the names that were given, and makes up those that were not", async () => {
    const { order } = await bookedFirst(
      { passengers: ["ADT", "CHD"] },
      { passengers: [{ ptc: "CHD", firstName: "Eva" }, { ptc: "ADT" }] },
    );

    expect(order.content.DataLists).toMatchObject({
      PassengerList: {
        Passengers: [
          { PassengerID: "T1", PTC: "CHD", FirstName: "Eva" },
          { PassengerID: "T2", PTC: "ADT", FirstName: "Traveller2" },
        ],
      },
    });
  });
});

describe("seats and services of a booked offer", () => {
  test("stand in PaxSeatInfo and among the items, and are paid, but are no part of the fare total", async () => {
    const shopped = await shoppedOffers();
    const offer = shopped.response.offers[0]!;
    const seatNumber = await chargeableSeat(shopped, offer);
    const order = await book(shopped, offer, {
      seats: [{ passenger: 0, flight: 0, seatNumber }],
      services: [{ passenger: 0, flight: 0, code: "XBAG" }],
    });

    expect(orderViewResponseSchema.safeParse(statusBody(order, undefined)).error?.issues).toBeUndefined();
    expect(order.content.Order[0]).toMatchObject({
      OptionalServiceStatus: "SUCCESS",
      PaxSeatInfo: [{ SeatNumber: seatNumber, SegmentNumber: 1, PaxRef: "T1", Status: "SUCCESS" }],
      OfferItem: [
        { PassengerType: "ADT" },
        { OfferItemID: "SRV-OfferItem-1", ServiceDefinitionRef: "SD_XBAG", Service: { SegmentRefs: "Segment1" } },
        { OfferItemID: "SRV-OfferItem-2", Service: { PassengerRefs: "T1" } },
      ],
    });
    expect(order.content.DataLists).toMatchObject({
      ServiceDefinitionList: { ServiceDefinition: [{ ServiceType: "BAG", ServiceCode: "XBAG" }] },
    });
    expect(paidBy(order)).toBe(totalOf(order) + extrasOf(order));
    expect(extrasOf(order)).toBeGreaterThan(0);
  });

  test("are refused when the seat is taken twice, the service is unknown, or there is no such place", async () => {
    const shopped = await shoppedOffers({ passengers: ["ADT", "ADT"] });
    const offer = shopped.response.offers[0]!;
    const seatNumber = await chargeableSeat(shopped, offer);
    const seat = { passenger: 0, flight: 0, seatNumber };

    await expect(book(shopped, offer, { seats: [seat, { ...seat, passenger: 1 }] })).rejects.toMatchObject({
      code: "gateway.seat_not_available",
    });
    await expect(book(shopped, offer, { seats: [{ ...seat, seatNumber: "199A" }] })).rejects.toMatchObject({
      code: "gateway.seat_not_available",
    });
    await expect(book(shopped, offer, { seats: [{ ...seat, flight: 99 }] })).rejects.toMatchObject({
      code: "gateway.extra_without_place",
    });
    await expect(book(shopped, offer, { services: [{ passenger: 0, flight: 0, code: "CHML" }] })).rejects.toMatchObject(
      { code: "gateway.service_not_offered" },
    );
  });
});

describe("the booking of an offer is refused", () => {
  test("under an unknown search or offer", async () => {
    const shopped = await shoppedOffers();
    const offer = shopped.response.offers[0]!;

    await expect(book(shopped, offer, { shoppingResponseId: "1799139600000000002" })).rejects.toMatchObject({
      gatewayCode: "24",
    });
    await expect(book(shopped, offer, { offerId: `${shoppingResponseId}999` })).rejects.toMatchObject({
      gatewayCode: "26",
    });
  });

  test("one second after the search has expired, and not in the last second", async () => {
    const shopped = await shoppedOffers();
    const offer = shopped.response.offers[0]!;
    const at = (now: string) => ({ ...shopped, context: { ...shopped.context, clock: { now: () => new Date(now) } } });

    await expect(book(at("2027-01-05T09:30:00.999Z"), offer)).resolves.toBeDefined();
    await expect(book(at("2027-01-05T09:30:01Z"), offer)).rejects.toMatchObject({ gatewayCode: "25" });
  });

  test("for others than were searched for", async () => {
    const shopped = await shoppedOffers({ passengers: ["ADT", "CHD"] });
    const offer = shopped.response.offers[0]!;

    await expect(book(shopped, offer, { passengers: [{ ptc: "ADT" }] })).rejects.toMatchObject({ gatewayCode: "28" });
    await expect(book(shopped, offer, { passengers: [{ ptc: "ADT" }, { ptc: "ADT" }] })).rejects.toMatchObject({
      gatewayCode: "28",
    });
  });

  test("as held when the airline wants its money at once", async () => {
    const shopped = await shoppedOffers();
    const offer = { ...shopped.response.offers[0]!, holdable: false };
    const response = { ...shopped.response, offers: [offer] };
    const shopping = { ...shopped.context.shopping, readResponse: async () => response };
    const unholdable = {
      ...shopped,
      context: { ...shopped.context, shopping },
      offerId: () => `${shoppingResponseId}001`,
    };

    await expect(book(unholdable, offer, { held: true })).rejects.toMatchObject({ gatewayCode: "38" });
    await expect(book(unholdable, offer, {})).resolves.toBeDefined();
  });

  test("with another number of booking references than it has bookings", async () => {
    const shopped = await shoppedOffers();

    await expect(
      book(shopped, shopped.response.offers[0]!, { gdsBookingReferences: ["AAA111", "BBB222"] }),
    ).rejects.toMatchObject({ code: "gateway.wrong_reference_count" });
  });

  test.each<[string, object]>([
    ["held and ticketed at once", { held: true, ticketed: true }],
    ["neither held nor ticketed", { ticketed: false }],
    ["with a reference twice", { gdsBookingReferences: ["AAA111", "AAA111"] }],
    ["with a member that does not exist", { offerID: "1" }],
  ])("%s", (_, overrides) => {
    const request = { shoppingResponseId, offerId: `${shoppingResponseId}001`, ...overrides };

    expect(offerOrderRequestSchema.safeParse(request).success).toBe(false);
  });
});

type Shopped = Awaited<ReturnType<typeof shoppedOffers>>;

function book(shopped: Shopped, offer: Offer, overrides: Partial<OfferOrderRequest> = {}): Promise<GatewayOrder> {
  const request = { shoppingResponseId, offerId: shopped.offerId(offer), ...overrides };
  return bookOffer(shopped.context, offerOrderRequestSchema.parse(request));
}

async function bookedFirst(
  search: Partial<ShoppingRequest>,
  overrides: Partial<OfferOrderRequest>,
  fits: (offer: Offer) => boolean = () => true,
): Promise<{ readonly order: GatewayOrder; readonly offer: Offer }> {
  const shopped = await shoppedOffers(search);
  const offer = shopped.response.offers.find((one) => fits(one) && (one.holdable || overrides.held !== true))!;
  return { order: await book(shopped, offer, overrides), offer };
}

/** A seat of the first flight that can be taken and costs something. */
async function chargeableSeat({ context }: Shopped, offer: Offer): Promise<string> {
  const flight = { ...offer.journeys[0]!.flights[0]!, segmentKey: "Segment1" };
  const cabins = await context.supply.seatMaps({ currency: "EUR", flights: [flight], passengers: [] });
  const found = cabins
    .flatMap(({ rows }) => rows.filter(({ exit }) => !exit))
    .flatMap(({ number, seats }) => seats.map((seat) => ({ number, seat })))
    .find(({ seat }) => seat.available && seat.price !== null)!;
  return `${found.number}${found.seat.column}`;
}

interface Money {
  readonly BookingCurrencyPrice: number;
}

function unitsOf(order: GatewayOrder, amount: unknown): number {
  return toMinorUnits(amount, minorDigitsOf(order.content.Order[0]!.BookingCurrencyCode!))!;
}

function totalOf(order: GatewayOrder): number {
  return order.content.Order.reduce((sum, one) => sum + unitsOf(order, one.TotalPrice?.BookingCurrencyPrice), 0);
}

function paidBy(order: GatewayOrder): number | null {
  const payments = order.content.Payments as { readonly Payment: readonly { readonly Amount: string }[] } | undefined;
  return payments === undefined ? null : unitsOf(order, payments.Payment[0]?.Amount);
}

function extrasOf(order: GatewayOrder): number {
  const items = order.content.Order.flatMap((one) => one.OfferItem as readonly { readonly Price?: { Total: Money } }[]);
  return items.reduce((sum, { Price }) => sum + (Price ? unitsOf(order, Price.Total.BookingCurrencyPrice) : 0), 0);
}
