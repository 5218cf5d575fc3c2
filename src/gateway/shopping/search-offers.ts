import { randomInt } from "node:crypto";
import { AppError } from "../../kernel/app-error.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { addMinutes } from "../local-time.ts";
import { findAirport } from "../served-airports.ts";
import type { ShoppingRequest } from "../supply/supply.ts";
import type { ShoppingContext } from "./find-offer.ts";
import type { ShoppingResponse } from "./ports.ts";

export const invalidSearch = "gateway.invalid_search";

export const noShoppingResponse = "gateway.shopping_response_not_found";

/** How long offers hold. */
const offerMinutes = 30;
/** As far as timetables and fares are known. */
const daysAheadMax = 361;
/** Two searches in one millisecond get the same digits once in a million times. */
const attemptsMax = 5;

/**
 * Searches the supply and stores the offers until they expire.
 * @throws AppError `gateway.invalid_search` if the request names what the supply does not know
 */
export async function searchOffers(
  context: ShoppingContext & { readonly logger: Logger },
  request: ShoppingRequest,
): Promise<ShoppingResponse> {
  const { shopping, supply, clock, logger } = context;
  // Expiries are stated in whole seconds.
  const createdAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
  refuseUnknown(request, supply.currencies, createdAt);
  const offers = await supply.shop(request, createdAt);
  const isExpired = supply.fixedOutcome?.(request.journeys) === "expired";
  const expiresAt = new Date(createdAt.getTime() + (isExpired ? -1 : offerMinutes) * 60_000);
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const response = { shoppingResponseId: newShoppingResponseId(clock.now()), request, offers, createdAt, expiresAt };
    if (!(await shopping.addResponse(response))) continue;
    logger.info({ shoppingResponseId: response.shoppingResponseId, offers: offers.length }, "offers.found");
    return response;
  }
  throw new AppError("gateway.no_free_id", "No identifier was free for the search. Try again.", { retryable: true });
}

/** 13 digits of the time in milliseconds, and six random ones. */
export function newShoppingResponseId(now: Date): string {
  return `${String(now.getTime()).padStart(13, "0")}${String(randomInt(1_000_000)).padStart(6, "0")}`;
}

function refuseUnknown(request: ShoppingRequest, currencies: readonly string[], now: Date): void {
  const { journeys, currency } = request;
  const today = now.toISOString().slice(0, 10);
  // In other zones it may already be tomorrow or still be yesterday.
  const first = addMinutes({ date: today, time: "00:00:00" }, -24 * 60).date;
  const last = addMinutes({ date: today, time: "00:00:00" }, daysAheadMax * 24 * 60).date;
  for (const [position, { from, to, date }] of journeys.entries()) {
    const unknown = [from, to].find((code) => findAirport(code) === null);
    if (unknown !== undefined) refuse(`The airport ${unknown} is not one of the simulated world.`);
    if (from === to) refuse(`The journey from ${from} ends where it begins.`);
    if (date < first || date > last) refuse(`The date ${date} is not between ${first} and ${last}.`);
    const before = journeys[position - 1];
    if (before !== undefined && date < before.date) refuse(`The journey on ${date} comes after one on ${before.date}.`);
  }
  if (!currencies.includes(currency)) refuse(`The currency ${currency} is not one of ${currencies.join(", ")}.`);
}

function refuse(message: string): never {
  throw new AppError(invalidSearch, message);
}
