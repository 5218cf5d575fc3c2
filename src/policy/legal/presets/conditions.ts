import type { LegalCondition, LegalTrigger } from "../preset.ts";

/**
 * A flight of the journey is withdrawn with nothing in its place. Only a status that says so makes it certain; a flight
 * that is named without new values may merely lack them.
 */
export const withdrawn: LegalCondition = {
  words: "a flight is withdrawn",
  any: [
    { flag: "cancelled" },
    { all: [{ fact: "removedFlightCount", comparison: ">=", limit: 1 }, { unsettled: "cancelled" }] },
  ],
};

/** More than one hour earlier, as C-146/20 reads a cancellation. */
export const broughtForward: LegalCondition = {
  fact: "journeyDepartureEarlierMinutes",
  comparison: ">",
  limit: 60,
};

/**
 * The re-routing leaves too early or arrives too late to take away compensation, for how late the traveller is told
 * (Art 5(1)(c)); no re-routing at all does too.
 */
export const toldTooLate: LegalCondition = {
  any: [
    { all: [{ toldLessThan: { days: 7 } }, { any: [...beyond(60, 120), withdrawn] }] },
    { all: [{ toldLessThan: { days: 14 } }, { any: [...beyond(120, 240), withdrawn] }] },
  ],
};

/** Allowed is no more than the first before, and less than the second after. */
function beyond(earlier: number, later: number): readonly LegalCondition[] {
  return [
    { fact: "journeyDepartureEarlierMinutes", comparison: ">", limit: earlier },
    { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: later },
  ];
}

const anotherNumber: LegalCondition = { flag: "flightNumberChanged" };
const anotherAirport: LegalCondition = { any: [{ flag: "originChanged" }, { flag: "destinationChanged" }] };
const anotherWay: LegalCondition = { any: [{ flag: "connectionsAdded" }, { flag: "connectingAirportsChanged" }] };

/** A change that the regulation does not name and that is usually read as a cancellation with a re-routing. */
export const unnamedChange: LegalCondition = {
  all: [
    {
      words: "has another flight number, another airport, or other or more connections",
      any: [anotherNumber, anotherAirport, anotherWay],
    },
    { unsettled: "courtReading" },
  ],
};

/** A trigger for each of these changes. */
export function unnamedChanges(paragraph: string, note: string): readonly LegalTrigger[] {
  const trigger = (id: string, title: string, when: LegalCondition): LegalTrigger => ({
    id,
    title,
    right: "refund-or-rerouting",
    paragraph,
    when: { all: [when, { unsettled: "courtReading" }] },
    note,
    clocks: ["eu-refund"],
  });
  return [
    trigger("renumbered", "Another flight number", anotherNumber),
    trigger("airport-changed", "Another airport of departure or arrival", anotherAirport),
    trigger("rerouted", "Other or more connections", anotherWay),
  ];
}
