import { listOf, member, textOf } from "../../contract/lenient-value.ts";
import type { OrderContent } from "../order-content.ts";
import type { CabinSeats, TripFlight } from "../supply/extras.ts";
import type { BookedTrip } from "./booked-trip.ts";

/** Removes the seats that the order already has, which cannot be bought again. */
export function withoutBookedSeats(
  cabins: readonly CabinSeats[],
  trip: BookedTrip,
  content: OrderContent,
): readonly CabinSeats[] {
  const taken = new Set(trip.flights.flatMap((flight) => seatsOn(flight, content)));
  return cabins.map((cabin) => ({
    ...cabin,
    rows: cabin.rows.map((row) => ({
      ...row,
      seats: row.seats.map((seat) =>
        taken.has(seatKey(cabin.segmentKey, `${row.number}${seat.column}`)) ? { ...seat, available: false } : seat,
      ),
    })),
  }));
}

/** Seats of all booking references that the airline confirmed for the route of this flight. */
function seatsOn({ segmentKey, from, to }: TripFlight, content: OrderContent): readonly string[] {
  return content.Order.flatMap((element) => listOf(element["PaxSeatInfo"])).flatMap((seat) => {
    const number = textOf(member(seat, "SeatNumber"));
    const isHere = textOf(member(seat, "Origin")) === from && textOf(member(seat, "Destination")) === to;
    return number === null || !isHere || member(seat, "Status") === "FAILED" ? [] : [seatKey(segmentKey, number)];
  });
}

function seatKey(segmentKey: string, seatNumber: string): string {
  return `${segmentKey} ${seatNumber}`;
}
