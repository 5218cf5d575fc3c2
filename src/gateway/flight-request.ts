import { z } from "zod";
import { airlineCode, flightNumber } from "./order-request.ts";

/** The path of `POST /control/flights/:carrier/:number/:date/changes`. The number may have leading zeros. */
export const flightPathSchema = z
  .object({
    carrier: airlineCode,
    number: flightNumber,
    date: z.iso.date("must be the local date of departure, such as 2027-03-14"),
  })
  .transform(({ carrier, number, date }) => ({ carrier, flightNumber: number.replace(/^0+(?=.)/, ""), date }));

/** Per request; the cursor continues. */
const ordersMax = 5_000;

export const flightChangeQuerySchema = z.object({
  cursor: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(ordersMax).default(ordersMax),
});
