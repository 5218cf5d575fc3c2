import { factCatalogue } from "../itinerary/fact-catalogue.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import {
  type ContextName,
  isVariableName,
  type NameType,
  typeOfName,
  type VariableName,
  variableNames,
} from "./condition-names.ts";
import type { LegalAssessment } from "./legal/assessment.ts";
import { type LegalFactName, legalFactCatalogue, legalFacts } from "./legal/legal-facts.ts";
import type { PolicyInputs } from "./policy.ts";

/** A value that a condition can read. Plain JSON: traces are stored. An amount of money is text, as it was sent. */
export type ReadValue = number | boolean | string | readonly string[];

/** What conditions read about one change, each value known or unknown. */
export interface ConditionInputs {
  read(name: VariableName): Fact<ReadValue>;
  /** The known values in CEL's terms: whole numbers are BigInt there. */
  readonly celContext: Record<string, unknown>;
  /** Pays for work; false when the work for this change is used up. */
  spend(steps: number): boolean;
}

/**
 * Work for one change, in nodes of conditions times the elements of the lists that they read. It is counted and not
 * timed, so that the same input always ends the same way. Shipped policies need less than a hundredth of it.
 */
const stepsMax = 1_000_000;

/** Longest text or list that a condition reads; facts are far shorter. */
const lengthMax = 10_000;

/** Worked out once, because it is asked for every change: where each name stands in CEL's context. */
const readableNames = variableNames.filter(isVariableName).map((name) => {
  const [holder = name, member] = name.split(".");
  return { name, type: typeOfName(name), isFact: Object.hasOwn(factCatalogue, name), holder, key: member ?? name };
});

/**
 * Makes the facts readable for conditions. Stored facts may be older than the catalogue: a fact that is missing counts
 * as unknown (`not-computed`), one with a value of another type too (`not-usable`), so that evaluation never fails.
 */
export function toConditionInputs(inputs: PolicyInputs): ConditionInputs {
  const context: Readonly<Record<string, Fact<ReadValue>>> = contextOf(inputs);
  const facts: Readonly<Record<string, Fact<unknown> | undefined>> = inputs.facts;
  const values = new Map<VariableName, Fact<ReadValue>>();
  const order: Record<string, unknown> = {};
  const legal: Record<string, unknown> = {};
  const celContext: Record<string, unknown> = { order, legal };
  for (const { name, type, isFact, holder, key } of readableNames) {
    const fact = isFact ? toReadable(type, facts[name]) : (context[name] ?? unknown("not-computed"));
    values.set(name, fact);
    if (!fact.known) continue;
    const target = holder === "order" ? order : holder === "legal" ? legal : celContext;
    target[key] = toCel(type, fact.value);
  }

  let steps = 0;
  return {
    celContext,
    read: (name) => values.get(name) ?? unknown("not-computed"),
    spend: (cost) => {
      steps += cost;
      return steps <= stepsMax;
    },
  };
}

function contextOf({ source, order, now, legal }: PolicyInputs): Readonly<Record<ContextName, Fact<ReadValue>>> {
  return {
    source: known(source),
    orderId: known(order.orderId),
    now: known(now.toISOString()),
    "order.travellerAnswer": known(order.travellerAnswer ?? "none"),
    "order.customerAgreement": known(order.customerAgreement),
    "order.bookingReferenceCount": known(order.gdsBookingReferences.length),
    "order.minutesSinceChange":
      order.changeSeenAt === null
        ? unknown("not-kept")
        : known(Math.max(0, Math.floor((now.getTime() - order.changeSeenAt.getTime()) / 60_000))),
    "order.ticketIssuedOn": toReadable("string", order.ticketIssuedOn),
    "legal.held": legal === null ? unknown("law-not-checked") : known(legal.hold.held),
    "legal.refundOrRerouting": standingOf(legal, "refund-or-rerouting"),
    "legal.compensation": standingOf(legal, "compensation"),
    "legal.partialRefund": standingOf(legal, "partial-refund"),
    ...presetFacts(legal),
  };
}

function presetFacts(legal: LegalAssessment | null): Readonly<Record<LegalFactName, Fact<string>>> {
  const values: Readonly<Record<string, string>> = legal === null ? {} : legalFacts(legal);
  const names = Object.keys(legalFactCatalogue) as LegalFactName[];
  const facts = names.map((name) => {
    const value = values[name];
    return [name, value === undefined ? unknown("law-not-checked") : known(value)];
  });
  return Object.fromEntries(facts) as Record<LegalFactName, Fact<string>>;
}

/** The strongest verdict on a right: one preset that gives it is enough. */
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
