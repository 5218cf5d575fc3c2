import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { postBookingSeatMap, seatMap } from "../../../../src/contract/elements/seat-map.ts";
import { offeredService, seatOffer, serviceOffer } from "../../../../src/contract/elements/service-offers.ts";
import { type JourneyTrip, segmentElement, tripListsOf } from "../../../../src/gateway/extras/journey-trip.ts";
import { bookedSeatMapContent, seatMapContent } from "../../../../src/gateway/extras/seat-map-content.ts";
import { serviceListContent } from "../../../../src/gateway/extras/service-list-content.ts";
import type { TripFlight } from "../../../../src/gateway/supply/extras.ts";
import { simulatedSeatMaps } from "../../../../src/gateway/supply/simulated/seat-maps.ts";
import { simulatedServices } from "../../../../src/gateway/supply/simulated/services.ts";
import { minorDigitsOf, toMinorUnits } from "../../../../src/travel/money.ts";
import { arbitraryTrip, party, trip, tripFlight } from "../../../builders/gateway-trip.ts";
import { danglingReferences } from "../../../harness/dangling-references.ts";
import { sampleSize } from "../../../harness/sample-size.ts";

const expiration = "2027-03-01T18:30:00";
const runs = { numRuns: sampleSize({ quick: 15, proof: 60 }) };

describe("a seat map", () => {
  const mapOf = (asked: JourneyTrip, seed = "seed") =>
    seatMapContent(simulatedSeatMaps(seed, asked), asked.passengers, asked.currency, expiration);
  const availableSeats = (content: ReturnType<typeof mapOf>) =>
    content.SeatMap.flatMap((map) => map.Rows.flatMap((row) => row.Seat.map((seat) => ({ row, seat })))).flatMap(
      ({ row, seat }) => (seat.Available ? [{ row, seat }] : []),
    );

  test("is valid and refers to nothing that it does not hold, whatever flies", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 4 }), arbitraryTrip, (seed, asked) => {
        const content = mapOf(asked, seed);

        expect(seatOffer.safeParse(content.ALaCarteOffer).error?.issues).toBeUndefined();
        for (const map of content.SeatMap) expect(seatMap.safeParse(map).error?.issues).toBeUndefined();
        expect(danglingReferences("AirSeatMapRS", { ...content, DataLists: listsOf(asked) })).toEqual([]);
        expectTotals(content.ALaCarteOffer.ALaCarteOfferItem, asked.currency);
      }),
      runs,
    );
  });

  test("is the same for everybody who asks, and another one on another day", () => {
    const tomorrow = tripFlight({ departure: { date: "2027-03-15", time: "11:00:00" } });

    expect(mapOf(trip())).toEqual(mapOf(trip()));
    expect(mapOf(trip({ flights: [tomorrow] })).SeatMap).not.toEqual(mapOf(trip()).SeatMap);
  });

  test("has one element for each deck that sells the cabin", () => {
    const doubleDeck = tripFlight({ aircraft: { code: "388", name: "Airbus A380-800" } });

    expect(mapOf(trip({ flights: [doubleDeck] })).SeatMap).toMatchObject([
      { SegmentRef: "Segment1", Deck: "Main" },
      { SegmentRef: "Segment1", Deck: "Upper" },
    ]);
  });

  test("shows windows, centres, aisles, gaps, exits, the wing and a row that does not exist", () => {
    const narrow = tripFlight({ aircraft: { code: "320", name: "Airbus A320" } });
    const [map] = mapOf(trip({ flights: [narrow] })).SeatMap;

    expect(map).toMatchObject({
      ColumnLayOut: [
        { Name: "A", Position: "W" },
        { Name: "B", Position: "C" },
        { Name: "C", Position: "A" },
        { Name: "GAP" },
        { Name: "D", Position: "A" },
        { Name: "E", Position: "C" },
        { Name: "F", Position: "W" },
      ],
      RowInfo: { Start: "5", End: "30" },
      WingRow: { Start: "10", End: "19" },
    });
    const row = (number: string) => map!.Rows.find((one) => one.Number === number);
    expect(row("13")).toEqual({ Number: "13", RowExists: false, ExitRow: false, ExtraLegRoom: false, Seat: [] });
    expect(row("12")).toMatchObject({ RowExists: true, ExitRow: true, ExtraLegRoom: true });
    expect(
      row("30")
        ?.Seat.filter((seat) => !seat.SeatExists)
        .map(({ Column }) => Column),
    ).toEqual(["E", "F"]);
  });

  test("offers free seats and chargeable ones, each with the price of its item", () => {
    const content = mapOf(trip());
    const totals = new Map(
      content.ALaCarteOffer.ALaCarteOfferItem.map((item) => [item.OfferItemID, item.Price.Total.BookingCurrencyPrice]),
    );
    const seats = availableSeats(content);

    for (const { seat } of seats) expect(totals.get(seat.OfferItemRefs)! > 0).toBe(seat.Chargable);
    expect(new Set(seats.map(({ seat }) => seat.Chargable))).toEqual(new Set([true, false]));
  });

  test("keeps exit rows from children, from infants and from the adult who holds one", () => {
    const seats = availableSeats(mapOf(trip({ passengers: party(2, 1, 1) })));

    expect(new Set(seats.filter(({ row }) => row.ExitRow).map(({ seat }) => seat.PaxRef))).toEqual(new Set(["T2"]));
    expect(new Set(seats.filter(({ row }) => !row.ExitRow).map(({ seat }) => seat.PaxRef))).toEqual(
      new Set(["T1 T2 T3"]),
    );
    expect(availableSeats(mapOf(trip({ passengers: party(1, 0, 1) }))).filter(({ row }) => row.ExitRow)).toEqual([]);
  });

  test("of a booking has numbers for rows, and facilities where a seat can be taken", () => {
    const asked = trip();
    const content = bookedSeatMapContent(
      simulatedSeatMaps("seed", asked),
      asked.passengers,
      asked.currency,
      expiration,
    );

    for (const map of content.SeatMap) expect(postBookingSeatMap.safeParse(map).error?.issues).toBeUndefined();
    expect(content.SeatMap[0]?.Rows[0]?.Number).toBe(25);
    const facilities = content.SeatMap.flatMap(({ Rows }) =>
      Rows.flatMap(({ Seat }) => Seat.flatMap((seat) => ("SeatFecilities" in seat ? seat.SeatFecilities : []))),
    );
    expect(new Set(facilities)).toEqual(new Set(["Window", "Centre", "Aisle", "Exit row", "Extra leg room"]));
  });
});

