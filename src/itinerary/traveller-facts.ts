import type { BookedService, Passenger, ServiceDefinition } from "../contract/order-view.ts";
import { type Assistance, allAssistance, assistanceNamedIn } from "../contract/read-assistance.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { FactDefinition, FactsOf } from "./fact-definition.ts";
import { anyOf } from "./fact-logic.ts";

/**
 * Facts about the travellers, from the passenger list alone, since references elsewhere do not always match it. Most
 * are unknown, `no-passengers`, if the view names none.
 */
export const travellerFactCatalogue = {
  passengerCount: { type: "int", description: "Number of passengers, infants included.", atLeast: 0 },
  groupSize: {
    type: "int",
    description: "Number of passengers with a seat of their own: all but infants in arms. Airlines call 10 a group.",
    atLeast: 0,
  },
  hasInfant: { type: "bool", description: "Whether an infant travels, in arms or with a seat." },
  hasChild: { type: "bool", description: "Whether a child travels, who is no infant." },
  unaccompaniedMinor: {
    type: "bool",
    description:
      "Whether nobody of 16 years or more travels, by passenger type and by age on the first day of travel. Also true, whoever else travels, if the type of a passenger in the status or in the notification says so (UNN, UMN, UM), or the service UMNR is booked or asked for.",
  },
  assistanceRequested: {
    type: "bool",
    description:
      "Whether a passenger has stated a need for a wheelchair, or a service of assistance is asked for, such as WCHR, BLND or MEDA, in the status or in the notification. Unknown when a request cannot be read.",
  },
  assistanceKinds: {
    type: "list<string>",
    description:
      "What assistance is asked for, as far as the codes are known: wheelchair, blind passenger, deaf passenger, medical case and so on. Unknown when it is not known whether any is.",
  },
  contactable: {
    type: "bool",
    description: "Whether an e-mail address or a telephone number of the traveller is given.",
  },
} as const satisfies Record<string, FactDefinition>;

export type TravellerFacts = FactsOf<typeof travellerFactCatalogue>;

interface BookedServices {
  readonly services: readonly BookedService[];
  readonly serviceDefinitions: readonly ServiceDefinition[];
}

export interface Travellers extends BookedServices {
  readonly passengers: readonly Passenger[];
  readonly contactable: boolean;
  /** The same from the notification: its assistance requests count even if the status names none. */
  readonly notified?: (BookedServices & { readonly passengers: readonly Passenger[] }) | null;
  /** Local date of the first departure, yyyy-mm-dd, for ages; null if unknown. */
  readonly travelDate: string | null;
}

export function travellerFacts(travellers: Travellers): TravellerFacts {
  const { passengers, travelDate } = travellers;
  const ofType = (types: ReadonlySet<string>) =>
    passengers.map(({ ptc }) => (isKnownType(ptc) ? known(types.has(ptc.toUpperCase())) : unknownType));
  const assistance = assistanceIn(travellers);
  const isStatedAlone =
    (assistance.known && assistance.value.includes("unaccompanied minor")) ||
    [...passengers, ...(travellers.notified?.passengers ?? [])].some(isTypedUnaccompanied);
  const ifNamed = <T>(fact: () => Fact<T>): Fact<T> => (passengers.length === 0 ? unknown("no-passengers") : fact());
  return {
    passengerCount: ifNamed(() => known(passengers.length)),
    groupSize: ifNamed(() => countOthers(ofType(infantsInArms))),
    hasInfant: ifNamed(() => anyOf(ofType(infants))),
    hasChild: ifNamed(() => anyOf(ofType(children))),
    unaccompaniedMinor: isStatedAlone ? known(true) : ifNamed(() => isNobodyGrown(passengers, travelDate)),
    assistanceRequested: assistance.known ? known(assistance.value.length > 0) : assistance,
    assistanceKinds: assistance,
    contactable: known(travellers.contactable),
  };
}

function assistanceIn({ notified, ...shown }: Travellers): Assistance {
  const views = notified ? [shown, notified] : [shown];
  const kinds = allAssistance(
    views.flatMap((view) => [
      known(serviceTexts(view).flatMap(assistanceNamedIn)),
      ...view.passengers.map(({ assistance }) => assistance),
    ]),
  );
  const isNone = kinds.known && kinds.value.length === 0;
  return isNone && shown.passengers.length === 0 ? unknown("no-passengers") : kinds;
}

const unknownType = unknown("unknown-passenger-type");
const infantsInArms: ReadonlySet<string> = new Set(["INF"]);
const infants: ReadonlySet<string> = new Set([...infantsInArms, "INS"]);
const unaccompanied: ReadonlySet<string> = new Set(["UNN", "UMN", "UM", "UMNR"]);
const children: ReadonlySet<string> = new Set(["CHD", "CNN", ...unaccompanied]);
const knownTypes: ReadonlySet<string> = new Set(["ADT", ...children, ...infants]);

/** Types may state the age, as UM08 and UNN/08 do, or be one of several, as `CHD UNN`. */
function isTypedUnaccompanied({ ptc }: Passenger): boolean {
  const parts = ptc?.toUpperCase().split(/[^A-Z]+/) ?? [];
  return parts.some((part) => unaccompanied.has(part) || part.startsWith("UNACC"));
}

/** The interface document knows ADT, CHD and INF. Others are not guessed: a C09 is a child of nine years. */
function isKnownType(ptc: string | null): ptc is string {
  return ptc !== null && knownTypes.has(ptc.toUpperCase());
}

/** Returns SSRs of either spelling, in the code or the type of a service: `WCHR` or `SSR WCHR`. */
function serviceTexts({ services, serviceDefinitions }: BookedServices): readonly string[] {
  const booked = new Set(services.map((service) => service.serviceDefinitionRef));
  return serviceDefinitions
    .filter((definition) => booked.has(definition.serviceDefinitionId))
    .flatMap(({ code, type, name }) => [code, type, name])
    .filter((text) => text !== null);
}

function countOthers(facts: readonly Fact<boolean>[]): Fact<number> {
  const missing = facts.find((fact) => !fact.known);
  return missing ?? known(facts.filter((fact) => fact.known && !fact.value).length);
}

function isNobodyGrown(passengers: readonly Passenger[], travelDate: string | null): Fact<boolean> {
  const grown = anyOf(passengers.map((passenger) => isGrown(passenger, travelDate)));
  return grown.known ? known(!grown.value) : grown;
}

/** An ADT under 16 is sold as an adult and travels as a minor. A missing date of birth raises no doubt. */
function isGrown({ ptc, birthDate }: Passenger, travelDate: string | null): Fact<boolean> {
  const type = ptc?.toUpperCase() ?? null;
  if (type !== null && (children.has(type) || infants.has(type))) return known(false);
  if (birthDate.known && travelDate !== null) return known(ageOn(birthDate.value, travelDate) >= grownAge);
  if (!birthDate.known && birthDate.reason === "unreadable-birth-date") return birthDate;
  return isKnownType(type) ? known(true) : unknownType;
}

const grownAge = 16;

/** Returns completed years. Dates compare as text; 29 February completes a common year on 1 March. */
function ageOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
