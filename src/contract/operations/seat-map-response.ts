import { z } from "zod";
import { field } from "../element.ts";
import { seatOffer } from "../elements/service-offers.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { responsesUnder } from "./operation-response.ts";

/** Before and after booking. Strict, for what we serve. */
export function seatMapBody<SeatMap extends z.ZodType, DataLists extends z.ZodType>(
  seatMap: SeatMap,
  dataLists: DataLists,
) {
  return z.strictObject({
    ...responseEnvelope(responseVersion),
    SeatResponseId: field(z.string(), "identifies this seat map", { section: "Identifiers" }),
    ALaCarteOffer: field(seatOffer, "the prices of the seats"),
    SeatMap: field(z.array(seatMap), "one cabin for each segment"),
    DataLists: field(dataLists, "what the others refer to"),
    MetaData: responseMetaData.optional(),
  });
}

export function seatMapResponses<Body extends ReturnType<typeof seatMapBody>>(body: Body) {
  return responsesUnder("AirSeatMapRS", body, lackOfSeatMaps);
}

function lackOfSeatMaps({ seatMap }: { readonly seatMap: readonly unknown[] }) {
  return seatMap.length > 0 ? null : { path: "/SeatMap", because: "It holds no SeatMap." };
}
