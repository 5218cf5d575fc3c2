import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { Counterpart, JourneyPair } from "./align.ts";
import { actionOf, compareFlights } from "./difference.ts";
import { factsFrom } from "./fact-definition.ts";
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

const { bool, int, list } = factsFrom<FlightParts>();

export const flightFacts = {
  changedFlightCount: int(
    "Number of booked flights that are retimed, replaced, removed or changed in any other way.",
    ({ flights }) => known(changedFlightCount(flights)),
    { atLeast: 0 },
  ),
  replaced: bool(
    "Whether a booked flight is replaced by several flights, or by one under another carrier, number or airport.",
    ({ flights }) => isReplaced(flights),
    { implies: ["changedFlightCount > 0", "!retimedOnly", "!aircraftOrTerminalOnly"] },
  ),
  retimedOnly: bool(
    "Whether times are all that differs: same flights, numbers, carriers, airports, stops, cabins, booking classes and brands. Terminals and aircraft may differ.",
    ({ comparisons }) => isOnly("times", comparisons),
    {
      implies: [
        "changedFlightCount > 0",
        "!replaced",
        "!flightNumberOnly",
        "!aircraftOrTerminalOnly",
        "removedFlightCount == 0",
      ],
    },
  ),
  flightNumberOnly: bool(
    "Whether flight numbers are all that differs. Terminals and aircraft may differ too.",
    ({ comparisons }) => isOnly("flightNumber", comparisons),
    { implies: ["flightNumberChanged", "!retimedOnly", "!aircraftOrTerminalOnly"] },
  ),
  aircraftOrTerminalOnly: bool(
    "Whether aircraft and terminals are all that differs: same flights, times, numbers, carriers, airports, stops, cabins, booking classes and brands. False when nothing differs.",
    ({ flights, comparisons }) => isAircraftOrTerminalOnly(flights, comparisons),
    {
      implies: [
        "changedFlightCount > 0",
        "!replaced",
        "!retimedOnly",
        "!flightNumberOnly",
        "!dateChanged",
        "removedFlightCount == 0",
      ],
    },
  ),
  airportChanged: bool(
    "Whether a flight leaves from or arrives at another airport.",
    ({ flights }) => isAirportChanged(flights),
    { implies: ["replaced"] },
  ),
  terminalChanged: bool(
    "Whether a stated terminal is replaced by another stated one.",
    ({ flights }) => known(isTerminalChanged(flights)),
    { implies: ["changedFlightCount > 0"] },
  ),
  flightNumberChanged: bool(
    "Whether a marketing flight number changed.",
    ({ flights }) => isFlightNumberChanged(flights),
    { implies: ["replaced"] },
  ),
  marketingCarrierChanged: bool(
    "Whether a marketing carrier changed.",
    ({ flights }) => isValueChanged(flights, "marketingCarrier", "unknown-carrier"),
    { implies: ["replaced"] },
  ),
  operatingCarrierChanged: bool(
    "Whether an operating carrier changed; none stated means the marketing carrier operates. Where an airline is stated by its name only, the same name is no change and any other is unknown.",
    ({ flights }) => isValueChanged(flights, "operatingCarrier", "unknown-carrier"),
    { implies: ["changedFlightCount > 0", "!retimedOnly"] },
  ),
  aircraftChanged: bool(
    "Whether a stated aircraft is replaced by another stated one.",
    ({ flights }) => known(isAircraftChanged(flights)),
    { implies: ["changedFlightCount > 0"] },
  ),
  stopsAdded: bool("Whether a flight has more intermediate stops.", ({ flights }) => isStopAdded(flights), {
    implies: ["changedFlightCount > 0", "!retimedOnly"],
  }),
  flightActions: list(
    "What becomes of each flight, as flight, airports and action: LH1167 LIS-FRA retimed. Actions are unchanged, amended, retimed, replaced, replaced-by-several, removed and added. Flights that are replaced together are joined by a plus sign.",
    ({ flights }) => known(flights.map((pair) => `${nameOf(pair)} ${actionOf(pair)}`)),
  ),
  flightChanges: list(
    "What becomes of each flight that changes or may change, in words and local times: BA2661 AGA-LHR on 27 Feb 2027 arrives at LGW instead of LHR. Without withdrawn flights, which removedFlights lists.",
    ({ flights }) => known(describeChanges(flights)),
  ),
  removedFlightCount: int(
    "Number of booked flights with nothing in their place, neither one for one nor as part of another flight.",
    ({ flights }) => known(removedFlightCount(flights)),
    { atLeast: 0 },
  ),
  removedFlights: list("Which flights these are, with their airports: LH1137 BCN-FRA.", ({ flights }) =>
    known(namesOfRemoved(flights)),
  ),
  addedFlightCount: int(
    "Number of proposed flights in the place of nothing.",
    ({ flights }) => known(addedFlightCount(flights)),
    { atLeast: 0 },
  ),
  flightsReordered: bool("Whether flights leave in another order than booked, over the whole trip.", ({ flights }) =>
    isReordered(flights),
  ),
  airportChangedInCity: bool(
    "Whether airports change and each remains in its metropolitan area, such as LHR to LGW. It is still a change of airport.",
    ({ flights }) => isAirportChangedInCity(flights),
    { implies: ["airportChanged"] },
  ),
  airportMoveKm: int(
    "Largest great-circle distance from a booked airport to the one in its place, rounded up; 0 without a change.",
    ({ flights }) => farthestAirportMove(flights),
    { unit: "km", atLeast: 0 },
  ),
  aircraftFamilyChanged: bool(
    "Whether a stated aircraft is replaced by one of another family: an A320 by an A321 is not, by a 737 is. Unknown for another aircraft that the table does not have.",
    ({ flights }) => isAircraftFamilyChanged(flights),
    { implies: ["aircraftChanged"] },
  ),
  aircraftClassLowered: bool(
    "Whether a stated aircraft is replaced by one of a lower class, in the order widebody, narrowbody, regional jet, propeller, surface transport.",
    ({ flights }) => isAircraftClassLowered(flights),
    { implies: ["aircraftChanged"] },
  ),
  cabinDowngraded: bool(
    "Whether a flight is in a lower cabin than booked, in the order first, business, premium economy, economy. Unknown for a cabin that is not stated, or whose spelling is not known.",
    ({ flights }) => isCabinDowngraded(flights),
    { implies: ["changedFlightCount > 0", "!retimedOnly"] },
  ),
  rbdChanged: bool(
    "Whether a booking class (RBD) changed. In the same cabin it has no legal effect, but may break fare rules.",
    ({ flights }) => isValueChanged(flights, "rbd", "unknown-booking-class"),
    { implies: ["changedFlightCount > 0", "!retimedOnly"] },
  ),
  brandChanged: bool(
    "Whether a brand or a price class changed: what it includes, such as a bag or a seat, may be lost. Unknown when only one side states it by a name or a code.",
    ({ flights }) =>
      anyOf([
        isValueChanged(flights, "brandId", "unknown-brand"),
        isValueChanged(
          flights.filter(({ before }) => before.every(hasPriceClass)),
          "priceClass",
          "unknown-brand",
        ),
      ]),
    { implies: ["changedFlightCount > 0", "!retimedOnly"] },
  ),
  marriageBroken: bool(
    "Whether flights of one married group are no longer in one group, or only some of them are removed. Married flights can only be handled together.",
    ({ pairs }) => anyOf(pairs.map(isMarriageBroken)),
  ),
  marriageRegrouped: bool(
    "Whether a flight is marked to be in another married group than booked, where both state one. Married flights were sold together and can only be handled together.",
    ({ flights }) => known(isMarriageRegrouped(flights)),
  ),
  marketingCarriers: list(
    "Marketing carriers of the proposed flights in order of appearance, each once.",
    ({ proposed }) => carriersOf(proposed.map((flight) => flight.marketingCarrier)),
  ),
  operatingCarriers: list(
    "Operating carriers of the proposed flights in order of appearance, each once; the marketing carrier where none is stated.",
    ({ proposed }) => carriersOf(proposed.map((flight) => flight.operatingCarrier)),
  ),
};

export interface FlightParts extends ReturnType<typeof flightParts> {}

export function flightParts(pairs: readonly JourneyPair[]) {
  const flights = pairs.flatMap((pair) => pair.counterparts);
  const proposed = flights.flatMap((pair) => pair.after);
  return { pairs, flights, proposed, comparisons: compareOneToOne(flights) };
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