describe("a service list", () => {
  const listOf = (asked: JourneyTrip) => serviceListContent(simulatedServices(asked), asked.currency, expiration);

  test("is valid, counts its items, adds up and refers to nothing that it does not hold", () => {
    fc.assert(
      fc.property(arbitraryTrip, (asked) => {
        const { ServiceDefinitionList, ...content } = listOf(asked);

        expect(serviceOffer.safeParse(content.ALaCarteOffer).error?.issues).toBeUndefined();
        for (const service of content.ServiceList) expect(offeredService.safeParse(service).success).toBe(true);
        expect(content.ALaCarteOffer.Parameters.TotalItemQuantity).toBe(content.ALaCarteOffer.ALaCarteOfferItem.length);
        expect(
          danglingReferences("AirServiceListRS", {
            ...content,
            DataLists: { ...listsOf(asked), ServiceDefinitionList },
          }),
        ).toEqual([]);
        expectTotals(content.ALaCarteOffer.ALaCarteOfferItem, asked.currency);
      }),
      runs,
    );
  });

  test("sells bags on every flight and meals from an hour and a half", () => {
    const codesOn = (minutes: number) =>
      listOf(trip({ flights: [tripFlight({ minutes })] })).ServiceDefinitionList.ServiceDefinition.map(
        ({ ServiceType, ServiceCode }) => `${ServiceType} ${ServiceCode}`,
      );

    expect(codesOn(89)).toEqual(["BAG XBAG", "BAG XXBG", "BAG SPEQ", "BAG BIKE"]);
    expect(codesOn(90)).toEqual(expect.arrayContaining(["BAG XBAG", "MEAL VGML"]));
  });

  test("sells a child's meal to children and a baby's to infants only", () => {
    const { ALaCarteOffer, ServiceList } = listOf(trip({ passengers: party(1, 1, 1) }));
    const passengersOf = (code: string) => {
      const keys = ServiceList.find((service) => service.ServiceDefinitionRef === `SD_${code}`)!.OfferItemRefs;
      return ALaCarteOffer.ALaCarteOfferItem.find((item) => item.OfferItemID === keys)?.Eligibility.PassengerRefs;
    };

    expect([passengersOf("VGML"), passengersOf("CHML"), passengersOf("BBML"), passengersOf("XBAG")]).toEqual([
      "T1 T2",
      "T2",
      "T3",
      "T1 T2",
    ]);
  });

  test("charges nothing for meals in front cabins", () => {
    const meals = (cabin: "Y" | "C") =>
      simulatedServices(trip({ flights: [tripFlight({ cabin, minutes: 200 })] })).filter(({ type }) => type === "MEAL");

    expect(meals("C").every(({ price }) => price.base + price.tax === 0)).toBe(true);
    expect(meals("Y").every(({ price }) => price.base > 0)).toBe(true);
  });
});

describe("the lists of a trip", () => {
  const timeOf = (...flights: readonly TripFlight[]) =>
    listsOf(trip({ flights })).FlightList.Flight.map(({ Journey }) => Journey.Time);
  const onward = tripFlight({
    segmentKey: "Segment2",
    from: "JFK",
    to: "BOS",
    departure: { date: "2027-03-14", time: "16:00:00" },
    minutes: 75,
  });

  test("state how long a journey takes, with its connections", () => {
    expect(timeOf(tripFlight())).toEqual(["8 H 40 M"]);
    expect(timeOf(tripFlight(), onward)).toEqual(["12 H 15 M"]);
  });

  test("state no length of a journey when that of a flight or a connection is unknown", () => {
    expect(timeOf(tripFlight({ minutes: 0 }))).toEqual([""]);
    expect(timeOf(tripFlight({ to: "QQQ" }), { ...onward, from: "QQQ" })).toEqual([""]);
  });
});

function listsOf(asked: JourneyTrip) {
  return tripListsOf(asked, segmentElement);
}

interface PricedItem {
  readonly Price: Readonly<Record<"Base" | "Tax" | "Total", { readonly BookingCurrencyPrice: number }>>;
}

function expectTotals(items: readonly PricedItem[], currency: string): void {
  const units = (amount: { readonly BookingCurrencyPrice: number }) =>
    toMinorUnits(amount.BookingCurrencyPrice, minorDigitsOf(currency))!;
  for (const { Price } of items) expect(units(Price.Base) + units(Price.Tax)).toBe(units(Price.Total));
}
