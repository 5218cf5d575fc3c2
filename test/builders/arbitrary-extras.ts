import fc from "fast-check";
import type { z } from "zod";
import { airOfferServiceList } from "../../src/contract/operations/air-offer-service-list.ts";
import { airPostBookingSeatMap } from "../../src/contract/operations/air-post-booking-seat-map.ts";
import { airSeatMap } from "../../src/contract/operations/air-seat-map.ts";
import { exampleOf } from "./examples.ts";

/** Responses of any content that satisfy the strict schemas of service lists and seat maps, with no dangling reference. */

type ServiceListBody = z.infer<typeof airOfferServiceList.responseSchema>;
type SeatMapBody = z.infer<typeof airSeatMap.responseSchema>;
type PostBookingSeatMapBody = z.infer<typeof airPostBookingSeatMap.responseSchema>;

const passengers = ["T1", "T2"];
const segments = ["Segment1", "Segment2"];
const columnNames = ["A", "B", "C", "D", "H", "K"];

const amount = fc.integer({ min: -99_999, max: 9_999_999 }).map((cents) => cents / 100);
const money = fc.record({ BookingCurrencyPrice: amount, EquivCurrencyPrice: amount });
const expiration = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) })
  .map((instant) => new Date(instant).toISOString().slice(0, 19));

function someOf(keys: readonly string[]) {
  return fc.subarray([...keys], { minLength: 1 }).map((chosen) => chosen.join(" "));
}

function offerItems(prefix: string) {
  return fc
    .array(
      fc.record({
        Eligibility: fc.record({ PassengerRefs: someOf(passengers), SegmentRefs: someOf(segments) }),
        Price: fc.record({ Base: money, Tax: money, Total: money }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((items) => items.map((item, position) => ({ OfferItemID: `${prefix}${position + 1}`, ...item })));
}

export const anyServiceList: fc.Arbitrary<ServiceListBody> = fc
  .record({ items: offerItems("ServiceItem"), OfferExpiration: expiration })
  .chain(({ items, OfferExpiration }) =>
    fc.array(someOf(items.map((item) => item.OfferItemID)), { maxLength: 5 }).map((references): ServiceListBody => {
      const { AirServiceListRS: example } = exampleOf(airOfferServiceList).response;
      return {
        AirServiceListRS: {
          ...example,
          ALaCarteOffer: {
            Parameters: { TotalItemQuantity: items.length },
            TimeLimits: { OfferExpiration },
            ALaCarteOfferItem: items,
          },
          ServiceList: references.map((OfferItemRefs, position) => ({
            OfferItemRefs,
            ServiceID: `Service${position + 1}`,
            ServiceDefinitionRef: `ServiceDefinition${(position % 2) + 1}`,
          })),
        },
      };
    }),
  );

interface Cabin {
  readonly columns: readonly string[];
  readonly hasGap: boolean;
  readonly items: readonly string[];
}

function seatIn(column: string, items: readonly string[]) {
  const shared = { Column: fc.constant(column), SeatExists: fc.boolean(), Servicable: fc.boolean() };
  return fc.oneof(
    fc.record({ ...shared, Available: fc.constant(false as const) }),
    fc.record({
      ...shared,
      Available: fc.constant(true as const),
      SeatId: fc.integer({ min: 1, max: 99 }).map((row) => `Seat${row}${column}`),
      PaxRef: someOf(passengers),
      Chargable: fc.boolean(),
      OfferItemRefs: someOf(items),
    }),
  );
}

function rowsOf({ columns, items }: Cabin) {
  return fc.array(
    fc.record({
      Number: fc.integer({ min: 1, max: 99 }),
      RowExists: fc.boolean(),
      ExitRow: fc.boolean(),
      ExtraLegRoom: fc.boolean(),
      Seat: fc.tuple(...columns.map((column) => seatIn(column, items))),
    }),
    { maxLength: 4 },
  );
}

const anyCabin = fc.record({
  columns: fc.subarray(columnNames, { minLength: 1 }),
  hasGap: fc.boolean(),
  SegmentRef: fc.constantFrom("Segment1"),
  start: fc.integer({ min: 1, max: 99 }),
  length: fc.integer({ min: 0, max: 60 }),
});

const anyCabins = fc
  .record({
    items: offerItems("SeatItem"),
    OfferExpiration: expiration,
    cabins: fc.array(anyCabin, { minLength: 1, maxLength: 2 }),
  })
  .chain(({ items, OfferExpiration, cabins }) =>
    fc
      .tuple(...cabins.map((cabin) => rowsOf({ ...cabin, items: items.map((item) => item.OfferItemID) })))
      .map((rows) => ({
        ALaCarteOffer: { TimeLimits: { OfferExpiration }, ALaCarteOfferItem: items },
        SeatMap: cabins.map(({ columns, hasGap, SegmentRef, start, length }, position) => ({
          SegmentRef,
          ColumnLayOut: columns.flatMap((Name, place) => [
            ...(hasGap && place === 1 ? [{ Name: "GAP" as const }] : []),
            { Name, Position: ["W", "C", "A"][place % 3]! },
          ]),
          Deck: "Main",
          RowInfo: { Start: String(start), End: String(start + length) },
          WingRow: { Start: String(start), End: String(start + length) },
          Rows: rows[position]!,
        })),
      })),
  );

export const anySeatMap: fc.Arbitrary<SeatMapBody> = anyCabins.map(({ ALaCarteOffer, SeatMap }) => ({
  AirSeatMapRS: {
    ...exampleOf(airSeatMap).response.AirSeatMapRS,
    ALaCarteOffer,
    SeatMap: SeatMap.map((map) => ({ ...map, Rows: map.Rows.map((row) => ({ ...row, Number: String(row.Number) })) })),
  },
}));

export const anyPostBookingSeatMap: fc.Arbitrary<PostBookingSeatMapBody> = anyCabins.map(
  ({ ALaCarteOffer, SeatMap }) => ({
    AirSeatMapRS: {
      ...exampleOf(airPostBookingSeatMap).response.AirSeatMapRS,
      ALaCarteOffer: {
        ...ALaCarteOffer,
        ALaCarteOfferItem: ALaCarteOffer.ALaCarteOfferItem.map((item) => ({
          ...item,
          Eligibility: { ...item.Eligibility, SegmentRefs: "Segment1" },
        })),
      },
      SeatMap: SeatMap.map((map) => ({
        ...map,
        Rows: map.Rows.map((row) => ({
          ...row,
          Seat: row.Seat.map((seat) => (seat.Available ? { ...seat, SeatFecilities: ["Window"] } : seat)),
        })),
      })),
    },
  }),
);
