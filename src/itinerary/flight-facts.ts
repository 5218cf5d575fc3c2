import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { actionOf, compareFlights } from "./difference.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";
import { allOf, anyOf, not } from "./fact-logic.ts";
import { describeFlightChange } from "./flight-change-words.ts";
import {
  addedFlightCount,
  changedFlightCount,
  compareOneToOne,
  hasPriceClass,
  isAircraftChanged,
  isAircraftOrTerminalOnly,
  isAirportChanged,
  isChanged,
  isFlightNumberChanged,
  isOnly,
  isRemoved,
  isReplaced,
  isStopAdded,
  isTerminalChanged,
  isValueChanged,
  removedFlightCount,
} from "./flight-comparison.ts";
import {
  farthestAirportMove,
  isAircraftClassLowered,
  isAircraftFamilyChanged,
  isAirportChangedInCity,
  isCabinDowngraded,
  isMarriageBroken,
  isMarriageRegrouped,
} from "./flight-losses.ts";
import { flightNames } from "./flight-names.ts";
import { instantRange } from "./shifts.ts";

export const flightFactCatalogue = {
  changedFlightCount: {
    type: "int",
    description: "Number of booked flights that are retimed, replaced, removed or changed in any other way.",
    atLeast: 0,
  },
  replaced: {
    type: "bool",
    description:
      "Whether a booked flight is replaced by several flights, or by one under another carrier, number or airport.",
    implies: ["changedFlightCount > 0", "!retimedOnly", "!aircraftOrTerminalOnly"],
  },
  retimedOnly: {
    type: "bool",
    description:
      "Whether times are all that differs: same flights, numbers, carriers, airports, stops, cabins, booking classes and brands. Terminals and aircraft may differ.",
    implies: [
      "changedFlightCount > 0",
      "!replaced",
      "!flightNumberOnly",
      "!aircraftOrTerminalOnly",
      "removedFlightCount == 0",
    ],
  },
  flightNumberOnly: {
    type: "bool",
    description: "Whether flight numbers are all that differs. Terminals and aircraft may differ too.",
    implies: ["flightNumberChanged", "!retimedOnly", "!aircraftOrTerminalOnly"],
  },
  aircraftOrTerminalOnly: {
    type: "bool",
    description:
      "Whether aircraft and terminals are all that differs: same flights, times, numbers, carriers, airports, stops, cabins, booking classes and brands. False when nothing differs.",
    implies: [
      "changedFlightCount > 0",
      "!replaced",
      "!retimedOnly",
      "!flightNumberOnly",
      "!dateChanged",
      "removedFlightCount == 0",
    ],
  },
  airportChanged: {
    type: "bool",
    description: "Whether a flight leaves from or arrives at another airport.",
    implies: ["replaced"],
  },
  terminalChanged: {
    type: "bool",
    description: "Whether a stated terminal is replaced by another stated one.",
    implies: ["changedFlightCount > 0"],
  },
  flightNumberChanged: {
    type: "bool",
    description: "Whether a marketing flight number changed.",
    implies: ["replaced"],
  },
  marketingCarrierChanged: { type: "bool", description: "Whether a marketing carrier changed.", implies: ["replaced"] },
  operatingCarrierChanged: {
    type: "bool",
    description:
      "Whether an operating carrier changed; none stated means the marketing carrier operates. Where an airline is stated by its name only, the same name is no change and any other is unknown.",
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  },
  aircraftChanged: {
    type: "bool",
    description: "Whether a stated aircraft is replaced by another stated one.",
    implies: ["changedFlightCount > 0"],
  },
  stopsAdded: {
    type: "bool",
    description: "Whether a flight has more intermediate stops.",
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  },
  flightActions: {
    type: "list<string>",
    description:
      "What becomes of each flight, as flight, airports and action: LH1167 LIS-FRA retimed. Actions are unchanged, amended, retimed, replaced, replaced-by-several, removed and added. Flights that are replaced together are joined by a plus sign.",
  },
  flightChanges: {
    type: "list<string>",
    description:
      "What becomes of each flight that changes or may change, in words and local times: BA2661 AGA-LHR on 27 Feb 2027 arrives at LGW instead of LHR. Without withdrawn flights, which removedFlights lists.",
  },
  removedFlightCount: {
    type: "int",
    description:
      "Number of booked flights with nothing in their place, neither one for one nor as part of another flight.",
    atLeast: 0,
  },
  removedFlights: {
    type: "list<string>",
    description: "Which flights these are, with their airports: LH1137 BCN-FRA.",
  },
  addedFlightCount: { type: "int", description: "Number of proposed flights in the place of nothing.", atLeast: 0 },
  flightsReordered: {
    type: "bool",
    description: "Whether flights leave in another order than booked, over the whole trip.",
  },
  airportChangedInCity: {
    type: "bool",
    description:
      "Whether airports change and each remains in its metropolitan area, such as LHR to LGW. It is still a change of airport.",
    implies: ["airportChanged"],
  },
  airportMoveKm: {
    type: "int",
    unit: "km",
    description:
      "Largest great-circle distance from a booked airport to the one in its place, rounded up; 0 without a change.",
    atLeast: 0,
  },
  aircraftFamilyChanged: {
    type: "bool",
    description:
      "Whether a stated aircraft is replaced by one of another family: an A320 by an A321 is not, by a 737 is. Unknown for another aircraft that the table does not have.",
    implies: ["aircraftChanged"],
  },
  aircraftClassLowered: {
    type: "bool",
    description:
      "Whether a stated aircraft is replaced by one of a lower class, in the order widebody, narrowbody, regional jet, propeller, surface transport.",
    implies: ["aircraftChanged"],
  },
  cabinDowngraded: {
    type: "bool",
    description:
      "Whether a flight is in a lower cabin than booked, in the order first, business, premium economy, economy. Unknown for a cabin that is not stated, or whose spelling is not known.",
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  },
  rbdChanged: {
    type: "bool",
    description:
      "Whether a booking class (RBD) changed. In the same cabin it has no legal effect, but may break fare rules.",
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  },
  brandChanged: {
    type: "bool",
    description:
      "Whether a brand or a price class changed: what it includes, such as a bag or a seat, may be lost. Unknown when only one side states it by a name or a code.",
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  },
  marriageBroken: {
    type: "bool",
    description:
      "Whether flights of one married group are no longer in one group, or only some of them are removed. Married flights can only be handled together.",
  },
  marriageRegrouped: {
    type: "bool",
    description:
      "Whether a flight is marked to be in another married group than booked, where both state one. Married flights were sold together and can only be handled together.",
  },
  marketingCarriers: {
    type: "list<string>",
    description: "Marketing carriers of the proposed flights in order of appearance, each once.",
  },
  operatingCarriers: {
    type: "list<string>",
    description:
      "Operating carriers of the proposed flights in order of appearance, each once; the marketing carrier where none is stated.",
  },
} as const satisfies Record<string, FactDefinition>;

