import type { OfferedService } from "../supply/extras.ts";
import { createALaCarteItems } from "./a-la-carte-items.ts";

/**
 * What a service list says of the services: one definition and one service for each code, and one offer item for each
 * segment and price.
 *
 * @param expiration until when the prices hold, local date and time.
 * @see interface document, "Service and seat offers"
 */
export function serviceListContent(services: readonly OfferedService[], currency: string, expiration: string) {
  const items = createALaCarteItems("ServiceItem", currency);
  const codes = [...new Set(services.map(({ code }) => code))];
  const listed = codes.map((code, position) => {
    const ofCode = services.filter((service) => service.code === code);
    const keys = ofCode.flatMap((service) =>
      service.segmentKeys.map((segmentKey) => items.keyOf({ ...service, segmentKey })),
    );
    return {
      service: {
        OfferItemRefs: [...new Set(keys)].join(" "),
        ServiceID: `Service${position + 1}`,
        ServiceDefinitionRef: serviceDefinitionKey(code),
      },
      definition: serviceDefinitionElement(ofCode[0]!),
    };
  });
  const elements = items.elements();
  return {
    ALaCarteOffer: {
      Parameters: { TotalItemQuantity: elements.length },
      TimeLimits: { OfferExpiration: expiration },
      ALaCarteOfferItem: elements,
    },
    ServiceList: listed.map(({ service }) => service),
    ServiceDefinitionList: { ServiceDefinition: listed.map(({ definition }) => definition) },
  };
}

/** A service as an element of `ServiceDefinition`. */
export function serviceDefinitionElement({ type, code, name }: Pick<OfferedService, "type" | "code" | "name">) {
  return {
    ServiceDefinitionID: serviceDefinitionKey(code),
    ServiceType: type,
    ServiceCode: code,
    ServiceName: name,
  };
}

/** The key by which services name their definition. */
export function serviceDefinitionKey(code: string): string {
  return `SD_${code}`;
}
