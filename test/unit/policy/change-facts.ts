import { type ChangeFacts, type FactName, factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { type Fact, known, unknown } from "../../../src/kernel/fact.ts";

export type FactValue = number | boolean | string | readonly string[];

/** `{ unknown: "reason" }` in place of a value makes the fact unknown. */
export type FactOverrides = { readonly [Name in FactName]?: FactValue | { readonly unknown: string } };

/** One flight of a ticketed adult, 20 minutes later, ten days ahead: what the shipped policy accepts. The rest is unknown. */
const smallRetiming: Readonly<Partial<Record<FactName, FactValue>>> = {
  minutesToDeparture: 14_400,
  ticketed: true,
  passengerCount: 1,
  groupSize: 1,
  hasInfant: false,
  unaccompaniedMinor: false,
  assistanceRequested: false,
  changedFlightCount: 1,
  cancelled: false,
  partiallyCancelled: false,
  removedFlightCount: 0,
  replaced: false,
  retimedOnly: true,
  flightNumberOnly: false,
  aircraftOrTerminalOnly: false,
  departureEarlierMinutes: 0,
  departureLaterMinutes: 20,
  arrivalEarlierMinutes: 0,
  arrivalLaterMinutes: 20,
  journeyDepartureEarlierMinutes: 0,
  journeyArrivalLaterMinutes: 20,
  sinceAcceptedDepartureEarlierMinutes: 0,
  sinceAcceptedDepartureLaterMinutes: 20,
  retimings: ["LH98 FRA-MUC departs and arrives 20 min later"],
  dateChanged: false,
  timeAmbiguous: false,
  airportChanged: false,
  terminalChanged: false,
  flightNumberChanged: false,
  marketingCarrierChanged: false,
  operatingCarrierChanged: false,
  aircraftChanged: false,
  stopsAdded: false,
  connectionsAdded: false,
  connectingAirports: [],
  hasConnection: false,
  shortestConnectionMinutes: 1_000_000,
  connectionBroken: false,
  connectionTight: false,
  connectionMarginMinutes: 1_000_000,
  selfTransferShorter: false,
  returnCoherent: true,
  connectionTooLong: false,
  overnightAdded: false,
  partlyFlown: false,
  changedJourneyBegun: false,
  tripDeparted: false,
  departedFlightCount: 0,
  backToOriginal: false,
  flappingCount: 0,
  contactable: true,
  marketingCarriers: ["TP"],
  routeCountries: ["PT", "DE"],
  routes: ["PT/LIS-DE/FRA"],
  journeyDepartureLaterMinutes: 20,
  journeyArrivalEarlierMinutes: 0,
  dataSuspect: false,
  dataProblems: [],
  bookingStands: true,
  ordersToStop: [],
  unreadMember: false,
  unreadMembers: [],
  passengersDiffer: false,
  referencesDiffer: false,
  priceDiffers: false,
  flightsDiffer: false,
  aircraftClassLowered: false,
  unrecognisedChangeStatus: false,
  durationContradicted: false,
  marriageRegrouped: false,
  acceptAllowed: true,
  cancelAllowed: true,
  rescheduleAllowed: false,
  scheduleChangeStatus: "Initiated",
};

/** Facts of a small retiming, with what a test is about put over them. */
export function changeFacts(overrides: FactOverrides = {}): ChangeFacts {
  const written: Readonly<Record<string, FactValue | { readonly unknown: string }>> = {
    ...smallRetiming,
    ...overrides,
  };
  return factsFrom((name) => toFact(written[name] ?? { unknown: "not-given" }));
}

/** Facts with one value for each name. The catalogue decides the types; a test that breaks them does so on purpose. */
export function factsFrom(factOf: (name: FactName) => Fact<FactValue>): ChangeFacts {
  const names = Object.keys(factCatalogue) as FactName[];
  return Object.fromEntries(names.map((name) => [name, factOf(name)])) as unknown as ChangeFacts;
}

function toFact(written: FactValue | { readonly unknown: string }): Fact<FactValue> {
  return typeof written === "object" && "unknown" in written ? unknown(written.unknown) : known(written);
}
