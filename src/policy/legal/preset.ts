import { z } from "zod";
import type { JourneyChangeFactName } from "../../itinerary/journey-changes.ts";
import { territories } from "./territories.ts";

/* Unknown members are rejected, so that a typing error cannot pass for a law without content. */

const text = z.string().regex(/\S/, "must be text");
const code = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens");
const day = z.iso.date("must be a day, such as 2027-06-30");
const count = z.int("must be a whole number").nonnegative("must not be negative");
const amount = z.string('must be an amount in quotes, such as "250"').regex(/^\d+$/, "must be a whole amount");
const territory = z.enum(territories);

const numberFacts = [
  "journeyDepartureEarlierMinutes",
  "journeyDepartureLaterMinutes",
  "journeyArrivalEarlierMinutes",
  "journeyArrivalLaterMinutes",
  "removedFlightCount",
  "changedFlightCount",
] as const satisfies readonly JourneyChangeFactName[];

const flagFacts = [
  "cancelled",
  "originChanged",
  "destinationChanged",
  "connectionsAdded",
  "connectingAirportsChanged",
  "flightNumberChanged",
  "aircraftChanged",
  "cabinDowngraded",
  "assistanceRequested",
] as const satisfies readonly (JourneyChangeFactName | "assistanceRequested")[];

/** What a law asks for and no order states, or what lawyers disagree on. */
export const unsettledFacts = {
  aircraftAccessibility: "Whether the new aircraft has the feature that the traveller needs.",
  carrierControl: "Whether the cause lies within the carrier's control and is no matter of safety.",
  courtReading: "How courts read this change: the law does not name it, and no settled reading was found.",
  enforcement: "Whether the authority enforces this part of the rule; the term in which it does not is over.",
  cancelled: "Whether a flight without new values is withdrawn, or its new values are only missing.",
} as const;

const limit = z.union(
  [count, z.strictObject({ domestic: count, international: count })],
  "must be a number, or a number for domestic and one for international",
);
const notice = z.union([z.strictObject({ days: count }), z.strictObject({ hours: count })], "must be days or hours");

/** Larger numbers are always worse for the traveller. */
const numberCondition = z.union([
  z.strictObject({ fact: z.enum(numberFacts), atLeast: limit }),
  z.strictObject({ fact: z.enum(numberFacts), moreThan: limit }),
]);
const flagCondition = z.strictObject({ flag: z.enum(flagFacts) });
/** The traveller was informed later than this before the booked departure, or can no longer be informed in time. */
const noticeCondition = z.strictObject({
  toldLessThan: notice,
  /** Whether a notice exactly that long before still counts as less. */
  inclusive: z.boolean().optional(),
});
/** Never known, because no order states it. */
const unsettledCondition = z.strictObject({ unsettled: z.enum(Object.keys(unsettledFacts) as UnsettledFact[]) });

/** A condition on one journey, three-valued: true, false, or unknown with the name of the missing fact. */
export type LegalCondition =
  | NumberCondition
  | FlagCondition
  | NoticeCondition
  | UnsettledCondition
  /** `words` replaces the parts on pages if they would not read well. */
  | { readonly any: readonly LegalCondition[]; readonly words?: string | undefined }
  | { readonly all: readonly LegalCondition[] };

const condition: z.ZodType<LegalCondition> = z.lazy(() =>
  z.union([
    flagCondition,
    ...numberCondition.options,
    noticeCondition,
    unsettledCondition,
    z.strictObject({ any: z.array(condition).min(1), words: text.optional() }),
    z.strictObject({ all: z.array(condition).min(1) }),
  ]),
);

const scopeClause = z.union([
  /** A booked airport is there, even if only to change flights. */
  z.strictObject({ touches: territory }),
  z.strictObject({ departs: territory }),
  /** It comes from elsewhere, on carriers licensed in one of these territories; if missing, on any carrier. */
  z.strictObject({ arrives: territory, licensedIn: z.array(territory).min(1).optional() }),
  /**
   * It comes from elsewhere as one booking of so many flights, all sold by the operator of the last one, which is
   * licensed in one of these territories. The others may be on any carrier.
   */
  z.strictObject({ arrives: territory, flights: count, lastBySellerLicensedIn: z.array(territory).min(1) }),
  /** It passes through in this way, and it is unsettled whether the law applies. */
  z.strictObject({
    unsettled: z.union([
      z.strictObject({ arrives: territory }),
      /** `onSeveralBookings`: only if its flights are on several booking references. */
      z.strictObject({ connectsIn: territory, onSeveralBookings: z.literal(true).optional() }),
    ]),
  }),
]);

