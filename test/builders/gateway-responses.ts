import { notificationExample } from "../../src/contract/examples/order-view.ts";
import { operations } from "../../src/contract/operations/registry.ts";
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
  const { responseRoot, examples } = operations.AirOfferPrice;
  const example = examples.response.OfferPriceRS;
  return buildResponse(responseRoot, example, { PricedOffer: offersLike(example.PricedOffer[0]!, options) }, options);
}

/** A response of AirOrderReshop. A search differs from the pricing of an exchange in what it leaves out. */
export function aReshopResponse(options: OffersOptions & { readonly isSearch?: boolean } = {}): Json {
  const { responseRoot, examples } = operations.AirOrderReshop;
  const example = examples.response.OrderReshopRS;
  const offers = offersLike(example.ReshopOffers[0]![0]!, options);
  const searched = offers.map(({ ReshopDifferential: _, AddOfferItem: __, ...offer }) => offer);
  const content =
    options.isSearch === true ? { ReshopOffers: [searched], OfferResponseId: undefined } : { ReshopOffers: [offers] };
  return buildResponse(responseRoot, example, content, options);
}

/** A response of AirGetBrandedOffers: the offers of one airline. */
export function aBrandedOffersResponse(options: OffersOptions = {}): Json {
  const { responseRoot, examples } = operations.AirGetBrandedOffers;
  const example = examples.response.GetBrandedOffersRS;
  return buildResponse(responseRoot, example, { OffersGroup: offersGroup(example.OffersGroup, options) }, options);
}

/** A response of AirOfferSplit: the offers of one airline. */
export function aSplitResponse(options: OffersOptions = {}): Json {
  const { responseRoot, examples } = operations.AirOfferSplit;
  const example = examples.response.AirSplitOfferRS;
  return buildResponse(responseRoot, example, { OffersGroup: offersGroup(example.OffersGroup, options) }, options);
}

/** A response of AirFareRules with the rules of one fare for each fare code. */
export function aFareRulesResponse(options: ResponseOptions & { readonly fareCodes?: readonly string[] } = {}): Json {
  const { responseRoot, examples } = operations.AirFareRules;
  const example = examples.response.AirFareRulesRS;
  const [rules] = example.Rules;
  const Rules = options.fareCodes?.map((FareCode) => ({ ...rules, FareCode })) ?? example.Rules;
  return buildResponse(responseRoot, example, { Rules }, options);
}

export interface ExtrasOptions extends ResponseOptions {
  /** When the offer of extras ends, as yyyy-mm-ddThh:mm:ss. */
  readonly offerExpiration?: string;
}

/** A response of AirOfferServiceList. */
export function aServiceListResponse(options: ExtrasOptions = {}): Json {
  const { responseRoot, examples } = operations.AirOfferServiceList;
  return extras(responseRoot, examples.response.AirServiceListRS, options);
}

/** A response of AirPostBookingAncillary. */
export function aPostBookingServiceListResponse(options: ExtrasOptions = {}): Json {
  const { responseRoot, examples } = operations.AirPostBookingAncillary;
  return extras(responseRoot, examples.response.AirServiceListRS, options);
}

/** A response of AirSeatMap. */
export function aSeatMapResponse(options: ExtrasOptions = {}): Json {
  const { responseRoot, examples } = operations.AirSeatMap;
  return extras(responseRoot, examples.response.AirSeatMapRS, options);
}

/** A response of AirPostBookingSeatMap. */
export function aPostBookingSeatMapResponse(options: ExtrasOptions = {}): Json {
  const { responseRoot, examples } = operations.AirPostBookingSeatMap;
  return extras(responseRoot, examples.response.AirSeatMapRS, options);
}

/** A response of AirDocRetreive with one ticket document for each number. */
export function aTicketDocumentsResponse(
  options: ResponseOptions & { readonly ticketNumbers?: readonly string[] } = {},
): Json {
  const { responseRoot, examples } = operations.AirDocRetreive;
  const ticketNumbers = options.ticketNumbers ?? ["2202100000001"];
  const TicketDocInfo = ticketNumbers.map((TicketDocNbr, position) => ({
    TicketDocument: { TicketDocNbr, Type: "TKT" },
    PassengerReference: `T${position + 1}`,
    GdsBookingReference: "LHSKD1",
  }));
  return buildResponse(responseRoot, examples.response.OrderViewRS, { TicketDocInfos: { TicketDocInfo } }, options);
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
  const { responseRoot, examples } = operations.AirOrderCancel;
  const Response = (options.results ?? [{}]).map((result) => ({
    Status: result.status ?? "SUCCESS",
    Msg: result.message ?? "",
    BookingStatus: result.bookingStatus ?? "CANCELED",
    OrderID: "QX7R2M1A",
    GdsBookingReference: "LHSKD1",
  }));
  return buildResponse(responseRoot, examples.response.OrderViewRS, { Response }, options);
}

/** A response of AirTicketVoid: all tickets share the status. */
export function aVoidResponse(
  options: ResponseOptions & BookingResultOptions & { readonly ticketNumbers?: readonly string[] } = {},
): Json {
  const { responseRoot, examples } = operations.AirTicketVoid;
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
  return buildResponse(responseRoot, examples.response.AirTicketVoidRS, { Result }, options);
}

/** A notification with everything that the interface document shows. Smaller ones are made by `aMinorDelay`. */
export function aFullNotification(options: ResponseOptions = {}): Json {
  return buildResponse("OrderViewRS", notificationExample.OrderViewRS, {}, options);
}

function buildResponse(root: string, example: object, built: Json, { content }: ResponseOptions): Json {
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

function extras(root: string, example: { readonly ALaCarteOffer: object }, options: ExtrasOptions): Json {
  const limits =
    options.offerExpiration === undefined ? {} : { TimeLimits: { OfferExpiration: options.offerExpiration } };
  return buildResponse(root, example, { ALaCarteOffer: { ...example.ALaCarteOffer, ...limits } }, options);
}
