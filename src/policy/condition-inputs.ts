import { type ChangeFacts, factCatalogue } from "../itinerary/fact-catalogue.ts";
import type { FactType } from "../itinerary/fact-definition.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { VariableName } from "./condition.ts";

/** A value that a condition can read. Plain JSON: traces are stored. An amount of money is text, as it was sent. */
export type ReadValue = number | boolean | string | readonly string[];

/** What conditions read about one change, each value known or unknown. */
export interface ConditionInputs {
  read(name: VariableName): Fact<ReadValue>;
  /** The known values in CEL's terms: whole numbers are BigInt there. */
  readonly celContext: Record<string, unknown>;
}

/** What a policy is evaluated for. */
export interface PolicySubject {
  readonly facts: ChangeFacts;
  /** The gateway account that the change came from. */
  readonly source: string;
  readonly orderId: string;
}

/**
 * Makes the facts readable for conditions. Stored facts may be older than the catalogue: a fact that is missing counts
 * as unknown (`not-computed`), one with a value of another type too (`not-usable`), so that evaluation never fails.
 */
export function toConditionInputs(subject: PolicySubject): ConditionInputs {
  const values = new Map<string, Fact<ReadValue>>([
    ["source", known(subject.source)],
    ["orderId", known(subject.orderId)],
  ]);
  const facts: Readonly<Record<string, Fact<unknown> | undefined>> = subject.facts;
  for (const [name, { type }] of Object.entries(factCatalogue)) {
    values.set(name, toReadable(type, facts[name]));
  }

  const celContext: Record<string, unknown> = {};
  for (const [name, fact] of values) {
    if (fact.known) celContext[name] = toCel(types[name]?.type ?? "string", fact.value);
  }
  return { celContext, read: (name) => values.get(name) ?? unknown("not-computed") };
}

const types: Readonly<Record<string, { readonly type: FactType } | undefined>> = factCatalogue;

function toCel(type: FactType, value: ReadValue): unknown {
  if (type === "int") return BigInt(value as number);
  return type === "decimal" ? Number(value) : value;
}

function toReadable(type: FactType, fact: Fact<unknown> | undefined): Fact<ReadValue> {
  if (fact === undefined) return unknown("not-computed");
  if (!fact.known) return unknown(fact.reason);
  return isOfType[type](fact.value) ? known(fact.value as ReadValue) : unknown("not-usable");
}

const isOfType: Readonly<Record<FactType, (value: unknown) => boolean>> = {
  int: (value) => Number.isSafeInteger(value),
  bool: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  decimal: (value) => typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)),
  "list<string>": isListOfStrings,
};

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
