import { airOrderReshop as contract, type ReshopQuery } from "../../contract/operations/air-order-reshop.ts";
import { type ExchangedPassenger, findExchangedOrder } from "../exchange/find-exchanged-order.ts";
import { paidFares } from "../exchange/paid-fares.ts";
import { reshopOfferElement } from "../exchange/reshop-offer-element.ts";
import { offerResponseHead } from "../extras/extras-response.ts";
import type { GatewayOperation, OperationContext } from "../operation.ts";
import { type FoundOffer, findOffers, priceNow, refuseOtherPassengers } from "../shopping/find-offer.ts";
import { newShoppingResponseId } from "../shopping/search-offers.ts";
import { showOffers } from "../shopping/show-offers.ts";
import { recordRead } from "./find-order.ts";
import { responseMetaDataOf } from "./offer-response.ts";

/** The tickets name the order. Nothing is changed. */
export const airOrderReshop: GatewayOperation<ReshopQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const offers = await pricedOffers(context, query);
    const { order, passengers } = await findExchangedOrder(context.store, query.passengers);
    const paid = paidFares(order, passengers, offers[0]!.offer.currency);
    const { elements, dataLists } = showOffers(offers, passengers);
    const reshopOffers = [];
    for (const [position, { offer }] of offers.entries()) {
      const fees = await context.supply.reshop({ offer, ...paid });
      reshopOffers.push(reshopOfferElement(elements[position]!, offer, paid, fees));
    }
    const gdsBookingReferences = order.references.map((reference) => reference.gdsBookingReference);
    await recordRead(context, contract.name, { orderId: order.orderId, gdsBookingReferences }, order);
    return {
      [contract.responseRoot]: {
        ...offerResponseHead(party, query.shoppingResponseId),
        OfferResponseId: newShoppingResponseId(context.clock.now()),
        ReshopOffers: [reshopOffers],
        DataLists: { ...dataLists, PassengerList: { Passengers: passengers.map(passengerElement) } },
        MetaData: responseMetaDataOf(query),
      },
    };
  },
};

async function pricedOffers(context: OperationContext, query: ReshopQuery): Promise<readonly FoundOffer[]> {
  const offers: FoundOffer[] = [];
  for (const found of await findOffers(context, query)) {
    refuseOtherPassengers(found.response, query.passengers);
    offers.push(await priceNow(context, found));
  }
  return offers;
}

/** Under the key of the request, with the name in the order. */
function passengerElement(passenger: ExchangedPassenger) {
  const { passengerId, ptc, nameTitle, firstName, middleName, lastName, documentNumber } = passenger;
  return {
    PassengerID: passengerId,
    PTC: ptc,
    ...(nameTitle === undefined ? {} : { NameTitle: nameTitle }),
    FirstName: firstName,
    MiddleName: middleName,
    LastName: lastName,
    DocumentNumber: documentNumber,
  };
}
