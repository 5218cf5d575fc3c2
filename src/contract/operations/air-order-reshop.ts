import { z } from "zod";
import type { DomainShape } from "../domain-shape.ts";
import { field } from "../element.ts";
import { reshopDataLists } from "../elements/data-lists.ts";
import { reshopOffer } from "../elements/offer.ts";
import { reshopRequestDataLists, reshopRequestPassenger } from "../elements/passengers.ts";
import {
  documentSchema,
  type Envelope,
  requestEnvelope,
  requestEnvelopeFields,
  requestMetaData,
  responseEnvelope,
  responseMetaData,
  responseVersion,
  shoppingResponseId,
} from "../envelope.ts";
import { member, memberAt, textOf } from "../lenient-value.ts";
import { invalidPassenger, type RequestedPassenger, readPassengers } from "../passenger-rules.ts";
import { defineOperation } from "./define-operation.ts";
import { offerKeys, offerKeysOf, type PassengerOfferQuery, readOfferQuery } from "./offer-request.ts";
import { lackOfPricedOffers, type OperationResponses, responsesUnder } from "./operation-response.ts";
import { metaDataOf } from "./request-meta-data.ts";
import { refuseRequest, requestReader } from "./request-reader.ts";
import { rooted } from "./rooted.ts";

const requestRoot = "OrderReshopRQ";

export interface ReshopPassenger extends RequestedPassenger {
  readonly nameTitle?: NameTitle;
  readonly firstName: string;
  /** May be empty. */
  readonly middleName: string;
  readonly lastName: string;
  /** The passenger identification number from ticketing: the ticket number. */
  readonly documentNumber: string;
}

const nameTitles = reshopRequestPassenger.shape.NameTitle.unwrap().options;

export type NameTitle = (typeof nameTitles)[number];

/** Names the offer of an earlier search for exchanges. */
export type ReshopQuery = PassengerOfferQuery<ReshopPassenger>;

const orderKeys = z.strictObject({ Offer: offerKeys });
const existingOrder = z.strictObject({ OrderKeys: field(orderKeys, "what the order changes to") });
const qualifier = z.strictObject({ ExistingOrderQualifier: field(existingOrder, "an order that exists") });
const addition = z.strictObject({ Qualifier: field(qualifier, "what is added to") });
const servicing = z.strictObject({ Add: field(addition, "what is added") });
const reshop = z.strictObject({ OrderServicing: field(servicing, "how the order changes") });

const requestSchema = rooted(
  requestRoot,
  z.strictObject({
    ...requestEnvelopeFields,
    Document: field(documentSchema.partial({ ReferenceVersion: true }), "names the request; its version is optional", {
      section: "Common request envelope",
    }),
    ShoppingResponseId: shoppingResponseId,
    Query: field(z.strictObject({ Reshop: field(reshop, "the exchange") }), "what is asked about", {
      section: "Endpoints",
    }),
    DataLists: reshopRequestDataLists,
    MetaData: requestMetaData.optional(),
  }),
);

const offersAt = [
  "Query",
  "Reshop",
  "OrderServicing",
  "Add",
  "Qualifier",
  "ExistingOrderQualifier",
  "OrderKeys",
  "Offer",
] as const;

const responseBody = z.strictObject({
  ...responseEnvelope(responseVersion),
  OfferResponseId: field(z.string(), "identifies this pricing; priced exchanges only", {
    section: "Identifiers",
  }).optional(),
  ReshopOffers: field(
    z.array(field(z.array(reshopOffer).min(1), "offers that replace the same part of the order")).min(1),
    "lists of offers; gateways also send objects that hold a list named ReshopOffer",
    { section: "Endpoints" },
  ),
  DataLists: field(reshopDataLists, "what the offers refer to").optional(),
  MetaData: responseMetaData.optional(),
});

export interface ReshopOffers extends DomainShape<typeof responseBody> {}

interface ReshopBody extends z.infer<typeof responseBody> {}

