import { isAcceptedOtherwise, openDoubts } from "../../../../cases/standing.ts";
import { newestWord } from "../../../../cases/traveller.ts";
import type { FlightDifference, FlightMember, ItineraryDifference, Shifts } from "../../../../itinerary/difference.ts";
import type { ItinerarySegment, LocalPoint } from "../../../../itinerary/itinerary.ts";
import { nameLaw } from "../../../../policy/legal/law-words.ts";
import type { CaseView } from "../../api/responses.ts";
import { acceptDangers } from "../accept-dangers.ts";

/**
 * The worst that happens to the flights; it chooses the subject and the first sentence. `order-cancelled`: the order was
 * cancelled here, whatever the airline did to the flights.
 */
export const changeKinds = [
  "order-cancelled",
  "cancelled",
  "withdrawn",
  "connection",
  "other-flight",
  "retimed",
  "details",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** `accept`: it will be accepted unless the traveller objects. `answer`: nothing is done without an answer. */
export const closings = ["order-cancelled", "accepted", "accept", "answer"] as const;
export type Closing = (typeof closings)[number];

/** The sentences of one language. Words in braces are filled in. */
export interface TravellerTexts {
  /** What the language calls itself. */
  readonly name: string;
  /** For dates and lists of names. */
  readonly locale: string;
  readonly subject: Readonly<Record<ChangeKind, string>>;
  readonly greeting: string;
  readonly greetingWithoutName: string;
  readonly news: Readonly<Record<ChangeKind, string>>;
  /** Two mails about one change read like two changes. */
  readonly airlineWroteToo: string;
  readonly booked: string;
  readonly proposed: string;
  readonly unchanged: string;
  /** How much later or earlier the clock at the airport shows. */
  readonly shift: Readonly<Record<"departure" | "arrival", Readonly<Record<"later" | "earlier", string>>>>;
  readonly nothingOffered: string;
  readonly terminal: string;
  readonly operatedBy: string;
  readonly alsoChanged: string;
  readonly details: Readonly<Record<Detail, string>>;
  readonly connection: string;
  readonly connectionOfUnknownTime: string;
  readonly noFlight: string;
  readonly localTimes: string;
  readonly othersStay: string;
  readonly rights: Readonly<Record<string, string>>;
  readonly compensationOf: string;
  /** When no flight is offered, or none that works: `decide` is the question, `acceptedBroken` what follows an accept. */
  readonly closing: Readonly<Record<Closing | "decide" | "acceptedBroken", string>>;
  readonly farewell: string;
  readonly unknown: Readonly<Record<Unknown, string>>;
}

type Detail = "aircraft" | "cabin" | "stops" | "fare";
type Unknown = "flight" | "airport" | "date" | "time";

type Subject = Pick<
  CaseView,
  | "decision"
  | "decisions"
  | "difference"
  | "effects"
  | "facts"
  | "flags"
  | "journeyTimes"
  | "proposalDigest"
  | "tasks"
  | "travellerContacts"
>;

export interface TravellerText {
  readonly subject: string;
  readonly body: string;
  /** How many values are not known. They stand in the text in brackets. */
  readonly unknowns: number;
}

/** What the travellers can be told. With `obstacle`, nothing: it says why. */
export type TellableChange =
  | { readonly kind: ChangeKind; readonly closings: readonly Closing[] }
  | { readonly obstacle: string };

/** @returns the closings that are true of this case, the likeliest first */
export function tellableChange(subject: Subject): TellableChange {
  const { difference, effects, proposalDigest, tasks } = subject;
  const isCarriedOut = (action: "accept" | "cancel"): boolean =>
    effects.some(
      (effect) => effect.action === action && effect.state === "succeeded" && effect.proposalDigest === proposalDigest,
    );
  if (openDoubts(tasks).length > 0) {
    return { obstacle: "What is read afterwards contradicts what was carried out. Check with the airline first." };
  }
  if (isCarriedOut("cancel")) return { kind: "order-cancelled", closings: ["order-cancelled"] };
  if (isTrue(subject, "dataSuspect")) {
    return { obstacle: "The proposed flights are impossible as they are stated. Ask the airline first." };
  }
  const kind = difference === null ? null : kindOf(difference, subject);
  if (kind === null) return { obstacle: "No change of flights is known." };
  if (isCarriedOut("accept") || isShownAsAccepted(subject)) return { kind, closings: ["accepted"] };
  const { flags, decision } = subject;
  const isAcceptable =
    !isWithoutOffer(kind) &&
    flags?.accept.known === true &&
    flags.accept.value === "Y" &&
    acceptDangers(subject).length === 0 &&
    !isDeclined(subject);
  if (!isAcceptable) return { kind, closings: ["answer"] };
  return { kind, closings: decision?.action === "ask-traveller" ? ["answer", "accept"] : ["accept", "answer"] };
}

/** Whether somebody has accepted the flights that are shown, whoever it was and whatever was decided about. */
function isShownAsAccepted(subject: Subject): boolean {
  const { facts, flags } = subject;
  const status = facts?.["scheduleChangeStatus"];
  const isAccepted = status?.known === true && status.value === "Accepted";
  const isRefused = flags?.accept.known === true && flags.accept.value === "N";
  return isAcceptedOtherwise(subject) || (isAccepted && isRefused);
}

/** Whether the travellers have said that they do not want the change. */
function isDeclined({ proposalDigest, travellerContacts }: Subject): boolean {
  const answer = newestWord(proposalDigest, travellerContacts)?.answer ?? null;
  return answer !== null && answer !== "accepts";
}

function kindOf({ journeys }: ItineraryDifference, subject: Subject): ChangeKind | null {
  const pairs = journeys.flatMap(({ flights }) => flights);
  const has = (...actions: readonly FlightDifference["action"][]): boolean =>
    pairs.some(({ action }) => actions.includes(action));
  const isGone = journeys.some(
    ({ isChanged, flights }) => isChanged && flights.every(({ action }) => action === "removed"),
  );
  if (isGone) return "cancelled";
  if (has("removed")) return "withdrawn";
  if (isConnectionBroken(subject)) return "connection";
  if (has("replaced", "replaced-by-several", "added")) return "other-flight";
  if (has("retimed")) return "retimed";
  return has("amended") ? "details" : null;
}

function isWithoutOffer(kind: ChangeKind): boolean {
  return kind === "cancelled" || kind === "withdrawn" || kind === "connection";
}

/** Whoever can't travel as offered, or has said no, must not read that nothing is to be done. */
function closingFor(closing: Closing, kind: ChangeKind, subject: Subject): keyof TravellerTexts["closing"] {
  const isWithoutWay = isWithoutOffer(kind) || isConnectionBroken(subject);
  if (closing === "order-cancelled") return closing;
  if (closing === "accepted") return isWithoutWay ? "acceptedBroken" : closing;
  return isWithoutWay || isDeclined(subject) ? "decide" : closing;
}

function isConnectionBroken(subject: Subject): boolean {
  return brokenConnections(subject).length > 0 || isTrue(subject, "connectionBroken");
}

function isTrue({ facts }: Subject, name: "dataSuspect" | "connectionBroken"): boolean {
  const fact = facts?.[name];
  return fact?.known === true && fact.value === true;
}

function brokenConnections({ journeyTimes }: Subject) {
  return (journeyTimes ?? [])
    .flatMap(({ proposed }) => proposed.connections)
    .filter(({ state }) => state === "broken" || state === "no-flight");
}

interface TextRequest {
  readonly subject: Subject;
  readonly kind: ChangeKind;
  readonly closing: Closing;
  /** First names, those that are stated: with a last name a booking can be opened at an airline. */
  readonly firstNames: readonly string[];
  readonly texts: TravellerTexts;
}

/**
 * Names no right and no refund that the law verdicts of the case do not say to be due, and no last name, ticket or
 * booking reference: a mail may be read by others.
 */
export function travellerText({ subject, kind, closing, firstNames, texts }: TextRequest): TravellerText {
  const journeys = subject.difference?.journeys ?? [];
  const changed = journeys.filter(({ isChanged }) => isChanged);
  let unknowns = 0;
  const stated = (value: string | null, what: Unknown): string => {
    if (value !== null && value !== "") return value;
    unknowns += 1;
    return `[${texts.unknown[what]}]`;
  };
  const writer = flightWriter(texts, stated);
  const first = changed[0];
  const firstFlight = first?.flights[0]?.before[0] ?? first?.flights[0]?.after[0];
  const about = {
    route: `${stated(first?.origin ?? null, "airport")}–${stated(first?.destination ?? null, "airport")}`,
    date: writer.date(firstFlight?.flight.departure.date ?? null),
  };
  const paragraphs = [
    firstNames.length === 0
      ? texts.greetingWithoutName
      : fill(texts.greeting, { names: new Intl.ListFormat(texts.locale).format(firstNames) }),
    // What was cancelled here is no news of the airline.
    kind === "order-cancelled" ? texts.news[kind] : `${texts.news[kind]} ${texts.airlineWroteToo}`,
    ...(kind === "order-cancelled"
      ? [journeys.flatMap(({ flights }) => flights.flatMap((pair) => writer.booked(pair))).join("\n")]
      : changed.flatMap(({ flights }) => flights.map((pair) => writer.pair(pair)))),
    [
      texts.localTimes,
      ...(kind !== "order-cancelled" && journeys.length > changed.length ? [texts.othersStay] : []),
    ].join(" "),
    ...(kind === "connection" ? [connectionSentences(subject, texts, stated)] : []),
    ...rightsOf(subject, texts, closing),
    texts.closing[closingFor(closing, kind, subject)],
    texts.farewell,
  ];
  return { subject: fill(texts.subject[kind], about), body: `${paragraphs.join("\n\n")}\n`, unknowns };
}

type Stated = (value: string | null, what: Unknown) => string;

function flightWriter(texts: TravellerTexts, stated: Stated) {
  const dates = new Intl.DateTimeFormat(texts.locale, {
    weekday: "short",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const date = (local: string | null): string => {
    const instant = new Date(`${local}T00:00:00Z`);
    return Number.isNaN(instant.getTime()) ? stated(null, "date") : dates.format(instant);
  };
  const point = ({ airport, terminal, time }: LocalPoint): string => {
    const where = terminal === null || terminal === "" ? "" : ` (${fill(texts.terminal, { terminal })})`;
    return `${stated(airport, "airport")}${where} ${stated(time, "time")}`;
  };
  const line = (flight: ItinerarySegment): string => {
    const { marketingCarrier: carrier, marketingFlightNumber: number, operatingCarrier, departure, arrival } = flight;
    const name = stated(carrier === null || number === null ? null : `${carrier}${number}`, "flight");
    const day = departure.date === arrival.date || arrival.date === null ? "" : ` (${date(arrival.date)})`;
    const by =
      operatingCarrier === null || operatingCarrier === carrier
        ? ""
        : `, ${fill(texts.operatedBy, { airline: operatingCarrier })}`;
    return `${name}${by}, ${date(departure.date)}: ${point(departure)} – ${point(arrival)}${day}`;
  };
  const listed = (label: string, flights: FlightDifference["before"]): readonly string[] =>
    flights.map(({ flight }) => `${label}: ${line(flight)}`);
  const shifts = ({ departureShift, arrivalShift }: Shifts): readonly string[] => {
    const words = Object.entries({ departure: departureShift, arrival: arrivalShift }).flatMap(([end, shift]) => {
      const { wallClockMinutes: moved } = shift;
      if (!moved.known || moved.value === 0) return [];
      const sentences = texts.shift[end as keyof TravellerTexts["shift"]];
      const time = hoursAndMinutes(Math.abs(moved.value));
      return fill(moved.value > 0 ? sentences.later : sentences.earlier, { time });
    });
    return words.length === 0 ? [] : [`(${words.join(", ")})`];
  };
  const booked = ({ before }: FlightDifference): readonly string[] => listed(texts.booked, before);
  const pair = (difference: FlightDifference): string => {
    const { action, before, after } = difference;
    if (action === "unchanged") return listed(texts.unchanged, after).join("\n");
    const details = detailsOf(after.flatMap(({ changed }) => changed)).filter(
      // Another flight usually has another aircraft, which says nothing.
      (detail) => detail !== "aircraft" || action === "amended",
    );
    return [
      ...listed(texts.booked, before),
      ...(action === "removed" ? [`${texts.proposed}: ${texts.nothingOffered}`] : listed(texts.proposed, after)),
      ...shifts(difference),
      ...(details.length === 0
        ? []
        : [
            fill(texts.alsoChanged, {
              details: new Intl.ListFormat(texts.locale).format(details.map((detail) => texts.details[detail])),
            }),
          ]),
    ].join("\n");
  };
  return { date, pair, booked };
}

/** What changes without being seen in the line of the flight. */
function detailsOf(changed: readonly FlightMember[]): readonly Detail[] {
  const details: Readonly<Record<Detail, readonly FlightMember[]>> = {
    aircraft: ["aircraftCode"],
    cabin: ["cabinType"],
    stops: ["stops", "stopPlaces"],
    fare: ["rbd", "brandId", "priceClass"],
  };
  const names = Object.keys(details) as readonly Detail[];
  return names.filter((name) => details[name].some((member) => changed.includes(member)));
}

function connectionSentences(subject: Subject, texts: TravellerTexts, stated: Stated): string {
  const broken = brokenConnections(subject);
  const sentences = broken.map(({ airport, nextAirport, minutes, minimumMinutes, state }) =>
    state === "no-flight"
      ? fill(texts.noFlight, { from: stated(airport, "airport"), to: stated(nextAirport, "airport") })
      : minutes === null || minutes < 0 || minimumMinutes === null
        ? fill(texts.connectionOfUnknownTime, { airport: stated(airport, "airport") })
        : fill(texts.connection, {
            airport: stated(airport, "airport"),
            time: hoursAndMinutes(minutes),
            minimum: hoursAndMinutes(minimumMinutes),
          }),
  );
  return sentences.length > 0
    ? sentences.join(" ")
    : fill(texts.connectionOfUnknownTime, { airport: stated(null, "airport") });
}

/** The signs of both units are the same in every language. */
function hoursAndMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(" ");
}

/** One sentence for each right that is certain under a law, on a journey. */
function rightsOf({ decision, decisions }: Subject, texts: TravellerTexts, closing: Closing): readonly string[] {
  const verdicts = decisions.find(({ id }) => id === decision?.id)?.legal?.verdicts ?? [];
  const sentences = verdicts
    .filter(({ verdict }) => verdict === "entitled")
    // By accepting or cancelling, the choice may have been given up.
    .filter(({ right }) => closing === "accept" || closing === "answer" || right !== "refund-or-rerouting")
    .flatMap(({ right, preset, journey, amount }) => {
      const template = right === "compensation" && amount !== null ? texts.compensationOf : texts.rights[right];
      if (template === undefined) return [];
      const where = journey === null ? "" : ` (${journey.replaceAll("-", "–")})`;
      return fill(template, {
        law: nameLaw(preset),
        journey: where,
        amount: amount === null ? "" : `${amount.currency} ${amount.value}`,
      });
    });
  return [...new Set(sentences)];
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
