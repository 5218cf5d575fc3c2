import { isSameName } from "../contract/name-digests.ts";
import type { OrderRecord, Passenger } from "../contract/order-view.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { compareDecimals } from "../travel/money.ts";
import { factsFrom } from "./fact-definition.ts";
import { anyOf, differs } from "./fact-logic.ts";
import type { NotifiedParts, OrderParts } from "./facts-input.ts";
import type { Itinerary, ItinerarySegment } from "./itinerary.ts";
import { pairsOneToOne } from "./pair-one-to-one.ts";
import { comparisonOf } from "./same-value.ts";
import { totalPriceOf } from "./value-facts.ts";

const { bool } = factsFrom<NoticeParts>();

/**
 * Facts about differences between the view and the notification besides the flights: signs that the change affects more
 * than flights, or that one of the two belongs to another booking. What the notification does not state is no
 * difference, since many gateways only announce that something has changed. Without one, as after a poll, nothing differs.
 */
export const noticeFacts = {
  passengersDiffer: bool(
    "Whether the status lists other passengers than the notification: another number, or other types, names or dates of birth, or these of one passenger with another; spellings of one name are the same. Unknown when the notification states names and the status does not, or a date of birth cannot be read.",
    comparing((shown, notified) => isOtherPassengers(shown.passengers, notified.passengers)),
  ),
  referencesDiffer: bool(
    "Whether the status names other booking references for the order than the notification, where both name any.",
    comparing((shown, notified) => isOtherText(referencesOf(shown), referencesOf(notified))),
  ),
  priceDiffers: bool(
    "Whether the status states another total price or currency than the notification, where both state one.",
    comparing((shown, notified) => isOtherPrice(shown.records, notified.records)),
  ),
  flightsDiffer: bool(
    "Whether the status states anything else of a flight, as it is listed or as it is proposed, than the notification: times, cabin, brand, aircraft, terminal, stops, duration and the like. Unknown when only one of them states it. False when the notification states no flights.",
    comparing((shown, notified) =>
      anyOf([
        isOtherItinerary(shown.flights.current, notified.flights.current),
        notified.flights.showsChange
          ? isOtherItinerary(shown.flights.proposed, notified.flights.proposed)
          : known(false),
      ]),
    ),
  ),
  fareDiffers: bool(
    "Whether the status states other fare bases, conditions or contents of the fare than the notification. Unknown when only the notification states any.",
    comparing((shown, notified) => isOther(fareOf(shown), fareOf(notified))),
  ),
  extrasDiffer: bool(
    "Whether the status lists other seats, services or baggage allowances than the notification. Unknown when only the notification lists any.",
    comparing((shown, notified) => isOther(extrasOf(shown), extrasOf(notified))),
  ),
};

/** Null without a notification. */
export type NoticeParts = { readonly shown: NotifiedParts; readonly notified: NotifiedParts } | null;

type Compare = (shown: NotifiedParts, notified: NotifiedParts) => Fact<boolean>;

function comparing(compare: Compare) {
  return (parts: NoticeParts) => (parts === null ? known(false) : compare(parts.shown, parts.notified));
}

interface PassengerAspect {
  readonly valueOf: (passenger: Passenger) => unknown;
  /** Of two passengers who both state it. */
  readonly isSame: (a: Passenger, b: Passenger) => boolean;
  /** The result if the notification states it, and only one of the two views for all passengers. */
  readonly onlyInOne: Fact<boolean>;
}

const passengerAspects: readonly PassengerAspect[] = [
  { valueOf: ({ ptc }) => ptc, isSame: (a, b) => isSameType(a.ptc!, b.ptc!), onlyInOne: known(false) },
  {
    valueOf: ({ birthDate }) => (birthDate.known ? birthDate.value : null),
    isSame: (a, b) => a.birthDate.known && b.birthDate.known && a.birthDate.value === b.birthDate.value,
    onlyInOne: known(false),
  },
  {
    valueOf: ({ name }) => name,
    isSame: (a, b) => isSameName(a.name!, b.name!),
    onlyInOne: unknown("names-in-one-view"),
  },
];

/**
 * Compares passengers as wholes, so that an exchanged name differs. Omits what the notification states for none of them,
 * and what only one view states for all of them; compares separately what both state for some, because its owner may be
 * missing.
 */
function isOtherPassengers(shown: readonly Passenger[], notified: readonly Passenger[]): Fact<boolean> {
  if (shown.length === 0 || notified.length === 0) return known(false);
  const notifiedAspects = passengerAspects.filter(({ valueOf }) => notified.some((each) => valueOf(each) !== null));
  const statedBy = (count: number) =>
    notifiedAspects.filter(
      ({ valueOf }) => [shown, notified].filter((list) => !list.map(valueOf).includes(null)).length === count,
    );
  const [byNone, byOne, byBoth] = [statedBy(0), statedBy(1), statedBy(2)];
  const isOtherBy = (aspects: readonly PassengerAspect[]) => !isSameBy(aspects, shown, notified);
  return anyOf([
    known(isOtherBy(byBoth) || byNone.some((aspect) => isOtherBy([aspect]))),
    byNone.length > 0 && isOtherBy([...byBoth, ...byNone]) ? unknown("in-one-view") : known(false),
    ...byOne.map(({ onlyInOne }) => onlyInOne),
    ...[...shown, ...notified].map(({ birthDate }) =>
      birthDate.known || birthDate.reason === "missing-birth-date" ? known(false) : birthDate,
    ),
  ]);
}