const amountRow = z.strictObject({
  /** In whole units of the currency, as text. */
  value: amount,
  /** Great-circle distance, inclusive. */
  upToKm: count.optional(),
  /** Only for a journey that stays within the territory. */
  within: territory.optional(),
  /** Only for a domestic journey (true), or only for another one (false). */
  domestic: z.boolean().optional(),
  /** Only for a carrier of this size. */
  carrier: z.enum(["large", "small"]).optional(),
  /** Arrival later by this many minutes or more. */
  fromMinutesLater: count.optional(),
  /** The reduced amount if the arrival is later by at most so many minutes. */
  reduced: z.strictObject({ value: amount, upToMinutesLater: count }).optional(),
});

/** The amount per passenger. The first row whose limits hold counts. */
const amountTable = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  rows: z.array(amountRow).min(1),
  /** When no row is reduced, however soon the new flight arrives; an unknown condition also prevents it. */
  notReduced: z.strictObject({ when: condition, paragraph: text }).optional(),
});

/** What a traveller may be owed. Accepting can give up only `refund-or-rerouting`. */
const right = z.enum(["refund-or-rerouting", "compensation", "partial-refund"]);

const trigger = z.strictObject({
  /** Unique within the preset. */
  id: code,
  title: text,
  right,
  paragraph: text,
  when: condition,
  note: text.optional(),
  /** The last day without enforcement by the authority: no right until then, `cannot-tell` afterwards. */
  notEnforcedUntil: day.optional(),
  amount: amountTable.optional(),
  clocks: z.array(code).min(1).optional(),
});

/** How long a clock runs. A negative term ends before its start. */
const clockTerm = z.union([
  z.strictObject({ days: z.int() }),
  z.strictObject({ hours: z.int() }),
  /** Monday to Friday, without the holidays of that calendar. */
  z.strictObject({ businessDays: count, holidays: z.enum(["us-federal", "none"]) }),
]);

/** A mark before departure is a local time at that airport, and is listed until the notice is given. */
const clock = z.strictObject({
  start: z.enum(["booked-departure", "refund-due"]),
  term: clockTerm,
  /** Only for this payment method; an unknown one counts as both. */
  payment: z.enum(["card", "other"]).optional(),
  /** Only if this party charged the traveller; an unknown one counts as both. */
  merchant: z.enum(["agency", "carrier"]).optional(),
  rule: text,
});

/** Where something was read. A source without a link needs a caveat that says where it is from. */
const source = z
  .strictObject({ name: text, link: z.url({ protocol: /^https?$/ }).optional(), caveat: text.optional() })
  .refine(({ link, caveat }) => link !== undefined || caveat !== undefined, {
    path: ["link"],
    error: "must be given, or a caveat that says why there is none",
  });

/** Proposals that are not law. They are never evaluated. */
const proposed = z.strictObject({
  asOf: day,
  found: z.array(z.strictObject({ what: text, date: day, sources: z.array(source).min(1) })),
  note: text.optional(),
});

const inForce = z.union(
  [
    z.strictObject({ from: day, to: day.nullable() }),
    /** The law applies, since an unknown day. */
    z.strictObject({ from: z.null(), to: day.nullable(), note: text }),
    /** Why the law does not apply yet, as a sentence. Enabling it causes a warning. */
    z.strictObject({ not: text }),
  ],
  "must have 'from' and 'to' (null while the law is in force; without a day of 'from' a note says why), or 'not' with the reason",
);

/**
 * A law as data: where it applies, what gives which right, until when, and the source. It is engineering research and
 * no legal advice; `asOf` is its age, and past `reviewBy` a person must read the law again.
 */
