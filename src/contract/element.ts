import type { z } from "zod";

/**
 * What a schema of the contract says beside its form. It is kept in the schema's metadata, so that the OpenAPI documents,
 * docs/contract.md and the tolerant reader follow from the same definition as validation and types.
 */
export interface ElementNotes {
  /** Name of the component in the OpenAPI documents; the same shape under the same name everywhere. */
  readonly id?: string;
  /** Heading of the interface document that shows the field; fields within inherit it. */
  readonly section?: string;
  readonly description?: string;
  /** Other keys under which gateways send the same value. Letter case is ignored anyhow. */
  readonly aliases?: readonly string[];
  readonly reads?: ReadingRule;
  /** The member that holds the value when a gateway sends the bare value in the place of an object. */
  readonly bare?: string;
}

/**
 * How a value is normalised where its form alone does not tell: `references` for keys separated by blanks, `tokens` for
 * values separated by blanks in which repetitions and order count, `decimal` for numbers that keep their digits, `date`,
 * `time` and `date-time` for local dates and times.
 */
export type ReadingRule = "references" | "tokens" | "decimal" | "date" | "time" | "date-time";

/** Tells the types of normalised values what `reads` tells the reader. It exists in types only. */
export interface Reads<Rule extends ReadingRule> {
  readonly "~reads": Rule;
}

type Marked<Schema, Notes> = Notes extends { readonly reads: infer Rule extends ReadingRule }
  ? Schema & Reads<Rule>
  : Schema;

/** Names a shape of the interface document: `element("MoneyObject", "Money object", z.strictObject({…}))`. */
export function element<Schema extends z.ZodType>(
  id: string,
  section: string,
  schema: Schema,
  notes: Pick<ElementNotes, "bare" | "aliases"> = {},
): Schema {
  return schema.meta({ ...schema.meta(), ...notes, id, section });
}

/**
 * Adds notes to a field: `field(z.string(), "free text naming the request")`. A named shape keeps its name only on the
 * shape itself, so that a field of it becomes a reference to one component, with a description of its own.
 */
export function field<
  Schema extends z.ZodType,
  const Notes extends Omit<ElementNotes, "id" | "description"> = Record<never, never>,
>(schema: Schema, description: string, notes?: Notes): Marked<Schema, Notes> {
  const { id: _, ...inherited } = schema.meta() ?? {};
  return schema.meta({ ...inherited, ...notes, description }) as Marked<Schema, Notes>;
}

/** The notes of a schema; empty when it has none. */
export function notesOf(schema: z.ZodType): ElementNotes {
  return (schema.meta() ?? {}) as ElementNotes;
}
