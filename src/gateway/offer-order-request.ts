import { z } from "zod";
import { bookingMembers, passengerRequestSchema } from "./order-request.ts";

/** The body of `POST /control/orders` that books an offer. */
export type OfferOrderRequest = z.input<typeof offerOrderRequestSchema>;
export type ParsedOfferOrderRequest = z.output<typeof offerOrderRequestSchema>;

/** From 0: of a passenger, and of a flight among all flights of the offer. */
const where = {
  passenger: z.number().int().min(0).max(8),
  flight: z.number().int().min(0).max(99),
};

export const offerOrderRequestSchema = z
  .strictObject({
    /** One booking reference, or one per journey if they are booked separately. */
    ...bookingMembers,
    shoppingResponseId: z.string().max(40),
    offerId: z.string().max(60),
    /** As many of each type as in the search. Default: generated. */
    passengers: z.array(passengerRequestSchema).min(1).max(9).optional(),
    /** Booked now without tickets, paid later; not with `ticketed`. */
    held: z.boolean().default(false),
    /** Default: true, unless held. */
    ticketed: z.boolean().optional(),
    seats: z
      .array(
        z.strictObject({
          ...where,
          seatNumber: z.string().regex(/^\d{1,3}[A-Z]$/, "must be row and column, such as 12A"),
        }),
      )
      .max(100)
      .default([]),
    services: z
      .array(z.strictObject({ ...where, code: z.string().min(1).max(20) }))
      .max(100)
      .default([]),
  })
  .superRefine((request, context) => {
    const references = request.gdsBookingReferences ?? [];
    if (new Set(references).size !== references.length) {
      context.addIssue({ code: "custom", path: ["gdsBookingReferences"], message: "names a reference twice" });
    }
    if (request.ticketed === request.held) {
      const message = "must be the opposite of held: an order is either held or ticketed";
      context.addIssue({ code: "custom", path: ["ticketed"], message });
    }
  });
