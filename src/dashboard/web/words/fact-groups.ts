import { formatDuration, formatShift } from "./moments.ts";

export interface FactWords {
  readonly label: string;
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
      minutesToDeparture: {
        label: "Time to departure",
        format: (value: number) => (value < 0 ? "has departed" : formatDuration(value * 60)),
      },
      departureEarlierMinutes: { label: "Departs earlier", ...minutes("earlier") },
      departureLaterMinutes: { label: "Departs later", ...minutes("later") },
      arrivalEarlierMinutes: { label: "Arrives earlier", ...minutes("earlier") },
      arrivalLaterMinutes: { label: "Arrives later", ...minutes("later") },
      journeyDepartureEarlierMinutes: { label: "Journey starts earlier", ...minutes("earlier") },
      journeyDepartureLaterMinutes: { label: "Journey starts later", ...minutes("later"), ...onRequest },
      journeyArrivalEarlierMinutes: { label: "Journey ends earlier", ...minutes("earlier"), ...onRequest },
      journeyArrivalLaterMinutes: { label: "Journey ends later", ...minutes("later") },
      journeyElapsedDeltaMinutes: { label: "Journey duration change", ...signed },
      sinceAcceptedDepartureEarlierMinutes: { label: "Departs earlier than last accepted", ...minutes("earlier") },
      sinceAcceptedDepartureLaterMinutes: { label: "Departs later than last accepted", ...minutes("later") },
      sinceAcceptedArrivalEarlierMinutes: { label: "Arrives earlier than last accepted", ...minutes("earlier") },
      sinceAcceptedArrivalLaterMinutes: { label: "Arrives later than last accepted", ...minutes("later") },
      dateChanged: { label: "Date changed" },
      overnightAdded: { label: "Overnight stop added" },
      timeAmbiguous: { label: "Time falls in a clock change" },
      durationContradicted: { label: "Stated duration contradicts the times" },
      timeQuality: { label: "Time quality", isQuiet: (value: string) => value === "exact" },
      departureShiftMinutes: { label: "Departure shift", ...signedOnRequest },
      arrivalShiftMinutes: { label: "Arrival shift", ...signedOnRequest },
      departureWallClockShiftMinutes: { label: "Departure shift, local time", ...signedOnRequest },
      arrivalWallClockShiftMinutes: { label: "Arrival shift, local time", ...signedOnRequest },
      cumulativeShiftMinutes: { label: "Shift since booking", ...onRequest },
      sinceAcceptedShiftMinutes: { label: "Shift since last accepted", ...onRequest },
      departureDayShift: { label: "Departure date shift, days" },
      arrivalDayShift: { label: "Arrival date shift, days" },
      journeyDepartureShiftMinutes: { label: "Journey start shift", ...signedOnRequest },
      journeyArrivalShiftMinutes: { label: "Journey end shift", ...signedOnRequest },
      sinceAcceptedJourneyDepartureShiftMinutes: {
        label: "Journey start shift since last accepted",
        ...signedOnRequest,
      },
      sinceAcceptedJourneyArrivalShiftMinutes: {
        label: "Journey end shift since last accepted",
        ...signedOnRequest,
      },
      journeyElapsedMinutes: { label: "Journey duration", ...connectionLength, ...onRequest },
      flightMinutesDelta: { label: "Flight time change", ...signedOnRequest },
    },
  },
  {
    title: "Flights",
    facts: {
      changedFlightCount: { label: "Flights changed" },
      cancelled: { label: "Cancelled without alternative" },
      partiallyCancelled: { label: "One direction cancelled" },
      replaced: { label: "Replaced by other flights" },
      removedFlightCount: { label: "Flights removed" },
      addedFlightCount: { label: "Flights added" },
      flightsReordered: { label: "Flights reordered" },
      retimedOnly: { label: "Only times changed" },
      flightNumberOnly: { label: "Only the flight number changed" },
      flightNumberChanged: { label: "Flight number changed" },
      marketingCarrierChanged: { label: "Marketing carrier changed" },
      operatingCarrierChanged: { label: "Operating carrier changed" },
      airportChanged: { label: "Airport changed" },
      airportChangedInCity: { label: "Airport changed within the city" },
      airportMoveKm: { label: "Distance to the new airport, km" },
      originChanged: { label: "Origin airport changed" },
      destinationChanged: { label: "Destination airport changed" },
      terminalChanged: { label: "Terminal changed" },
      cabinDowngraded: { label: "Cabin downgraded" },
      rbdChanged: { label: "Booking class changed" },
      brandChanged: { label: "Fare brand changed" },
      marriageBroken: { label: "Married segments separated" },
      aircraftChanged: { label: "Aircraft changed" },
      aircraftFamilyChanged: { label: "Aircraft family changed" },
      aircraftClassLowered: { label: "Aircraft class lowered" },
      stopsAdded: { label: "Stops added" },
      stopCountDelta: { label: "Stops added or removed" },
      backToOriginal: { label: "Back to the booked flights" },
      improvement: { label: "Better for the traveller" },
      milesDelta: { label: "Miles gained or lost", ...onRequest },
      flightActions: { label: "Change of each flight", ...onRequest },
      marketingCarriers: { label: "Marketing carriers", ...onRequest },
      operatingCarriers: { label: "Operating carriers", ...onRequest },
    },
  },
  {
    title: "Connections",
    facts: {
      connectionBroken: { label: "Connection broken" },
      connectionTight: { label: "Connection is tight" },
      connectionTooLong: { label: "Connection is too long" },
      shortestConnectionMinutes: { label: "Shortest connection", ...connectionLength },
      minimumConnectionMinutes: { label: "Minimum connection time", ...connectionLength },
      hasConnection: { label: "Has a connection" },
      connectionsAdded: { label: "Connections added" },
      connectingAirports: { label: "Connects at" },
      connectingAirportsChanged: { label: "Connecting airports changed" },
      selfTransfer: { label: "Self-transfer between booking references" },
      selfTransferShorter: { label: "Self-transfer shortened" },
      returnCoherent: { label: "Each journey ends before the next starts", ...quietWhen(true) },
      stayNightsDelta: { label: "Stay longer or shorter, nights" },
      longestConnectionMinutes: { label: "Longest connection", ...connectionLength, ...onRequest },
      connectionMarginMinutes: { label: "Connection margin", ...connectionLength, ...onRequest },
      connections: { label: "Connections", ...onRequest },
      connectionTypes: { label: "Connection types", ...onRequest },
    },
  },
  {
    title: "Travellers and ticket",
    facts: {
      passengerCount: { label: "Travellers" },
      groupSize: { label: "Group size", ...onRequest },
      hasInfant: { label: "Travels with an infant" },
      hasChild: { label: "Travels with a child" },
      unaccompaniedMinor: { label: "Unaccompanied minor" },
      assistanceRequested: { label: "Wheelchair requested" },
      contactable: { label: "Reachable by email or phone", ...quietWhen(true) },
      ticketed: { label: "Ticketed", isQuiet: () => false },
      held: { label: "Unpaid" },
      refundable: { label: "Fares are refundable", isQuiet: () => false },
      orderValue: { label: "Order value" },
      currency: { label: "Currency", ...onRequest },
      expectedRefund: { label: "Expected refund" },
      ancillariesAtRiskCount: { label: "Seats and services at risk" },
      ancillariesAtRisk: { label: "Which are at risk" },
      partlyFlown: { label: "Partly flown" },
      cancellationFee: { label: "Voluntary cancellation fee", ...onRequest },
      brands: { label: "Fare brands", ...onRequest },
      orderStatus: { label: "Order status", ...onRequest },
      paymentStatus: { label: "Payment status", ...onRequest },
      pnrStatus: { label: "PNR status", ...onRequest },
      scheduleChangeStatus: { label: "Schedule change status", ...onRequest },
      acceptAllowed: { label: "Gateway allows accept", ...onRequest },
      cancelAllowed: { label: "Gateway allows cancel", ...onRequest },
      rescheduleAllowed: { label: "Gateway allows reschedule", ...onRequest },
      flightCount: { label: "Flights booked", ...onRequest },
      departedFlightCount: { label: "Flights departed" },
      journeyDistanceKm: { label: "Distance, km", ...onRequest },
      routeCountries: { label: "Countries", ...onRequest },
      routes: { label: "Routes", ...onRequest },
    },
  },
  {
    title: "Earlier changes",
    facts: {
      changeSequence: { label: "Change number", ...quietWhen(1) },
      supersedes: { label: "Replaces an open proposal" },
      flappingCount: { label: "Times changed back and forth" },
      alreadyAcceptedEarlier: { label: "Earlier change accepted" },
      changedAfterNotice: { label: "Changed since the notification" },
      noticeDays: { label: "Days of notice" },
    },
  },
  {
    title: "Data",
    facts: {
      retimings: { label: "Retimings", ...onRequest },
      brokenConnections: { label: "Broken connections", ...onRequest },
      tightConnections: { label: "Tight connections", ...onRequest },
      bookingStands: { label: "Booking is still valid", ...quietWhen(true) },
      scheduleChangeIndicated: { label: "Schedule change indicated", ...onRequest },
      dataSuspect: { label: "Proposed flights are impossible" },
      baseline: { label: "Source of the booked flights", ...onRequest },
    },
  },
];

function quietWhen(expected: boolean | number): { isQuiet: (value: boolean | number) => boolean } {
  return { isQuiet: (value) => value === expected };
}
