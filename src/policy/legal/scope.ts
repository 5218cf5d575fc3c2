import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import type { CarrierTable } from "./carriers.ts";
import type { LegalPreset, ScopeClause } from "./preset.ts";
import { isIn, type Territory } from "./territories.ts";
import { allTrue, anyTrue, missing, no, type Truth, yes } from "./truth.ts";

export function appliesTo({ scope }: LegalPreset, journey: JourneyChange, carriers: CarrierTable): Truth {
  return anyTrue(scope.map((clause) => judgeClause(clause, journey, carriers)));
}

/** Uses the airports, because `routeCountries` is missing if one is unknown. */
export function staysWithin(territory: Territory, journey: JourneyChange): Truth {
  return allTrue(airportsOf(journey).map((country) => isInTerritory(territory, country)));
}

function judgeClause(clause: ScopeClause, journey: JourneyChange, carriers: CarrierTable): Truth {
  if ("touches" in clause) return touches(clause.touches, journey);
  if ("departs" in clause) return isInTerritory(clause.departs, journey.flights[0]?.from.country ?? null);
  if ("flights" in clause) {
    return allTrue([
      arrives(clause.arrives, journey),
      journey.flights.length === clause.flights ? yes : no,
      isSoldByLastCarrier(journey),
      isLicensed(clause.lastBySellerLicensedIn, { flights: journey.flights.slice(-1) }, carriers),
      isOneBooking(journey),
    ]);
  }
  if ("arrives" in clause) {
    const licensedIn = clause.licensedIn ?? null;
    return allTrue([
      arrives(clause.arrives, journey),
      licensedIn === null ? yes : isLicensed(licensedIn, journey, carriers),
    ]);
  }
  const { unsettled } = clause;
  if ("arrives" in unsettled) return allTrue([arrives(unsettled.arrives, journey), missing("operatingCarriers")]);
  const connects = connectsIn(unsettled.connectsIn, journey);
  if (unsettled.onSeveralBookings !== true) return allTrue([connects, missing("routeCountries")]);
  return isOneBooking(journey).value === true ? no : allTrue([connects, missing("selfTransfer")]);
}

function isOneBooking({ oneBooking }: JourneyChange): Truth {
  if (oneBooking?.known !== true) return missing("selfTransfer");
  return oneBooking.value ? yes : no;
}

function touches(territory: Territory, journey: JourneyChange): Truth {
  return anyTrue(airportsOf(journey).map((country) => isInTerritory(territory, country)));
}

function arrives(territory: Territory, { flights }: JourneyChange): Truth {
  return isInTerritory(territory, flights.at(-1)?.to.country ?? null);
}

function connectsIn(territory: Territory, { flights }: JourneyChange): Truth {
  const between = [...flights.slice(0, -1).map(({ to }) => to), ...flights.slice(1).map(({ from }) => from)];
  return anyTrue(between.map(({ country }) => isInTerritory(territory, country)));
}

/** Unknown if only some flights are on carriers of these territories, or if no table lists a carrier. */
function isLicensed(
  territories: readonly Territory[],
  { flights }: Pick<JourneyChange, "flights">,
  carriers: CarrierTable,
): Truth {
  const licences = flights.map(({ operatingCarrier }) =>
    operatingCarrier !== null && Object.hasOwn(carriers.licensedIn, operatingCarrier)
      ? carriers.licensedIn[operatingCarrier]
      : undefined,
  );
  const inside = licences.filter((licence) => territories.some((territory) => territory === licence)).length;
  if (inside === licences.length) return yes;
  return inside > 0 || licences.includes(undefined) ? missing("operatingCarriers") : no;
}

function isSoldByLastCarrier({ flights }: JourneyChange): Truth {
  const last = flights.at(-1)?.operatingCarrier ?? null;
  const sellers = flights.map(({ marketingCarrier }) => marketingCarrier ?? null);
  if (last === null || sellers.includes(null)) return missing("operatingCarriers");
  return sellers.every((seller) => seller === last) ? yes : no;
}

function isInTerritory(territory: Territory, country: string | null): Truth {
  if (country === null) return missing("routeCountries");
  return isIn(territory, country) ? yes : no;
}

function airportsOf({ flights }: JourneyChange): readonly (string | null)[] {
  return flights.flatMap(({ from, to }) => [from.country, to.country]);
}
