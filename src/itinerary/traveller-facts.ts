import type { BookedService, Passenger, ServiceDefinition, SoldTo } from "../contract/order-view.ts";
import { type Assistance, allAssistance, assistanceNamedIn } from "../contract/read-assistance.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { factsFrom } from "./fact-definition.ts";
import { anyOf } from "./fact-logic.ts";

const { bool, int, list } = factsFrom<TravellerParts>();

/**
 * Facts about the travellers, from the passenger list alone, since references elsewhere do not always match it. Most
 * are unknown, `no-passengers`, if the view names none.
 */
export const travellerFacts = {
  passengerCount: int(
    "Number of passengers, infants included: those who are listed, or more if fares or a request for a group name more. Unknown if such a request names no number.",
    ifNamed(({ passengers, views }) => atLeast(known(passengers.length), views, () => true)),
    { atLeast: 0 },
  ),
  groupSize: int(
    "Number of passengers with a seat of their own: all but infants in arms, counted as passengerCount is. Airlines call 10 a group.",
    ifNamed((parts) =>
      atLeast(
        countOfOtherTypes(areOfType(parts, infantsInArms)),
        parts.views,
        ({ ptc }) => !infantsInArms.has(ptc ?? ""),
      ),
    ),
    { atLeast: 0 },
  ),
  hasInfant: bool(
    "Whether an infant travels, in arms or with a seat.",
    ifNamed((parts) => anyOf(areOfType(parts, infants))),
  ),
  hasChild: bool(
    "Whether a child travels, who is no infant.",
    ifNamed((parts) => anyOf(areOfType(parts, children))),
  ),
  unaccompaniedMinor: bool(
    "Whether nobody of 16 years or more travels, by passenger type and by age on the first day of travel. Also true, whoever else travels, if the type of a passenger or of a fare in the status or in the notification says so (UNN, UMN, UM), a name does (`TIM MSTR(UM08)`), or the service UMNR is booked or asked for. Unknown if a passenger has a type that IATA does not list.",
    (parts) => (isStatedAlone(parts) ? known(true) : ifNamed(isNobodyGrown)(parts)),
  ),
  assistanceRequested: bool(
    "Whether a passenger has stated a need for a wheelchair, or a service of assistance is asked for, such as WCHR, BLND or MEDA, in the status or in the notification. Unknown when a request cannot be read.",
    ({ assistance }) => (assistance.known ? known(assistance.value.length > 0) : assistance),
  ),
  assistanceKinds: list(
    "What assistance is asked for, as far as the codes are known: wheelchair, blind passenger, deaf passenger, medical case and so on. Unknown when it is not known whether any is.",
    ({ assistance }) => assistance,
  ),
  contactable: bool(
    "Whether a telephone number of the traveller is given, or an e-mail address that is none of the agency's: of `own_domains`, or one that it names to the gateway. Contacts of passengers (CTCE, CTCM) count, too.",
    ({ contactable }) => (contactable === null ? unknown("order-not-given") : known(contactable)),
  ),
};

interface BookedServices {
  readonly services: readonly BookedService[];
  readonly serviceDefinitions: readonly ServiceDefinition[];
  /** For whom the fares of each booking were sold. */
  readonly soldTo?: readonly (readonly SoldTo[])[];
}

export interface Travellers extends BookedServices {
  readonly passengers: readonly Passenger[];
  /** Whether the gateway states every need of assistance. */
  readonly statesAssistance: boolean;
  /** Null without a view of the order. */
  readonly contactable: boolean | null;
  /** The same from the notification: its assistance requests count even if the status names none. */
  readonly notified?: (BookedServices & { readonly passengers: readonly Passenger[] }) | null;
  /** Local date of the first departure, yyyy-mm-dd, for ages; null if unknown. */
  readonly travelDate: string | null;
}

export interface TravellerParts extends ReturnType<typeof travellerParts> {}

export function travellerParts(travellers: Travellers) {
  const { passengers, travelDate, contactable, notified } = travellers;
  const views = notified ? [travellers, notified] : [travellers];
  const types = views.flatMap((view) => [
    ...view.passengers.map(({ ptc }) => ptc),
    ...(view.soldTo ?? []).flat().map(({ ptc }) => ptc),
  ]);
  return { passengers, travelDate, contactable, views, types, assistance: assistanceIn(travellers) };
}

function ifNamed<T>(compute: (parts: TravellerParts) => Fact<T>) {
  return (parts: TravellerParts) => (parts.passengers.length === 0 ? unknown<T>("no-passengers") : compute(parts));
}

function areOfType({ passengers }: TravellerParts, types: ReadonlySet<string>): readonly Fact<boolean>[] {
  return passengers.map(({ ptc }) => (isKnownType(ptc) ? known(types.has(ptc.toUpperCase())) : unknownType));
}

function isStatedAlone({ assistance, types }: TravellerParts): boolean {
  return (assistance.known && assistance.value.includes("unaccompanied minor")) || types.some(isTypedUnaccompanied);
}

function assistanceIn({ notified, statesAssistance, ...shown }: Travellers): Assistance {
  const views = notified ? [shown, notified] : [shown];
  const kinds = allAssistance(
    views.flatMap((view) => [...bookedAssistance(view), ...view.passengers.map(({ assistance }) => assistance)]),
  );
  if (!kinds.known || kinds.value.length > 0) return kinds;
  if (shown.passengers.length === 0) return unknown("no-passengers");
  return statesAssistance ? kinds : unknown("not-stated");
}