export const presetSchema = z
  .strictObject({
    /** Stable, and the file name; settings, decisions and pages use it. */
    id: code,
    title: text,
    citation: text,
    sources: z.array(source).min(1),
    /** The day on which the sources were read. */
    asOf: day,
    /** The last day on which it may be relied on without a review. */
    reviewBy: day,
    inForce,
    proposed,
    /** Whether it is on unless the agency switches it. */
    onByDefault: z.boolean(),
    /** The law applies if one clause does. */
    scope: z.array(scopeClause).min(1),
    /** A journey within this territory is domestic. Missing if the law makes no difference. */
    domesticWithin: territory.optional(),
    triggers: z.array(trigger).min(1),
    /** Changes of which the law says nothing: it names no right for them, and rules none out. */
    silentOn: condition.optional(),
    /** By name. A name in several presets means the same in all of them. */
    clocks: z.record(code, clock),
    notes: z.array(text),
  })
  .superRefine((preset, context) => {
    for (const { path, message } of contradictionsIn(preset)) context.addIssue({ code: "custom", path, message });
  });

export type LegalPreset = z.infer<typeof presetSchema>;
export type LegalTrigger = z.infer<typeof trigger>;
export type LegalRight = z.infer<typeof right>;
export type ScopeClause = z.infer<typeof scopeClause>;
export type NumberCondition = z.infer<typeof numberCondition>;
export type FlagCondition = z.infer<typeof flagCondition>;
export type NoticeCondition = z.infer<typeof noticeCondition>;
export type UnsettledCondition = z.infer<typeof unsettledCondition>;
export type Notice = z.infer<typeof notice>;
export type NumberFact = (typeof numberFacts)[number];
export type FlagFact = (typeof flagFacts)[number];
export type UnsettledFact = keyof typeof unsettledFacts;
export type AmountTable = z.infer<typeof amountTable>;
export type AmountRow = z.infer<typeof amountRow>;
export type ClockDefinition = z.infer<typeof clock>;
export type ClockTerm = z.infer<typeof clockTerm>;
export type LegalSource = z.infer<typeof source>;

/** Returns the limit of a number, and whether it is inclusive. */
export function limitOf(condition: NumberCondition): {
  readonly limit: z.infer<typeof limit>;
  readonly isInclusive: boolean;
} {
  return "atLeast" in condition
    ? { limit: condition.atLeast, isInclusive: true }
    : { limit: condition.moreThan, isInclusive: false };
}

interface Contradiction {
  readonly path: (string | number)[];
  readonly message: string;
}

function contradictionsIn(preset: LegalPreset): readonly Contradiction[] {
  const { asOf, reviewBy, inForce: force, onByDefault, domesticWithin, triggers, clocks } = preset;
  const found: Contradiction[] = [];
  const refuse = (message: string, ...path: (string | number)[]) => found.push({ path, message });
  if (reviewBy <= asOf) refuse(`must be after asOf, ${asOf}`, "reviewBy");
  if ("not" in force && onByDefault) refuse("must be false while the law is not in force", "onByDefault");
  if (!("not" in force) && force.from !== null && force.to !== null && force.to < force.from)
    refuse(`must not be before ${force.from}`, "inForce", "to");

  triggers.forEach(({ id, right: owed, when, amount: table, clocks: names = [] }, index) => {
    const at = ["triggers", index];
    if (triggers.findIndex((other) => other.id === id) !== index) refuse(`another trigger is '${id}'`, ...at, "id");
    for (const name of names)
      if (!Object.hasOwn(clocks, name)) refuse(`'${name}' is none of the clocks below`, ...at, "clocks");
    if (domesticWithin === undefined && hasDomesticLimit(when))
      refuse("has a limit for domestic journeys, and domesticWithin is missing", ...at, "when");
    if (table === undefined) return;
    if (owed !== "compensation") refuse("is for the right to compensation only", ...at, "amount");
    table.rows.forEach((row, position) => {
      const place = [...at, "amount", "rows", position];
      const { value: _, reduced: __, ...limits } = row;
      if (Object.keys(limits).length === 0 && position < table.rows.length - 1)
        refuse("fits every journey, so no later row can count", ...place);
      if (row.domestic !== undefined && domesticWithin === undefined)
        refuse("needs domesticWithin", ...place, "domestic");
    });
  });

  const used = new Set(triggers.flatMap(({ clocks: names = [] }) => names));
  for (const name of Object.keys(clocks)) if (!used.has(name)) refuse("no trigger names this clock", "clocks", name);
  return found;
}

function hasDomesticLimit(when: LegalCondition): boolean {
  if ("any" in when) return when.any.some(hasDomesticLimit);
  if ("all" in when) return when.all.some(hasDomesticLimit);
  return "fact" in when && typeof limitOf(when).limit !== "number";
}
