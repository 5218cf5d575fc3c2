import { isRecord } from "../kernel/record.ts";
import type { paxSeatInfo } from "./elements/offer.ts";
import type { offerItem } from "./elements/offer-item.ts";
import { foldedTextOf, listOf, member, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { BookedSeat, BookedService } from "./order-view.ts";
import { assistanceNamedIn } from "./read-assistance.ts";
import type { Stated } from "./stated.ts";

/** The interface document shows no fields; these are what gateways send. */
export function readBookedSeat(seat: Stated<typeof paxSeatInfo>): BookedSeat {
  return {
    origin: textOf(seat?.Origin)?.toUpperCase() ?? null,
    destination: textOf(seat?.Destination)?.toUpperCase() ?? null,
    passengerRefs: referencesOf(memberOf(seat, "PaxRef", "PassengerRefs")),
    status: foldedTextOf(seat?.Status),
  };
}

/**
 * Returns the services of a service item. Fare items in the same list have no service definition. `Service` is one
 * object, a list, or missing.
 */
export function readBookedServices(item: Stated<typeof offerItem>): readonly BookedService[] {
  if (!isServiceItem(item)) return [];
  const services = listOf<unknown>(item?.Service).filter(isRecord);
  const serviceDefinitionRef = textOf(item?.ServiceDefinitionRef);
  const keys = [serviceDefinitionRef, ...services.map((service) => textOf(member(service, "OptinalServiceId")))];
  const assistance = [...new Set(keys.flatMap((key) => (key === null ? [] : assistanceNamedIn(key))))];
  return [
    {
      serviceDefinitionRef,
      ...(assistance.length === 0 ? {} : { assistance }),
      passengerRefs: referencesOf(services.map((service) => member(service, "PassengerRefs"))),
      segmentKeys: referencesOf(services.map((service) => memberOf(service, "SegmentRefs", "SegmentReferences"))),
      status: foldedTextOf(item?.Status),
    },
  ];
}

function isServiceItem(item: Stated<typeof offerItem>): boolean {
  return (
    item?.ServiceDefinitionRef !== undefined ||
    listOf<unknown>(item?.Service).some((service) => member(service, "OptinalServiceId") !== undefined) ||
    textOf(item?.OfferItemID)?.toUpperCase().startsWith("SRV-") === true
  );
}
