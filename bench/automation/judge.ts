import type { TrueFlight, Truth } from "./truth.ts";

/**
 * Whether accepting a change was right, by what is true about it. It reads no body and shares no code and no table with
 * the program: limits are those that the pages of the policies promise, airports know nothing but their country, minutes
 * are differences of instants. Where it cannot be sure it takes the side of the traveller.
 */

/** What an accept breaks. */
export interface Breach {
  readonly breaks: "a limit" | "a protected passenger" | "a connection" | "a right" | "what the gateway offers";
  readonly text: string;
}

/** What a policy promises on its page: `docs/policy/<name>.md`. Minutes are inclusive. */
interface PromisedLimits {
  /** The first that fits by days before departure. */
  readonly minutes: readonly {
    readonly fromDays: number;
    readonly departureEarlier: number;
    readonly departureLater: number;
    readonly arrivalEarlier: number;
    readonly arrivalLater: number;
  }[];
  /** Minutes that an airline itself calls minor, for its own flights. */
  readonly airlineMinor: Readonly<Record<string, number>>;
  readonly retimedFlights: number;
  readonly hoursAhead: number;
  readonly otherTerminal: boolean;
  readonly otherAircraft: boolean;
  readonly otherFlightNumber: boolean;
}

const anyNumber = Number.POSITIVE_INFINITY;

/** Null: it accepts nothing by itself. */
const promised: Readonly<Record<string, PromisedLimits | null>> = {
  cautious: {
    minutes: [{ fromDays: 0, departureEarlier: 15, departureLater: 30, arrivalEarlier: 15, arrivalLater: 30 }],
    airlineMinor: {},
    retimedFlights: 1,
    hoursAhead: 72,
    otherTerminal: false,
    otherAircraft: false,
    otherFlightNumber: false,
  },
  balanced: {
    minutes: [
      { fromDays: 30, departureEarlier: 20, departureLater: 60, arrivalEarlier: 60, arrivalLater: 60 },
      { fromDays: 0, departureEarlier: 15, departureLater: 45, arrivalEarlier: 45, arrivalLater: 45 },
    ],
    airlineMinor: {},
    retimedFlights: anyNumber,
    hoursAhead: 48,
    otherTerminal: true,
    otherAircraft: true,
    otherFlightNumber: true,
  },
  "airline-thresholds": {
    minutes: [{ fromDays: 0, departureEarlier: 30, departureLater: 60, arrivalEarlier: 60, arrivalLater: 60 }],
    // Every limit from which an airline pays back is beyond these.
    airlineMinor: { UA: 29, AA: 60, AS: 59, HA: 59, B6: 59, LH: 0, LX: 0, OS: 0, SN: 0, ME: 180, XZ: 179 },
    retimedFlights: anyNumber,
    hoursAhead: 72,
    otherTerminal: true,
    otherAircraft: true,
    otherFlightNumber: false,
  },
  "observe-only": null,
};

/** Everything that an automatic accept by the policy breaks; nothing when it was right. */
export function judgeAccept(policy: string, truth: Truth): readonly Breach[] {
  const limits = promised[policy];
  if (limits === undefined) throw new Error(`Nobody told the judge what the policy ${policy} promises.`);
  if (limits === null) return [{ breaks: "a limit", text: `${policy} accepts nothing by itself` }];
  return [
    ...offerBreaches(truth),
    ...limitBreaches(limits, truth),
    ...passengerBreaches(truth),
    ...connectionBreaches(truth),
    ...rightBreaches(truth),
  ];
}

function offerBreaches({ acceptOffered }: Truth): readonly Breach[] {
  return acceptOffered ? [] : [{ breaks: "what the gateway offers", text: "the gateway does not offer to accept" }];
}

