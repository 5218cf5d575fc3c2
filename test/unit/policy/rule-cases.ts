import type { FactOverrides } from "./change-facts.ts";
import type { InputOverrides } from "./policy-inputs.ts";

/** A rule with facts that it matches, and facts next to them that it lets pass. */
export interface RuleCase {
  readonly rule: string;
  readonly reason: string;
  readonly matches: readonly FactOverrides[];
  readonly passes: readonly FactOverrides[];
  /** The check that asks a person before the rule can; the rule's reason stands beside its own. */
  readonly decidedBy?: string;
  /** What else must hold for both, beside the facts. */
  readonly given?: InputOverrides;
}

/** Only aircraft or terminals differ. */
const swapped = {
  aircraftOrTerminalOnly: true,
  retimedOnly: false,
  departureLaterMinutes: 0,
  arrivalLaterMinutes: 0,
  journeyDepartureLaterMinutes: 0,
  journeyArrivalLaterMinutes: 0,
};
const removed = { retimedOnly: false, departureLaterMinutes: 0, arrivalLaterMinutes: 0 };

export const cautiousCases: readonly RuleCase[] = [
  {
    rule: "data-suspect",
    decidedBy: "check:sanity",
    reason: "data-suspect",
    matches: [{ dataSuspect: true }],
    passes: [{}],
  },
  { rule: "time-ambiguous", reason: "time-ambiguous", matches: [{ timeAmbiguous: true }], passes: [{}] },
  {
    rule: "unread-member",
    reason: "unread-member",
    matches: [{ unreadMember: true }],
    passes: [{ unreadMembers: ["Order.X"] }],
  },
  { rule: "other-passengers", reason: "other-passengers", matches: [{ passengersDiffer: true }], passes: [{}] },
  { rule: "other-references", reason: "other-references", matches: [{ referencesDiffer: true }], passes: [{}] },
  { rule: "other-price", reason: "other-price", matches: [{ priceDiffers: true }], passes: [{ extrasDiffer: true }] },
  {
    rule: "departed",
    reason: "departed",
    matches: [
      { tripDeparted: true, minutesToDeparture: -30_000 },
      { tripDeparted: true, minutesToDeparture: -1, unaccompaniedMinor: true, assistanceRequested: true },
      { tripDeparted: true, minutesToDeparture: -1, acceptAllowed: false, cancelAllowed: { unknown: "not-stated" } },
    ],
    passes: [
      { minutesToDeparture: -30_000 },
      { tripDeparted: true, cancelled: true },
      { tripDeparted: true, replaced: true },
      { tripDeparted: true, connectionBroken: true },
      { tripDeparted: true, arrivalLaterMinutes: 180 },
      { tripDeparted: true, retimedOnly: false },
      { tripDeparted: true, flightsDiffer: true },
      { tripDeparted: true, aircraftClassLowered: true },
    ],
  },
  {
    rule: "departed-with-claim",
    reason: "departed-with-claim",
    matches: [
      { tripDeparted: true, minutesToDeparture: -30_000, cancelled: true },
      { tripDeparted: true, minutesToDeparture: -30_000, replaced: true },
      { tripDeparted: true, minutesToDeparture: -30_000, connectionBroken: true },
    ],
    passes: [{ minutesToDeparture: -30_000 }],
  },
  {
    rule: "unaccompanied-minor",
    reason: "unaccompanied-minor",
    matches: [{ unaccompaniedMinor: true }, { unaccompaniedMinor: true, cancelled: true }],
    passes: [{ hasInfant: true }],
  },
  {
    rule: "assistance-requested",
    reason: "assistance-requested",
    matches: [{ assistanceRequested: true }],
    passes: [{ passengerCount: 9 }],
  },
  {
    rule: "group",
    reason: "group",
    matches: [
      { passengerCount: 10, groupSize: 10 },
      { passengerCount: 12, groupSize: 10, hasInfant: true },
    ],
    passes: [
      { passengerCount: 9, groupSize: 9 },
      { passengerCount: 10, groupSize: 9, hasInfant: true },
      { passengerCount: 9, groupSize: { unknown: "unknown-passenger-type" } },
    ],
  },
  {
    rule: "partly-flown",
    reason: "partly-flown",
    matches: [{ changedJourneyBegun: true, partlyFlown: true, departedFlightCount: 1 }],
    passes: [{ departedFlightCount: 0 }, { partlyFlown: true, departedFlightCount: 1 }],
  },
  {
    rule: "partially-cancelled",
    reason: "flights-partially-cancelled",
    matches: [{ ...removed, cancelled: true, partiallyCancelled: true }],
    passes: [{ ...removed, cancelled: true }],
  },
  { rule: "cancelled", reason: "flights-cancelled", matches: [{ ...removed, cancelled: true }], passes: [removed] },
  {
    rule: "flights-withdrawn",
    reason: "flights-withdrawn",
    matches: [
      { ...removed, removedFlightCount: 1 },
      { ...removed, removedFlightCount: 1, cancelled: { unknown: "removed-or-unknown" } },
      { ...removed, removedFlightCount: 1, connectionBroken: true, replaced: true },
    ],
    passes: [removed, { ...removed, removedFlightCount: 1, cancelled: true }],
  },
  {
    rule: "connection-broken",
    reason: "connection-broken",
    matches: [{ connectionBroken: true, hasConnection: true, shortestConnectionMinutes: 20 }],
    passes: [{ hasConnection: true, shortestConnectionMinutes: 45 }],
  },
  {
    rule: "connection-tight",
    reason: "connection-tight",
    matches: [{ connectionTight: true, connectionMarginMinutes: 15 }],
    passes: [{ connectionMarginMinutes: 16 }],
  },
  {
    rule: "self-transfer-shorter",
    reason: "self-transfer-shorter",
    matches: [{ selfTransfer: true, selfTransferShorter: true }],
    passes: [{ selfTransfer: true }],
  },
  {
    rule: "directions-overlap",
    reason: "directions-overlap",
    matches: [{ returnCoherent: false }],
    passes: [{ stayNightsDelta: -1 }],
  },
  {
    rule: "waiting-longer",
    reason: "waiting-longer",
    matches: [{ connectionTooLong: true }, { overnightAdded: true }],
    passes: [{ longestConnectionMinutes: 200 }],
  },
  {
    rule: "connection-added",
    reason: "connection-added",
    matches: [{ connectionsAdded: true, replaced: true, retimedOnly: false, connectingAirports: ["FRA"] }],
    passes: [{ replaced: true, retimedOnly: false, hasConnection: true }],
  },
  {
    rule: "airport-changed",
    reason: "airport-changed",
    matches: [{ airportChanged: true, replaced: true, retimedOnly: false }],
    passes: [{ terminalChanged: true }],
  },
  {
    rule: "carrier-changed",
    reason: "carrier-changed",
    matches: [
      { marketingCarrierChanged: true, replaced: true, retimedOnly: false },
      { operatingCarrierChanged: true, retimedOnly: false },
    ],
    passes: [{ flightNumberChanged: true, replaced: true, retimedOnly: false }],
  },
  {
    rule: "flight-number-only",
    reason: "flight-number-only",
    matches: [{ ...removed, flightNumberOnly: true, flightNumberChanged: true, replaced: true }],
    passes: [{ flightNumberChanged: true, retimedOnly: false }],
  },
  {
    rule: "replaced",
    reason: "flight-replaced",
    matches: [{ replaced: true, retimedOnly: false, flightNumberChanged: true }],
    passes: [{ flightNumberChanged: true, retimedOnly: false }],
  },
  { rule: "stop-added", reason: "stop-added", matches: [{ stopsAdded: true }], passes: [{}] },
  {
    rule: "unrecognised-change-status",
    reason: "unrecognised-change-status",
    matches: [{ unrecognisedChangeStatus: true, scheduleChangeStatus: "Withdrawn" }],
    passes: [{}],
  },
  {
    rule: "duration-contradicted",
    reason: "duration-contradicted",
    matches: [{ durationContradicted: true }],
    passes: [{}],
  },
  {
    rule: "marriage-regrouped",
    reason: "marriage-regrouped",
    matches: [{ marriageRegrouped: true }],
    passes: [{ marriageBroken: false }],
  },
  {
    rule: "cabin-or-class-changed",
    reason: "more-than-times-changed",
    matches: [{ retimedOnly: false }, { retimedOnly: false, aircraftChanged: true, terminalChanged: true }],
    passes: [
      { retimedOnly: false, changedFlightCount: 0 },
      { ...swapped, aircraftChanged: true },
    ],
  },
  {
    rule: "terminal-changed",
    reason: "terminal-changed",
    matches: [
      { terminalChanged: true },
      { ...swapped, terminalChanged: true },
      { ...swapped, terminalChanged: true, aircraftChanged: true },
    ],
    passes: [{}],
  },
  {
    rule: "aircraft-changed",
    reason: "aircraft-changed",
    matches: [{ aircraftChanged: true }, { ...swapped, aircraftChanged: true }],
    passes: [{}, { ...swapped, terminalChanged: true }],
  },
  {
    rule: "nothing-changed",
    reason: "nothing-changed",
    matches: [{ changedFlightCount: 0 }, { changedFlightCount: 0, retimedOnly: false }],
    passes: [{ changedFlightCount: 1 }],
  },
  {
    rule: "date-changed",
    reason: "date-changed",
    matches: [{ dateChanged: true }, { dateChanged: true, departureLaterMinutes: 600 }],
    passes: [{ departureLaterMinutes: 600 }],
  },
  {
    rule: "departure-soon",
    reason: "departure-within-72-hours",
    matches: [{ minutesToDeparture: 4_319 }, { minutesToDeparture: 0 }, { minutesToDeparture: -30 }],
    passes: [{ minutesToDeparture: 4_320 }],
  },
  { rule: "not-ticketed", reason: "not-ticketed", matches: [{ ticketed: false }], passes: [{ ticketed: true }] },
  {
    rule: "several-flights-retimed",
    reason: "several-flights-retimed",
    matches: [{ changedFlightCount: 2 }],
    passes: [{ changedFlightCount: 1 }],
  },
  {
    rule: "small-retiming",
    reason: "small-retiming",
    matches: [
      {},
      { departureLaterMinutes: 30 },
      { arrivalLaterMinutes: 30 },
      { departureLaterMinutes: 0, arrivalLaterMinutes: 0, departureEarlierMinutes: 15, arrivalEarlierMinutes: 15 },
      { departureLaterMinutes: 0 },
      { minutesToDeparture: 4_320 },
      { passengerCount: 9, hasInfant: true },
      { hasConnection: true, shortestConnectionMinutes: 60, connectingAirports: ["FRA"] },
    ],
    passes: [
      { departureLaterMinutes: 31 },
      { arrivalLaterMinutes: 31 },
      { departureEarlierMinutes: 16 },
      { arrivalEarlierMinutes: 16 },
      { minutesToDeparture: 4_319 },
    ],
  },
  {
    rule: "retiming-beyond-limits",
    reason: "retiming-beyond-limits",
    matches: [
      { departureLaterMinutes: 31 },
      { arrivalLaterMinutes: 31 },
      { departureEarlierMinutes: 16 },
      { arrivalEarlierMinutes: 16 },
    ],
    passes: [{ departureLaterMinutes: 30 }, { departureEarlierMinutes: 15 }],
  },
];

