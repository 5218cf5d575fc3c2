import { z } from "zod";
import { field } from "../element.ts";
import { offeredService, serviceOffer } from "../elements/service-offers.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { responsesUnder } from "./operation-response.ts";

/** Before and after booking. Strict, for what we serve. */
export function serviceListBody<DataLists extends z.ZodType>(dataLists: DataLists) {
  return z.strictObject({
    ...responseEnvelope(responseVersion),
    ServiceListResponseId: field(z.string(), "identifies this service list", { section: "Identifiers" }),
    ALaCarteOffer: field(serviceOffer, "the prices of the services"),
    ServiceList: field(z.array(offeredService), "the services"),
    DataLists: field(dataLists, "what the others refer to"),
    MetaData: responseMetaData.optional(),
  });
}

export function serviceListResponses<Body extends ReturnType<typeof serviceListBody>>(body: Body) {
  return responsesUnder("AirServiceListRS", body, lackOfServices);
}

function lackOfServices(result: { readonly aLaCarteOffer?: unknown; readonly serviceList: readonly unknown[] }) {
  return result.aLaCarteOffer === undefined && result.serviceList.length === 0
    ? { path: "/ALaCarteOffer", because: "It holds no ALaCarteOffer." }
    : null;
}
