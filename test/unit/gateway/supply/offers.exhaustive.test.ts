import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offerDataLists } from "../../../../src/contract/elements/data-lists.ts";
import { fareRuleTopics } from "../../../../src/contract/elements/fare-rules.ts";
import { offer as offerSchema } from "../../../../src/contract/elements/offer.ts";
import { canHaveBrandedOffers } from "../../../../src/contract/trip-kind.ts";
import { findAirport } from "../../../../src/gateway/served-airports.ts";
import { showOffers } from "../../../../src/gateway/shopping/show-offers.ts";
import type { Offer } from "../../../../src/gateway/supply/offer.ts";
import { offerPrice, passengerPrice } from "../../../../src/gateway/supply/offer-price.ts";
import { cheapestClass, seatsLeft } from "../../../../src/gateway/supply/simulated/booking-classes.ts";
import { currencies } from "../../../../src/gateway/supply/simulated/currencies.ts";
import { createSimulatedSupply } from "../../../../src/gateway/supply/simulated/simulated-supply.ts";
import type { ShoppingRequest } from "../../../../src/gateway/supply/supply.ts";
import { minorDigitsOf, toMinorUnits } from "../../../../src/travel/money.ts";
import { multiCity, roundTrip, shoppingRequest } from "../../../builders/shopping.ts";
import { sampleSize } from "../../../harness/sample-size.ts";

const now = new Date("2026-11-21T12:00:00Z");
const supply = createSimulatedSupply("seed");

/** Searches of every kind of trip, party, cabin and currency over well-served airports. */
const search: fc.Arbitrary<ShoppingRequest> = fc
  .record({
    places: fc.shuffledSubarray(["LIS", "FRA", "JFK", "LHR", "SIN", "GRU", "DXB", "SFO", "NRT", "CDG"], {
      minLength: 3,
      maxLength: 3,
    }),
    kind: fc.constantFrom("one-way", "round-trip", "multi-city"),
    day: fc.integer({ min: 1, max: 300 }),
    adults: fc.integer({ min: 1, max: 4 }),
    children: fc.integer({ min: 0, max: 3 }),
    infants: fc.integer({ min: 0, max: 2 }),
    cabin: fc.constantFrom("Y", "W", "C", "F"),
    currency: fc.constantFrom(...currencies),
  })
  .map(({ places, kind, day, adults, children, infants, cabin, currency }): ShoppingRequest => {
    const [a = "", b = "", c = ""] = places;
    const dateAt = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const journeys = [
      { from: a, to: b, date: dateAt(day) },
      ...(kind === "one-way" ? [] : [{ from: b, to: kind === "round-trip" ? a : c, date: dateAt(day + 5) }]),
    ];
    return shoppingRequest({
      journeys,
      cabin,
      currency,
      passengers: [
        ...Array.from({ length: adults }, () => "ADT" as const),
        ...Array.from({ length: children }, () => "CHD" as const),
        ...Array.from({ length: Math.min(adults, infants) }, () => "INF" as const),
      ],
    });
  });

const runs = { numRuns: sampleSize({ quick: 8, proof: 25 }) };