const cautiousCase = (rule: string): RuleCase => {
  const found = cautiousCases.find((ruleCase) => ruleCase.rule === rule);
  if (found === undefined) throw new Error(`there is no case for ${rule}`);
  return found;
};

const understandAndWho = [
  "data-suspect",
  "time-ambiguous",
  "unread-member",
  "other-passengers",
  "other-references",
  "other-price",
  "departed",
  "departed-with-claim",
  "unaccompanied-minor",
  "assistance-requested",
  "group",
  "partly-flown",
];

const answeredCases: readonly RuleCase[] = [
  {
    rule: "traveller-declined",
    reason: "traveller-declined",
    given: { order: { travellerAnswer: "refund" } },
    matches: [{}, { cancelled: true }],
    passes: [{ unaccompaniedMinor: true }],
  },
  {
    rule: "traveller-accepted",
    reason: "traveller-accepted",
    given: { order: { travellerAnswer: "accept" } },
    matches: [{}, { dateChanged: true, departureLaterMinutes: 600 }, { minutesToDeparture: 1 }],
    passes: [
      { minutesToDeparture: 0 },
      { connectionBroken: true },
      { ticketed: false },
      { removedFlightCount: 1 },
      { removedFlightCount: 1, cancelled: { unknown: "removed-or-unknown" } },
    ],
  },
];

