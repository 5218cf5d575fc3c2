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
import { isRecord, listOf, member, memberAt, textOf } from "../lenient-value.ts";
import { type ReadPassenger, type RequestedPassenger, readNothingElse, readPassengers } from "../passenger-rules.ts";
import type { OperationName, QueryOptions, ReadRequest } from "./operation.ts";
import { refuseRequest } from "./refuse-request.ts";
import { metaDataOf, traceIdOf } from "./request-meta-data.ts";
import { rooted, underRoot } from "./rooted.ts";
import { refuseOrder } from "./shared-root.ts";

/** What the operations on offers ask with. */
export interface OfferQuery extends QueryOptions {
  readonly shoppingResponseId: string;
  readonly offerIds: readonly string[];
}

/** What the operations on offers ask with when it matters who travels. */
export interface PassengerOfferQuery<Passenger = RequestedPassenger> extends OfferQuery {
  readonly passengers: readonly Passenger[];
}

const section = "Endpoints";

/** `Offer[]` of a request. */
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

/** The request of an operation that names offers, as `defineOperation` takes it. */
export function offerRequests<Root extends string>(requestRoot: Root) {
  return {
    requestRoot,
    requestSchema: rooted(requestRoot, offerRequestSchema),
    request: (query: OfferQuery, envelope: Envelope) => underRoot(requestRoot, offerRequest(query, envelope)),
    readRequest: (json: unknown) => readOfferRequest(requestRoot, json),
  };
}

/**
 * The same for an operation that names passengers too.
 *
 * @param ordersGoTo the operation with the same root that asks about orders, when there is one.
 */
export function passengerOfferRequests<Root extends string>(requestRoot: Root, ordersGoTo?: OperationName) {
  return {
    requestRoot,
    requestSchema: rooted(requestRoot, passengerOfferRequestSchema),
    request: (query: PassengerOfferQuery, envelope: Envelope) =>
      underRoot(requestRoot, passengerOfferRequest(query, envelope)),
    readRequest: (json: unknown) =>
      (ordersGoTo === undefined ? null : refuseOrder(requestRoot, json, ordersGoTo)) ??
      withPassengers(requestRoot, json, readOfferRequest(requestRoot, json), readNothingElse),
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

/** `Offer[]` for a query. */
export function offerKeysOf(query: OfferQuery): z.infer<typeof offerKeys> {
  return query.offerIds.map((offerId) => ({ OfferID: offerId }));
}

/**
 * Reads a request that names offers as a gateway must: `Document` and `Party` may be missing or in any spelling, keys in
 * another letter case, ids as numbers, one offer where a list belongs. An offer named twice counts once. Codes:
 * `request.no_root`, `request.no_shopping_response_id`, `request.no_offer`, `request.no_offer_id`.
 *
 * @param offersAt keys from the content to the offers, for the operation that nests them deeper.
 */
export function readOfferRequest(
  root: string,
  json: unknown,
  offersAt: readonly string[] = ["Query", "Offer"],
): ReadRequest<OfferQuery> {
  const content = member(json, root);
  if (!isRecord(content)) {
    return refuseRequest("request.no_root", `/${root}`, `The request has no root object ${root}.`);
  }
  const shoppingResponseId = textOf(member(content, "ShoppingResponseId"));
  if (shoppingResponseId === null) {
    const path = `/${root}/ShoppingResponseId`;
    const message = "The request names no ShoppingResponseId.";
    return refuseRequest("request.no_shopping_response_id", path, message, invalidShoppingResponseId);
  }
  const offers = memberAt(content, ...offersAt);
  const offersPath = `/${[root, ...offersAt].join("/")}`;
  const offerIds = listOf(offers).map((offer) => textOf(member(offer, "OfferID")));
  const known = offerIds.filter((offerId) => offerId !== null);
  if (offerIds.length === 0) {
    return refuseRequest("request.no_offer", offersPath, "The request names no offer.", invalidOfferId);
  }
  if (known.length < offerIds.length) {
    const path = `${offersPath}${Array.isArray(offers) ? `/${offerIds.indexOf(null)}` : ""}/OfferID`;
    return refuseRequest("request.no_offer_id", path, "An offer of the request has no OfferID.", invalidOfferId);
  }
  return { ok: true, query: { shoppingResponseId, offerIds: [...new Set(known)], ...traceIdOf(content) } };
}

/** Adds the passengers to a request whose offers have been read; codes as those of `readPassengers`. */
export function withPassengers<Passenger extends RequestedPassenger>(
  root: string,
  json: unknown,
  request: ReadRequest<OfferQuery>,
  readMore: ReadPassenger<Passenger>,
): ReadRequest<PassengerOfferQuery<Passenger>> {
  if (!request.ok) return request;
  const read = readPassengers(member(json, root), `/${root}`, readMore);
  return read.ok ? { ok: true, query: { ...request.query, passengers: read.passengers } } : read;
}

/** INVAILD_SHOPPPING_RES_ID in the gateway's own table of errors. */
export const invalidShoppingResponseId = 24;

/** INVAILD_OFFER_ID in the gateway's own table of errors. */
export const invalidOfferId = 26;