describe("a search of the simulated world", () => {
  test("gives the same offers for the same seed and moment, and others for another seed", async () => {
    const request = shoppingRequest();

    const offers = await supply.shop(request, now);

    expect(await createSimulatedSupply("seed").shop(request, now)).toEqual(offers);
    expect(await createSimulatedSupply("other").shop(request, now)).not.toEqual(offers);
  });

  test("holds to limit, airline, cabin and dates, with seats for everybody who needs one, cheapest first", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (request) => {
        const offers = await supply.shop(request, now);
        const seats = request.passengers.filter((ptc) => ptc !== "INF").length;
        expect(offers.length).toBeLessThanOrEqual(request.limit);
        const totals = offers.map((offer) => offerPrice(offer).total);
        expect(totals).toEqual([...totals].sort((a, b) => a - b));
        for (const offer of offers) {
          expect(offer.journeys.map(({ from, to, flights }) => [from, to, flights[0]?.departure.date])).toEqual(
            request.journeys.map(({ from, to, date }) => [from, to, date]),
          );
          for (const { flights } of offer.journeys) {
            const longest = flights.reduce((a, b) => (b.miles > a.miles ? b : a));
            expect(longest.cabin).toBe(request.cabin);
            for (const flight of flights) {
              expect(flight.seatsLeft).toBeGreaterThanOrEqual(seats);
              expect(flight.seatsLeft).toBeLessThanOrEqual(9);
            }
          }
        }
      }),
      runs,
    );
  });

  test("finds offers of one airline alone when asked to", async () => {
    const offers = await supply.shop(shoppingRequest({ journeys: roundTrip, owner: "LH" }), now);

    expect(offers.length).toBeGreaterThan(0);
    expect(offers.every(({ owner }) => owner === "LH")).toBe(true);
  });

  test("shows offers of one booking and of several when both exist", async () => {
    const offers = await supply.shop(shoppingRequest({ journeys: roundTrip, limit: 2 }), now);

    expect(offers.map(({ bookedSeparately }) => bookedSeparately).sort()).toEqual([false, true]);
  });

  test("finds nothing that leaves within two hours, and nothing from a place to nowhere", async () => {
    const journeys = [{ from: "LIS", to: "FRA", date: "2026-11-21" }];
    const departures = (await supply.shop(shoppingRequest({ journeys, limit: 100 }), now)).map(
      ({ journeys: [first] }) => first!.flights[0]!.departure.time,
    );

    // Lisbon is on UTC in winter.
    expect(departures.length).toBeGreaterThan(0);
    expect(departures.every((time) => time > "14:00:00")).toBe(true);
    expect(await supply.shop(shoppingRequest({ journeys: [{ ...journeys[0]!, to: "QQQ" }] }), now)).toEqual([]);
  });
});

describe("the price of an offer", () => {
  test("adds up to the minor unit on the wire, in every currency, and all it refers to is in the lists", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (request) => {
        const offers = await supply.shop(request, now);
        const { elements, dataLists } = shown(request, offers);
        expect(offerDataLists.safeParse(dataLists).error).toBeUndefined();
        const minor = (money: { readonly BookingCurrencyPrice: unknown } | undefined) =>
          toMinorUnits(money?.BookingCurrencyPrice, minorDigitsOf(request.currency))!;
        for (const element of elements) {
          expect(offerSchema.safeParse(element).error).toBeUndefined();
          expect(minor(element.BasePrice) + minor(element.TaxPrice)).toBe(minor(element.TotalPrice));
          let total = 0;
          let commission = 0;
          for (const item of element.OfferItem) {
            const price = item.FareDetail!.Price;
            const taxes = (price.Taxes ?? []).reduce((sum, tax) => sum + minor(tax), 0);
            expect(taxes).toBe(minor(price.TaxAmount));
            expect(minor(price.BaseAmount) + taxes).toBe(minor(price.TotalAmount));
            expect(minor(item.TotalPriceDetail.TotalAmount)).toBe(item.PassengerQuantity * minor(price.TotalAmount));
            expect(item.FareDetail!.PassengerRefs!.split(" ")).toHaveLength(item.PassengerQuantity);
            total += minor(item.TotalPriceDetail.TotalAmount);
            commission += item.PassengerQuantity * minor(price.Commission!.AgencyCommission);
          }
          expect(total).toBe(minor(element.TotalPrice));
          expect(commission).toBe(minor(element.Commission!.AgencyCommission));
          expect(dataLists.FopList!.map(({ FopKey }) => FopKey)).toContain(element.FopRef);
        }
      }),
      runs,
    );
  });

  test("has one token for each segment", async () => {
    const request = shoppingRequest({ journeys: multiCity, cabin: "C" });
    const { elements, dataLists } = shown(request, await supply.shop(request, now));
    const keys = dataLists.FlightSegmentList.FlightSegment.map(({ SegmentKey }) => SegmentKey);

    for (const component of elements.flatMap(({ OfferItem }) => OfferItem.flatMap((item) => item.FareComponent!))) {
      const segments = component.SegmentRefs.split(" ");
      const { FareBasisCode, RBD, CabinType, SeatLeft } = component.FareBasis!;
      expect(keys).toEqual(expect.arrayContaining(segments));
      for (const tokens of [FareBasisCode!.Refs, FareBasisCode!.Code, RBD, CabinType, SeatLeft]) {
        expect(tokens!.split(" ")).toHaveLength(segments.length);
      }
    }
  });

  test("is lower for children and lowest for infants, who pay no taxes", async () => {
    const [offer] = await supply.shop(shoppingRequest(), now);
    const priceOf = (ptc: string) => passengerPrice(offer!.fares.find((fare) => fare.ptc === ptc)!);

    expect(offer!.fares.map(({ ptc, quantity }) => [ptc, quantity])).toEqual([
      ["ADT", 2],
      ["CHD", 1],
      ["INF", 1],
    ]);
    expect(priceOf("CHD").base).toBeLessThan(priceOf("ADT").base);
    expect(priceOf("INF").base).toBeLessThan(priceOf("CHD").base);
    expect(priceOf("INF").base).toBeGreaterThan(0);
    expect(priceOf("INF").tax).toBe(0);
  });

  test("rises as departure comes near", async () => {
    const journeys = [{ from: "LIS", to: "FRA", date: "2026-11-23" }];
    const cheapest = async (at: Date) => offerPrice((await supply.shop(shoppingRequest({ journeys }), at))[0]!).total;

    expect(await cheapest(new Date("2026-11-21T12:00:00Z"))).toBeGreaterThan(await cheapest(new Date("2026-08-01Z")));
  });

  test("states NA where the airline states no fee", async () => {
    const request = shoppingRequest();
    const { elements } = shown(request, (await supply.shop(request, now)).slice(0, 1));

    expect(elements[0]!.Penalty!.CancelationFee!.Before).toEqual({
      BookingCurrencyPrice: "NA",
      EquivCurrencyPrice: "NA",
    });
    expect(elements[0]!.Penalty!.ChangeFee!.Before!.BookingCurrencyPrice).toBeGreaterThan(0);
  });

  test("holds while it is asked again before departure, and not afterwards", async () => {
    const [offer] = await supply.shop(shoppingRequest(), now);

    expect(await supply.price(offer!, now)).toEqual(offer);
    expect(await supply.price(offer!, new Date("2027-03-16T00:00:00Z"))).toBeNull();
  });
});

