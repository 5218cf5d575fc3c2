import type { RequestedPassenger } from "../../contract/passenger-rules.ts";
import type { CabinSeats, ExtraPrice, Seat, SeatRow } from "../supply/extras.ts";
import { type ALaCarteItems, createALaCarteItems } from "./a-la-carte-items.ts";

const freeOfCharge: ExtraPrice = { base: 0, tax: 0 };

/** Who may take a seat in a cabin, and who also at an emergency exit. */
interface Seated {
  readonly anywhere: readonly string[];
  readonly atExits: readonly string[];
}

/**
 * Before booking.
 * @param expiration of the prices, local date and time.
 * @see interface document, "Service and seat offers"
 */
export function seatMapContent(
  cabins: readonly CabinSeats[],
  passengers: readonly RequestedPassenger[],
  currency: string,
  expiration: string,
) {
  return content(cabins, passengers, currency, expiration, (row, elementOf) => ({
    Number: String(row.number),
    ...rowFlags(row),
    Seat: row.seats.map(elementOf),
  }));
}

/** After booking: row numbers are numbers, and available seats list their facilities. */
export function bookedSeatMapContent(
  cabins: readonly CabinSeats[],
  passengers: readonly RequestedPassenger[],
  currency: string,
  expiration: string,
) {
  return content(cabins, passengers, currency, expiration, (row, elementOf) => ({
    Number: row.number,
    ...rowFlags(row),
    Seat: row.seats.map((seat) => {
      const element = elementOf(seat);
      return element.Available ? { ...element, SeatFecilities: [...seat.facilities] } : element;
    }),
  }));
}

function content<Row>(
  cabins: readonly CabinSeats[],
  passengers: readonly RequestedPassenger[],
  currency: string,
  expiration: string,
  buildRow: (row: SeatRow, elementOf: (seat: Seat) => ReturnType<typeof seatElement>) => Row,
) {
  const items = createALaCarteItems("SeatItem", currency);
  const seated = seatedPassengers(passengers);
  const maps = cabins.map((cabin) => ({
    SegmentRef: cabin.segmentKey,
    ColumnLayOut: cabin.columns.map((column) =>
      column === "GAP" ? { Name: column } : { Name: column.name, Position: column.position },
    ),
    Deck: cabin.deck,
    RowInfo: { Start: String(cabin.rows[0]?.number ?? 0), End: String(cabin.rows.at(-1)?.number ?? 0) },
    WingRow: { Start: String(cabin.wing.first), End: String(cabin.wing.last) },
    Rows: cabin.rows.map((row) => buildRow(row, (seat) => seatElement(cabin, row, seat, seated, items))),
  }));
  return {
    ALaCarteOffer: { TimeLimits: { OfferExpiration: expiration }, ALaCarteOfferItem: items.elements() },
    SeatMap: maps,
  };
}

/**
 * Infants have no seat: the n-th adult holds the n-th infant. Children and adults with an infant may not sit at an
 * exit.
 */
function seatedPassengers(passengers: readonly RequestedPassenger[]): Seated {
  const infants = passengers.filter(({ ptc }) => ptc === "INF").length;
  const adults = passengers.filter(({ ptc }) => ptc === "ADT");
  return {
    anywhere: passengers.filter(({ ptc }) => ptc !== "INF").map(({ passengerId }) => passengerId),
    atExits: adults.slice(infants).map(({ passengerId }) => passengerId),
  };
}

function rowFlags(row: SeatRow) {
  return { RowExists: row.exists, ExitRow: row.exit, ExtraLegRoom: row.extraLegRoom };
}

function seatElement(cabin: CabinSeats, row: SeatRow, seat: Seat, seated: Seated, items: ALaCarteItems) {
  const passengerIds = row.exit ? seated.atExits : seated.anywhere;
  const common = { Column: seat.column, SeatExists: seat.exists, Servicable: seat.serviceable };
  if (!seat.available || passengerIds.length === 0) return { ...common, Available: false as const };
  const { segmentKey } = cabin;
  return {
    ...common,
    Available: true as const,
    SeatId: `${segmentKey}-${row.number}${seat.column}`,
    PaxRef: passengerIds.join(" "),
    Chargable: seat.price !== null,
    OfferItemRefs: items.add({ passengerIds, segmentKey, price: seat.price ?? freeOfCharge }),
  };
}
