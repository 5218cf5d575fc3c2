import { findAirline } from "../airline-names.ts";
import { digitsOf } from "./booked-keys.ts";

export interface TicketFacts {
  readonly orderId: string;
  /** The airline that issues it. */
  readonly owner: string;
  readonly gdsBookingReference: string;
  /** The position of the booking reference in the order. */
  readonly position: number;
  readonly passengerId: string;
}

/** The number has 13 digits: the accounting code of the airline and ten more. */
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
