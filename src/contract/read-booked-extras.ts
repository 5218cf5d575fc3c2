import { foldedTextOf, isRecord, listOf, member, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { BookedSeat, BookedService } from "./order-view.ts";

/** An element of `PaxSeatInfo`. The interface document shows no fields; these are what gateways send. */
export function readBookedSeat(json: unknown): BookedSeat {
  return {
    origin: textOf(member(json, "Origin"))?.toUpperCase() ?? null,
    destination: textOf(member(json, "Destination"))?.toUpperCase() ?? null,
    passengerRefs: referencesOf(memberOf(json, "PaxRef", "PassengerRefs")),
    status: foldedTextOf(member(json, "Status")),
  };
}

/**
 * The services of an `OfferItem`, when it is a service item: fare items and service items stand in one list, and only
 * the latter refer to a service definition. Its `Service` is one object, a list, or missing.
 */
export function readBookedServices(item: unknown): readonly BookedService[] {
  if (!isServiceItem(item)) return [];
  const services = listOf(member(item, "Service")).filter(isRecord);
  return [
    {
      serviceDefinitionRef: textOf(member(item, "ServiceDefinitionRef")),
      passengerRefs: referencesOf(services.map((service) => member(service, "PassengerRefs"))),
      segmentKeys: referencesOf(services.map((service) => memberOf(service, "SegmentRefs", "SegmentReferences"))),
      status: foldedTextOf(member(item, "Status")),
    },
  ];
}

function isServiceItem(item: unknown): boolean {
  return (
    member(item, "ServiceDefinitionRef") !== undefined ||
    textOf(member(item, "OfferItemID"))?.toUpperCase().startsWith("SRV-") === true
  );
}
