import { isRecord } from "../kernel/record.ts";
import { foldedTextOf, listOf, member, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { BookedSeat, BookedService } from "./order-view.ts";
import { assistanceNamedIn } from "./read-assistance.ts";

/** The interface document shows no fields; these are what gateways send. */
export function readBookedSeat(json: unknown): BookedSeat {
  return {
    origin: textOf(member(json, "Origin"))?.toUpperCase() ?? null,
    destination: textOf(member(json, "Destination"))?.toUpperCase() ?? null,
    passengerRefs: referencesOf(memberOf(json, "PaxRef", "PassengerRefs")),
    status: foldedTextOf(member(json, "Status")),
  };
}

/**
 * Returns the services of a service item. Fare items in the same list have no service definition. `Service` is one
 * object, a list, or missing.
 */
export function readBookedServices(item: unknown): readonly BookedService[] {
  if (!isServiceItem(item)) return [];
  const services = listOf(member(item, "Service")).filter(isRecord);
  const serviceDefinitionRef = textOf(member(item, "ServiceDefinitionRef"));
  const keys = [serviceDefinitionRef, ...services.map((service) => textOf(member(service, "OptinalServiceId")))];
  const assistance = [...new Set(keys.flatMap((key) => (key === null ? [] : assistanceNamedIn(key))))];
  return [
    {
      serviceDefinitionRef,
      ...(assistance.length === 0 ? {} : { assistance }),
      passengerRefs: referencesOf(services.map((service) => member(service, "PassengerRefs"))),
      segmentKeys: referencesOf(services.map((service) => memberOf(service, "SegmentRefs", "SegmentReferences"))),
      status: foldedTextOf(member(item, "Status")),
    },
  ];
}

function isServiceItem(item: unknown): boolean {
  return (
    member(item, "ServiceDefinitionRef") !== undefined ||
    listOf(member(item, "Service")).some((service) => member(service, "OptinalServiceId") !== undefined) ||
    textOf(member(item, "OfferItemID"))?.toUpperCase().startsWith("SRV-") === true
  );
}
