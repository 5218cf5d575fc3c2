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

interface ValueOf {
  readonly int: number;
  readonly bool: boolean;
  readonly string: string;
  readonly decimal: string;
  readonly "list<string>": readonly string[];
}

type Catalogue = Readonly<Record<string, FactDefinition>>;

export type FactsOf<Definitions extends Catalogue> = {
  readonly [Name in keyof Definitions]: Fact<ValueOf[Definitions[Name]["type"]]>;
};

/** Returns every fact of a catalogue as unknown, for one reason. */
export function unknownFacts<Definitions extends Catalogue>(
  catalogue: Definitions,
  reason: string,
): FactsOf<Definitions> {
  const missing = unknown(reason);
  return Object.fromEntries(Object.keys(catalogue).map((name) => [name, missing])) as unknown as FactsOf<Definitions>;
}
