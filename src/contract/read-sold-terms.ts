import { z } from "zod";
import { baggageAllowance, paxSeatInfo } from "./elements/offer.ts";
import { fareItem, type offerItem, serviceItem } from "./elements/offer-item.ts";
import { penalty } from "./elements/offer-prices.ts";
import type { SoldTerms } from "./order-view.ts";
import type { Stated } from "./stated.ts";
import type { StatedOrderElement } from "./stated-view.ts";
import { createNormaliser } from "./tolerant.ts";

/** Reads what was sold with the flights, to compare views. Omits prices and the gateway's keys. */
export function readSoldTerms(order: StatedOrderElement, offerItems: readonly Stated<typeof offerItem>[]): SoldTerms {
  const seats = readSeats(order?.PaxSeatInfo) ?? [];
  const allowances = readAllowances(order?.BaggageAllowance) ?? [];
  const services = offerItems
    .filter((item) => item?.ServiceDefinitionRef !== undefined)
    .map((item) => readServiceItem(item));
  const fares = offerItems.flatMap((item) => {
    const { Refundable, FareComponent = [] } = readFareItem(item) ?? {};
    const bases = FareComponent.flatMap(({ SegmentRefs, FareBasis }) => {
      const basis = FareBasis?.FareBasisCode?.Code;
      return basis === undefined ? [] : [[SegmentRefs, basis]];
    });
    return Refundable === undefined && bases.length === 0 ? [] : [{ Refundable, bases }];
  });
  const fees = readPenalty(order?.Penalty);
  return {
    extras: textOfSet([...seats, ...services, ...allowances]),
    fare: textOfSet(fees === undefined ? fares : [...fares, fees]),
  };
}

const readSeats = createNormaliser(z.array(paxSeatInfo));
const readAllowances = createNormaliser(z.array(baggageAllowance));
const readServiceItem = createNormaliser(serviceItem.pick({ Status: true, Service: true, ServiceDefinitionRef: true }));
const readFareItem = createNormaliser(fareItem.pick({ Refundable: true, FareComponent: true }));
const readPenalty = createNormaliser(penalty);

/** Lists repeat entries and come in any order. */
function textOfSet(values: readonly unknown[]): string | null {
  return values.length === 0 ? null : [...new Set(values.map((value) => JSON.stringify(value)))].sort().join();
}
