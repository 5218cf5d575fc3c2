import { airDocRetreive } from "./air-doc-retreive.ts";
import { airFareRules } from "./air-fare-rules.ts";
import { airGetBrandedOffers } from "./air-get-branded-offers.ts";
import { airOfferPrice } from "./air-offer-price.ts";
import { airOfferServiceList } from "./air-offer-service-list.ts";
import { airOfferSplit } from "./air-offer-split.ts";
import { airOrderCancel } from "./air-order-cancel.ts";
import { airOrderInvoluntaryAccept } from "./air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "./air-order-involuntary-cancel.ts";
import { airOrderReshop } from "./air-order-reshop.ts";
import { airPostBookingAncillary } from "./air-post-booking-ancillary.ts";
import { airPostBookingSeatMap } from "./air-post-booking-seat-map.ts";
import { airReservationStatus } from "./air-reservation-status.ts";
import { airSeatMap } from "./air-seat-map.ts";
import { airTicketVoid } from "./air-ticket-void.ts";
import type { Operation, OperationName } from "./operation.ts";

/** Named types, so that a declaration that has them does not spell out every schema. */
export interface Operations {
  readonly AirOfferPrice: typeof airOfferPrice;
  readonly AirOrderReshop: typeof airOrderReshop;
  readonly AirGetBrandedOffers: typeof airGetBrandedOffers;
  readonly AirOfferSplit: typeof airOfferSplit;
  readonly AirOfferServiceList: typeof airOfferServiceList;
  readonly AirSeatMap: typeof airSeatMap;
  readonly AirFareRules: typeof airFareRules;
  readonly AirDocRetreive: typeof airDocRetreive;
  readonly AirReservationStatus: typeof airReservationStatus;
  readonly AirPostBookingAncillary: typeof airPostBookingAncillary;
  readonly AirPostBookingSeatMap: typeof airPostBookingSeatMap;
  readonly AirOrderCancel: typeof airOrderCancel;
  readonly AirTicketVoid: typeof airTicketVoid;
  readonly AirOrderInvoluntaryAccept: typeof airOrderInvoluntaryAccept;
  readonly AirOrderInvoluntaryCancel: typeof airOrderInvoluntaryCancel;
}

/** In the order of the interface document. */
export const operations: Operations = {
  AirOfferPrice: airOfferPrice,
  AirOrderReshop: airOrderReshop,
  AirGetBrandedOffers: airGetBrandedOffers,
  AirOfferSplit: airOfferSplit,
  AirOfferServiceList: airOfferServiceList,
  AirSeatMap: airSeatMap,
  AirFareRules: airFareRules,
  AirDocRetreive: airDocRetreive,
  AirReservationStatus: airReservationStatus,
  AirPostBookingAncillary: airPostBookingAncillary,
  AirPostBookingSeatMap: airPostBookingSeatMap,
  AirOrderCancel: airOrderCancel,
  AirTicketVoid: airTicketVoid,
  AirOrderInvoluntaryAccept: airOrderInvoluntaryAccept,
  AirOrderInvoluntaryCancel: airOrderInvoluntaryCancel,
} satisfies { readonly [Name in OperationName]: Operation };

export const operationNames = Object.keys(operations) as readonly OperationName[];
