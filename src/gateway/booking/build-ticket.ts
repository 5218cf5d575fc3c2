import { findAirline } from "../airline-names.ts";
import { digitsOf } from "./booked-keys.ts";

/** Whose ticket it is, and for which booking. */
export interface TicketFacts {
  readonly orderId: string;
  /** Airline that issues it. */
  readonly owner: string;
  readonly gdsBookingReference: string;
  /** Position of the booking reference in the order. */
  readonly position: number;
  readonly passengerId: string;
}

/** A ticket as an element of `TicketDocInfo`: 13 digits, the accounting code of the airline and ten more. */
export function buildTicket({ orderId, owner, gdsBookingReference, position, passengerId }: TicketFacts) {
  return {
    TicketDocument: {
      TicketDocNbr: findAirline(owner).accountingCode + digitsOf(`${orderId} ticket ${position} ${passengerId}`, 10),
      Type: "TKT",
    },
    PassengerReference: passengerId,
    GdsBookingReference: gdsBookingReference,
  };
}
