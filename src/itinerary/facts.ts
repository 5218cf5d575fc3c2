import type { Passenger } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { alignItineraries, type JourneyPair } from "./align.ts";
import {
  connectingAirports,
  hasConnection,
  isConnectionBroken,
  shortestConnectionMinutes,
} from "./connection-facts.ts";
import { type ConnectionTimes, defaultConnectionTimes } from "./connection-times.ts";
import type { ChangeFacts } from "./fact-catalogue.ts";
import {
  changedFlightCount,
  isAircraftChanged,
  isAirportChanged,
  isConnectionAdded,
  isFlightNumberOnly,
  isNewlyStated,
  isReplaced,
  isRetimedOnly,
  isStopAdded,
  isTerminalChanged,
} from "./flight-facts.ts";
import type { Itinerary } from "./itinerary.ts";
import { instantOf } from "./local-time.ts";
import type { Proposal } from "./proposal.ts";
import { isDoubt } from "./sanity.ts";
import { isDateChanged, isTimeAmbiguous, minutesToDeparture, movesOf, wholeJourneys } from "./time-facts.ts";
import { travellerFacts } from "./traveller-facts.ts";

/** What facts are computed from. */
export interface FactsInput {
  readonly booked: Itinerary;
  /** The itinerary accepted last; the booked one when none was. */
  readonly accepted: Itinerary;
  readonly proposal: Proposal;
  /** `OrderView.passengers` of the view that the proposal was read from. */
  readonly passengers: readonly Passenger[];
  readonly now: Date;
  /** {@link defaultConnectionTimes} when it is left out. */
  readonly connectionTimes?: ConnectionTimes;
}

/** Computes every fact of the catalogue for one proposal. Never throws: what cannot be told is unknown, with its reason. */
export function computeFacts(input: FactsInput): ChangeFacts {
  const { booked, accepted, proposal, passengers, now } = input;
  const times = input.connectionTimes ?? defaultConnectionTimes;
  const journeys = withoutFlown(alignItineraries(booked, proposal.current, proposal.proposed), now);
  const flights = journeys.flatMap((pair) => pair.counterparts);
  const sinceAccepted = withoutFlown(alignItineraries(accepted, proposal.current, proposal.proposed), now);

  const departures = movesOf(flights, "departure");
  const arrivals = movesOf(flights, "arrival");
  const acceptedDepartures = movesOf(
    sinceAccepted.flatMap((pair) => pair.counterparts),
    "departure",
  );
  const cancelled = cancellation(proposal, journeys);
  return {
    minutesToDeparture: minutesToDeparture(flights, now),
    ticketed: proposal.ticketed,
    ...travellerFacts(passengers, booked.segments[0]?.departure.date ?? null),

    changedFlightCount: known(changedFlightCount(flights)),
    ...cancelled,
    replaced: isReplaced(flights),
    retimedOnly: isRetimedOnly(flights),
    flightNumberOnly: isFlightNumberOnly(flights),

    departureEarlierMinutes: departures.earlier,
    departureLaterMinutes: departures.later,
    arrivalEarlierMinutes: arrivals.earlier,
    arrivalLaterMinutes: arrivals.later,
    journeyDepartureEarlierMinutes: movesOf(wholeJourneys(journeys), "departure").earlier,
    journeyArrivalLaterMinutes: movesOf(wholeJourneys(journeys), "arrival").later,
    sinceAcceptedDepartureEarlierMinutes: acceptedDepartures.earlier,
    sinceAcceptedDepartureLaterMinutes: acceptedDepartures.later,
    dateChanged: isDateChanged(flights),
    timeAmbiguous: isTimeAmbiguous(journeys.flatMap((pair) => [...pair.before, ...pair.after])),

    airportChanged: isAirportChanged(flights),
    terminalChanged: known(isTerminalChanged(flights)),
    flightNumberChanged: isNewlyStated(flights, (flight) => flight.marketingFlightNumber, "unknown-flight-number"),
    marketingCarrierChanged: isNewlyStated(flights, (flight) => flight.marketingCarrier, "unknown-carrier"),
    operatingCarrierChanged: isNewlyStated(flights, (flight) => flight.operatingCarrier, "unknown-carrier"),
    aircraftChanged: known(isAircraftChanged(flights)),
    stopsAdded: isStopAdded(flights),
    connectionsAdded: known(isConnectionAdded(journeys)),
    connectingAirports: connectingAirports(journeys),

    hasConnection: hasConnection(journeys),
    shortestConnectionMinutes: shortestConnectionMinutes(journeys),
    connectionBroken: isConnectionBroken(journeys, times),

    dataSuspect: suspicion(proposal),
  };
}

/** A journey that was flown before the view was written is not listed any more, and not withdrawn either. */
function withoutFlown(pairs: readonly JourneyPair[], now: Date): readonly JourneyPair[] {
  return pairs.filter((pair) => {
    const last = pair.before.at(-1);
    if (pair.listed || last === undefined) return true;
    const arrived = instantOf(last.arrival);
    return !arrived.known || arrived.value > now.getTime();
  });
}

/**
 * A journey without flights is cancelled when the status says CANCELLED. Otherwise its flights were named as changed
 * without new values, or the view no longer lists them: removed, or unknown.
 */
function cancellation(
  proposal: Proposal,
  journeys: readonly JourneyPair[],
): Pick<ChangeFacts, "cancelled" | "partiallyCancelled"> {
  const gone = journeys.filter((pair) => pair.before.length > 0 && pair.after.length === 0).length;
  const isCancelled = proposal.pnrStatus.known && proposal.pnrStatus.value === "CANCELLED";
  const doubt = proposal.suspicions.find(
    (suspicion) => suspicion.startsWith("unknown-cancelled-flights:") || suspicion.startsWith("unlisted-flight:"),
  );
  const certain = (value: boolean): Fact<boolean> => {
    if (gone > 0) return isCancelled ? known(value) : unknown("removed-or-unknown");
    if (doubt !== undefined) return unknown(doubt.slice(0, doubt.indexOf(":")));
    return isCancelled ? unknown("cancelled-with-offer") : known(false);
  };
  return { cancelled: certain(gone > 0), partiallyCancelled: certain(gone > 0 && gone < journeys.length) };
}

function suspicion(proposal: Proposal): Fact<boolean> {
  const impossible = proposal.suspicions.some((code) => !isDoubt(code));
  if (impossible) return known(true);
  const [doubt] = proposal.suspicions;
  return doubt === undefined ? known(false) : unknown(doubt.slice(0, doubt.indexOf(":")));
}
