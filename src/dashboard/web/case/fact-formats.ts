import { formatDuration, formatShift } from "../labels/moments.ts";

export interface FactWords {
  readonly format?: (value: never) => string;
  /** Quiet values say that nothing of the kind happened. They are folded away. */
  readonly isQuiet?: (value: never) => boolean;
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

/** The facts whose values are not shown, or not folded away, like all others. */
export const factWords: Readonly<Record<string, FactWords>> = {
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
  timeQuality: { isQuiet: (value: string) => value === "exact" },
  departureShiftMinutes: signedOnRequest,
  arrivalShiftMinutes: signedOnRequest,
  departureWallClockShiftMinutes: signedOnRequest,
  arrivalWallClockShiftMinutes: signedOnRequest,
  cumulativeShiftMinutes: onRequest,
  sinceAcceptedShiftMinutes: onRequest,
  journeyDepartureShiftMinutes: signedOnRequest,
  journeyArrivalShiftMinutes: signedOnRequest,
  sinceAcceptedJourneyDepartureShiftMinutes: signedOnRequest,
  sinceAcceptedJourneyArrivalShiftMinutes: signedOnRequest,
  journeyElapsedMinutes: { ...connectionLength, ...onRequest },
  flightMinutesDelta: signedOnRequest,
  milesDelta: onRequest,
  flightActions: onRequest,
  flightChanges: onRequest,
  marketingCarriers: onRequest,
  operatingCarriers: onRequest,
  shortestConnectionMinutes: connectionLength,
  minimumConnectionMinutes: connectionLength,
  returnCoherent: quietWhen(true),
  overlappingJourneys: onRequest,
  longestConnectionMinutes: { ...connectionLength, ...onRequest },
  connectionMarginMinutes: { ...connectionLength, ...onRequest },
  connections: onRequest,
  longerWaits: onRequest,
  connectionTypes: onRequest,
  groupSize: onRequest,
  contactable: quietWhen(true),
  ticketed: { isQuiet: () => false },
  refundable: { isQuiet: () => false },
  currency: onRequest,
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
  journeyDistanceKm: onRequest,
  routeCountries: onRequest,
  routes: onRequest,
  changeSequence: quietWhen(1),
  retimings: onRequest,
  brokenConnections: onRequest,
  tightConnections: onRequest,
  bookingStands: quietWhen(true),
  scheduleChangeIndicated: onRequest,
  baseline: onRequest,
};

function quietWhen(expected: boolean | number): { isQuiet: (value: boolean | number) => boolean } {
  return { isQuiet: (value) => value === expected };
}