describe("brands", () => {
  test("exist for one-way and multi-city offers, each dearer than the one before, on the same flights", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (request) => {
        for (const offer of (await supply.shop(request, now)).slice(0, 4)) {
          const parts = offer.journeys.map(({ from, to }) => ({ departureCode: from, arrivalCode: to }));
          const variants = await supply.brandedVariants(offer);
          expect(variants).toHaveLength(offer.dearerBrands);
          if (!canHaveBrandedOffers(parts)) expect(variants).toEqual([]);
          const totals = [offer, ...variants].map((variant) => offerPrice(variant).total);
          expect(totals).toEqual([...new Set(totals)].sort((a, b) => a - b));
          for (const variant of variants) expect(flightsOf(variant)).toEqual(flightsOf(offer));
          expect(variants.at(-1)?.refundable ?? true).toBe(true);
        }
      }),
      runs,
    );
  });

  test("include more the dearer they are", async () => {
    const [light] = await supply.shop(shoppingRequest(), now);
    const [classic, flex] = await supply.brandedVariants(light!);

    expect([light, classic, flex].map((offer) => offer!.journeys[0]!.brand.code)).toEqual(["LIGHT", "CLASSIC", "FLEX"]);
    expect([light, classic, flex].map((offer) => offer!.journeys[0]!.brand.bags)).toEqual([0, 1, 1]);
    expect([light, classic, flex].map((offer) => offer!.changeFee.before)).toEqual([8280, 4600, 0]);
    expect([light, classic, flex].map((offer) => offer!.refundable)).toEqual([false, false, true]);
  });
});

describe("offers of several bookings", () => {
  test("split into one offer for each journey, whose prices add up", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (request) => {
        for (const offer of await supply.shop(request, now)) {
          if (!offer.bookedSeparately) continue;
          const parts = await supply.split(offer);
          expect(parts.map(flightsOf)).toEqual(offer.journeys.map((journey) => [journey.flights.map(nameOf)]));
          expect(parts.every(({ bookedSeparately }) => !bookedSeparately)).toBe(true);
          const total = parts.reduce((sum, part) => sum + offerPrice(part).total, 0);
          expect(total).toBe(offerPrice(offer).total);
        }
      }),
      runs,
    );
  });
});