function limitBreaches(limits: PromisedLimits, truth: Truth): readonly Breach[] {
  const { now, booked, proposed, ticketed } = truth;
  const departures = [...booked, ...proposed.flat()].map(({ from }) => from.at);
  const minutesAhead = (Math.min(...departures) - now) / 60_000;
  const inTime = limits.minutes.find(({ fromDays }) => minutesAhead >= fromDays * 24 * 60) ?? limits.minutes.at(-1)!;
  const retimed = booked.filter((flight, at) => proposed[at]!.some((other) => shiftsOf(flight, other).some(Boolean)));
  const broken = (text: string): Breach => ({ breaks: "a limit", text });
  return [
    ...(ticketed ? [] : [broken("there is no ticket")]),
    ...(minutesAhead >= limits.hoursAhead * 60 ? [] : [broken(`${Math.round(minutesAhead / 60)} hours to departure`)]),
    ...(retimed.length <= limits.retimedFlights ? [] : [broken(`${retimed.length} flights have other times`)]),
    ...booked.flatMap((flight, at) => {
      const [other, ...more] = proposed[at]!;
      const name = nameOf(flight);
      if (other === undefined) return [broken(`${name} is withdrawn`)];
      if (more.length > 0) return [broken(`${name} becomes ${more.length + 1} flights`)];
      return flightBreaches(limits, inTime, flight, other).map((text) => broken(`${name} ${text}`));
    }),
  ];
}

function flightBreaches(
  limits: PromisedLimits,
  inTime: PromisedLimits["minutes"][number],
  flight: TrueFlight,
  other: TrueFlight,
): readonly string[] {
  const [departure, arrival] = shiftsOf(flight, other);
  const minor = limits.airlineMinor[flight.carrier] ?? anyNumber;
  const within = (minutes: number, earlier: number, later: number): boolean =>
    minutes >= -Math.min(earlier, minor) && minutes <= Math.min(later, minor);
  const differs = (a: TrueFlight["from"], b: TrueFlight["from"], key: "airport" | "terminal" | "date"): boolean =>
    a[key] !== b[key];
  const ends = [
    [flight.from, other.from],
    [flight.to, other.to],
  ] as const;
  const findings: readonly (readonly [boolean, string])[] = [
    [!within(departure, inTime.departureEarlier, inTime.departureLater), `leaves ${departure} minutes later`],
    [!within(arrival, inTime.arrivalEarlier, inTime.arrivalLater), `arrives ${arrival} minutes later`],
    [ends.some(([a, b]) => differs(a, b, "date")), "is on another date"],
    [ends.some(([a, b]) => differs(a, b, "airport")), "uses another airport"],
    [!limits.otherTerminal && ends.some(([a, b]) => differs(a, b, "terminal")), "uses another terminal"],
    [!limits.otherAircraft && flight.aircraft !== other.aircraft, "uses another aircraft"],
    [!limits.otherFlightNumber && flight.flightNumber !== other.flightNumber, "has another number"],
    [flight.carrier !== other.carrier || flight.operator !== other.operator, "is another airline's"],
    [flight.cabin !== other.cabin, "is in another cabin"],
    [other.stops > flight.stops, "stops on the way"],
  ];
  return findings.flatMap(([isBroken, text]) => (isBroken ? [text] : []));
}

/** Minutes by which departure and arrival move; positive is later. */
function shiftsOf(flight: TrueFlight, other: TrueFlight): readonly [departure: number, arrival: number] {
  return [(other.from.at - flight.from.at) / 60_000, (other.to.at - flight.to.at) / 60_000];
}

function passengerBreaches({ passengers }: Truth): readonly Breach[] {
  const broken = (text: string): Breach => ({ breaks: "a protected passenger", text });
  return [
    ...(passengers.some(({ needsAssistance }) => needsAssistance) ? [broken("a passenger needs assistance")] : []),
    ...(passengers.some(({ type }) => type === "ADT") ? [] : [broken("only children travel")]),
  ];
}

/** Minutes to change flights: what is usual at large airports, and half an hour more for another terminal. */
const changing = {
  domestic: 45,
  toInternational: 75,
  toDomestic: 90,
  international: 75,
  enteringAmerica: 105,
} as const;
const otherTerminal = 30;
/** A wait beyond these is a person's to judge when it got longer. */
const longestWait = { domestic: 240, other: 480 } as const;
const stopoverMinutes = 24 * 60;