const unknownType = unknown("unknown-passenger-type");
const infantsInArms: ReadonlySet<string> = new Set(["INF"]);
const infants: ReadonlySet<string> = new Set([...infantsInArms, "INS"]);
const unaccompanied: ReadonlySet<string> = new Set(["UNN", "UMN", "UM", "UMNR", "UNMR", "UMR", "UAM", "UMC", "UMCH"]);
const children: ReadonlySet<string> = new Set(["CHD", "CNN", ...unaccompanied]);
const knownTypes: ReadonlySet<string> = new Set(["ADT", ...children, ...infants]);

/** Types may state the age, as UM08 and UNN/08 do, or be one of several, as `CHD UNN`. */
function isTypedUnaccompanied(ptc: string | null): boolean {
  const parts = ptc?.toUpperCase().split(/[^A-Z]+/) ?? [];
  return parts.some((part) => unaccompanied.has(part) || part.startsWith("UNACC"));
}

/** Whether a type may be anything, a child on its own as well. */
function isUnlisted(ptc: string | null): boolean {
  if (ptc === null) return false;
  const type = ptc.toUpperCase();
  return !knownTypes.has(type) && !listedTypes.has(type) && !/^[A-TV-Z][A-Z]?\d{1,2}$/.test(type);
}

/** Of people who travel as others do, whatever they pay (IATA's list of passenger types). */
const listedTypes: ReadonlySet<string> = new Set(
  [
    "A ADULT C CHILD I INFANT YOUTH SENIOR STUDENT ADR APA BNN CBC CBI CLG CMA CMP CNE CPN CSB CTZ ECH EMI FDT",
    "FFY FNN GCF GCT GDP GEX GIT GMZ GRP GRS GST GVT GGV HOF ICP INN IIT ITB ITF ITS ITX JCB JNF JNN JNS JOB LBR",
    "LIF LNN LNS MBT MCR MDP MED MFM MIL MIR MIS MLZ MMA MNN MNS MPA MRE MSB MSG MUS MXS NAT NBU NEG NSB NTL PCR",
    "PFA PFB PIL PNC PNN REC REF SEA SGR SKY SNN SPA SPH SPS SRC SRR STD STR STU TIM TNN TUR UTV VAC VAG VFN VFR",
    "WEB YCB YCD YCL YCR YNN YSB YTF YTH YTR ZEU ZOT ZSS ZZS",
  ].flatMap((types) => types.split(" ")),
);

/** The interface document knows ADT, CHD and INF. Others are not guessed: a C09 is a child of nine years. */
function isKnownType(ptc: string | null): ptc is string {
  return ptc !== null && knownTypes.has(ptc.toUpperCase());
}

/**
 * Assistance in the code, the type or the name of a booked service, or in its own keys. A definition that no booked
 * service refers to leaves it unknown: gateways leave references out, or spell them otherwise.
 */
function bookedAssistance({ services, serviceDefinitions }: BookedServices): readonly Assistance[] {
  const booked = new Set(services.flatMap(({ serviceDefinitionRef }) => keysIn(serviceDefinitionRef)));
  const defined = serviceDefinitions.map(({ serviceDefinitionId, code, type, name }): Assistance => {
    const kinds = [code, type, name].flatMap((text) => (text === null ? [] : assistanceNamedIn(text)));
    const isBooked = keysIn(serviceDefinitionId).some((key) => booked.has(key));
    return kinds.length === 0 || isBooked ? known(kinds) : unknown("service-without-reference");
  });
  return [...defined, ...services.map(({ assistance = [] }) => known(assistance))];
}

function keysIn(references: string | null): readonly string[] {
  return references?.toUpperCase().split(/[\s,]+/) ?? [];
}

/**
 * The number that is listed, or what a request for a group names, or the fares if they are for more people than are
 * listed. Several fares of one type may be for the same people on other flights.
 */
function atLeast(
  listed: Fact<number>,
  views: readonly (Pick<Travellers, "passengers"> & BookedServices)[],
  counts: (soldTo: SoldTo) => boolean,
): Fact<number> {
  const requested = views.flatMap(({ passengers }) => passengers.flatMap(({ groupSize }) => groupSize ?? []));
  const missing = [listed, ...requested].find((size) => !size.known);
  if (missing !== undefined) return missing;
  const sold = views.flatMap(({ passengers, soldTo = [] }) =>
    soldTo.flatMap((fares) => (soldSize(fares) > passengers.length ? soldSize(fares.filter(counts)) : [])),
  );
  const sizes = [listed, ...requested].flatMap((size) => (size.known ? size.value : []));
  return known(Math.max(...sizes, ...sold));
}

function soldSize(fares: readonly SoldTo[]): number {
  const byType = new Map<string | null, number>();
  for (const { ptc, quantity } of fares) byType.set(ptc, Math.max(byType.get(ptc) ?? 0, quantity ?? 0));
  return [...byType.values()].reduce((sum, quantity) => sum + quantity, 0);
}

function countOfOtherTypes(facts: readonly Fact<boolean>[]): Fact<number> {
  const missing = facts.find((fact) => !fact.known);
  return missing ?? known(facts.filter((fact) => fact.known && !fact.value).length);
}

function isNobodyGrown({ passengers, travelDate, types }: TravellerParts): Fact<boolean> {
  const grown = anyOf(passengers.map((passenger) => isGrown(passenger, travelDate)));
  if (!grown.known || !grown.value) return grown.known ? known(true) : grown;
  return types.some(isUnlisted) ? unknownType : known(false);
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
