import { z } from "zod";
import { airlineCode, flightNumber } from "./order-request.ts";

/** The flight in `POST /control/flights/:carrier/:number/:date/changes`; the number with or without leading zeros. */
export const flightPathSchema = z
  .object({
    carrier: airlineCode,
    number: flightNumber,
    date: z.iso.date("must be the local date of departure, such as 2027-03-14"),
  })
  .transform(({ carrier, number, date }) => ({ carrier, flightNumber: number.replace(/^0+(?=.)/, ""), date }));

/** Orders that one request changes at most; those beyond it take another request with the cursor. */
const ordersMax = 5_000;

export const flightChangeQuerySchema = z.object({
  cursor: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(ordersMax).default(ordersMax),
});
