import { z } from "zod";
import { isRecord } from "../../kernel/record.ts";
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
import { listOf, member, memberAt, textOf } from "../lenient-value.ts";
import { type ReadPassenger, type RequestedPassenger, readNothingElse, readPassengers } from "../passenger-rules.ts";
import type { OperationName, QueryOptions, ReadRequest } from "./operation.ts";
import { refuseRequest } from "./refuse-request.ts";
import { metaDataOf, traceIdOf } from "./request-meta-data.ts";
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
    readRequest: (json: unknown) => readOfferRequest(requestRoot, json),
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

export function offerKeysOf(query: OfferQuery): z.infer<typeof offerKeys> {
  return query.offerIds.map((offerId) => ({ OfferID: offerId }));
}

/**
 * Reads a request that names offers, without `Document` and `Party`, keys in another letter case, ids as numbers, one
 * offer without a list. Each offer counts once. Codes: `request.no_root`, `request.no_shopping_response_id`,
 * `request.no_offer`, `request.no_offer_id`.
 * @param offersAt keys from the content to the offers.
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

/** Codes: those of `readPassengers`. */
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

/** INVAILD_SHOPPPING_RES_ID in the gateway's table. */
export const invalidShoppingResponseId = 24;

/** INVAILD_OFFER_ID in the gateway's table. */
export const invalidOfferId = 26;
