import type { z } from "zod";

/** The notes of a schema, from which the OpenAPI documents, docs/contract.md and the tolerant reader are made. */
export interface ElementNotes {
  /** Name of the component in the OpenAPI documents. */
  readonly id?: string;
  /** Heading of the interface document. Members inherit it. */
  readonly section?: string;
  readonly description?: string;
  /** Other keys for the same value. Letter case is ignored in any case. */
  readonly aliases?: readonly string[];
  readonly reads?: ReadingRule;
  /** The member that a bare value stands for, if a gateway sends one instead of the object. */
  readonly bare?: string;
}

/**
 * How to normalise a value whose schema does not tell: `references` are keys separated by blanks, `tokens` are values
 * separated by blanks whose repetitions and order count, `decimal` keeps all digits, the others are local.
 */
export type ReadingRule = "references" | "tokens" | "decimal" | "date" | "time" | "date-time";

/** Carries the reading rule of a schema in its type. */
export interface Reads<Rule extends ReadingRule> {
  readonly "~reads": Rule;
}

type Marked<Schema, Notes> = Notes extends { readonly reads: infer Rule extends ReadingRule }
  ? Schema & Reads<Rule>
  : Schema;

/** Names a shape of the interface document: `element("Money", "Money object", z.strictObject({…}))`. */
export function element<Schema extends z.ZodType>(
  id: string,
  section: string,
  schema: Schema,
  notes: Pick<ElementNotes, "bare" | "aliases"> = {},
): Schema {
  return schema.meta({ ...schema.meta(), ...notes, id, section });
}

/**
 * Adds notes to a field: `field(z.string(), "free text naming the request")`. A named shape is wrapped, so that it
 * stays one component and the field has its own description.
 */
export function field<
  Schema extends z.ZodType,
  const Notes extends Omit<ElementNotes, "id" | "description"> = Record<never, never>,
>(schema: Schema, description: string, notes?: Notes): Marked<Schema, Notes> {
  const { id: _, ...inherited } = schema.meta() ?? {};
  return schema.meta({ ...inherited, ...notes, description }) as Marked<Schema, Notes>;
}

export function notesOf(schema: z.ZodType): ElementNotes {
  return (schema.meta() ?? {}) as ElementNotes;
}
