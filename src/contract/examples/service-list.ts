import type { z } from "zod";
import type { offeredService, serviceOffer } from "../elements/service-offers.ts";
import { offerItem } from "./offered-prices.ts";

/** A second bag on each flight for every passenger, and a meal on the long one for the adult. */
export const serviceOfferExample: z.infer<typeof serviceOffer> = {
  Parameters: { TotalItemQuantity: 3 },
  TimeLimits: { OfferExpiration: "2027-03-01T18:30:00" },
  ALaCarteOfferItem: [
    offerItem("ServiceItem1", { passengers: "T1 T2", segments: "Segment1", base: 40, tax: 7.6, total: 47.6 }),
    offerItem("ServiceItem2", { passengers: "T1 T2", segments: "Segment2", base: 75, tax: 14.25, total: 89.25 }),
    offerItem("ServiceItem3", { passengers: "T1", segments: "Segment2", base: 21.5, tax: 0, total: 21.5 }),
  ],
};

export const offeredServicesExample: z.infer<typeof offeredService>[] = [
  { OfferItemRefs: "ServiceItem1 ServiceItem2", ServiceID: "Service1", ServiceDefinitionRef: "ServiceDefinition1" },
  { OfferItemRefs: "ServiceItem3", ServiceID: "Service2", ServiceDefinitionRef: "ServiceDefinition2" },
];

export const serviceDefinitionsExample = [
  {
    ServiceDefinitionID: "ServiceDefinition1",
    ServiceType: "BAG",
    ServiceCode: "C01",
    ServiceName: "Second checked bag up to 23 kg",
  },
  {
    ServiceDefinitionID: "ServiceDefinition2",
    ServiceType: "MEAL",
    ServiceCode: "VGML",
    ServiceName: "Vegan meal",
  },
];