export type FlightFacts = FactsOf<typeof flightFactCatalogue>;

export function flightFacts(pairs: readonly JourneyPair[]): FlightFacts {
  const flights = pairs.flatMap((pair) => pair.counterparts);
  const proposed = flights.flatMap((pair) => pair.after);
  const comparisons = compareOneToOne(flights);
  return {
    changedFlightCount: known(changedFlightCount(flights)),
    replaced: isReplaced(flights),
    retimedOnly: isOnly("times", comparisons),
    flightNumberOnly: isOnly("flightNumber", comparisons),
    aircraftOrTerminalOnly: isAircraftOrTerminalOnly(flights, comparisons),
    airportChanged: isAirportChanged(flights),
    terminalChanged: known(isTerminalChanged(flights)),
    flightNumberChanged: isFlightNumberChanged(flights),
    marketingCarrierChanged: isValueChanged(flights, "marketingCarrier", "unknown-carrier"),
    operatingCarrierChanged: isValueChanged(flights, "operatingCarrier", "unknown-carrier"),
    aircraftChanged: known(isAircraftChanged(flights)),
    stopsAdded: isStopAdded(flights),
    flightActions: known(flights.map((pair) => `${nameOf(pair)} ${actionOf(pair)}`)),
    flightChanges: known(describeChanges(flights)),
    removedFlightCount: known(removedFlightCount(flights)),
    removedFlights: known(namesOfRemoved(flights)),
    addedFlightCount: known(addedFlightCount(flights)),
    flightsReordered: isReordered(flights),
    airportChangedInCity: isAirportChangedInCity(flights),
    airportMoveKm: farthestAirportMove(flights),
    aircraftFamilyChanged: isAircraftFamilyChanged(flights),
    aircraftClassLowered: isAircraftClassLowered(flights),
    cabinDowngraded: isCabinDowngraded(flights),
    rbdChanged: isValueChanged(flights, "rbd", "unknown-booking-class"),
    brandChanged: anyOf([
      isValueChanged(flights, "brandId", "unknown-brand"),
      isValueChanged(
        flights.filter(({ before }) => before.every(hasPriceClass)),
        "priceClass",
        "unknown-brand",
      ),
    ]),
    marriageBroken: anyOf(pairs.map(isMarriageBroken)),
    marriageRegrouped: known(isMarriageRegrouped(flights)),
    marketingCarriers: carriersOf(proposed.map((flight) => flight.marketingCarrier)),
    operatingCarriers: carriersOf(proposed.map((flight) => flight.operatingCarrier)),
  };
}

