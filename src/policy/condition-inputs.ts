import { factCatalogue } from "../itinerary/fact-catalogue.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import { type ContextName, type NameType, typeOfName, type VariableName, variableNames } from "./condition-names.ts";
import type { LegalAssessment } from "./legal/assessment.ts";
import { type LegalFactName, legalFact, legalFactCatalogue } from "./legal/legal-facts.ts";
import type { PolicyInputs } from "./policy.ts";

/** A value that a condition can read. Plain JSON, since traces are stored. Amounts of money are text as sent. */
export type ReadValue = number | boolean | string | readonly string[];

export interface ConditionInputs {
  read(name: VariableName): Fact<ReadValue>;
  /** Returns CEL's context with at least the known ones of these names; whole numbers are BigInt. */
  celContext(names: readonly VariableName[]): Record<string, unknown>;
  /** Charges work; returns false once the budget for this change is used up. */
  spend(steps: number): boolean;
}

/** Budget for one change: condition nodes times list elements. Counted, not timed, to be reproducible. */
const stepsMax = 1_000_000;

/** Longest text or list that a condition reads; facts are far shorter. */
const lengthMax = 10_000;

/** The place of each name in CEL's context, computed once because every change needs it. */
const places = new Map(
  variableNames.map((name) => {
    const [holder = name, member] = name.split(".");
    return [name, { type: typeOfName(name), isFact: Object.hasOwn(factCatalogue, name), holder, key: member ?? name }];
  }),
);

/**
 * Makes the facts readable for conditions. A stored fact that is missing counts as unknown (`not-computed`), as does
 * one of another type (`not-usable`), so that evaluation never fails. Values are read lazily: most rules read few facts
 * and no law.
 */
export function toConditionInputs(inputs: PolicyInputs): ConditionInputs {
  const facts: Readonly<Record<string, Fact<unknown> | undefined>> = inputs.facts;
  const values = new Map<VariableName, Fact<ReadValue>>();
  const order: Record<string, unknown> = {};
  const legal: Record<string, unknown> = {};
  const context: Record<string, unknown> = { order, legal };
  let steps = 0;

  const read = (name: VariableName): Fact<ReadValue> => {
    const seen = values.get(name);
    if (seen !== undefined) return seen;
    const place = places.get(name);
    if (place === undefined) return unknown("not-computed");
    const { type, isFact, holder, key } = place;
    const fact = isFact ? toReadable(type, facts[name]) : contextReaders[name as ContextName](inputs);
    values.set(name, fact);
    if (fact.known) {
      const target = holder === "order" ? order : holder === "legal" ? legal : context;
      target[key] = toCel(type, fact.value);
    }
    return fact;
  };

  return {
    read,
    celContext: (names) => {
      for (const name of names) read(name);
      return context;
    },
    spend: (cost) => {
      steps += cost;
      return steps <= stepsMax;
    },
  };
}

type ContextReader = (inputs: PolicyInputs) => Fact<ReadValue>;

const contextReaders: Readonly<Record<ContextName, ContextReader>> = {
  source: ({ source }) => known(source),
  orderId: ({ order }) => known(order.orderId),
  now: ({ now }) => known(now.toISOString()),
  "order.travellerAnswer": ({ order }) => known(order.travellerAnswer ?? "none"),
  "order.customerAgreement": ({ order }) => known(order.customerAgreement),
  "order.bookingReferenceCount": ({ order }) => known(order.gdsBookingReferences.length),
  "order.minutesSinceChange": ({ order, now }) =>
    order.changeSeenAt === null
      ? unknown("not-kept")
      : known(Math.max(0, Math.floor((now.getTime() - order.changeSeenAt.getTime()) / 60_000))),
  "order.ticketIssuedOn": ({ order }) => toReadable("string", order.ticketIssuedOn),
  "legal.held": ({ legal }) => (legal === null ? unknown("law-not-checked") : known(legal.hold.held)),
  "legal.refundOrRerouting": ({ legal }) => standingOf(legal, "refund-or-rerouting"),
  "legal.compensation": ({ legal }) => standingOf(legal, "compensation"),
  "legal.partialRefund": ({ legal }) => standingOf(legal, "partial-refund"),
  ...presetReaders(),
};

function presetReaders(): Readonly<Record<LegalFactName, ContextReader>> {
  const names = Object.keys(legalFactCatalogue) as LegalFactName[];
  const readers = names.map((name): readonly [LegalFactName, ContextReader] => [
    name,
    ({ legal }) => (legal === null ? unknown("law-not-checked") : known(legalFact(name, legal))),
  ]);
  return Object.fromEntries(readers) as Record<LegalFactName, ContextReader>;
}

/** Returns the strongest verdict on a right: one preset that gives it is enough. */
function standingOf(legal: LegalAssessment | null, right: LegalAssessment["verdicts"][number]["right"]): Fact<string> {
  if (legal === null) return unknown("law-not-checked");
  const verdicts = legal.verdicts.filter((verdict) => verdict.right === right).map(({ verdict }) => verdict);
  const strongest = (["entitled", "cannot-tell"] as const).find((verdict) => verdicts.includes(verdict));
  return known(strongest ?? "not-entitled");
}

function toCel(type: NameType, value: ReadValue): unknown {
  if (type === "timestamp") return new Date(String(value));
  if (type === "int") return BigInt(value as number);
  return type === "decimal" ? Number(value) : value;
}

function toReadable(type: NameType, fact: Fact<unknown> | undefined): Fact<ReadValue> {
  if (fact === undefined) return unknown("not-computed");
  if (!fact.known) return unknown(fact.reason);
  return isOfType[type](fact.value) ? known(fact.value as ReadValue) : unknown("not-usable");
}

const isOfType: Readonly<Record<NameType, (value: unknown) => boolean>> = {
  timestamp: (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  int: (value) => Number.isSafeInteger(value),
  bool: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string" && value.length <= lengthMax,
  decimal: (value) => typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)),
  "list<string>": isListOfStrings,
};

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.length <= lengthMax && value.every((element) => typeof element === "string");
}
