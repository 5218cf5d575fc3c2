import { operations } from "../../src/contract/operations/registry.ts";
import { exampleOf, notificationExample } from "./examples.ts";
import { anEnvelope, type Json } from "./order-view.ts";

/**
 * Responses of the operations on offers, extras, tickets and bookings, as the interface document has them. Each starts from
 * the example of the contract; a test states what matters to it. Responses of AirReservationStatus and the notification are
 * built by `anOrderView`, those of the involuntary operations by `anAcceptResponse` and `aCancelResponse`.
 */
export interface ResponseOptions {
  /** Members below the root that replace the built ones; undefined leaves one out. */
  readonly content?: Json;
}

export interface OffersOptions extends ResponseOptions {
  /** One offer for each. Default: the one of the example. */
  readonly offerIds?: readonly string[];
  /** Price of each offer in both currencies. Default: that of the example. */
  readonly totalPrice?: number;
}

/** A response of AirOfferPrice. */
export function aPriceResponse(options: OffersOptions = {}): Json {
  const { response } = exampleOf(operations.AirOfferPrice);
  const example = response.OfferPriceRS;
  return buildResponse(response, { PricedOffer: offersLike(example.PricedOffer[0]!, options) }, options);
}

/** A response of AirOrderReshop. A search differs from the pricing of an exchange in what it leaves out. */
export function aReshopResponse(options: OffersOptions & { readonly isSearch?: boolean } = {}): Json {
  const { response } = exampleOf(operations.AirOrderReshop);
  const example = response.OrderReshopRS;
  const offers = offersLike(example.ReshopOffers[0]![0]!, options);
  const searched = offers.map(({ ReshopDifferential: _, AddOfferItem: __, ...offer }) => offer);
  const content =
    options.isSearch === true ? { ReshopOffers: [searched], OfferResponseId: undefined } : { ReshopOffers: [offers] };
  return buildResponse(response, content, options);
}

/** A response of AirGetBrandedOffers: the offers of one airline. */
export function aBrandedOffersResponse(options: OffersOptions = {}): Json {
  const { response } = exampleOf(operations.AirGetBrandedOffers);
  const example = response.GetBrandedOffersRS;
  return buildResponse(response, { OffersGroup: offersGroup(example.OffersGroup, options) }, options);
}

/** A response of AirOfferSplit: the offers of one airline. */
export function aSplitResponse(options: OffersOptions = {}): Json {
  const { response } = exampleOf(operations.AirOfferSplit);
  const example = response.AirSplitOfferRS;
  return buildResponse(response, { OffersGroup: offersGroup(example.OffersGroup, options) }, options);
}

/** A response of AirFareRules with the rules of one fare for each fare code. */
export function aFareRulesResponse(options: ResponseOptions & { readonly fareCodes?: readonly string[] } = {}): Json {
  const { response } = exampleOf(operations.AirFareRules);
  const example = response.AirFareRulesRS;
  const [rules] = example.Rules;
  const Rules = options.fareCodes?.map((FareCode) => ({ ...rules, FareCode })) ?? example.Rules;
  return buildResponse(response, { Rules }, options);
}

export interface ExtrasOptions extends ResponseOptions {
  /** When the offer of extras ends, as yyyy-mm-ddThh:mm:ss. */
  readonly offerExpiration?: string;
}

/** A response of AirOfferServiceList. */
export function aServiceListResponse(options: ExtrasOptions = {}): Json {
  const { response } = exampleOf(operations.AirOfferServiceList);
  return extras(response, response.AirServiceListRS, options);
}

/** A response of AirPostBookingAncillary. */
export function aPostBookingServiceListResponse(options: ExtrasOptions = {}): Json {
  const { response } = exampleOf(operations.AirPostBookingAncillary);
  return extras(response, response.AirServiceListRS, options);
}

/** A response of AirSeatMap. */
export function aSeatMapResponse(options: ExtrasOptions = {}): Json {
  const { response } = exampleOf(operations.AirSeatMap);
  return extras(response, response.AirSeatMapRS, options);
}

/** A response of AirPostBookingSeatMap. */
export function aPostBookingSeatMapResponse(options: ExtrasOptions = {}): Json {
  const { response } = exampleOf(operations.AirPostBookingSeatMap);
  return extras(response, response.AirSeatMapRS, options);
}

