import { percentOf } from "../../../travel/money.ts";
import type { CabinSeats, ExtraPrice, Seat, SeatRow, Trip, TripFlight } from "../extras.ts";
import { type CabinLayout, cabinLayouts, columnNames } from "./cabin-layouts.ts";
import { fromCents } from "./currencies.ts";
import { draw } from "./draw.ts";

/** Window, centre or aisle. */
type ColumnPosition = "W" | "C" | "A";

/**
 * Taken and blocked seats follow from flight, date and seat, so that everybody sees the same cabin; a few flights are
 * nearly full.
 */
export function simulatedSeatMaps(seed: string, trip: Trip): readonly CabinSeats[] {
  return trip.flights.flatMap((flight) =>
    cabinLayouts(flight.aircraft.code, flight.cabin).map((layout) => cabinSeats(seed, trip.currency, flight, layout)),
  );
}

function cabinSeats(seed: string, currency: string, flight: TripFlight, layout: CabinLayout): CabinSeats {
  const positions = columnPositions(layout);
  const rowCount = layout.lastRow - layout.firstRow + 1;
  return {
    segmentKey: flight.segmentKey,
    deck: layout.deck,
    columns: [...layout.columns].map((name) => (name === " " ? "GAP" : { name, position: positions.get(name) ?? "C" })),
    wing: { first: layout.wing[0], last: layout.wing[1] },
    rows: Array.from({ length: rowCount }, (_, index) => {
      const number = layout.firstRow + index;
      return seatRow(number, layout, (row, column) =>
        buildSeat(seed, currency, flight, layout, row, column, positions),
      );
    }),
  };
}

/** A seat at both a window and an aisle counts as a window seat. */
function columnPositions(layout: CabinLayout): ReadonlyMap<string, ColumnPosition> {
  const marks = [...layout.columns];
  return new Map(
    marks.flatMap((name, index): [string, ColumnPosition][] => {
      if (name === " ") return [];
      if (index === 0 || index === marks.length - 1) return [[name, "W"]];
      return [[name, marks[index - 1] === " " || marks[index + 1] === " " ? "A" : "C"]];
    }),
  );
}

type RowFacts = Omit<SeatRow, "seats">;

function seatRow(number: number, layout: CabinLayout, seat: (row: RowFacts, column: string) => Seat): SeatRow {
  const row: RowFacts = {
    number,
    exists: !layout.missingRows.includes(number),
    exit: layout.exitRows.includes(number),
    extraLegRoom: layout.legRoomRows.includes(number),
  };
  return { ...row, seats: row.exists ? columnNames(layout).map((column) => seat(row, column)) : [] };
}

function buildSeat(
  seed: string,
  currency: string,
  flight: TripFlight,
  layout: CabinLayout,
  row: RowFacts,
  column: string,
  positions: ReadonlyMap<string, ColumnPosition>,
): Seat {
  const exists = !(layout.missingSeats[row.number] ?? "").includes(column);
  const flown = [seed, flight.carrier, flight.flightNumber, flight.departure.date, layout.deck, layout.cabin] as const;
  const serviceable = exists && draw("seat in service", ...flown, row.number, column) >= outOfService;
  const load = loadOf(flown);
  const position = positions.get(column) ?? "C";
  return {
    column,
    exists,
    serviceable,
    available: serviceable && draw("seat taken", ...flown, row.number, column) >= load,
    price: seatPrice(currency, flight, row, position),
    facilities: [
      positionNames[position],
      ...(row.exit ? ["Exit row"] : []),
      ...(row.extraLegRoom ? ["Extra leg room"] : []),
    ],
  };
}

const positionNames = { W: "Window", C: "Centre", A: "Aisle" } as const;

/** Blocked for repair or crew. */
const outOfService = 0.01;

/** The share of taken seats: between a third and nearly all. */
function loadOf(flown: readonly (string | number)[]): number {
  return 0.35 + 0.6 * draw("load", ...flown);
}

/** In cents of a US dollar, for economy seats. */
const standardCents = { short: 1_200, long: 2_800 } as const;
const legRoomCents = { short: 2_500, long: 7_900 } as const;

/** Longer ones are long flights. */
const longFlightMinutes = 300;

/** In percent. */
const seatTaxPercent = 19;

/** Returns null for seats of the front cabins, and for centre seats without more leg room. */
function seatPrice(currency: string, flight: TripFlight, row: RowFacts, position: ColumnPosition): ExtraPrice | null {
  if (flight.cabin !== "Y" || (position === "C" && !row.extraLegRoom)) return null;
  const length = flight.minutes >= longFlightMinutes ? "long" : "short";
  const base = fromCents(row.extraLegRoom ? legRoomCents[length] : standardCents[length], currency);
  return { base, tax: percentOf(base, seatTaxPercent) };
}
