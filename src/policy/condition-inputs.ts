import { type ChangeFacts, factCatalogue } from "../itinerary/fact-catalogue.ts";
import { type Fact, known, unknown } from "../kernel/fact.ts";
import type { VariableName } from "./condition.ts";

/** A value that a condition can read. Plain JSON: traces are stored. */
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
    if (fact.known) celContext[name] = typeof fact.value === "number" ? BigInt(fact.value) : fact.value;
  }
  return { celContext, read: (name) => values.get(name) ?? unknown("not-computed") };
}

function toReadable(type: "int" | "bool" | "list<string>", fact: Fact<unknown> | undefined): Fact<ReadValue> {
  if (fact === undefined) return unknown("not-computed");
  if (!fact.known) return unknown(fact.reason);
  const { value } = fact;
  if (type === "int" && typeof value === "number" && Number.isSafeInteger(value)) return known(value);
  if (type === "bool" && typeof value === "boolean") return known(value);
  if (type === "list<string>" && isListOfStrings(value)) return known(value);
  return unknown("not-usable");
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
