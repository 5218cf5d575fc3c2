import { type Fact, unknown } from "../kernel/fact.ts";

/**
 * How a fact is typed. A `decimal` is an amount of money: its value is text with the digits as they were sent, never a
 * float; conditions read it as a `double`.
 */
export type FactType = "int" | "bool" | "string" | "decimal" | "list<string>";

/** What a number counts. A fact without a unit is a plain number, or no number. */
export type FactUnit = "min" | "days" | "nights" | "km" | "mi";

/** What a catalogue says of one fact. */
export interface FactDefinition {
  readonly type: FactType;
  readonly unit?: FactUnit;
  /** What it means, in the words that policies and the dashboard show. */
  readonly description: string;
  /**
   * Conditions that hold wherever this fact is true, each known as well. They show a rule that can never decide; what is
   * left out is only not found.
   */
  readonly implies?: readonly string[];
  /** The least value that a number can have. */
  readonly atLeast?: number;
  /** Every text that it can be. */
  readonly values?: readonly string[];
}

interface ValueOf {
  readonly int: number;
  readonly bool: boolean;
  readonly string: string;
  readonly decimal: string;
  readonly "list<string>": readonly string[];
}

type Catalogue = Readonly<Record<string, FactDefinition>>;

/** The facts of a catalogue, each known or unknown with its reason. */
export type FactsOf<Definitions extends Catalogue> = {
  readonly [Name in keyof Definitions]: Fact<ValueOf[Definitions[Name]["type"]]>;
};

/** Every fact of a catalogue as unknown, for one reason. */
export function unknownFacts<Definitions extends Catalogue>(
  catalogue: Definitions,
  reason: string,
): FactsOf<Definitions> {
  const missing = unknown(reason);
  return Object.fromEntries(Object.keys(catalogue).map((name) => [name, missing])) as unknown as FactsOf<Definitions>;
}