/** A response of AirDocRetreive with one ticket document for each number. */
export function aTicketDocumentsResponse(
  options: ResponseOptions & { readonly ticketNumbers?: readonly string[] } = {},
): Json {
  const { response } = exampleOf(operations.AirDocRetreive);
  const ticketNumbers = options.ticketNumbers ?? ["2202100000001"];
  const TicketDocInfo = ticketNumbers.map((TicketDocNbr, position) => ({
    TicketDocument: { TicketDocNbr, Type: "TKT" },
    PassengerReference: `T${position + 1}`,
    GdsBookingReference: "LHSKD1",
  }));
  return buildResponse(response, { TicketDocInfos: { TicketDocInfo } }, options);
}

export interface BookingResultOptions {
  readonly status?: "SUCCESS" | "FAILED";
  /** Default: empty. */
  readonly message?: string;
  /** As sent: gateways spell CANCELED. */
  readonly bookingStatus?: string;
}

/** A response of AirOrderCancel with one result, or with those given. */
export function anOrderCancelResponse(
  options: ResponseOptions & { readonly results?: readonly BookingResultOptions[] } = {},
): Json {
  const { response } = exampleOf(operations.AirOrderCancel);
  const Response = (options.results ?? [{}]).map((result) => ({
    Status: result.status ?? "SUCCESS",
    Msg: result.message ?? "",
    BookingStatus: result.bookingStatus ?? "CANCELED",
    OrderID: "QX7R2M1A",
    GdsBookingReference: "LHSKD1",
  }));
  return buildResponse(response, { Response }, options);
}

/** A response of AirTicketVoid: all tickets share the status. */
export function aVoidResponse(
  options: ResponseOptions & BookingResultOptions & { readonly ticketNumbers?: readonly string[] } = {},
): Json {
  const { response } = exampleOf(operations.AirTicketVoid);
  const Status = options.status ?? "SUCCESS";
  const message = options.message ?? "";
  const Result = {
    Status,
    ErrorMessage: message,
    TicketDetails: (options.ticketNumbers ?? ["2202100000001"]).map((DocumentNumber) => ({
      DocumentNumber,
      Status,
      Msg: message,
    })),
    TktRequestId: "17240673",
    ShoppingResponseId: "1724067361311310318",
    BookingStatus: options.bookingStatus ?? "CANCELED",
  };
  return buildResponse(response, { Result }, options);
}

/** A notification with everything that the interface document shows. Smaller ones are made by `aMinorDelay`. */
export function aFullNotification(options: ResponseOptions = {}): Json {
  return buildResponse(notificationExample, {}, options);
}

/** As the example under its root, with other members. */
function buildResponse(response: object, built: Json, { content }: ResponseOptions): Json {
  const [[root, example]] = Object.entries(response) as [[string, object]];
  const members = Object.entries({ ...example, ...anEnvelope("1.2"), ...built, ...content });
  return { [root]: Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

function offersLike(example: Json, { offerIds, totalPrice }: OffersOptions): readonly Json[] {
  const price = totalPrice === undefined ? {} : { TotalPrice: inBothCurrencies(totalPrice) };
  return (offerIds ?? [example["OfferID"]]).map((OfferID) => ({ ...example, ...price, OfferID }));
}

function inBothCurrencies(amount: number): Json {
  return { BookingCurrencyPrice: amount, EquivCurrencyPrice: amount };
}

function offersGroup(
  group: { readonly AirlineOffers: readonly { readonly Offer: readonly Json[] }[] },
  options: OffersOptions,
): Json {
  const [offers] = group.AirlineOffers;
  return { ...group, AirlineOffers: [{ ...offers, Offer: offersLike(offers!.Offer[0]!, options) }] };
}

function extras(response: object, { ALaCarteOffer }: { readonly ALaCarteOffer: object }, options: ExtrasOptions): Json {
  const limits =
    options.offerExpiration === undefined ? {} : { TimeLimits: { OfferExpiration: options.offerExpiration } };
  return buildResponse(response, { ALaCarteOffer: { ...ALaCarteOffer, ...limits } }, options);
}
