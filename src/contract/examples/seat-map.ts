import type { z } from "zod";
import type { postBookingSeatMap, seatMap } from "../elements/seat-map.ts";
import type { seatOffer } from "../elements/service-offers.ts";
import { offerItem } from "./offered-prices.ts";

/**
 * Two times three seats with an aisle between, an exit row with more leg room in row 12, and no row 13. `.` is free of
 * charge, `$` costs the standard price, `+` the price for leg room, `x` is taken, `#` is never sold, a blank is no
 * seat.
 */
const cabin = [
  [10, "$x$$x$"],
  [11, "x..x.x"],
  [12, "+++ ++"],
  [13, ""],
  [14, ".#x..."],
] as const;

const columns = ["A", "B", "C", "D", "E", "F"] as const;
const exitRow = 12;
const offerItemOf: Readonly<Record<string, string>> = { ".": "SeatItem1", $: "SeatItem2", "+": "SeatItem3" };

/** Free, standard, leg room. */
export const seatOfferExample: z.infer<typeof seatOffer> = {
  TimeLimits: { OfferExpiration: "2027-03-01T18:30:00" },
  ALaCarteOfferItem: [
    offerItem("SeatItem1", { passengers: "T1 T2", segments: "Segment1", base: 0, tax: 0, total: 0 }),
    offerItem("SeatItem2", { passengers: "T1 T2", segments: "Segment1", base: 15, tax: 2.85, total: 17.85 }),
    offerItem("SeatItem3", { passengers: "T1", segments: "Segment1", base: 32.5, tax: 6.18, total: 38.68 }),
  ],
};

const layout = {
  SegmentRef: "Segment1",
  ColumnLayOut: [
    { Name: "A", Position: "W" },
    { Name: "B", Position: "C" },
    { Name: "C", Position: "A" },
    { Name: "GAP" as const },
    { Name: "D", Position: "A" },
    { Name: "E", Position: "C" },
    { Name: "F", Position: "W" },
  ],
  Deck: "Main",
  RowInfo: { Start: "10", End: "14" },
  WingRow: { Start: "11", End: "14" },
};

export const seatMapExample: z.infer<typeof seatMap> = {
  ...layout,
  Rows: cabin.map(([number, marks]) => ({
    Number: String(number),
    ...rowFlags(number, marks),
    Seat: [...marks].map((mark, position) => seatIn(number, position, mark)),
  })),
};

/** Row numbers are numeric here, and available seats list their facilities. */
export const postBookingSeatMapExample: z.infer<typeof postBookingSeatMap> = {
  ...layout,
  Rows: cabin.map(([number, marks]) => ({
    Number: number,
    ...rowFlags(number, marks),
    Seat: [...marks].map((mark, position) => {
      const seat = seatIn(number, position, mark);
      return seat.Available ? { ...seat, SeatFecilities: facilitiesOf(number, position) } : seat;
    }),
  })),
};

function rowFlags(number: number, marks: string) {
  return { RowExists: marks !== "", ExitRow: number === exitRow, ExtraLegRoom: number === exitRow };
}

function seatIn(number: number, position: number, mark: string) {
  const Column = columns[position] ?? "";
  const offerItem = offerItemOf[mark];
  if (offerItem === undefined) {
    return { Column, SeatExists: mark !== " ", Servicable: mark === "x", Available: false as const };
  }
  return {
    Column,
    SeatExists: true,
    Servicable: true,
    Available: true as const,
    SeatId: `Seat${number}${Column}`,
    // Children may not sit in an exit row.
    PaxRef: number === exitRow ? "T1" : "T1 T2",
    Chargable: mark !== ".",
    OfferItemRefs: offerItem,
  };
}

function facilitiesOf(number: number, position: number): string[] {
  const place = ["Window", "Centre", "Aisle", "Aisle", "Centre", "Window"][position] ?? "";
  return number === exitRow ? [place, "Exit row", "Extra leg room"] : [place];
}