/** Adds the date where two booked flights share a name. */
function namesOfRemoved(flights: readonly Counterpart[]): readonly string[] {
  const booked = flights.flatMap(({ before }) => before);
  return flights.filter(isRemoved).map(({ before }) => flightNames(before, booked));
}

/** Returns the booked flights, or the added ones: `LH1137 BCN-FRA + AC873 FRA-YYZ`, as in `flightActions`. */
export function nameOf({ before, after }: Counterpart): string {
  return flightNames(before.length > 0 ? before : after);
}

/** A flight of which one side states too little to tell is named as such. */
function describeChanges(flights: readonly Counterpart[]): readonly string[] {
  return flights
    .filter((pair) => pair.after.length > 0 && isChanged(pair))
    .map((pair) => {
      const difference = compareFlights(pair);
      return difference.action === "unchanged"
        ? `whether ${nameOf(pair)} changes is not known`
        : describeFlightChange(difference);
    });
}

/** Compares by the first departures of flights and their replacements. Ignores withdrawn and added flights. */
function isReordered(flights: readonly Counterpart[]): Fact<boolean> {
  const moved = flights.flatMap(({ before, after }) => {
    const [was] = before;
    const [is] = after;
    if (was === undefined || is === undefined) return [];
    return [{ was: instantRange(was.departure, "departure"), is: instantRange(is.departure, "departure") }];
  });
  if (moved.length > 1 && moved.some(({ was }) => !was.known)) return unknown("unknown-departure");
  const booked = moved.flatMap(({ was, is }) => (was.known ? [{ at: was.value.low, is }] : []));
  booked.sort((a, b) => a.at - b.at);
  return not(
    allOf(
      booked.slice(1).map(({ is }, position) => {
        const previous = booked[position]!.is;
        if (!previous.known) return previous;
        if (!is.known) return is;
        if (previous.value.high <= is.value.low) return known(true);
        return previous.value.low > is.value.high ? known(false) : unknown("ambiguous-time");
      }),
    ),
  );
}

function carriersOf(carriers: readonly (string | null)[]): Fact<readonly string[]> {
  const stated = carriers.filter((carrier) => carrier !== null);
  return stated.length < carriers.length ? unknown("unknown-carrier") : known([...new Set(stated)]);
}