const structural = [
  "partially-cancelled",
  "cancelled",
  "flights-withdrawn",
  "connection-broken",
  "connection-tight",
  "self-transfer-shorter",
  "directions-overlap",
  "waiting-longer",
  "connection-added",
  "airport-changed",
  "carrier-changed",
  "flight-number-only",
  "replaced",
  "stop-added",
  "unrecognised-change-status",
  "duration-contradicted",
  "marriage-regrouped",
  "cabin-or-class-changed",
];

const aircraftOrTerminal = (minutesToDeparture: number): RuleCase => ({
  rule: "aircraft-or-terminal",
  reason: "aircraft-or-terminal",
  matches: [
    { ...swapped, aircraftChanged: true },
    { ...swapped, terminalChanged: true },
    { ...swapped, aircraftChanged: true, terminalChanged: true, changedFlightCount: 3 },
    { ...swapped, aircraftChanged: true, minutesToDeparture },
  ],
  passes: [
    {},
    { ...swapped, aircraftChanged: true, minutesToDeparture: minutesToDeparture - 1 },
    { ...swapped, aircraftChanged: true, ticketed: false },
    { ...swapped, aircraftChanged: true, assistanceRequested: true },
    { ...swapped, aircraftChanged: true, stopsAdded: true },
    { ...swapped, aircraftChanged: true, aircraftOrTerminalOnly: false },
  ],
});

