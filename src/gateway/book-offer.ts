import { AppError } from "../kernel/app-error.ts";
import { randomCode } from "./booking/booked-keys.ts";
import { buildOfferOrder } from "./booking/build-offer-order.ts";
import { chooseExtras } from "./booking/choose-extras.ts";
import { instantOf } from "./local-time.ts";
import { newOrder } from "./new-order.ts";
import type { ParsedOfferOrderRequest } from "./offer-order-request.ts";
import { OperationRefusal } from "./operation.ts";
import { orderContentSchema } from "./order-content.ts";
import { passengerRequestSchema } from "./order-request.ts";
import type { GatewayOrder } from "./ports.ts";
import { findAirport } from "./served-airports.ts";
import { findOffer, priceNow, refuseOtherPassengers, type ShoppingContext } from "./shopping/find-offer.ts";
import { createOfferLists } from "./shopping/offer-lists.ts";
import type { Offer } from "./supply/offer.ts";

export const wrongReferenceCount = "gateway.wrong_reference_count";

/**
 * Books an offer: one order with one booking reference, or with one per journey if they are booked separately. It is
 * ticketed and paid, or held, which is PENDING until its payment expires.
 * @throws OperationRefusal as `findOffer`; 26 if sold out, 28 for other passengers than in the search, 36 if the
 * payment is declined, 38 if it cannot be held
 * @throws AppError `gateway.wrong_reference_count`, or one of `extraErrorCodes`
 */
export async function bookOffer(context: ShoppingContext, request: ParsedOfferOrderRequest): Promise<GatewayOrder> {
  const at = context.clock.now();
  const found = await findOffer(context, request.shoppingResponseId, request.offerId);
  const travellers =
    request.passengers ?? found.response.request.passengers.map((ptc) => passengerRequestSchema.parse({ ptc }));
  const passengers = travellers.map(({ ptc }, position) => ({ passengerId: `T${position + 1}`, ptc }));
  refuseOtherPassengers(found.response, passengers);
  const { offer } = await priceNow(context, found);
  if (request.held && !offer.holdable) {
    const message = `The offer ${found.offerId} cannot be held. Pay it at once.`;
    throw new OperationRefusal("gateway.hold_not_allowed", message, { httpStatus: 400, gatewayCode: "38" });
  }
  if (!request.held && context.supply.fixedOutcome?.(offer.journeys) === "declined") {
    const message = `The payment of the offer ${found.offerId} was declined. Choose another form of payment.`;
    throw new OperationRefusal("gateway.payment_declined", message, { httpStatus: 400, gatewayCode: "36" });
  }
  const parts = offer.bookedSeparately ? await context.supply.split(offer) : [offer];
  const references = chooseReferences(request, parts);
  const orderId = request.orderId ?? randomCode(8);
  const lists = createOfferLists();
  const extras = await chooseExtras(context.supply, { offer, lists, passengers, request });
  const content = buildOfferOrder({
    orderId,
    references,
    parts,
    passengers,
    travellers,
    lists,
    extras,
    request,
    expiresAt: found.response.expiresAt,
    payableUntil: request.held ? endOfHold(offer, at) : found.response.expiresAt,
  });
  const pnrStatus = request.held ? "PENDING" : "CONFIRMED";
  const identity = { orderId, owner: offer.owner, agencyId: request.agencyId };
  return newOrder(identity, orderContentSchema.parse(content), references, { pnrStatus, at });
}

function chooseReferences(request: ParsedOfferOrderRequest, parts: readonly Offer[]): readonly string[] {
  const references = request.gdsBookingReferences ?? parts.map(() => randomCode(6));
  if (references.length === parts.length) return references;
  const message = `The offer ${request.offerId} becomes ${parts.length} bookings, but ${references.length} booking references are given. Give one for each.`;
  throw new AppError(wrongReferenceCount, message);
}

/** For an unpaid order, unless it departs earlier. */
const holdMs = 24 * 60 * 60_000;

function endOfHold(offer: Offer, at: Date): Date {
  const [first] = offer.journeys.flatMap(({ flights }) => flights);
  const timeZone = first === undefined ? undefined : findAirport(first.from)?.timeZone;
  const latest = at.getTime() + holdMs;
  if (first === undefined || timeZone === undefined) return new Date(latest);
  return new Date(Math.min(latest, instantOf(first.departure, timeZone)));
}
