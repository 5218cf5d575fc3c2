import { anEnvelope, type Json } from "./order-view.ts";

export interface OfferRequestOptions {
  /** Passenger types; their ids are T1, T2 and so on. Default: one adult. */
  readonly passengers?: readonly string[];
  /** Members of the content that replace the built ones; undefined leaves one out. */
  readonly content?: Json;
}

/** A request that names an offer and its passengers, in the wire format: `anOfferRequest("AirSeatMapRQ")`. */
export function anOfferRequest(root: string, options: OfferRequestOptions = {}): Json {
  const passengers = options.passengers ?? ["ADT"];
  return {
    [root]: {
      ...anEnvelope("1.0"),
      ShoppingResponseId: "1724067361311310318",
      Query: { Offer: [{ OfferID: "1724067361311310318100" }] },
      DataLists: {
        PassengerList: {
          Passenger: passengers.map((ptc, position) => ({ PassengerID: `T${position + 1}`, PTC: ptc })),
        },
      },
      ...options.content,
    },
  };
}

/** Passenger lists just beyond a limit of the interface document, and the code that says so. */
export const refusedPassengerLists: readonly (readonly [string, readonly string[], string])[] = [
  ["no passenger", [], "request.no_passenger"],
  ["no adult", ["CHD"], "request.no_adult"],
  ["one infant more than adults", ["ADT", "INF", "INF"], "request.more_infants_than_adults"],
  ["ten passengers", Array.from({ length: 10 }, () => "ADT"), "request.too_many_passengers"],
];
