import type { PassengerOfferQuery } from "../../contract/operations/offer-request.ts";
import type { OperationName } from "../../contract/operations/operation.ts";
import type { JourneyTrip } from "../extras/journey-trip.ts";
import { offeredTrip } from "../extras/offered-trip.ts";
import type { OperationContext } from "../operation.ts";
import { findOffers, refuseOtherPassengers } from "../shopping/find-offer.ts";
import { recordOfferCall } from "./offer-response.ts";

/**
 * Returns the flights of the offers for the passengers of the call, and writes the journal.
 * @throws OperationRefusal as `findOffers`; 28 for other passengers than in the search
 */
export async function findTrip(
  context: OperationContext,
  operation: OperationName,
  query: PassengerOfferQuery,
): Promise<{ readonly trip: JourneyTrip; readonly expiresAt: Date }> {
  const offers = await findOffers(context, query);
  const { response } = offers[0]!;
  refuseOtherPassengers(response, query.passengers);
  await recordOfferCall(context, operation);
  return { trip: offeredTrip(offers, query.passengers), expiresAt: response.expiresAt };
}