/** Whether each passenger can be another one of the other list, in whatever order. */
function isSameBy(
  aspects: readonly PassengerAspect[],
  shown: readonly Passenger[],
  notified: readonly Passenger[],
): boolean {
  return pairsOneToOne(shown, notified, {
    keyOf: (passenger) => JSON.stringify(aspects.map(({ valueOf }) => valueOf(passenger))),
    isSame: (a, b) =>
      aspects.every(({ valueOf, isSame }) => {
        const stated = [a, b].filter((passenger) => valueOf(passenger) !== null).length;
        return stated === 0 || (stated === 2 && isSame(a, b));
      }),
  });
}

/** CHD, CNN and a child's type with its age, such as C09, are the same unless both state an age. */
function isSameType(a: string, b: string): boolean {
  if (a === b) return true;
  const isAged = (type: string) => type !== "CHD" && type !== "CNN";
  return childType.test(a) && childType.test(b) && !(isAged(a) && isAged(b));
}

const childType = /^(?:CHD|CNN|C(?:0[2-9]|1[0-7]))$/;

function referencesOf({ records }: OrderParts): string | null {
  const references = new Set(
    records.flatMap((record) => record.gdsBookingReferences.map((name) => name.toUpperCase())),
  );
  return references.size === 0 ? null : [...references].sort().join();
}

/** False if one of the two is not stated. */
function isOtherText(shown: string | null, notified: string | null): Fact<boolean> {
  return known(shown !== null && notified !== null && shown !== notified);
}

/** 240 and 240.00 are the same price. An unreadable price may be another one. */
function isOtherPrice(shown: readonly OrderRecord[], notified: readonly OrderRecord[]): Fact<boolean> {
  const [now, then] = [totalPriceOf(shown), totalPriceOf(notified)];
  return anyOf([
    isOtherStated(now.orderValue, then.orderValue, (a, b) => compareDecimals(a, b) !== 0),
    isOtherStated(now.currency, then.currency, (a, b) => a !== b),
  ]);
}

/** False if one of the two is not stated at all. */
function isOtherStated(
  now: Fact<string>,
  then: Fact<string>,
  isOtherThan: (a: string, b: string) => boolean,
): Fact<boolean> {
  const unstated = [now, then].find((fact) => !fact.known);
  if (unstated !== undefined && !unstated.known) {
    return unstated.reason.startsWith("missing-") ? known(false) : unstated;
  }
  return known(now.known && then.known && isOtherThan(now.value, then.value));
}

function isOtherItinerary(shown: Itinerary, notified: Itinerary): Fact<boolean> {
  if (notified.segments.length === 0 || shown === notified) return known(false);
  if (shown.segments.length !== notified.segments.length) return known(true);
  return anyOf(shown.segments.flatMap((segment, position) => differencesOf(segment, notified.segments[position]!)));
}

function differencesOf(shown: ItinerarySegment, notified: ItinerarySegment): readonly Fact<boolean>[] {
  return [
    ...differencesIn(shown.departure, notified.departure, "departure."),
    ...differencesIn(shown.arrival, notified.arrival, "arrival."),
    ...differencesIn(shown, notified, ""),
  ];
}

/** What both views state in the same way, as they do most, needs no comparison. */
function differencesIn<Part extends object>(shown: Part, notified: Part, place: string): readonly Fact<boolean>[] {
  const differences: Fact<boolean>[] = [];
  const onlyNotified = Object.keys(notified).filter((name) => !(name in shown));
  for (const name of Object.keys(shown).concat(onlyNotified) as (keyof Part & string)[]) {
    if (shown[name] === notified[name] || comparedApart.has(name)) continue;
    const [now, then] = [plainValueOf(shown[name]), plainValueOf(notified[name])];
    differences.push(differs(now, then, "in-one-view", comparisonOf(`${place}${name}`)));
  }
  return differences;
}

/** Each view may number the flights anew. */
const comparedApart: ReadonlySet<string> = new Set(["segmentKey", "departure", "arrival"]);

/** Values that were not understood are an object. */
function plainValueOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

function fareOf({ records, priceClasses }: OrderParts): string | null {
  const contents = priceClasses.map(({ name, code, descriptions }) => JSON.stringify([name, code, descriptions]));
  return textOfAll([...records.map((record) => record.sold.fare), ...contents]);
}

function extrasOf({ records, baggageAllowances }: OrderParts): string | null {
  return textOfAll([...records.map((record) => record.sold.extras), baggageAllowances]);
}

function textOfAll(parts: readonly (string | null)[]): string | null {
  const stated = parts.filter((part) => part !== null);
  return stated.length === 0 ? null : stated.sort().join();
}

/** False if the notification does not state it, unknown if only the notification does. */
function isOther(shown: string | null, notified: string | null): Fact<boolean> {
  return notified === null ? known(false) : differs(shown, notified, "in-one-view");
}
