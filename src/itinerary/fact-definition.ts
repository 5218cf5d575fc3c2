import { type Fact, unknown } from "../kernel/fact.ts";

/** A `decimal` is an amount of money, as text with the digits as sent. Conditions read it as a `double`. */
export type FactType = "int" | "bool" | "string" | "decimal" | "list<string>";

/** The unit of a number; missing for a plain number or no number. */
export type FactUnit = "min" | "days" | "nights" | "km" | "mi";

export interface FactDefinition {
  readonly type: FactType;
  readonly unit?: FactUnit;
  readonly description: string;
  /** Conditions that hold wherever this fact is true, to find rules that can never decide; may be incomplete. */
  readonly implies?: readonly string[];
  readonly atLeast?: number;
  readonly values?: readonly string[];
}

/** A fact and how it is computed from the parts of a change that the facts of its topic share. */
export interface ComputedFact<Parts, Value> extends FactDefinition {
  readonly compute: (parts: Parts) => Fact<Value>;
}

type Topic<Parts> = Readonly<Record<string, ComputedFact<Parts, unknown>>>;

export type FactsOf<Facts extends Topic<never>> = {
  readonly [Name in keyof Facts]: ReturnType<Facts[Name]["compute"]>;
};

/** Functions that make the facts of one topic, one for each type. */
export function factsFrom<Parts>() {
  const ofType =
    <Value>(type: FactType) =>
    (
      description: string,
      compute: (parts: Parts) => Fact<Value>,
      details: Omit<FactDefinition, "type" | "description"> = {},
    ): ComputedFact<Parts, Value> => ({ type, description, ...details, compute });
  return {
    int: ofType<number>("int"),
    bool: ofType<boolean>("bool"),
    text: ofType<string>("string"),
    decimal: ofType<string>("decimal"),
    list: ofType<readonly string[]>("list<string>"),
  };
}

/** Adds the facts of a topic to `computed`: one object for all, because copying some 150 members takes long. */
export function computeTopic<Parts, Facts extends Topic<Parts>>(
  facts: Facts,
  parts: Parts,
  computed = {} as FactsOf<Facts>,
): FactsOf<Facts> {
  const target: Record<string, Fact<unknown>> = computed;
  for (const name in facts) target[name] = facts[name]!.compute(parts);
  return computed;
}

/** Likewise, every fact as unknown, for one reason. */
export function unknownFacts<Facts extends Topic<never>>(
  facts: Facts,
  reason: string,
  computed = {} as FactsOf<Facts>,
): FactsOf<Facts> {
  const target: Record<string, Fact<unknown>> = computed;
  for (const name in facts) target[name] = unknown(reason);
  return computed;
}
