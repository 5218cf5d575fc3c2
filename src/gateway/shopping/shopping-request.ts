import { z } from "zod";
import { airportCode, localDate, passengerType } from "../../contract/elements/codes.ts";
import { findPartyProblem, passengersMax } from "../../contract/passenger-rules.ts";
import { cabins } from "../supply/offer.ts";
import type { ShoppingRequest } from "../supply/supply.ts";

const journeysMax = 6;
const offersMax = 100;

/**
 * The body of `POST /control/shopping-responses`. One journey is one way, out and back is a round trip, anything else
 * several cities.
 */
export const shoppingRequestSchema: z.ZodType<ShoppingRequest> = z
  .strictObject({
    /** Local dates; airports by IATA code. */
    journeys: z
      .array(z.strictObject({ from: airportCode, to: airportCode, date: localDate }))
      .min(1)
      .max(journeysMax),
    passengers: z
      .array(z.strictObject({ ptc: passengerType }))
      .min(1)
      .max(passengersMax)
      .default([{ ptc: "ADT" }]),
    cabin: z.enum(cabins).default("Y"),
    /** Only offers of this airline. */
    owner: z
      .string()
      .regex(/^[A-Z0-9]{2}$/)
      .optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .default("USD"),
    /** Most offers of the response. */
    limit: z.number().int().min(1).max(offersMax).default(20),
  })
  .superRefine(({ passengers }, context) => {
    const problem = findPartyProblem(passengers.map(({ ptc }) => ptc));
    if (problem !== null) context.addIssue({ code: "custom", path: ["passengers"], message: problem.message });
  })
  .transform(({ passengers, owner = null, ...request }) => ({
    ...request,
    owner,
    passengers: passengers.map(({ ptc }) => ptc),
  }));