const numberOnly = { flightNumberOnly: true, flightNumberChanged: true, replaced: true, retimedOnly: false };

const flightNumberAccepted: RuleCase = {
  rule: "flight-number-accepted",
  reason: "flight-number-accepted",
  matches: [numberOnly, { ...numberOnly, minutesToDeparture: 2_880 }],
  passes: [
    { ...numberOnly, minutesToDeparture: 2_879 },
    { ...numberOnly, ticketed: false },
    { ...numberOnly, operatingCarrierChanged: true },
    { ...numberOnly, flightNumberOnly: false },
  ],
};

const aircraftClassLowered: RuleCase = {
  rule: "aircraft-class-lowered",
  reason: "aircraft-class-lowered",
  matches: [{ aircraftClassLowered: true, aircraftChanged: true }],
  passes: [{ aircraftChanged: true }],
};

const beforeNumbers = structural.indexOf("flight-number-only");
const beforeWords = structural.indexOf("unrecognised-change-status");

export const balancedCases: readonly RuleCase[] = [
  ...understandAndWho.map(cautiousCase),
  ...answeredCases,
  ...structural.slice(0, beforeNumbers).map(cautiousCase),
  flightNumberAccepted,
  { ...cautiousCase("flight-number-only"), matches: [{ ...numberOnly, minutesToDeparture: 2_879 }] },
  ...structural.slice(beforeNumbers + 1, beforeWords).map(cautiousCase),
  aircraftClassLowered,
  ...structural.slice(beforeWords).map(cautiousCase),
  {
    rule: "departure-soon",
    reason: "departure-within-48-hours",
    matches: [{ minutesToDeparture: 2_879 }],
    passes: [{ minutesToDeparture: 2_880 }],
  },
  cautiousCase("not-ticketed"),
  {
    rule: "flapping",
    reason: "flapping",
    matches: [
      { flappingCount: 2, minutesToDeparture: 40_000 },
      { flappingCount: 2, minutesToDeparture: 20_161 },
    ],
    passes: [
      { flappingCount: 1, minutesToDeparture: 40_000 },
      { flappingCount: 2, minutesToDeparture: 20_160 },
    ],
  },
  {
    rule: "back-to-original",
    reason: "back-to-original",
    matches: [{ backToOriginal: true, changedFlightCount: 0 }],
    passes: [
      { backToOriginal: false, changedFlightCount: 0 },
      { backToOriginal: true, changedFlightCount: 1 },
    ],
  },
  cautiousCase("nothing-changed"),
  aircraftOrTerminal(2_880),
  {
    rule: "small-retiming",
    reason: "small-retiming",
    matches: [
      {},
      { changedFlightCount: 3, terminalChanged: true, aircraftChanged: true },
      { departureLaterMinutes: 45, arrivalLaterMinutes: 45 },
      { departureLaterMinutes: 60, arrivalLaterMinutes: 60, minutesToDeparture: 43_200 },
      { departureEarlierMinutes: 20, minutesToDeparture: 43_200 },
      { minutesToDeparture: 2_880 },
    ],
    passes: [
      { departureLaterMinutes: 46 },
      { departureEarlierMinutes: 16 },
      { departureLaterMinutes: 60, minutesToDeparture: 43_199 },
      { departureLaterMinutes: 61, minutesToDeparture: 43_200 },
      { dateChanged: true },
    ],
  },
  {
    rule: "ask-about-retiming",
    reason: "ask-about-retiming",
    matches: [{ departureLaterMinutes: 46 }, { departureLaterMinutes: 89 }, { dateChanged: true }],
    passes: [{ departureLaterMinutes: 90 }, { departureLaterMinutes: 46, contactable: false }],
  },
  {
    rule: "traveller-unreachable",
    reason: "retiming-beyond-limits",
    matches: [
      { departureLaterMinutes: 46, contactable: false },
      { departureLaterMinutes: 89, contactable: false },
    ],
    passes: [{ departureLaterMinutes: 46 }, { departureLaterMinutes: 90, contactable: false }],
  },
  {
    rule: "retiming-beyond-limits",
    reason: "retiming-beyond-limits",
    matches: [{ departureLaterMinutes: 90 }, { departureLaterMinutes: 90, contactable: false }],
    passes: [{ departureLaterMinutes: 89 }],
  },
];

