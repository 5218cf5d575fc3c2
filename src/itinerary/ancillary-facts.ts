import type { BookedSeat, BookedService, OrderRecord, ServiceDefinition } from "../contract/order-view.ts";
import { known } from "../kernel/fact.ts";
import { isSameAircraft } from "./aircraft.ts";
import { factsFrom } from "./fact-definition.ts";
import { isRestated } from "./fact-logic.ts";
import { type Itinerary, type ItinerarySegment, sameFlights } from "./itinerary.ts";

const { int, list } = factsFrom<AncillaryParts>();

/**
 * Facts about seats, bags, meals and other services bought for flights that change. A status refers to its own flights,
 * so these facts compare its current flights with the proposed ones, not the first booked ones.
 */
export const ancillaryFacts = {
  ancillariesAtRiskCount: int(
    "Number of seats and services on a flight that is retimed, replaced or withdrawn; seats also when the aircraft changes. What was refused at booking does not count.",
    ({ atRisk }) => known(atRisk.length),
    { atLeast: 0 },
  ),
  ancillariesAtRisk: list(
    "What they are and on which flights: SEAT LIS-FRA, BAG FRA-JFK. One that names no flight may be on any, so it counts as soon as a flight changes, without the airports.",
    ({ atRisk }) => known(atRisk),
  ),
};

export interface AncillaryParts extends ReturnType<typeof ancillaryParts> {}

/** @param change the flights that the view lists, and the proposed ones under the same keys. */
export function ancillaryParts(
  records: readonly OrderRecord[],
  serviceDefinitions: readonly ServiceDefinition[],
  change: { readonly current: Itinerary; readonly proposed: Itinerary },
) {
  const flights = change.current.segments.map((flight) => readStatusAfterChange(flight, change.proposed));
  const types = new Map(
    serviceDefinitions.map(({ serviceDefinitionId, type, code }) => [serviceDefinitionId, type ?? code]),
  );
  const seats = records.flatMap(({ seats: booked }) => booked.filter(isBooked));
  const services = records.flatMap(({ services: booked }) => booked.filter(isBooked));
  const atRisk = [
    ...seats.flatMap((seat) => seatAtRisk(seat, flights)),
    ...services.flatMap((service) => serviceAtRisk(service, flights, types.get(service.serviceDefinitionRef ?? ""))),
  ];
  return { atRisk };
}

interface StatusAfterChange {
  readonly flight: ItinerarySegment;
  readonly isOther: boolean;
  readonly isOtherAircraft: boolean;
}

function readStatusAfterChange(flight: ItinerarySegment, proposed: Itinerary): StatusAfterChange {
  const becomes = proposed.segments.filter((segment) => segment.segmentKey === flight.segmentKey);
  const isOther = !sameFlights({ segments: [flight], journeys: [] }, { segments: becomes, journeys: [] });
  const isOtherAircraft = becomes.some(({ aircraftCode }) =>
    isRestated(flight.aircraftCode, aircraftCode, isSameAircraft),
  );
  return { flight, isOther, isOtherAircraft };
}

function isBooked({ status }: BookedSeat | BookedService): boolean {
  return status === null || !notBooked.has(status);
}

const notBooked: ReadonlySet<string> = new Set(["FAILED", "CANCELLED", "CANCELED", "REJECTED"]);

/** Seats name airports, not flights. A seat over several flights of one number is on all of them. */
function seatAtRisk({ origin, destination }: BookedSeat, flights: readonly StatusAfterChange[]): readonly string[] {
  const own = flights.filter(
    ({ flight }) => flight.departure.airport === origin && flight.arrival.airport === destination,
  );
  return entryFor("SEAT", own, flights, ({ isOther, isOtherAircraft }) => isOther || isOtherAircraft);
}

function serviceAtRisk(
  { segmentKeys }: BookedService,
  flights: readonly StatusAfterChange[],
  type: string | null | undefined,
): readonly string[] {
  const own = flights.filter(({ flight }) => segmentKeys.includes(flight.segmentKey));
  return entryFor(type ?? "SERVICE", own, flights, ({ isOther }) => isOther);
}

function entryFor(
  what: string,
  own: readonly StatusAfterChange[],
  all: readonly StatusAfterChange[],
  isLost: (fate: StatusAfterChange) => boolean,
): readonly string[] {
  if (own.length === 0) return all.some(isLost) ? [what] : [];
  const legs = own.filter(isLost).map(({ flight }) => `${flight.departure.airport}-${flight.arrival.airport}`);
  return legs.length === 0 ? [] : [[what, ...legs].join(" ")];
}