const responses: OperationResponses<ReshopOffers, Record<"OrderReshopRS", ReshopBody>> = responsesUnder(
  "OrderReshopRS",
  responseBody,
  ({ reshopOffers }) => lackOfPricedOffers(reshopOffers.flat(), "/ReshopOffers", "ReshopOffer"),
);

/**
 * Prices the exchange of an order for a new offer. Gateways have a second mode on this path, which names an OrderID and
 * searches for exchanges. The interface document requires a ShoppingResponseId, so that mode is not sent, and is
 * refused with `request.exchange_search`; its responses, which have no `ReshopDifferential`, can be read. A response is
 * usable if an offer has its OfferID and its total price.
 * @see interface document, "Endpoints", /AirOrderReshop
 */
export const airOrderReshop = defineOperation({
  name: "AirOrderReshop",
  summary: "Prices the exchange of an order for a new offer.",
  readOnly: true,
  queryLists: ["offerIds", "passengers"],
  requestRoot,
  requestSchema,
  request,
  readRequest: requestReader(requestRoot, readQuery),
  ...responses,
});

function request(query: ReshopQuery, envelope: Envelope): z.infer<typeof requestSchema> {
  const orderKeys = { Offer: offerKeysOf(query) };
  return {
    [requestRoot]: {
      ...requestEnvelope(envelope),
      ShoppingResponseId: query.shoppingResponseId,
      Query: {
        Reshop: { OrderServicing: { Add: { Qualifier: { ExistingOrderQualifier: { OrderKeys: orderKeys } } } } },
      },
      DataLists: {
        PassengerList: {
          Passenger: query.passengers.map((passenger) => ({
            PassengerID: passenger.passengerId,
            PTC: passenger.ptc,
            ...(passenger.nameTitle === undefined ? {} : { NameTitle: passenger.nameTitle }),
            FirstName: passenger.firstName,
            MiddleName: passenger.middleName,
            LastName: passenger.lastName,
            DocumentNumber: passenger.documentNumber,
          })),
        },
      },
      ...metaDataOf(query),
    },
  };
}

/**
 * Codes: those of `readOfferQuery` and `readPassengers`, `request.exchange_search`, `request.no_document_number`,
 * `request.name_title`.
 */
function readQuery(content: object): ReshopQuery {
  const searches =
    textOf(member(content, "ShoppingResponseId")) === null &&
    (memberAt(content, "Query", "OrderID") !== undefined ||
      memberAt(content, "Query", "Reshop", "OrderServicing", "Add", "FlightQuery") !== undefined);
  if (searches) {
    const message =
      "The request searches for exchanges of an order. Only the price of an exchange can be asked for: name the ShoppingResponseId and the OfferID of one that was found.";
    return refuseRequest("request.exchange_search", "/ShoppingResponseId", message);
  }
  return { ...readOfferQuery(content, offersAt), passengers: readPassengers(content, readReshopPassenger) };
}

/** Names may be missing, the ticket number may not. */
function readReshopPassenger(passenger: RequestedPassenger, json: unknown, path: string): ReshopPassenger {
  const { passengerId } = passenger;
  const documentNumber = textOf(member(json, "DocumentNumber"));
  if (documentNumber === null) {
    const message = `Passenger ${passengerId} has no DocumentNumber.`;
    return refuseRequest("request.no_document_number", `${path}/DocumentNumber`, message, invalidPassenger);
  }
  const stated = textOf(member(json, "NameTitle"))?.toLowerCase();
  const nameTitle = nameTitles.find((title) => title.toLowerCase() === stated);
  if (stated !== undefined && nameTitle === undefined) {
    const message = `The NameTitle of passenger ${passengerId} is not one of ${nameTitles.join(", ")}.`;
    return refuseRequest("request.name_title", `${path}/NameTitle`, message, invalidPassenger);
  }
  return {
    ...passenger,
    ...(nameTitle === undefined ? {} : { nameTitle }),
    firstName: textOf(member(json, "FirstName")) ?? "",
    middleName: textOf(member(json, "MiddleName")) ?? "",
    lastName: textOf(member(json, "LastName")) ?? "",
    documentNumber,
  };
}