describe("fare rules", () => {
  test("say something on every topic for each journey, and the fees of the offer", async () => {
    const [offer] = await supply.shop(shoppingRequest({ journeys: roundTrip }), now);

    const rules = await supply.fareRules(offer!);

    expect(rules.map(({ from, to }) => [from, to])).toEqual([
      ["LIS", "FRA"],
      ["FRA", "LIS"],
    ]);
    for (const { paragraphs, fareBases } of rules) {
      expect(Object.keys(paragraphs).sort()).toEqual([...fareRuleTopics].sort());
      expect(Object.values(paragraphs).every((texts) => texts.length > 0)).toBe(true);
      expect(paragraphs["PENALTIES"]).toContain("CHANGES BEFORE DEPARTURE: CHARGE EUR 82.80.");
      expect(paragraphs["PENALTIES"]).toContain("CANCELLATIONS BEFORE DEPARTURE: NOT PERMITTED.");
      expect(fareBases.length).toBeGreaterThan(0);
    }
  });
});

describe("seats", () => {
  const flight = fc.record({
    carrier: fc.constantFrom("LH", "TP"),
    flightNumber: fc.integer({ min: 1, max: 9999 }).map(String),
    departure: fc.constant({ date: "2027-03-14", time: "10:00:00" }),
  });
  const ladder = { Y: ["L", "K", "Q", "H", "M", "B", "Y"], W: ["E", "P", "W"], C: ["Z", "D", "C"], F: ["A", "F"] };

  test("are 0 to 9, never fewer in a dearer class, never more on a later day", () => {
    fc.assert(
      fc.property(flight, fc.constantFrom("Y", "W", "C", "F"), fc.nat({ max: 340 }), (departure, cabin, days) => {
        const seats = (daysBefore: number) =>
          ladder[cabin as "Y"].map((rbd) => seatsLeft("seed", departure, cabin as "Y", rbd, daysBefore));
        expect(seats(days)).toEqual([...seats(days)].sort((a, b) => a - b));
        expect(seats(days).every((left) => Number.isInteger(left) && left >= 0 && left <= 9)).toBe(true);
        for (const [position, left] of seats(days).entries()) {
          expect(seats(days + 1)[position]).toBeGreaterThanOrEqual(left);
        }
      }),
    );
  });

  test("are sold in the cheapest class that has enough, and not at all when none has", () => {
    fc.assert(
      fc.property(flight, fc.integer({ min: 1, max: 10 }), fc.nat({ max: 60 }), (departure, wanted, days) => {
        const open = cheapestClass("seed", departure, "Y", wanted, days);
        const left = ladder.Y.map((rbd) => seatsLeft("seed", departure, "Y", rbd, days));
        const expected = left.findIndex((seats) => seats >= wanted);
        expect(open).toEqual(expected < 0 ? null : { rbd: ladder.Y[expected], seatsLeft: left[expected] });
      }),
    );
    expect(
      seatsLeft("seed", { carrier: "LH", flightNumber: "1", departure: { date: "", time: "" } }, "Y", "?", 9),
    ).toBe(0);
  });
});

test("every airport that a flight may use has a zone and a place", () => {
  expect(findAirport("LIS")).toEqual({
    code: "LIS",
    name: "Lisbon Humberto Delgado Airport",
    timeZone: "Europe/Lisbon",
    country: "PT",
    latitude: expect.closeTo(38.78, 1),
    longitude: expect.closeTo(-9.13, 1),
  });
});

function shown(request: ShoppingRequest, offers: readonly Offer[]) {
  const response = {
    shoppingResponseId: "1234567890123456789",
    request,
    offers,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 1_800_000),
  };
  const passengers = request.passengers.map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc }));
  return showOffers(
    offers.map((offer, position) => ({ offerId: String(position + 1), offer, response })),
    passengers,
  );
}

function flightsOf(offer: Offer) {
  return offer.journeys.map(({ flights }) => flights.map(nameOf));
}

function nameOf({ carrier, flightNumber, departure }: Offer["journeys"][number]["flights"][number]): string {
  return `${carrier}${flightNumber} ${departure.date} ${departure.time}`;
}