function connectionBreaches({ booked, proposed }: Truth): readonly Breach[] {
  const before = connectionsOf(booked);
  const broken = (text: string): Breach => ({ breaks: "a connection", text });
  const all = proposed.flat();
  return all.slice(1).flatMap((next, index) => {
    const arriving = all[index]!;
    const wait = waitBetween(arriving, next);
    const place = `${arriving.to.airport}: ${wait} minutes`;
    if (next.journey !== arriving.journey) return wait < 0 ? [broken(`${place} between two ways of the trip`)] : [];
    if (arriving.to.airport !== next.from.airport) return [broken(`${place}, from ${next.from.airport}`)];
    const known = before.find(
      (pair) => pair.arriving.to.airport === arriving.to.airport && pair.journey === next.journey,
    );
    const least = minutesToChange(arriving, next);
    const isAsBooked = known !== undefined && wait >= known.wait && sameTerminals(known, { arriving, next });
    const isDomestic = [arriving, next].every(({ from, to }) => from.country === to.country);
    const isLonger = known === undefined || wait > known.wait;
    return [
      ...(wait < least && !isAsBooked ? [broken(`${place} of ${least}`)] : []),
      ...(isLonger && wait > (isDomestic ? longestWait.domestic : longestWait.other) && wait < stopoverMinutes
        ? [broken(`${place} is a long wait`)]
        : []),
    ];
  });
}

interface TrueConnection {
  readonly arriving: TrueFlight;
  readonly next: TrueFlight;
}

function connectionsOf(flights: readonly TrueFlight[]) {
  return flights.slice(1).flatMap((next, index) => {
    const arriving = flights[index]!;
    if (next.journey !== arriving.journey) return [];
    return [{ arriving, next, journey: next.journey, wait: waitBetween(arriving, next) }];
  });
}

function waitBetween(arriving: TrueFlight, next: TrueFlight): number {
  return (next.from.at - arriving.to.at) / 60_000;
}

function sameTerminals(a: TrueConnection, b: TrueConnection): boolean {
  return a.arriving.to.terminal === b.arriving.to.terminal && a.next.from.terminal === b.next.from.terminal;
}

function minutesToChange(arriving: TrueFlight, next: TrueFlight): number {
  const comesFromAbroad = arriving.from.country !== arriving.to.country;
  const goesAbroad = next.from.country !== next.to.country;
  const { terminal } = arriving.to;
  const extra = terminal !== "" && terminal === next.from.terminal ? 0 : otherTerminal;
  if (!comesFromAbroad) return (goesAbroad ? changing.toInternational : changing.domestic) + extra;
  if (isIn(next.from.country, "US CA")) return changing.enteringAmerica + extra;
  return (goesAbroad ? changing.international : changing.toDomestic) + extra;
}

const europe =
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS NO LI CH GP MQ GF RE YT MF AX";
const europeanAirlines = "A3 A5 AF AY AZ BT CL DE EI EN EW FI FR IB KL LG LH LO LX NI OS RO SK SN TP VY WA WK YW";
const britishAirlines = "BA BY EG LS RK U2 VS";
const unitedStates = "US PR VI GU AS MP UM";
/** Until then the authority of the United States does not hold airlines to a refund for another number alone. */
const numbersCountFrom = Date.parse("2027-07-07T00:00:00Z");

function rightBreaches(truth: Truth): readonly Breach[] {
  const ways = [...new Set(truth.booked.map(({ journey }) => journey))];
  return ways.flatMap((journey) => {
    const positions = truth.booked.flatMap((flight, at) => (flight.journey === journey ? [at] : []));
    const booked = positions.map((at) => truth.booked[at]!);
    const proposed = positions.map((at) => truth.proposed[at]!);
    return rightsOf(booked, proposed, truth).map((text): Breach => ({ breaks: "a right", text }));
  });
}

