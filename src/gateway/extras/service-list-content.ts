import type { OfferedService } from "../supply/extras.ts";
import { createALaCarteItems } from "./a-la-carte-items.ts";

/**
 * One definition and one service per code, and one offer item per segment and price.
 * @param expiration of the prices, local date and time.
 * @see interface document, "Service and seat offers"
 */
export function serviceListContent(services: readonly OfferedService[], currency: string, expiration: string) {
  const items = createALaCarteItems("ServiceItem", currency);
  const codes = [...new Set(services.map(({ code }) => code))];
  const listed = codes.map((code, position) => {
    const ofCode = services.filter((service) => service.code === code);
    const keys = ofCode.flatMap((service) =>
      service.segmentKeys.map((segmentKey) => items.add({ ...service, segmentKey })),
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

export function serviceDefinitionElement({ type, code, name }: Pick<OfferedService, "type" | "code" | "name">) {
  return {
    ServiceDefinitionID: serviceDefinitionKey(code),
    ServiceType: type,
    ServiceCode: code,
    ServiceName: name,
  };
}

export function serviceDefinitionKey(code: string): string {
  return `SD_${code}`;
}
