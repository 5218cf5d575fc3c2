import { z } from "zod";
import { field } from "../element.ts";
import { digits } from "../elements/codes.ts";
import { requestDataLists } from "../elements/passengers.ts";
import {
  type Envelope,
  requestEnvelope,
  requestEnvelopeFields,
  requestMetaData,
  shoppingResponseId,
} from "../envelope.ts";
import { member, memberAt, textOf } from "../lenient-value.ts";
import { type RequestedPassenger, readPassengers } from "../passenger-rules.ts";
import type { OperationName, QueryOptions } from "./operation.ts";
import { metaDataOf, traceIdOf } from "./request-meta-data.ts";
import { elementsAt, refuseRequest, requestReader } from "./request-reader.ts";
import { rooted, underRoot } from "./rooted.ts";
import { refuseOrder } from "./shared-root.ts";

export interface OfferQuery extends QueryOptions {
  readonly shoppingResponseId: string;
  readonly offerIds: readonly string[];
}

/** For operations to which it matters who travels. */
export interface PassengerOfferQuery<Passenger = RequestedPassenger> extends OfferQuery {
  readonly passengers: readonly Passenger[];
}

const section = "Endpoints";

export const offerKeys = field(
  z.array(z.strictObject({ OfferID: field(digits, "identifies one offer in the result set") })).min(1),
  "the offers",
  { section },
);

const offerRequestFields = {
  ...requestEnvelopeFields,
  ShoppingResponseId: shoppingResponseId,
  Query: field(z.strictObject({ Offer: offerKeys }), "what is asked about", { section }),
  MetaData: requestMetaData.optional(),
};

const offerRequestSchema = z.strictObject(offerRequestFields);
const passengerOfferRequestSchema = z.strictObject({ ...offerRequestFields, DataLists: requestDataLists });

/** The request members of `defineOperation` for an operation that names offers. */
export function offerRequests<Root extends string>(requestRoot: Root) {
  return {
    queryLists: ["offerIds"],
    requestRoot,
    requestSchema: rooted(requestRoot, offerRequestSchema),
    request: (query: OfferQuery, envelope: Envelope) => underRoot(requestRoot, offerRequest(query, envelope)),
    readRequest: requestReader(requestRoot, readOfferQuery),
  };
}

/**
 * As `offerRequests`, with passengers.
 * @param ordersGoTo the operation with the same root that asks about orders.
 */
export function passengerOfferRequests<Root extends string>(requestRoot: Root, ordersGoTo?: OperationName) {
  return {
    queryLists: ["offerIds", "passengers"],
    requestRoot,
    requestSchema: rooted(requestRoot, passengerOfferRequestSchema),
    request: (query: PassengerOfferQuery, envelope: Envelope) =>
      underRoot(requestRoot, passengerOfferRequest(query, envelope)),
    readRequest: requestReader(requestRoot, (content): PassengerOfferQuery => {
      if (ordersGoTo !== undefined) refuseOrder(content, ordersGoTo);
      return { ...readOfferQuery(content), passengers: readPassengers(content, (passenger) => passenger) };
    }),
  };
}

function offerRequest(query: OfferQuery, envelope: Envelope): z.infer<typeof offerRequestSchema> {
  return {
    ...requestEnvelope(envelope),
    ShoppingResponseId: query.shoppingResponseId,
    Query: { Offer: offerKeysOf(query) },
    ...metaDataOf(query),
  };
}

function passengerOfferRequest(
  query: PassengerOfferQuery,
  envelope: Envelope,
): z.infer<typeof passengerOfferRequestSchema> {
  return {
    ...offerRequest(query, envelope),
    DataLists: {
      PassengerList: {
        Passenger: query.passengers.map(({ passengerId, ptc }) => ({ PassengerID: passengerId, PTC: ptc })),
      },
    },
  };
}

export function offerKeysOf(query: OfferQuery): z.infer<typeof offerKeys> {
  return query.offerIds.map((offerId) => ({ OfferID: offerId }));
}

/**
 * Reads a request that names offers, without `Document` and `Party`, keys in another letter case, ids as numbers, one
 * offer without a list. Each offer counts once. Codes: `request.no_shopping_response_id`, `request.no_offer`,
 * `request.no_offer_id`.
 * @param offersAt keys from the content to the offers.
 */
export function readOfferQuery(content: object, offersAt: readonly string[] = ["Query", "Offer"]): OfferQuery {
  const shoppingResponseId = textOf(member(content, "ShoppingResponseId"));
  if (shoppingResponseId === null) {
    const message = "The request names no ShoppingResponseId.";
    const code = "request.no_shopping_response_id";
    return refuseRequest(code, "/ShoppingResponseId", message, invalidShoppingResponseId);
  }
  const path = `/${offersAt.join("/")}`;
  const offers = elementsAt(path, memberAt(content, ...offersAt));
  if (offers.length === 0) {
    return refuseRequest("request.no_offer", path, "The request names no offer.", invalidOfferId);
  }
  const offerIds = offers.map(([offer, offerPath]) => readOfferId(offer, offerPath));
  return { shoppingResponseId, offerIds: [...new Set(offerIds)], ...traceIdOf(content) };
}

/** @param holder what should have the member. */
export function readOfferId(holder: unknown, path: string): string {
  const offerId = textOf(member(holder, "OfferID"));
  if (offerId !== null) return offerId;
  const message = "An offer of the request has no OfferID.";
  return refuseRequest("request.no_offer_id", `${path}/OfferID`, message, invalidOfferId);
}

/** INVAILD_SHOPPPING_RES_ID in the gateway's table. */
export const invalidShoppingResponseId = 24;

/** INVAILD_OFFER_ID in the gateway's table. */
export const invalidOfferId = 26;