/** Rights to a refund or another flight that accepting the new flights of one way may give up. */
function rightsOf(
  booked: readonly TrueFlight[],
  proposed: readonly (readonly TrueFlight[])[],
  { now, passengers }: Truth,
): readonly string[] {
  const flights = proposed.flat();
  const [first, last] = [booked[0]!, booked.at(-1)!];
  const [newFirst, newLast] = [flights[0], flights.at(-1)];
  const isWithdrawn = proposed.some((becomes) => becomes.length === 0);
  if (newFirst === undefined || newLast === undefined || isWithdrawn)
    return lawsOf(booked).map((law) => `${law}: withdrawn`);
  const leavesLater = (newFirst.from.at - first.from.at) / 60_000;
  const arrivesLater = (newLast.to.at - last.to.at) / 60_000;
  const airports = first.from.airport !== newFirst.from.airport || last.to.airport !== newLast.to.airport;
  const via = (list: readonly TrueFlight[]): string =>
    list
      .slice(1)
      .map(({ from }) => from.airport)
      .join(" ");
  const rerouted = via(booked) !== via(flights);
  const renumbered = booked.some(
    ({ carrier, flightNumber }, at) =>
      carrier !== proposed[at]![0]!.carrier || flightNumber !== proposed[at]![0]!.flightNumber,
  );
  const brought = booked.some((flight, at) => flight.from.at - proposed[at]![0]!.from.at > 60 * 60_000);
  const lowered = booked.some(({ cabin }, at) =>
    proposed[at]!.some((other) => cabinsDown.indexOf(other.cabin) > cabinsDown.indexOf(cabin)),
  );
  const assisted = passengers.some(({ needsAssistance }) => needsAssistance);
  const isDomestic = booked.every(({ from, to }) => isIn(from.country, unitedStates) && isIn(to.country, unitedStates));
  const significant = isDomestic ? 180 : 360;
  const european = brought || leavesLater >= 180 || airports || rerouted || renumbered;
  const american =
    leavesLater <= -significant ||
    arrivesLater >= significant ||
    airports ||
    flights.length > booked.length ||
    lowered ||
    (renumbered && now >= numbersCountFrom) ||
    (assisted && rerouted);
  const canadian = leavesLater >= 180 || arrivesLater >= 180;
  const given: Readonly<Record<Law, boolean>> = {
    "EU 261": european,
    "UK 261": european,
    "US 260": american,
    "Canada APPR": canadian,
  };
  return lawsOf(booked).flatMap((law) =>
    given[law]
      ? [`${law}: leaves ${leavesLater} and arrives ${arrivesLater} minutes later, or is another way to travel`]
      : [],
  );
}

const cabinsDown = ["F", "C", "W", "Y"];

type Law = "EU 261" | "UK 261" | "US 260" | "Canada APPR";

/** The laws of a way: by where it begins and ends, who flies it, and for North America what it touches. */
function lawsOf(booked: readonly TrueFlight[]): readonly Law[] {
  const [from, to] = [booked[0]!.from.country, booked.at(-1)!.to.country];
  const by = (airlines: string): boolean => booked.some(({ operator }) => isIn(operator, airlines));
  const touches = (countries: string): boolean =>
    booked.some((flight) => isIn(flight.from.country, countries) || isIn(flight.to.country, countries));
  const applying: readonly (readonly [Law, boolean])[] = [
    ["EU 261", isIn(from, europe) || (isIn(to, europe) && by(europeanAirlines))],
    [
      "UK 261",
      from === "GB" ||
        (to === "GB" && by(`${britishAirlines} ${europeanAirlines}`)) ||
        (isIn(to, europe) && by(britishAirlines)),
    ],
    ["US 260", touches(unitedStates)],
    ["Canada APPR", touches("CA")],
  ];
  return applying.flatMap(([law, applies]) => (applies ? [law] : []));
}

function isIn(code: string, list: string): boolean {
  return list.split(" ").includes(code);
}

function nameOf({ carrier, flightNumber, from, to }: TrueFlight): string {
  return `${carrier}${flightNumber} ${from.airport}-${to.airport}`;
}