export const airlineCases: readonly RuleCase[] = [
  ...understandAndWho.map(cautiousCase),
  ...answeredCases,
  ...structural.slice(0, beforeWords).map(cautiousCase),
  aircraftClassLowered,
  ...structural.slice(beforeWords).map(cautiousCase),
  ...["nothing-changed", "date-changed", "departure-soon", "not-ticketed"].map(cautiousCase),
  aircraftOrTerminal(4_320),
  {
    rule: "airline-refund",
    reason: "airline-refund",
    matches: [
      { marketingCarriers: ["LH"], journeyArrivalLaterMinutes: 1 },
      { marketingCarriers: ["B6"], journeyArrivalLaterMinutes: 120 },
      { marketingCarriers: ["AA"], journeyDepartureEarlierMinutes: 180, routeCountries: ["US"] },
      { marketingCarriers: ["BA"], journeyArrivalLaterMinutes: 241 },
    ],
    passes: [
      { marketingCarriers: ["LH"], journeyArrivalLaterMinutes: 0, departureLaterMinutes: 20 },
      { marketingCarriers: ["B6"], journeyArrivalLaterMinutes: 119 },
      { marketingCarriers: ["AA"], journeyDepartureEarlierMinutes: 180, routeCountries: ["US", "PT"] },
      { marketingCarriers: ["BA"], journeyArrivalLaterMinutes: 240 },
    ],
  },
  {
    rule: "airline-minor",
    reason: "airline-minor",
    matches: [
      {},
      { marketingCarriers: ["UA"], departureLaterMinutes: 29, arrivalLaterMinutes: 29 },
      { marketingCarriers: ["AA"], departureLaterMinutes: 60, arrivalLaterMinutes: 60 },
      { marketingCarriers: ["DL"], departureLaterMinutes: 60 },
    ],
    passes: [
      { departureLaterMinutes: 61 },
      { departureEarlierMinutes: 31 },
      { marketingCarriers: ["UA"], departureLaterMinutes: 30 },
      { marketingCarriers: ["B6"], departureLaterMinutes: 60 },
    ],
  },
  {
    rule: "ask-about-retiming",
    reason: "ask-about-retiming",
    matches: [{ departureLaterMinutes: 61 }, { marketingCarriers: ["UA"], departureLaterMinutes: 30 }],
    passes: [{ departureLaterMinutes: 60 }, { departureLaterMinutes: 61, contactable: false }],
  },
  {
    rule: "retiming-beyond-limits",
    reason: "retiming-beyond-limits",
    matches: [{ departureLaterMinutes: 61, contactable: false }],
    passes: [{ departureLaterMinutes: 60, contactable: false }],
  },
];
