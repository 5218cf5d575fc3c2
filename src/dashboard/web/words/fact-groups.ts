import { formatDuration, formatShift } from "./moments.ts";

/** How a fact is shown. `quiet` values say that nothing of the kind happened and are folded away. */
export interface FactWords {
  readonly label: string;
  readonly format?: (value: never) => string;
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

/** Said by other facts already, or the same for most changes: for rules, and for those who ask. */
const onRequest = { isQuiet: () => true };
const signedOnRequest = { ...signed, ...onRequest };

/** More minutes than any connection has: the facts say "none" by it. */
const noConnectionMinutes = 100_000;

const connectionLength = {
  format: (value: number) => (value >= noConnectionMinutes ? "no connection" : formatDuration(value * 60)),
  isQuiet: (value: number) => value >= noConnectionMinutes || value === 0,
};

/** Facts by subject, in reading order. */
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
      journeyElapsedDeltaMinutes: { label: "Journey takes longer or shorter", ...signed },
      sinceAcceptedDepartureEarlierMinutes: { label: "Departs earlier than accepted last", ...minutes("earlier") },
      sinceAcceptedDepartureLaterMinutes: { label: "Departs later than accepted last", ...minutes("later") },
      sinceAcceptedArrivalEarlierMinutes: { label: "Arrives earlier than accepted last", ...minutes("earlier") },
      sinceAcceptedArrivalLaterMinutes: { label: "Arrives later than accepted last", ...minutes("later") },
      dateChanged: { label: "Another date" },
      overnightAdded: { label: "A night on the way more than booked" },
      timeAmbiguous: { label: "Time falls into a clock change" },
      durationContradicted: { label: "Stated duration contradicts the times" },
      timeQuality: { label: "Quality of the times", isQuiet: (value: string) => value === "exact" },
      departureShiftMinutes: { label: "Departure moves", ...signedOnRequest },
      arrivalShiftMinutes: { label: "Arrival moves", ...signedOnRequest },
      departureWallClockShiftMinutes: { label: "Departure moves by the clock", ...signedOnRequest },
      arrivalWallClockShiftMinutes: { label: "Arrival moves by the clock", ...signedOnRequest },
      cumulativeShiftMinutes: { label: "Moves since booking", ...onRequest },
      sinceAcceptedShiftMinutes: { label: "Moves since accepted last", ...onRequest },
      departureDayShift: { label: "Days between departures" },
      arrivalDayShift: { label: "Days between arrivals" },
      journeyDepartureShiftMinutes: { label: "Start of the journey moves", ...signedOnRequest },
      journeyArrivalShiftMinutes: { label: "End of the journey moves", ...signedOnRequest },
      sinceAcceptedJourneyDepartureShiftMinutes: {
        label: "Start of the journey moves since accepted last",
        ...signedOnRequest,
      },
      sinceAcceptedJourneyArrivalShiftMinutes: {
        label: "End of the journey moves since accepted last",
        ...signedOnRequest,
      },
      journeyElapsedMinutes: { label: "Journey takes", ...connectionLength, ...onRequest },
      flightMinutesDelta: { label: "Time in flight, more or less", ...signedOnRequest },
    },
  },
  {
    title: "Flights",
    facts: {
      changedFlightCount: { label: "Flights changed" },
      cancelled: { label: "Cancelled, nothing offered" },
      partiallyCancelled: { label: "One direction cancelled" },
      replaced: { label: "Replaced by other flights" },
      removedFlightCount: { label: "Flights removed" },
      addedFlightCount: { label: "Flights added" },
      flightsReordered: { label: "Flights in another order" },
      retimedOnly: { label: "Only times differ" },
      flightNumberOnly: { label: "Only the flight number differs" },
      flightNumberChanged: { label: "Another flight number" },
      marketingCarrierChanged: { label: "Another selling airline" },
      operatingCarrierChanged: { label: "Another operating airline" },
      airportChanged: { label: "Another airport" },
      airportChangedInCity: { label: "Another airport of the same city" },
      airportMoveKm: { label: "Distance to the other airport, km" },
      originChanged: { label: "Another airport at the origin" },
      destinationChanged: { label: "Another airport at the destination" },
      terminalChanged: { label: "Another terminal" },
      cabinDowngraded: { label: "A lower cabin" },
      rbdChanged: { label: "Another booking class" },
      brandChanged: { label: "Another brand" },
      marriageBroken: { label: "Married flights torn apart" },
      aircraftChanged: { label: "Another aircraft" },
      aircraftFamilyChanged: { label: "An aircraft of another family" },
      aircraftClassLowered: { label: "An aircraft of a lower class" },
      stopsAdded: { label: "More stops on the way" },
      stopCountDelta: { label: "Landings on the way, more or less" },
      backToOriginal: { label: "Back as booked" },
      improvement: { label: "Better for the traveller" },
      milesDelta: { label: "Miles, more or less", ...onRequest },
      flightActions: { label: "What becomes of the flights", ...onRequest },
      marketingCarriers: { label: "Selling airlines", ...onRequest },
      operatingCarriers: { label: "Operating airlines", ...onRequest },
    },
  },
  {
    title: "Connections",
    facts: {
      connectionBroken: { label: "Connection cannot be made" },
      connectionTight: { label: "Connection is tight" },
      connectionTooLong: { label: "Connection is too long" },
      shortestConnectionMinutes: { label: "Shortest connection", ...connectionLength },
      minimumConnectionMinutes: { label: "Minimum connecting time", ...connectionLength },
      hasConnection: { label: "Changes flights" },
      connectionsAdded: { label: "More changes of flight than booked" },
      connectingAirports: { label: "Changes at" },
      connectingAirportsChanged: { label: "Changes at other airports than booked" },
      selfTransfer: { label: "Self-transfer between booking references" },
      selfTransferShorter: { label: "Self-transfer is shorter" },
      returnCoherent: { label: "Each way arrives before the next leaves", ...quietWhen(true) },
      stayNightsDelta: { label: "Nights of the stay, more or less" },
      longestConnectionMinutes: { label: "Longest connection", ...connectionLength, ...onRequest },
      connectionMarginMinutes: { label: "Spare time of the connection, minutes", ...onRequest },
      connections: { label: "Connections", ...onRequest },
      connectionTypes: { label: "Types of the connections", ...onRequest },
    },
  },
  {
    title: "Travellers and ticket",
    facts: {
      passengerCount: { label: "Travellers" },
      groupSize: { label: "Size of the group", ...onRequest },
      hasInfant: { label: "Infant travels" },
      hasChild: { label: "Child travels" },
      unaccompaniedMinor: { label: "Only children travel" },
      assistanceRequested: { label: "Wheelchair asked for" },
      contactable: { label: "Can be reached by mail or telephone", ...quietWhen(true) },
      ticketed: { label: "Ticketed", isQuiet: () => false },
      held: { label: "Only held, not paid" },
      refundable: { label: "Fares are refundable", isQuiet: () => false },
      orderValue: { label: "Value" },
      currency: { label: "Currency" },
      expectedRefund: { label: "Refund to expect" },
      ancillariesAtRiskCount: { label: "Seats and services at risk" },
      ancillariesAtRisk: { label: "At risk" },
      partlyFlown: { label: "Partly flown" },
      cancellationFee: { label: "Fee of a voluntary cancellation", ...onRequest },
      brands: { label: "Brands", ...onRequest },
      orderStatus: { label: "Order status", ...onRequest },
      paymentStatus: { label: "Payment status", ...onRequest },
      pnrStatus: { label: "PNR status", ...onRequest },
      scheduleChangeStatus: { label: "Status of the change", ...onRequest },
      acceptAllowed: { label: "Gateway offers to accept", ...onRequest },
      cancelAllowed: { label: "Gateway offers to cancel", ...onRequest },
      rescheduleAllowed: { label: "Gateway offers another flight", ...onRequest },
      flightCount: { label: "Flights booked", ...onRequest },
      departedFlightCount: { label: "Flights that have left" },
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
      flappingCount: { label: "Times it went back and forth" },
      alreadyAcceptedEarlier: { label: "A change was accepted before" },
      changedAfterNotice: { label: "Changed by somebody since the notice" },
      sameFlightCohort: { label: "Other orders with the same change" },
      noticeDays: { label: "Days of notice" },
    },
  },
  {
    title: "Data",
    facts: {
      dataSuspect: { label: "Proposed flights are impossible" },
      baseline: { label: "Booked flights first seen in", ...onRequest },
    },
  },
];

function quietWhen(expected: boolean | number): { isQuiet: (value: boolean | number) => boolean } {
  return { isQuiet: (value) => value === expected };
}
