import { formatDuration, formatShift } from "./moments.ts";

export interface FactWords {
  readonly format?: (value: never) => string;
  /** Quiet values say that nothing of the kind happened. They are folded away. */
  readonly isQuiet?: (value: never) => boolean;
}

export interface FactGroup {
  readonly title: string;
  readonly facts: Readonly<Record<string, FactWords>>;
}

const minutes = (direction: string) => ({
  format: (value: number) => (value === 0 ? "no" : `${formatDuration(value * 60)} ${direction}`),
});

const signed = { format: (value: number) => formatShift(value) ?? "no" };

/** Always folded away, because other facts say the same or it is the same for most changes. */
const onRequest = { isQuiet: () => true };
const signedOnRequest = { ...signed, ...onRequest };

/** The value of the facts for "no connection": more minutes than any connection has. */
const noConnectionMinutes = 100_000;

const connectionLength = {
  format: (value: number) => (value >= noConnectionMinutes ? "no connection" : formatDuration(value * 60)),
  isQuiet: (value: number) => value >= noConnectionMinutes || value === 0,
};

export const factGroups: readonly FactGroup[] = [
  {
    title: "Times",
    facts: {
      minutesToDeparture: { format: (value: number) => (value < 0 ? "has departed" : formatDuration(value * 60)) },
      nextDeparture: onRequest,
      departureEarlierMinutes: minutes("earlier"),
      departureLaterMinutes: minutes("later"),
      arrivalEarlierMinutes: minutes("earlier"),
      arrivalLaterMinutes: minutes("later"),
      journeyDepartureEarlierMinutes: minutes("earlier"),
      journeyDepartureLaterMinutes: { ...minutes("later"), ...onRequest },
      journeyArrivalEarlierMinutes: { ...minutes("earlier"), ...onRequest },
      journeyArrivalLaterMinutes: minutes("later"),
      journeyElapsedDeltaMinutes: signed,
      sinceAcceptedDepartureEarlierMinutes: minutes("earlier"),
      sinceAcceptedDepartureLaterMinutes: minutes("later"),
      sinceAcceptedArrivalEarlierMinutes: minutes("earlier"),
      sinceAcceptedArrivalLaterMinutes: minutes("later"),
      dateChanged: {},
      overnightAdded: {},
      timeAmbiguous: {},
      durationContradicted: {},
      timeQuality: { isQuiet: (value: string) => value === "exact" },
      departureShiftMinutes: signedOnRequest,
      arrivalShiftMinutes: signedOnRequest,
      departureWallClockShiftMinutes: signedOnRequest,
      arrivalWallClockShiftMinutes: signedOnRequest,
      cumulativeShiftMinutes: onRequest,
      sinceAcceptedShiftMinutes: onRequest,
      departureDayShift: {},
      arrivalDayShift: {},
      journeyDepartureShiftMinutes: signedOnRequest,
      journeyArrivalShiftMinutes: signedOnRequest,
      sinceAcceptedJourneyDepartureShiftMinutes: signedOnRequest,
      sinceAcceptedJourneyArrivalShiftMinutes: signedOnRequest,
      journeyElapsedMinutes: { ...connectionLength, ...onRequest },
      flightMinutesDelta: signedOnRequest,
    },
  },
  {
    title: "Flights",
    facts: {
      changedFlightCount: {},
      cancelled: {},
      partiallyCancelled: {},
      replaced: {},
      removedFlightCount: {},
      addedFlightCount: {},
      flightsReordered: {},
      retimedOnly: {},
      flightNumberOnly: {},
      flightNumberChanged: {},
      marketingCarrierChanged: {},
      operatingCarrierChanged: {},
      airportChanged: {},
      airportChangedInCity: {},
      airportMoveKm: {},
      originChanged: {},
      destinationChanged: {},
      terminalChanged: {},
      cabinDowngraded: {},
      rbdChanged: {},
      brandChanged: {},
      marriageBroken: {},
      aircraftChanged: {},
      aircraftFamilyChanged: {},
      aircraftClassLowered: {},
      stopsAdded: {},
      stopCountDelta: {},
      backToOriginal: {},
      improvement: {},
      milesDelta: onRequest,
      flightActions: onRequest,
      flightChanges: onRequest,
      marketingCarriers: onRequest,
      operatingCarriers: onRequest,
    },
  },
  {
    title: "Connections",
    facts: {
      connectionBroken: {},
      connectionTight: {},
      connectionTooLong: {},
      shortestConnectionMinutes: connectionLength,
      minimumConnectionMinutes: connectionLength,
      hasConnection: {},
      connectionsAdded: {},
      connectingAirports: {},
      connectingAirportsChanged: {},
      selfTransfer: {},
      selfTransferShorter: {},
      returnCoherent: quietWhen(true),
      overlappingJourneys: onRequest,
      stayNightsDelta: {},
      longestConnectionMinutes: { ...connectionLength, ...onRequest },
      connectionMarginMinutes: { ...connectionLength, ...onRequest },
      connections: onRequest,
      longerWaits: onRequest,
      connectionTypes: onRequest,
    },
  },
  {
    title: "Travellers and ticket",
    facts: {
      passengerCount: {},
      groupSize: onRequest,
      hasInfant: {},
      hasChild: {},
      unaccompaniedMinor: {},
      assistanceRequested: {},
      contactable: quietWhen(true),
      ticketed: { isQuiet: () => false },
      held: {},
      refundable: { isQuiet: () => false },
      orderValue: {},
      currency: onRequest,
      expectedRefund: {},
      ancillariesAtRiskCount: {},
      ancillariesAtRisk: {},
      partlyFlown: {},
      cancellationFee: onRequest,
      brands: onRequest,
      orderStatus: onRequest,
      paymentStatus: onRequest,
      pnrStatus: onRequest,
      scheduleChangeStatus: onRequest,
      acceptAllowed: onRequest,
      cancelAllowed: onRequest,
      rescheduleAllowed: onRequest,
      flightCount: onRequest,
      departedFlightCount: {},
      journeyDistanceKm: onRequest,
      routeCountries: onRequest,
      routes: onRequest,
    },
  },
  {
    title: "Earlier changes",
    facts: {
      changeSequence: quietWhen(1),
      supersedes: {},
      flappingCount: {},
      alreadyAcceptedEarlier: {},
      changedAfterNotice: {},
      noticeDays: {},
    },
  },
  {
    title: "Data",
    facts: {
      retimings: onRequest,
      brokenConnections: onRequest,
      tightConnections: onRequest,
      bookingStands: quietWhen(true),
      scheduleChangeIndicated: onRequest,
      dataSuspect: {},
      baseline: onRequest,
    },
  },
];

function quietWhen(expected: boolean | number): { isQuiet: (value: boolean | number) => boolean } {
  return { isQuiet: (value) => value === expected };
}
